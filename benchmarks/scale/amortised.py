"""The amortised score beside the Stein fields: mistakes in the order, and CPU seconds.

The paper's data with 1,000 rows, and 50,000 rows of three kinds of mechanisms. The rows go to
``benchmarks/results/scale/amortised.jsonl``. Needs PyTorch.
"""

import time
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.figure import Figure, mean_of
from benchmarks.scale.journal import Journal, Row
from benchmarks.scale.waves import Waves
from scoredag.knowledge import as_constraints
from scoredag.metrics import order_divergence
from scoredag.order.peel import order_of, remove_leaves, score_field
from scoredag.score.field import describe_field
from scoredag.simulate import paper_dataset, random_dag, sample_anm

Floats = NDArray[np.float64]

# Sizes and constants of the networks were decided on the seeds 1000 to 1009.
SEEDS, SEEDS_OF_MANY_ROWS = range(10), range(3)
MANY_ROWS = 50_000
GRAPHS = ("ER1", "ER4")
# "waves" are functions of a Gaussian process, nearly: the exact ones take n x n matrices.
MECHANISMS = ("waves", "additive_sines", "tanh_network")


class Case(NamedTuple):
    """One table, and what estimates its score."""

    mechanism: str
    d: int
    graph: str
    n: int
    seed: int
    method: str


def waves(parents: Floats, rng: np.random.Generator) -> Floats:
    """Values of a random function, a sum of waves whose kernel is nearly the Gaussian one."""
    return Waves.draw(parents.shape[1], rng)(parents)


def table(case: Case) -> tuple[Floats, NDArray[np.int_]]:
    """Draw the table of a case, and its graph: ``[i, j] == 1`` means i -> j."""
    if case.mechanism == "gp":
        data = paper_dataset(case.d, case.graph, seed=case.seed, n=case.n)
        return data.X, data.adjacency
    for_graph, for_data = np.random.default_rng(case.seed).spawn(2)
    adjacency = random_dag(case.d, int(case.graph[2:]), kind="er", rng=for_graph)
    mechanism = waves if case.mechanism == "waves" else case.mechanism
    return sample_anm(adjacency, case.n, mechanism=mechanism, rng=for_data), adjacency


def run(case: Case) -> Row:
    """Mistakes in the order and CPU seconds of one case."""
    X, adjacency = table(case)
    start = time.process_time()
    field = score_field(X, case.method, rng=0)
    built = time.process_time() - start
    order = order_of(remove_leaves(field, "variance", as_constraints(None, case.d)))
    return {
        "d_top": int(order_divergence(adjacency, order)),
        "edges": int(adjacency.sum()),
        "cpu_s": time.process_time() - start,
        "cpu_s_before_first_leaf": built,
        "estimates": describe_field(field),
    }


def results(cases: Iterable[Case]) -> list[Row]:
    """Rows of some cases, from the journal where these sources have made them."""
    journal = Journal("amortised")
    return [journal.row(case._asdict(), partial(run, case)) for case in cases]


def figures() -> Iterator[Figure]:
    yield from _few_rows()
    yield from _many_rows()


def _few_rows() -> Iterator[Figure]:
    """The target: at most 1.5 times the mistakes of the exact Stein field."""
    methods = ("stein", "low_rank", "amortised")
    for d in (10, 20):
        of_method = dict.fromkeys(methods, 0.0)
        for graph in GRAPHS:
            cell = {"mechanism": "gp", "d": d, "graph": graph, "n": 1000}
            for method in methods:
                rows = results(Case(**cell, seed=seed, method=method) for seed in SEEDS)
                mean = mean_of(rows, "d_top", len(SEEDS))
                of_method[method] += mean / len(GRAPHS)
                name = f"d={d} {graph} n=1000, {method}"
                yield Figure(f"{name}: mean D_top", mean)
                yield Figure(f"{name}: CPU seconds", mean_of(rows, "cpu_s", len(SEEDS)))
        for method in methods:
            bound = 1.5 * of_method["stein"] if method == "amortised" else None
            yield Figure(f"d={d} n=1000, {method}: mean D_top", of_method[method], bound)


def _many_rows() -> Iterator[Figure]:
    """The target: fewer mistakes than the low-rank Stein field on at least one family."""
    better, seeds, graph = 0, SEEDS_OF_MANY_ROWS, "ER4"
    for mechanism in MECHANISMS:
        cell = {"mechanism": mechanism, "d": 10, "graph": graph, "n": MANY_ROWS}
        mistakes = {}
        for method in ("low_rank", "amortised"):
            rows = results(Case(**cell, seed=seed, method=method) for seed in seeds)
            mistakes[method] = mean_of(rows, "d_top", len(seeds))
            name = f"{mechanism} d=10 {graph} n={MANY_ROWS:,}, {method}"
            yield Figure(f"{name}: mean D_top", mistakes[method])
            yield Figure(f"{name}: CPU seconds", mean_of(rows, "cpu_s", len(seeds)))
        better += mistakes["amortised"] < mistakes["low_rank"]
    yield Figure(f"n={MANY_ROWS:,}: families with fewer mistakes", better, 1, at_least=True)
