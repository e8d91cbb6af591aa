"""Columns without causes that get one: whole fits of ScoreGP on tables of independent columns.

`alpha` claims that this is at most about as frequent as it says: the bound is two standard errors
above it.
"""

import math
import warnings
from collections.abc import Callable, Iterator

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from benchmarks.figure import Figure
from scoredag import ScoreGP
from scoredag.exceptions import DataWarning

COLUMNS = 5
LEVEL = 0.03
TABLES = 250
MARGINS: dict[str, Callable[[np.random.Generator, tuple[int, int]], NDArray]] = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "Laplace": lambda rng, shape: rng.laplace(size=shape),
    "exponential": lambda rng, shape: rng.exponential(size=shape),
    "Student's t, 3 degrees": lambda rng, shape: rng.standard_t(3, size=shape),
}


def figures() -> Iterator[Figure]:
    for n in (100, 200):
        for margin in MARGINS:
            jobs = (delayed(_false_causes)(margin, n, seed) for seed in range(TABLES))
            false = sum(Parallel(n_jobs=2)(jobs))
            nodes = TABLES * (COLUMNS - 1)  # the first column of an order cannot have a cause
            by_chance = LEVEL + 2 * math.sqrt(LEVEL * (1 - LEVEL) / nodes)
            label = f"{margin}, {n} rows: share with a cause, level {LEVEL}"
            yield Figure(label, false / nodes, by_chance)


def _false_causes(margin: str, n: int, seed: int) -> int:
    X = MARGINS[margin](np.random.default_rng(seed), (n, COLUMNS))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        adjacency = ScoreGP(alpha=LEVEL, random_state=seed).fit(X).adjacency_matrix_
    return int(adjacency.any(axis=0).sum())
