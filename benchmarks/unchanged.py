"""Whether today's sources find what the committed rows say, run by run.

Fits every data set of the paper with d <= 20, GraN-DAG's collections, Sachs and SynTReN again, and
compares SHD, SID and D_top with the rows in ``benchmarks/results``. An hour and a half of one core:
rows are kept in ``benchmarks/results/unchanged``, which is not committed; started again, the
comparison goes on. Needs the data of GraN-DAG (``scoredag.datasets.fill_cache``).
"""

import json
import time
import warnings
from collections.abc import Iterator
from typing import Any

from joblib import Parallel, delayed

from benchmarks.figure import Figure
from benchmarks.reproduction import RESULTS, rows_of
from scoredag.bench.provenance import fingerprint
from scoredag.exceptions import DataWarning
from scoredag.metrics import order_divergence, shd, sid
from scoredag.plugins import piece

ROWS = RESULTS / "unchanged" / "rows.jsonl"
METHODS = ("VarSort", "R2Sort", "LISTEN", "CAM", "SCORE", "ScoreGP")
OPTIONS = {
    "paper": ("d", "graph", "noise", "n"),
    "grandag": ("collection", "scale"),
    "sachs": ("scale",),
    "syntren": ("scale",),
}
MOST_NODES = 20
METRICS = ("shd", "sid", "d_top")


def figures() -> Iterator[Figure]:
    made = _rows(n_jobs=2)
    code = fingerprint()
    stale = sum(row["code"] != code for row in made.values())
    yield Figure(f"rows made by other sources than these, of {len(made)}", stale)
    for method in METHODS:
        expected = [row for row in _committed() if row["method"] == method]
        pairs = [(row, made[row["key"]]) for row in expected]
        differing = [
            (old, new)
            for old, new in pairs
            if any(float(old[metric]) != float(new[metric]) for metric in METRICS)
        ]
        yield Figure(f"{method}: runs that differ, of {len(pairs)}", len(differing), 0)
        for old, new in differing:
            change = ", ".join(f"{m} {old[m]:g} -> {new[m]:g}" for m in METRICS)
            cell = " ".join(f"{old[name]}" for name in (*OPTIONS[old["data"]], "seed"))
            yield Figure(f"  {old['data']} {cell}: {change}", new["shd"] - old["shd"])


def _committed() -> list[dict[str, Any]]:
    rows = [row for spec in ("paper", "grandag") for row in rows_of(spec)]
    return [
        row
        for row in rows
        if row["method"] in METHODS and row["status"] == "done" and row["nodes"] <= MOST_NODES
    ]


def _rows(n_jobs: int) -> dict[str, dict[str, Any]]:
    ROWS.parent.mkdir(parents=True, exist_ok=True)
    found = [json.loads(line) for line in ROWS.read_text().splitlines()] if ROWS.exists() else []
    made = {row["key"]: row for row in found}
    code = fingerprint()
    order = sorted(_committed(), key=lambda row: (METHODS.index(row["method"]), row["nodes"]))
    jobs = (delayed(_row)(row, code) for row in order if row["key"] not in made)
    with ROWS.open("a") as file:
        for row in Parallel(n_jobs=n_jobs, return_as="generator_unordered")(jobs):
            made[row["key"]] = row
            print(json.dumps(row), file=file, flush=True)
    return made


def _row(row: dict[str, Any], code: str) -> dict[str, Any]:
    options = {name: row[name] for name in OPTIONS[row["data"]] if row.get(name) is not None}
    options |= {name: int(options[name]) for name in ("d", "n") if name in options}
    make = piece("scoredag.bench.problems", row["data"])
    data = make(**options) if row["data"] == "sachs" else make(**options, seed=row["seed"])
    # The rows of ScoreGP are of normal noise.
    options_of = {"noise": "normal"} if row["method"] == "ScoreGP" else {}
    estimator = piece("scoredag.estimators", row["estimator"].lower())(**options_of)
    start = time.process_time()
    with warnings.catch_warnings(action="ignore", category=DataWarning):
        estimator.fit(data.X)
    seconds = time.process_time() - start
    return {
        "key": row["key"],
        "shd": int(shd(data.adjacency, estimator.adjacency_matrix_)),
        "sid": int(sid(data.adjacency, estimator.adjacency_matrix_)),
        "d_top": int(order_divergence(data.adjacency, estimator.causal_order_)),
        "cpu_seconds": seconds,
        "code": code,
    }
