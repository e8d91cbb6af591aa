"""Where the knots of splines come from in a table that is read once: a sample or a sketch."""

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.figure import Figure
from benchmarks.scale.journal import Journal
from benchmarks.scale.waves import Floats, read, simulate
from scoredag.data.blocks import ArrayBlocks, fold, sample_rows
from scoredag.graph.dag import topological_order
from scoredag.prune.pruners.cam import cam_prune

SEED, ROWS = 1000, 100_000


def figures() -> Iterator[Figure]:
    yield from _quantiles()
    yield from _p_values()


class Sketch(NamedTuple):
    """Weighted values of a column; two of them merge and are thinned to so many values.

    What knots could come from in place of a sample: kept here to compare the two.
    """

    values: Floats
    weights: Floats

    @classmethod
    def of(cls, size: int, column: int, block: Floats) -> "Sketch":
        """Sketch a column of a block."""
        return cls(np.sort(block[:, column]), np.ones(len(block))).thinned(size)

    def merged(self, other: "Sketch", size: int) -> "Sketch":
        """Put two sketches together."""
        values = np.concatenate([self.values, other.values])
        order = np.argsort(values, kind="stable")
        weights = np.concatenate([self.weights, other.weights])[order]
        return Sketch(values[order], weights).thinned(size)

    def thinned(self, size: int) -> "Sketch":
        """Keep the values at equally spaced ranks."""
        if len(self.values) <= size:
            return self
        ends = np.cumsum(self.weights)
        edges = np.linspace(0, ends[-1], size + 1)
        middle = np.searchsorted(ends, (edges[1:] + edges[:-1]) / 2)
        return Sketch(self.values[middle], np.diff(edges))

    def quantiles(self, shares: Floats) -> Floats:
        """Quantiles of the column, for shares between 0 and 1."""
        ends = np.cumsum(self.weights)
        return np.interp(shares, (ends - self.weights / 2) / ends[-1], self.values)


def _quantiles() -> Iterator[Figure]:
    """Error of the ranks of knots from a sample and from a sketch, and what p-values make of it."""
    n, rng = 400_000, np.random.default_rng(SEED)
    normal = rng.standard_normal(n)
    shares = np.linspace(0, 1, 10)[1:-1]
    columns = {"normal": normal, "sorted": np.sort(normal), "lognormal": np.exp(2 * normal)}
    blocks = ArrayBlocks(np.column_stack(list(columns.values())))

    def rank_errors(knots: Floats, column: Floats) -> float:
        return float(abs(np.searchsorted(np.sort(column), knots) / n - shares).max())

    start = time.process_time()
    sample = sample_rows(blocks, 20_000, np.random.default_rng(SEED))
    seconds = {"sample": time.process_time() - start, "sketch": 0.0}
    for k, (name, column) in enumerate(columns.items()):
        start = time.process_time()
        sketch = fold(partial(Sketch.of, 2_000, k), partial(_merged, 2_000), blocks)
        seconds["sketch"] += time.process_time() - start
        of_sample = rank_errors(np.quantile(sample[:, k], shares), column)
        of_sketch = rank_errors(sketch.quantiles(shares), column)
        for method, error in (("sample of 20,000", of_sample), ("sketch of 2,000", of_sketch)):
            row = {"knots": method, "column": name, "n": n, "rank_error": error}
            Journal("knots").row(row, dict)
            yield Figure(f"knots, {name}, {method}: error of ranks", error)
    for method, taken in seconds.items():
        yield Figure(f"knots, three columns of {n:,}, {method}: CPU seconds", taken)


def _merged(size: int, a: Sketch, b: Sketch) -> Sketch:
    return a.merged(b, size)


def _p_values() -> Iterator[Figure]:
    """CAM pruning of 100,000 rows in blocks, with knots from a sample, against all in memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.parquet")
        adjacency = simulate(path, ROWS, "ER4", SEED)
        X = read(path)
    order = topological_order(adjacency)
    candidates = np.zeros_like(adjacency)
    for place, node in enumerate(order):
        candidates[node, order[place + 1 :]] = 1
    fits: dict[str, Callable] = {
        "in memory": partial(cam_prune, X),
        "in blocks": partial(cam_prune, ArrayBlocks(X)),
    }
    p, cpu = {}, {}
    for name, prune in fits.items():
        start = time.process_time()
        p[name] = prune(candidates).p_values[candidates == 1]
        cpu[name] = time.process_time() - start
    decisions = [(values < 1e-3) for values in p.values()]
    differ = int((decisions[0] != decisions[1]).sum())
    logs = [np.log10(np.clip(values, 1e-300, 1)) for values in p.values()]
    gap = abs(logs[0] - logs[1])
    close = np.maximum(*p.values()) > 1e-12
    row = {
        "method": "CAM pruning in blocks against memory",
        "n": len(X),
        "decisions": len(gap),
        "differ": differ,
        "median_gap_log10_p_above_1e-12": float(np.median(gap[close])),
        "largest_gap_log10_p_above_1e-12": float(gap[close].max()),
        "cpu_s": cpu,
    }
    Journal("knots").row(row, dict)
    yield Figure(f"pruning {len(X):,} rows: of {len(gap)} decisions differ", differ)
    yield Figure("  median difference of log10 p, p > 1e-12", row["median_gap_log10_p_above_1e-12"])
    yield Figure("  largest", row["largest_gap_log10_p_above_1e-12"])
    for name, taken in cpu.items():
        yield Figure(f"  CPU seconds {name}", taken)
