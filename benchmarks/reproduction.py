"""What of the SCORE paper reproduces, from the rows in ``benchmarks/results/paper``.

Makes no run: ``scoredag bench paper --output benchmarks/results/paper`` does.
"""

from collections.abc import Iterator
from pathlib import Path

from pyarrow import parquet

from benchmarks.figure import Figure, mean_of
from scoredag.bench import read_spec
from scoredag.bench.output import make_tables

ROWS = Path(__file__).parent / "results" / "paper" / "runs.parquet"
KEYS = ("d", "graph", "noise")
# The paper's run times at d = 20, in seconds
PAPER_CAM, PAPER_SCORE_ORDER = 313.0, 8.5


def figures() -> Iterator[Figure]:
    rows = parquet.read_table(ROWS).to_pylist()
    agreed = reproduced_cells(rows)
    yield count(agreed, "SCORE", ("shd", "d_top"), 24, 22)
    yield count(agreed, "VarSort", ("d_top",), 24, 20)
    small = {key: value for key, value in agreed.items() if key[0] <= 20}
    random = {key: value for key, value in small.items() if key[1].startswith("ER")}
    yield count(random, "CAM", ("shd", "d_top"), 12, 8, ", ER, d <= 20")
    yield count(small, "CAM", ("shd", "d_top"), 16, None, ", d <= 20")
    cell = {"data": "paper", "d": 20, "graph": "ER1", "noise": "gaussian"}
    cam = mean_of(rows, "seconds", method="CAM", **cell)
    order = mean_of(rows, "order_seconds", method="SCORE", **cell)
    speed = (PAPER_CAM / PAPER_SCORE_ORDER) / (cam / order)
    yield Figure("CAM, d=20: times faster than the paper's, by SCORE's order", speed, 50, True)
    for graph, bound in (("ER1", 1.5 + 1.4), ("ER4", 22.2 + 2.6)):
        cell = {"data": "paper", "d": 10, "graph": graph, "noise": "gaussian"}
        mean = mean_of(rows, "shd", method="GraN-DAG", **cell)
        yield Figure(f"GraN-DAG, d=10 {graph}: mean SHD of 10 seeds", mean, bound)
    for data, scale in (("sachs", "raw scale"), ("syntren", "standardised")):
        for method in ("SCORE", "CAM", "GraN-DAG"):
            for metric in ("shd", "sid"):
                mean = mean_of(rows, metric, method=method, data=data)
                yield Figure(f"{data}, {scale}, {method}: {metric}", mean)


def reproduced_cells(rows: list[dict]) -> dict[tuple, bool]:
    """Whether our mean agrees with the paper's, by (d, graph, noise, method, metric)."""
    return {
        (*(table.groups[place // len(table.metrics)].setting[key] for key in KEYS), *what): agrees
        for table in make_tables(rows, read_spec("paper").tables)
        for row in table.rows
        for place, cell in enumerate(row.cells)
        if cell.published is not None and cell.published.setting["data"] == "paper"
        for what, agrees in [((row.method, cell.metric), cell.reproduced is True)]
    }


def count(
    agreed: dict[tuple, bool],
    method: str,
    metrics: tuple,
    cells: int,
    bound: int | None,
    where: str = "",
) -> Figure:
    """Count the cells in which all of some metrics agree with the paper's."""
    found = {key[:3] for key in agreed if key[3] == method and key[4] in metrics}
    good = sum(
        all(agreed.get((*cell, method, metric), True) for metric in metrics) for cell in found
    )
    label = f"{method}, {' and '.join(metrics)}: cells reproduced of {cells}{where}"
    assert len(found) == cells, (method, len(found))
    return Figure(label, good, bound, at_least=True)
