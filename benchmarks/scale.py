"""SCORE on tables that are never loaded: CPU and memory at 10^5 and 10^6 rows, and its order.

Data are drawn in chunks into a Parquet file, from functions that are drawn once. Every fit has a
process of its own. The rows go to ``benchmarks/results/scale/blocks.jsonl``.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet

from benchmarks.figure import Figure
from scoredag import SCORE, __version__
from scoredag.data.blocks import ArrayBlocks, fold, sample_rows
from scoredag.graph.dag import topological_order
from scoredag.metrics import order_divergence, shd
from scoredag.prune.pruners.cam import cam_prune
from scoredag.simulate.dags import parse_graph, random_dag

Floats = NDArray[np.float64]

RESULTS = Path(__file__).parent / "results" / "scale" / "blocks.jsonl"
SEED, COLUMNS, GRAPHS = 1000, 20, ("ER1", "ER4")
ROWS = (100_000, 1_000_000)
EXACT_ROWS = 2_000  # on which SCORE as published is run, for its order
# A wave is one cosine: the kernel that 512 of them stand for is off by 4%.
WAVES = 512
CHUNK = 50_000  # rows of a row group
ROWS_AT_ONCE = 4_000


class Waves(NamedTuple):
    """A random smooth function: a sum of waves, whose kernel is nearly the Gaussian one."""

    frequencies: Floats
    shifts: Floats
    weights: Floats

    @classmethod
    def draw(cls, parents: int, rng: np.random.Generator) -> "Waves":
        """Draw a function of so many parents."""
        return cls(
            rng.standard_normal((parents, WAVES)),
            rng.uniform(0, 2 * np.pi, WAVES),
            np.sqrt(2 / WAVES) * rng.standard_normal(WAVES),
        )

    def __call__(self, X: Floats) -> Floats:
        """The values at the rows of X."""
        values = np.empty(len(X))
        for start in range(0, len(X), ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            phase = X[rows] @ self.frequencies + self.shifts
            values[rows] = np.cos(phase, out=phase) @ self.weights
        return values


def simulate(path: Path, n: int, graph: str, seed: int = SEED) -> NDArray[np.int_]:
    """Write n rows of an additive-noise model to a file, in bounded memory; return its graph.

    The first rows are the same however many there are.
    """
    for_graph, for_functions, for_noise = np.random.default_rng(seed).spawn(3)
    kind, edges_per_node = parse_graph(graph)
    adjacency = random_dag(COLUMNS, edges_per_node, kind=kind, rng=for_graph)
    parents = [np.flatnonzero(column) for column in adjacency.T]
    functions = [Waves.draw(len(found), for_functions) for found in parents]
    scales = np.sqrt(for_functions.uniform(0.4, 0.8, COLUMNS))
    names = [f"x{j}" for j in range(COLUMNS)]
    schema = pa.schema([(name, pa.float64()) for name in names])
    with parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, n, CHUNK):
            X = for_noise.standard_normal((CHUNK, COLUMNS)) * scales
            X = X[: n - start]
            for j in topological_order(adjacency):
                if len(parents[j]):
                    X[:, j] += functions[j](X[:, parents[j]])
            writer.write_table(pa.table(dict(zip(names, X.T, strict=True))))
    return adjacency


FIT = """
import json, resource, sys, time, warnings
warnings.simplefilter("ignore")
from scoredag import SCORE
from scoredag.data import open_table
start = time.perf_counter()
table = open_table(sys.argv[1])
model = SCORE(n_jobs=int(sys.argv[2])).fit(table)
wall = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({
    "cpu_s": used.ru_utime + used.ru_stime,
    "wall_s": wall,
    "peak_mb": used.ru_maxrss / 1024,
    "order": model.causal_order_.tolist(),
    "adjacency": model.adjacency_matrix_.tolist(),
    "rows_used": model.rows_used_,
}))
"""


def fit_file(path: Path, jobs: int = 1) -> dict:
    """SCORE on a file, in a process of its own: CPU of the whole process, and its peak memory."""
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", FIT, str(path), str(jobs)],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return json.loads(done.stdout)


def exact_order(path: Path) -> NDArray[np.intp]:
    """The order of SCORE as published on the first rows of a file."""
    first = parquet.ParquetFile(path).read_row_group(0).slice(0, EXACT_ROWS)
    X = np.column_stack([column.to_numpy() for column in first.columns])
    return SCORE(score_estimator="stein").fit(X).causal_order_


def record(row: dict) -> None:
    """Append a row to the results."""
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    known = {"version": __version__, "seed": SEED, "d": COLUMNS, "date": time.strftime("%Y-%m-%d")}
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps(known | row) + "\n")


def figures() -> Iterator[Figure]:
    yield from _quantiles()
    for graph in GRAPHS:
        cpu = {}
        for n in ROWS:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "table.parquet")
                adjacency = simulate(path, n, graph)
                size = path.stat().st_size / 2**20
                found = fit_file(path)
                order = exact_order(path) if n == max(ROWS) else None
            cpu[n] = found["cpu_s"]
            row = {
                "method": "SCORE, low rank, from Parquet",
                "graph": graph,
                "n": n,
                "file_mb": size,
                **{name: found[name] for name in ("cpu_s", "wall_s", "peak_mb", "rows_used")},
                "d_top": int(order_divergence(adjacency, found["order"])),
                "shd": int(shd(adjacency, np.array(found["adjacency"]))),
            }
            record(row)
            name = f"{graph}, n={n:,}"
            yield Figure(f"{name}: CPU seconds", found["cpu_s"])
            yield Figure(f"{name}: peak MB", found["peak_mb"], 2048)
            yield Figure(f"{name}: SHD", row["shd"])
            if order is not None:
                exact = int(order_divergence(adjacency, order))
                record({"method": "SCORE, exact", "graph": graph, "n": EXACT_ROWS, "d_top": exact})
                yield Figure(f"{name}: D_top, exact's at {EXACT_ROWS:,}", row["d_top"], exact)
        growth = math.log(cpu[ROWS[1]] / cpu[ROWS[0]]) / math.log(ROWS[1] / ROWS[0])
        yield Figure(f"{graph}: CPU grows with n to the power", growth, 1.1)


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
            record(
                {"method": f"knots from a {method}", "column": name, "n": n, "rank_error": error}
            )
            yield Figure(f"knots, {name}, {method}: error of ranks", error)
    for method, taken in seconds.items():
        yield Figure(f"knots, three columns of {n:,}, {method}: CPU seconds", taken)
    yield from _p_values()


def _merged(size: int, a: Sketch, b: Sketch) -> Sketch:
    return a.merged(b, size)


def _p_values() -> Iterator[Figure]:
    """CAM pruning of 100,000 rows in blocks, with knots from a sample, against all in memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.parquet")
        adjacency = simulate(path, ROWS[0], "ER4")
        X = np.column_stack([c.to_numpy() for c in parquet.read_table(path).columns])
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
    record(row)
    yield Figure(f"pruning {len(X):,} rows: of {len(gap)} decisions differ", differ)
    yield Figure("  median difference of log10 p, p > 1e-12", row["median_gap_log10_p_above_1e-12"])
    yield Figure("  largest", row["largest_gap_log10_p_above_1e-12"])
    for name, taken in cpu.items():
        yield Figure(f"  CPU seconds {name}", taken)
