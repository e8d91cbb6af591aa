"""How much ScoreGP's graph depends on the rows that it draws: edges that come and go.

Ten tables of the paper's d=20 ER1 and the Sachs data, each fitted with random_state 0 to 9. An edge
comes and goes if some of the ten graphs have it and others do not. Edges that the result itself
calls undirected are counted once more apart: their reversal is no contradiction.

``python -m benchmarks.draws --tables 1000 1003 --states 4`` takes other tables of the paper's
setting (from, to) and fewer draws; ``--noise free normal`` compares the two models of the noise.
Rows are kept in ``benchmarks/results/draws`` and belong to one state of the sources; started again,
the benchmark goes on. About an hour of two cores for each model.
"""

import argparse
import json
import time
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from benchmarks.figure import Figure
from benchmarks.reproduction import RESULTS
from scoredag import ScoreGP
from scoredag.bench.provenance import fingerprint
from scoredag.datasets import load_sachs
from scoredag.exceptions import DataWarning
from scoredag.simulate import paper_dataset

ROWS = RESULTS / "draws" / "rows.jsonl"
SACHS = "Sachs"


def figures(
    tables: range = range(10), states: int = 10, noises: Sequence[str] = ("free",)
) -> Iterator[Figure]:
    for label, chosen in (("d=20 ER1", list(tables)), (SACHS, [SACHS])):
        shares = dict[str, float]()
        for noise in noises:
            rows = _rows(chosen, states, noise)
            union = unstable = doubted = 0
            for table in chosen:
                graphs = [row for row in rows if row["table"] == table]
                found = [frozenset(map(tuple, row["edges"])) for row in graphs]
                some, every = frozenset.union(*found), frozenset.intersection(*found)
                undirected = {tuple(edge) for row in graphs for edge in row["undirected"]}
                union += len(some)
                unstable += len(some - every)
                doubted += sum(edge in undirected for edge in some - every)
            shares[noise] = unstable / max(union, 1)
            yield Figure(f"{label}, {noise}: edges in any of {states} graphs", union)
            yield Figure("  of them in some and not in all, share", shares[noise])
            yield Figure("  of them called undirected in some", doubted / max(unstable, 1))
        if {"free", "normal"} <= shares.keys():
            ratio = shares["free"] / max(shares["normal"], 1e-9)
            yield Figure(f"{label}: share with free noise over that with normal", ratio, 0.5)


def _rows(tables: list[Any], states: int, noise: str) -> list[dict[str, Any]]:
    ROWS.parent.mkdir(parents=True, exist_ok=True)
    kept = [json.loads(line) for line in ROWS.read_text().splitlines()] if ROWS.exists() else []
    code = fingerprint()
    made = {
        (row["table"], row["state"]): row
        for row in kept
        if row["code"] == code and row["noise"] == noise
    }
    wanted = [(table, state) for table in tables for state in range(states)]
    jobs = (delayed(_row)(*key, noise, code) for key in wanted if key not in made)
    with ROWS.open("a") as file:
        for row in Parallel(n_jobs=2, return_as="generator_unordered")(jobs):
            made[row["table"], row["state"]] = row
            print(json.dumps(row), file=file, flush=True)
    return [made[key] for key in wanted]


def _row(table: Any, state: int, noise: str, code: str) -> dict[str, Any]:
    X = load_sachs().X if table == SACHS else paper_dataset(20, "ER1", seed=table).X
    start = time.process_time()
    with (
        threadpool_limits(limits=1),
        warnings.catch_warnings(action="ignore", category=DataWarning),
    ):
        model = ScoreGP(noise=noise, random_state=state).fit(X)
    return {
        "table": table,
        "state": state,
        "noise": noise,
        "edges": np.argwhere(model.adjacency_matrix_).tolist(),
        "undirected": np.argwhere(model.undirected_edges_).tolist(),
        "cpu_seconds": time.process_time() - start,
        "code": code,
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.draws", description=__doc__)
    parser.add_argument("--tables", type=int, nargs=2, metavar=("FROM", "TO"), default=(0, 10))
    parser.add_argument("--states", type=int, default=10)
    parser.add_argument("--noise", nargs="+", default=["free"], choices=["free", "normal"])
    options = parser.parse_args()
    for figure in figures(range(*options.tables), options.states, options.noise):
        print(f"  {figure}", flush=True)


if __name__ == "__main__":
    main()
