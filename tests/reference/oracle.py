"""What R's mgcv says about data of our own; see mgcv/README.md."""

import csv
import gzip
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "mgcv"


@dataclass(frozen=True)
class Oracle:
    """One data set, the order it was pruned with, and mgcv's p-values: node by parent."""

    name: str
    X: np.ndarray
    order: list[int]
    terms: np.ndarray  # columns: parent, node
    p_values: np.ndarray
    cpu_seconds: float


def load_all():
    return [_load(path.name.removesuffix("_order.json")) for path in sorted(FOLDER.glob("*.json"))]


def _rows(name):
    with gzip.open(FOLDER / name, "rt") as file:
        return list(csv.DictReader(file))


def _load(name):
    terms = _rows(f"{name}_pvalues.csv.gz")
    with gzip.open(FOLDER / f"{name}_X.csv.gz", "rt") as file:
        X = np.loadtxt(file, delimiter=",")
    return Oracle(
        name=name,
        X=X,
        order=json.loads((FOLDER / f"{name}_order.json").read_text()),
        terms=np.array([[int(t["parent"]), int(t["node"])] for t in terms]),
        p_values=np.array([float(t["p_value"]) for t in terms]),
        cpu_seconds=sum(float(r["cpu"]) for r in _rows(f"{name}_regressions.csv.gz")),
    )


@dataclass(frozen=True)
class Agreement:
    """Keep/drop decisions at 0.001 against mgcv's."""

    all_terms: float
    clear_terms: float  # mgcv's p-value outside [0.0005, 0.002]
    median_log10_gap: float  # where mgcv's p-value is above 1e-12


def agreement(ours, theirs, alpha=1e-3):
    equal = (ours < alpha) == (theirs < alpha)
    clear = (theirs < 0.0005) | (theirs > 0.002)
    compared = theirs > 1e-12
    gap = np.abs(np.log10(np.maximum(ours[compared], 1e-300)) - np.log10(theirs[compared]))
    return Agreement(float(equal.mean()), float(equal[clear].mean()), float(np.median(gap)))
