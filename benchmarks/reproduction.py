"""What of the SCORE paper reproduces, from the rows in ``benchmarks/results``.

Makes no run: the commands in ``benchmarks/results/README.md`` do.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pyarrow import parquet

from benchmarks.figure import Figure, mean_of
from scoredag.bench import read_spec
from scoredag.bench.output import make_tables

RESULTS = Path(__file__).parent / "results"
# The paper's run times at d = 20, in seconds
PAPER_CAM, PAPER_SCORE_ORDER = 313.0, 8.5


class Comparison(NamedTuple):
    """One figure of the paper's synthetic tables, and whether ours agrees."""

    d: int
    graph: str
    noise: str
    method: str
    metric: str
    agrees: bool


def figures() -> Iterator[Figure]:
    rows, other_seeds = rows_of("paper"), rows_of("more_seeds")
    yield from cells_reproduced(comparisons(rows), comparisons(other_seeds))
    cell = {"data": "paper", "d": 20, "graph": "ER1", "noise": "gaussian"}
    cam = mean_of(rows, "seconds", 10, method="CAM", **cell)
    order = mean_of(rows, "order_seconds", 10, method="SCORE", **cell)
    speed = (PAPER_CAM / PAPER_SCORE_ORDER) / (cam / order)
    yield Figure("CAM, d=20: times faster than the paper's, by SCORE's order", speed, 50, True)
    for graph, bound in (("ER1", 1.5 + 1.4), ("ER4", 22.2 + 2.6)):
        cell = {"data": "paper", "d": 10, "graph": graph, "noise": "gaussian"}
        mean = mean_of(rows, "shd", 10, method="GraN-DAG", **cell)
        yield Figure(f"GraN-DAG, d=10 {graph}: mean SHD of 10 seeds", mean, bound)
    for data, scale, runs in (("sachs", "raw", 1), ("syntren", "standardised", 10)):
        for method in ("SCORE", "CAM", "GraN-DAG"):
            for metric in ("shd", "sid"):
                mean = mean_of(rows, metric, runs, method=method, data=data, scale=scale)
                yield Figure(f"{data}, {scale}, {method}: {metric}", mean)


def cells_reproduced(first: list[Comparison], other: list[Comparison]) -> Iterator[Figure]:
    both = ("shd", "d_top")
    yield count(first, "SCORE", both, 22)
    yield count(other, "SCORE", both, None, ", seeds 100 to 129")
    yield count(first, "VarSort", ("d_top",), 20)
    small = [item for item in first if item.d <= 20]
    random = [item for item in small if item.graph.startswith("ER")]
    yield count(random, "CAM", both, 8, ", ER, d <= 20")
    yield count(small, "CAM", both, None, ", d <= 20")


def rows_of(name: str) -> list[dict]:
    return parquet.read_table(RESULTS / name / "runs.parquet").to_pylist()


def comparisons(rows: list[dict]) -> list[Comparison]:
    found = []
    for table in make_tables(rows, read_spec("paper").tables):
        for row in table.rows:
            for place, cell in enumerate(row.cells):
                setting = table.groups[place // len(table.metrics)].setting
                if cell.reproduced is not None and setting["data"] == "paper":
                    where = (setting["d"], setting["graph"], setting["noise"])
                    found.append(Comparison(*where, row.method, cell.metric, cell.reproduced))
    return found


def count(
    compared: list[Comparison], method: str, metrics: tuple, bound: int | None, where: str = ""
) -> Figure:
    """Count the cells in which all of some metrics agree with the paper's."""
    cells: dict[tuple, list[bool]] = {}
    for item in compared:
        if item.method == method and item.metric in metrics:
            cells.setdefault((item.d, item.graph, item.noise), []).append(item.agrees)
    label = f"{method}, {' and '.join(metrics)}: cells reproduced of {len(cells)}{where}"
    good = [all(agrees) and len(agrees) == len(metrics) for agrees in cells.values()]
    return Figure(label, sum(good), bound, at_least=True)
