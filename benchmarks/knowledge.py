"""Prior knowledge: that rules hold in every method, and what true rules are worth.

``python -m benchmarks.knowledge --parts rules paths --cases 50`` runs some parts, or smaller ones.
"""

import argparse
import pickle
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.figure import Figure, mean_of
from benchmarks.reproduction import rows_of
from scoredag import (
    CAM,
    LISTEN,
    SCORE,
    GraNDAG,
    Knowledge,
    KnowledgeError,
    R2Sort,
    ScoreGP,
    VarSort,
)
from scoredag.data.standardise import standardise
from scoredag.exceptions import DataWarning
from scoredag.graph import topological_order
from scoredag.metrics import order_divergence, shd
from scoredag.order import greedy_additive, peel, refine_order
from scoredag.simulate import paper_dataset
from tests.knowledge.random_cases import random_case, random_values, violations
from tests.knowledge.test_contradictions import PLANTED, Consistent

METHODS: dict[str, Callable[..., Any]] = {
    "VarSort": VarSort,
    "R2Sort": R2Sort,
    "LISTEN": LISTEN,
    "CAM": CAM,
    "SCORE": SCORE,
    "ScoreGP": partial(ScoreGP, rows=50, final_rows=60),
    **({"GraNDAG": partial(GraNDAG, max_iter=200)} if find_spec("torch") else {}),
}
COLUMNS = range(3, 13)
TIERS = 5


def figures(parts: list[str] | None = None, **sizes: int) -> Iterator[Figure]:
    for name in parts or PARTS:
        part = PARTS[name]
        yield from part(**{k: v for k, v in sizes.items() if k in part.__annotations__})


def rules_hold(cases: int = 500) -> Iterator[Figure]:
    """Random rules and tables that know nothing of each other; ScoreGP on 60 rows."""
    for name, make in METHODS.items():
        broken, errors, longest = 0, 0, 0.0
        for seed in range(cases):
            d = COLUMNS[seed % len(COLUMNS)]
            case = random_case(d, seed, n=60 if name == "ScoreGP" else None)
            before = pickle.dumps(case.knowledge)
            start = time.process_time()
            try:
                model = _quiet(make(knowledge=case.knowledge).fit, case.table)
            except Exception as error:  # counted, whatever it is
                errors += 1
                _say(f"{name}, d={d}, seed {seed}: {error!r:.300}")
                continue
            longest = max(longest, time.process_time() - start)
            found = violations(case, model, before)
            broken += bool(found)
            if found:
                _say(f"{name}, d={d}, seed {seed}: {found[:3]}")
        yield Figure(f"{name}: results against rules, of {cases}", broken, 0)
        yield Figure(f"{name}: errors, of {cases}", errors, 0)
        yield Figure(f"{name}: longest fit, d up to {COLUMNS[-1]}, CPU seconds", longest)


def contradictions(refused: int = 200) -> Iterator[Figure]:
    """Rules with one contradiction in them: refused, with the rules and edges named."""
    accepted = unnamed = 0
    for seed in range(refused):
        case = Consistent(seed)
        added, expected = PLANTED[seed % len(PLANTED)](case)
        try:
            case.knowledge(**added).resolve(case.labels)
        except KnowledgeError as error:
            unnamed += not any(all(part in p for part in expected) for p in error.problems)
        else:
            accepted += 1
    yield Figure(f"contradictory rules that are accepted, of {refused}", accepted, 0)
    yield Figure(f"contradictions whose rules are not named, of {refused}", unnamed, 0)


def no_knowledge(tables: int = 3) -> Iterator[Figure]:
    """`Knowledge()` against none: every fitted number, bit for bit."""
    for name, make in METHODS.items():
        differing = 0
        for seed in range(tables):
            X = paper_dataset(8, "ER1", seed=seed, n=200).X
            states = [
                _fitted_numbers(_quiet(make(knowledge=knowledge).fit, X))
                for knowledge in (None, Knowledge())
            ]
            try:
                np.testing.assert_equal(*states)
            except AssertionError:
                differing += 1
        yield Figure(
            f"{name}: tables on which Knowledge() changes a bit, of {tables}", differing, 0
        )


def true_tiers(tier_seeds: int = 10, gp_seeds: int = 3) -> Iterator[Figure]:
    """The true order of d=20 ER4 in five tiers of four columns."""
    before, after, across = [], [], []
    for seed in range(tier_seeds):
        data = paper_dataset(20, "ER4", seed=seed)
        tiers = _true_tiers(data.adjacency)
        free, order = peel(data.X), peel(data.X, knowledge=tiers)
        before.append(order_divergence(data.adjacency, free))
        after.append(order_divergence(data.adjacency, order))
        between = tiers.resolve(range(20)).rules.tier_before
        across.append(order_divergence(data.adjacency * between, free))
    label = f"d=20 ER4, {tier_seeds} seeds: SCORE's D_top"
    yield Figure(f"{label}, mean", float(np.mean(before)))
    yield Figure(f"{label} with five true tiers, mean", float(np.mean(after)))
    yield Figure(
        f"{label} with five true tiers, over that without", sum(after) / sum(before), 1 / 3
    )
    cell = {"data": "paper", "noise": "gaussian", "d": 20, "graph": "ER4", "method": "ScoreGP"}
    rows = [row for row in rows_of("paper") if row["seed"] < gp_seeds]
    label = f"d=20 ER4, {gp_seeds} seeds: ScoreGP's SHD"
    yield Figure(f"{label}, mean (rows in results)", mean_of(rows, "shd", gp_seeds, **cell))
    distances, orders, warned = [], [], 0
    for seed in range(gp_seeds):
        data = paper_dataset(20, "ER4", seed=seed)
        model = ScoreGP(knowledge=_true_tiers(data.adjacency), random_state=seed)
        _quiet(model.fit, data.X)
        distances.append(shd(data.adjacency, model.adjacency_matrix_))
        orders.append(order_divergence(data.adjacency, model.causal_order_))
        warned += bool(model.knowledge_report_.forbidden)
    yield Figure(f"{label} with five true tiers, mean", float(np.mean(distances)))
    yield Figure(f"{label.replace('SHD', 'D_top')} with tiers, mean", float(np.mean(orders)))
    yield Figure(f"{label}: fits that warn about the true tiers", warned)


def warnings_about_true_tiers(tables: int = 10) -> Iterator[Figure]:
    """How often a method says that the data favour what true rules forbid."""
    for name, make in {"SCORE": SCORE, "CAM": CAM, "ScoreGP": ScoreGP}.items():
        for graph in ("ER1", "ER4"):
            warned = edges = 0
            for seed in range(tables):
                data = paper_dataset(10, graph, seed=seed, n=500)
                model = make(knowledge=_true_tiers(data.adjacency))
                favoured = _quiet(model.fit, data.X).knowledge_report_.forbidden
                warned, edges = warned + bool(favoured), edges + len(favoured)
            label = f"d=10 {graph}, true tiers, {name}: fits that warn, of {tables}"
            yield Figure(label, warned)
            yield Figure(f"{label}: edges named", edges)


def required_paths(tables: int = 5) -> Iterator[Figure]:
    """Require a -> b -> c where the data say c -> b -> a."""
    knowledge = Knowledge(required=["x2 -> x1", "x1 -> x0"])
    for name, make in METHODS.items():
        broken = 0
        for seed in range(tables):
            rng = np.random.default_rng(seed)
            X = random_values(5, 200, "noise", rng)
            X[:, 1] = np.sin(2 * X[:, 0]) + 0.3 * X[:, 1]
            X[:, 2] = np.tanh(2 * X[:, 1]) + 0.3 * X[:, 2]
            model = _quiet(make(knowledge=knowledge).fit, X)
            place = np.argsort(model.causal_order_)
            there = model.adjacency_matrix_[2, 1] and model.adjacency_matrix_[1, 0]
            broken += not (there and place[2] < place[1] < place[0])
        yield Figure(f"{name}: required paths not in graph and order, of {tables}", broken, 0)


def additive_refinement(refine_seeds: int = 5) -> Iterator[Figure]:
    """`refine_order` with CAM's local score from three orders, d=50."""
    for graph in ("ER1", "ER4"):
        rows: list[dict[str, Any]] = []
        for seed in range(refine_seeds):
            data = paper_dataset(50, graph, seed=seed)
            X = np.ascontiguousarray(standardise(data.X))
            starts = {
                "SCORE's": peel(X),
                "CAM's": greedy_additive(X).order,
                "a random": np.random.default_rng(seed).permutation(50),
            }
            for name, start in starts.items():
                begin = time.process_time()
                refined = refine_order(X, start, local_score="additive")
                rows.append(
                    {
                        "start": name,
                        "D_top before": int(order_divergence(data.adjacency, start)),
                        "D_top after": int(order_divergence(data.adjacency, refined.order)),
                        "CPU seconds": time.process_time() - begin,
                    }
                )
        for name in starts:
            for metric in ("D_top before", "D_top after", "CPU seconds"):
                mean = mean_of(rows, metric, refine_seeds, start=name)
                yield Figure(f"d=50 {graph}, additive, from {name} order: {metric}", mean)


PARTS: dict[str, Callable[..., Iterator[Figure]]] = {
    "rules": rules_hold,
    "contradictions": contradictions,
    "none": no_knowledge,
    "tiers": true_tiers,
    "warnings": warnings_about_true_tiers,
    "paths": required_paths,
    "additive": additive_refinement,
}


def _true_tiers(adjacency: np.ndarray) -> Knowledge:
    """The columns in a topological order, cut into tiers of equal size."""
    groups = np.array_split(topological_order(adjacency), TIERS)
    return Knowledge(tiers=[group.tolist() for group in groups])


def _fitted_numbers(model: Any) -> dict[str, Any]:
    state = {name: value for name, value in vars(model).items() if name.endswith("_")}
    state["effects_"] = {edge: effect.y for edge, effect in model.effects_.items()}
    state["graph_"] = dict(model.graph_.edges)
    return state


def _quiet(fit: Callable[..., Any], X: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return fit(X)


def _say(message: str) -> None:
    print(f"  {message}", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.knowledge", description=__doc__)
    parser.add_argument("--parts", nargs="*", choices=PARTS)
    sizes = {size for part in PARTS.values() for size in part.__annotations__} - {"return"}
    for size in sorted(sizes):
        parser.add_argument(f"--{size.replace('_', '-')}", type=int)
    options = {k: v for k, v in vars(parser.parse_args()).items() if v is not None}
    missed = 0
    with threadpool_limits(limits=1):
        for figure in figures(**options):
            print(f"  {figure}", flush=True)
            missed += not figure.met
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
