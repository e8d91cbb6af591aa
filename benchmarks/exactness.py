"""Score, Hessian diagonal, Jacobian rows and orders against the paper's formulas as printed."""

from collections.abc import Iterator

import numpy as np

from benchmarks.figure import Figure
from scoredag.order import peel
from scoredag.score import stein_hessian_diagonal, stein_jacobian_row, stein_score
from scoredag.simulate import paper_dataset
from tests.reference import naive_score


def relative_error(ours: np.ndarray, naive: np.ndarray) -> float:
    return float(np.abs(ours - naive).max() / np.abs(naive).max())


def figures() -> Iterator[Figure]:
    sets = [paper_dataset(2 + seed % 9, "ER1", seed=seed, n=150).X for seed in range(20)]
    pairs = {
        "score": (stein_score, naive_score.score),
        "Hessian diagonal": (stein_hessian_diagonal, naive_score.hessian_diagonal),
        "Jacobian row": (
            lambda X: stein_jacobian_row(X, X.shape[1] // 2),
            lambda X: naive_score.jacobian_row(X, X.shape[1] // 2),
        ),
    }
    for label, (ours, naive) in pairs.items():
        worst = max(relative_error(ours(X), naive(X)) for X in sets)
        yield Figure(f"{label}: largest relative error of 20 data sets", worst, 1e-8)
    equal = sum(np.array_equal(peel(X), naive_score.order(X)) for X in sets)
    yield Figure("orders equal, of 20 data sets", equal, 20, at_least=True)
