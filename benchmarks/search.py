"""The search over orders against enumeration: random tables of losses of which the best is known.

Half of the tables are monotone: every further parent helps. In the others half of the sets of
parents, drawn at random, have losses that are independent of each other, as adverse to local moves
as a table can be. All have 3, 4 or 5 columns. Tables that data make are much easier: those of CAM's
local score, on the paper's data with 5 columns.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from benchmarks.figure import Figure
from scoredag import Knowledge
from scoredag.knowledge import Constraints
from scoredag.order.local_scores.additive import AdditiveScore
from scoredag.order.refine import refine
from scoredag.simulate import paper_dataset
from tests.order.table_score import (
    CompleteTableScore,
    TableScore,
    best_loss,
    problem_of,
    random_table,
)

TABLES = range(200)
EQUAL = 1e-9  # nats


def random_constraints(d: int, rng: np.random.Generator) -> Constraints:
    """Draw knowledge that an order can obey: a required edge, forbidden edges, perhaps tiers."""
    order = rng.permutation(d).tolist()
    first, second = sorted(rng.choice(d, 2, replace=False).tolist())
    required = (order[first], order[second])
    forbidden = [(i, j) for i, j in np.ndindex(d, d) if i != j and rng.random() < 0.2]
    tiers = [order[:2], order[2:]] if rng.random() < 0.5 else None
    return Knowledge(
        required=[required], forbidden=[e for e in forbidden if e != required], tiers=tiers
    ).resolve(range(d))


def shortfall(seed: int, n_starts: int, score: type = TableScore, knowing: bool = False) -> float:
    """Nats by which the refined order of a table is worse than the best of all legal orders."""
    d, losses = random_table(seed)
    rng = np.random.default_rng(1000 + seed)
    constraints = random_constraints(d, rng) if knowing else Constraints.none(d)
    starts = [constraints.repair(rng.permutation(d)) for _ in range(n_starts)]
    problem = problem_of(score(losses), d, constraints.allowed, constraints.precedes)
    return refine(problem, starts).loss - best_loss(losses, d, constraints)


def shortfall_on_data(seed: int, graph: str) -> float:
    """The same for the additive local score of simulated data, from one start."""
    X, d = paper_dataset(5, graph, seed=seed, n=300).X, 5
    everywhere, losses = AdditiveScore(X), {}
    for node in range(d):
        others = [k for k in range(d) if k != node]
        for parents in (set(p) for size in range(1, d) for p in combinations(others, size)):
            everywhere.explore(node, parents)
            fit = everywhere.best(node, parents)
            losses[node, fit.parents] = fit.loss
    start = tuple(np.random.default_rng(1000 + seed).permutation(d).tolist())
    return refine(problem_of(AdditiveScore(X), d), [start]).loss - best_loss(losses, d)


def figures() -> Iterator[Figure]:
    cases = {
        "1 start": ({"n_starts": 1}, 0.6),
        "3 starts": ({"n_starts": 3}, 0.75),
        "1 start, all losses known": ({"n_starts": 1, "score": CompleteTableScore}, 0.6),
        "3 starts, rules": ({"n_starts": 3, "knowing": True}, 0.85),
    }
    for label, (options, bound) in cases.items():
        gaps = np.array([shortfall(seed, **options) for seed in TABLES])
        yield from summary(label, gaps, bound)
        for d in (3, 4, 5):
            of_size = gaps[[3 + seed % 3 == d for seed in TABLES]]
            yield Figure(
                f"{label}: share of those with {d} columns", float(np.mean(of_size <= EQUAL))
            )
    for graph in ("ER1", "ER4"):
        gaps = np.array([shortfall_on_data(seed, graph) for seed in range(50)])
        yield from summary(f"data, {graph}, 1 start", gaps, 0.8)


def summary(label: str, gaps: np.ndarray, bound: float) -> Iterator[Figure]:
    """How many of some orders are the best, and how far the others are from it."""
    share = float(np.mean(gaps <= EQUAL))
    yield Figure(f"{label}: share of {len(gaps)} orders that are the best", share, bound, True)
    others = gaps[gaps > EQUAL]
    yield Figure(
        f"{label}: others, nats from the best, mean", float(others.sum() / max(len(others), 1))
    )
    yield Figure(f"{label}: others, nats from the best, largest", float(others.max(initial=0.0)))
