"""Rows that are no independent draws: copies of rows, and rows in the order of time.

Tables of discrete columns must keep the rows that coincide by chance, and tables of independent
rows must not be called time series.
"""

import math
import warnings
from collections.abc import Callable, Iterator

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.signal import lfilter

from benchmarks.figure import Figure
from scoredag import ScoreGP
from scoredag.data import distinct_rows
from scoredag.data.row_order import about_row_order
from scoredag.exceptions import DataWarning
from scoredag.metrics import shd
from scoredag.simulate import paper_dataset

COLUMNS, ROWS = 5, 300
LEVEL = 0.03
TABLES = 30  # of independent columns, for ScoreGP
GRAPHS = 10  # for ScoreGP
DRAWS = 20  # of each kind of copies and of discrete tables
SERIES = 50
INDEPENDENT = 1000

Table = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int, int], Table]


def correlated(rng: np.random.Generator, n: int, d: int, share: float) -> Table:
    """Normal columns, a share of whose variance is common to all."""
    return np.sqrt(share) * rng.normal(size=(n, 1)) + np.sqrt(1 - share) * rng.normal(size=(n, d))


def rounded(X: Table, levels: int) -> Table:
    """Round every column to equally spaced levels."""
    low, high = X.min(axis=0), X.max(axis=0)
    return np.round((X - low) / (high - low) * (levels - 1))


def resampled(X: Table, rng: np.random.Generator) -> Table:
    """Draw as many rows with replacement."""
    return X[rng.integers(len(X), size=len(X))]


def with_repeats(X: Table, share: float, rng: np.random.Generator) -> Table:
    """Replace a share of the rows by copies of other rows."""
    rows, repeats = rng.permutation(len(X)), max(1, int(share * len(X)))
    X = X.copy()
    X[rows[:repeats]] = X[rows[-repeats:]]
    return X


COPIES: dict[str, Draw] = {
    "resampled": lambda rng, n, d: resampled(correlated(rng, n, d, 0.5), rng),
    "resampled, 30 levels": lambda rng, n, d: resampled(
        rounded(correlated(rng, n, d, 0.5), 30), rng
    ),
    "5% repeated": lambda rng, n, d: with_repeats(correlated(rng, n, d, 0.5), 0.05, rng),
    "1% repeated": lambda rng, n, d: with_repeats(correlated(rng, n, d, 0.5), 0.01, rng),
    "five times": lambda rng, n, d: np.tile(correlated(rng, n // 5, d, 0.5), (5, 1)),
}
DISCRETE: dict[str, Draw] = {
    "binary": lambda rng, n, d: rng.random((n, d)) < 0.5,
    "rare": lambda rng, n, d: rng.random((n, d)) < 0.05,
    "Poisson": lambda rng, n, d: rng.poisson(2, size=(n, d)),
    "five levels": lambda rng, n, d: rounded(correlated(rng, n, d, 0.5), 5),
    "five levels, nearly equal columns": lambda rng, n, d: rounded(correlated(rng, n, d, 0.99), 5),
    "30 levels, nearly equal columns": lambda rng, n, d: rounded(correlated(rng, n, d, 0.99), 30),
    "mostly zero": lambda rng, n, d: np.where(
        rng.random((n, d)) < 0.7, 0.0, rng.normal(size=(n, d))
    ),
    "two digits beside five levels": lambda rng, n, d: np.column_stack(
        [rng.normal(size=n).round(2), rounded(correlated(rng, n, d, 0.5), 5)]
    ),
}
IN_NO_ORDER: list[Draw] = [
    lambda rng, n, d: rng.normal(size=(n, d)),
    lambda rng, n, d: rng.standard_t(1.5, size=(n, d)),
    lambda rng, n, d: rng.exponential(size=(n, d)) ** 3,
    lambda rng, n, d: rng.poisson(2, size=(n, d)),
    lambda rng, n, d: rng.random((n, d)) < 0.5,
    lambda rng, n, d: rng.random((n, d)) < rng.choice([0.02, 0.05, 0.1, 0.2]),
    lambda rng, n, d: np.maximum(rng.normal(size=(n, d)), 0.8),
    lambda rng, n, d: correlated(rng, n, d, 0.5).round(),
]


def figures() -> Iterator[Figure]:
    false = sum(Parallel(n_jobs=2)(delayed(_false_causes)(seed) for seed in range(TABLES)))
    nodes = TABLES * (COLUMNS - 1)  # the first column of an order cannot have a cause
    by_chance = LEVEL + 2 * math.sqrt(LEVEL * (1 - LEVEL) / nodes)
    yield Figure(f"resampled rows: share with a cause, level {LEVEL}", false / nodes, by_chance)
    jobs = (delayed(_distances)(seed) for seed in range(GRAPHS))
    of_resample, of_fresh = np.mean(Parallel(n_jobs=2)(jobs), axis=0)
    yield Figure("d=10 ER1, as many fresh rows: SHD", of_fresh)
    yield Figure("d=10 ER1, 1,000 rows resampled: SHD", of_resample, of_fresh + 1)
    for kind, draw in COPIES.items():
        yield Figure(f"copies, {kind}: tables merged", _merged(draw, (5, 10)), 1, at_least=True)
    for kind, draw in DISCRETE.items():
        yield Figure(f"by chance, {kind}: tables merged", _merged(draw, (2, 3, 8)), 0)
    for kind, coefficient in (("random walks", 1.0), ("autoregressive, 0.9", 0.9)):
        named = np.mean([_series_named(coefficient, seed) for seed in range(SERIES)])
        yield Figure(f"{kind}: tables named", float(named), 1, at_least=True)
    named = np.mean([_independent_named(seed) for seed in range(INDEPENDENT)])
    yield Figure("independent rows: tables named", float(named), 0.01)


def _false_causes(seed: int) -> int:
    rng = np.random.default_rng(seed)
    X = resampled(rng.normal(size=(ROWS, COLUMNS)), rng)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        adjacency = ScoreGP(alpha=LEVEL, random_state=seed).fit(X).adjacency_matrix_
    return int(adjacency.any(axis=0).sum())


def _distances(seed: int) -> tuple[int, int]:
    """SHD on 1,000 rows drawn with replacement, and on as many fresh rows as are distinct."""
    data = paper_dataset(10, "ER1", seed=seed, n=2000)
    first, fresh = data.X[:1000], data.X[1000:]
    resample = resampled(first, np.random.default_rng(seed))
    distinct = len(np.unique(resample, axis=0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        graphs = [ScoreGP().fit(X).adjacency_matrix_ for X in (resample, fresh[:distinct])]
    of_resample, of_fresh = (int(shd(data.adjacency, graph)) for graph in graphs)
    return of_resample, of_fresh


def _merged(draw: Draw, widths: tuple[int, ...]) -> float:
    """Share of tables of 200 and 2,000 rows of which some are merged."""
    tables = [
        draw(np.random.default_rng(seed), n, d)
        for n in (200, 2000)
        for d in widths
        for seed in range(DRAWS)
    ]
    return float(np.mean([len(distinct_rows(X)) < len(X) for X in tables]))


def _series_named(coefficient: float, seed: int) -> bool:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(200, 2001)), int(rng.integers(2, 7))
    X = lfilter([1.0], [1.0, -coefficient], rng.normal(size=(n, d)), axis=0)
    return any("time series" in told for told in about_row_order(X, _names(d)))


def _independent_named(seed: int) -> bool:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(50, 2001)), int(rng.integers(2, 31))
    X = np.asarray(IN_NO_ORDER[seed % len(IN_NO_ORDER)](rng, n, d), dtype=np.float64)
    X = X[:, np.ptp(X, axis=0) > 0]
    return bool(about_row_order(X, _names(X.shape[1])))


def _names(d: int) -> list[str]:
    return [f"x{j}" for j in range(d)]
