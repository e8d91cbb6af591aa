"""Data of any number of rows: additive-noise models whose functions are random waves.

The mechanisms of the SCORE paper are draws of Gaussian processes, which take n^3 operations. A sum
of random waves is nearly such a draw, and a function: rows can be drawn in chunks.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet

from scoredag.graph.dag import topological_order
from scoredag.simulate.dags import parse_graph, random_dag

Floats = NDArray[np.float64]

COLUMNS = 20
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


def simulate(path: Path, n: int, graph: str, seed: int, d: int = COLUMNS) -> NDArray[np.int_]:
    """Write n rows of an additive-noise model to a file, in bounded memory; return its graph.

    The first rows are the same however many there are.
    """
    for_graph, for_functions, for_noise = np.random.default_rng(seed).spawn(3)
    kind, edges_per_node = parse_graph(graph)
    adjacency = random_dag(d, edges_per_node, kind=kind, rng=for_graph)
    parents = [np.flatnonzero(column) for column in adjacency.T]
    functions = [Waves.draw(len(found), for_functions) for found in parents]
    scales = np.sqrt(for_functions.uniform(0.4, 0.8, d))
    names = [f"x{j}" for j in range(d)]
    schema = pa.schema([(name, pa.float64()) for name in names])
    with parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, n, CHUNK):
            X = for_noise.standard_normal((CHUNK, d)) * scales
            X = X[: n - start]
            for j in topological_order(adjacency):
                if len(parents[j]):
                    X[:, j] += functions[j](X[:, parents[j]])
            writer.write_table(pa.table(dict(zip(names, X.T, strict=True))))
    return adjacency


def read(path: Path, rows: int | None = None) -> Floats:
    """The table of such a file in memory, or its first rows."""
    table = parquet.read_table(path)
    table = table if rows is None else table.slice(0, rows)
    return np.column_stack([column.to_numpy() for column in table.columns])
