"""CPU time of ordering against the BLAS and LAPACK work it needs, and against the naive way."""

import time
from collections.abc import Iterator

import numpy as np
from scipy.linalg import blas, lapack

from benchmarks.figure import Figure, cpu_seconds
from scoredag.order import peel
from scoredag.simulate import paper_dataset
from tests.reference import naive_score


def bare_seconds(n: int, d: int) -> float:
    """CPU time of a Cholesky factorisation, the products and the solves for each leaf, no more."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(n, 5))
    K = np.exp(-0.1 * ((points[:, None] - points[None]) ** 2).sum(axis=2)) + 1e-2 * np.eye(n)
    total = 0.0
    for m in range(d, 0, -1):
        factor = np.asfortranarray(K)
        right_side = np.asfortranarray(rng.normal(size=(n, 2 * m + 1)))
        start = time.process_time()
        product = blas.dsymm(1.0, factor, right_side, lower=1)
        lapack.dpotrf(factor, lower=1, clean=0, overwrite_a=1)
        lapack.dpotrs(factor, product[:, :-1], lower=1, overwrite_b=1)
        total += time.process_time() - start
    return total


def figures() -> Iterator[Figure]:
    X = paper_dataset(50, "ER4").X
    # Alternating, here and below, so that both see the same moods of the machine.
    bare, ours = np.inf, np.inf
    for _ in range(9):
        bare = min(bare, bare_seconds(1000, 50))
        ours = min(ours, cpu_seconds(lambda: peel(X), repeats=1))
    yield Figure("order, n=1000 d=50: CPU seconds", ours)
    yield Figure("order, n=1000 d=50: times the bare LAPACK and BLAS work", ours / bare, 1.6)

    d = 20
    X = paper_dataset(d, "ER4").X
    ours, naive = np.inf, np.inf
    for _ in range(4):
        ours = min(ours, cpu_seconds(lambda: peel(X)))
        naive = min(naive, cpu_seconds(lambda: naive_score.order(X), repeats=1))
    ratio = naive / ours
    yield Figure("order, n=1000 d=20: times faster than the naive way", ratio, 15, at_least=True)
    # What is left if the formulas' two inverses are known to be one, and the least that any
    # ordering by these formulas can take.
    K = naive_score.pairs(X)[1]
    frugal = naive - d * cpu_seconds(lambda: naive_score.inverse(K, 1e-3))
    bare = bare_seconds(len(X), d)
    yield Figure("order, n=1000 d=20: than the naive way with one inverse a leaf", frugal / ours)
    yield Figure("order, n=1000 d=20: the same for the bare LAPACK and BLAS work", frugal / bare)
