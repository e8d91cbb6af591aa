"""Time and memory against rows and columns, on log axes, from what has been measured.

Draws ``docs/images/scale-rows.png`` and ``scale-columns.png``.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import matplotlib

from benchmarks.figure import Figure
from benchmarks.scale.journal import Journal, Row

matplotlib.use("Agg")

IMAGES = Path(__file__).parents[2] / "docs" / "images"
AXES = {"cpu_s": "CPU seconds", "mb": "peak memory of the fit, MB"}
# One colour and one marker a method; both told apart without colour.
LOOKS = ("#0072B2 o", "#D55E00 s", "#009E73 ^", "#CC79A7 D", "#56B4E9 v", "#000000 x")


def figures() -> Iterator[Figure]:
    costs = Journal("costs").rows()
    by_rows = [
        *_points("rows", "n", lambda row: f"{row['method']}, from Parquet, d = {row['d']}"),
        *_points("joint", "n", lambda row: f"{row['method']}, in memory, d = {row['d']}"),
        *_of_costs(costs, "n", "d", 20),
    ]
    by_columns = [
        *_points("cores", "d", lambda row: f"{row['method']}, n = {row['n']:,}"),
        *_of_costs(costs, "d", "n", 1000),
    ]
    yield Figure("points over rows", _drawn("rows", "rows", by_rows))
    yield Figure("points over columns", _drawn("columns", "columns", by_columns))


def _points(part: str, axis: str, label: Callable[[Row], str]) -> Iterator[Row]:
    """Rows of a part with CPU and memory, one job only."""
    for row in Journal(part).rows():
        if "cpu_s" in row and "fit_mb" in row and row.get("options", {}).get("n_jobs", 1) == 1:
            yield {"label": label(row), "x": row[axis], "cpu_s": row["cpu_s"], "mb": row["fit_mb"]}


def _of_costs(rows: list[Row], axis: str, fixed: str, value: int) -> Iterator[Row]:
    """Rows of the part costs, whose labels name the piece of SCORE."""
    for row in rows:
        if row.get(fixed) == value and "cpu_s" in row:
            piece = "" if row["label"] == row["method"] else f"{row['label']}, "
            label = f"{row['method']}, {piece}{fixed} = {value:,}"
            yield {"label": label, "x": row[axis], "cpu_s": row["cpu_s"], "mb": row["peak_mb"]}


def _drawn(name: str, xlabel: str, points: list[Row]) -> int:
    """Draw the means of the points of each label; returns the number of points."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
    labels = list(dict.fromkeys(point["label"] for point in points))
    for axis, (quantity, title) in zip(axes, AXES.items(), strict=True):
        for number, label in enumerate(labels):
            values = defaultdict(list)
            for point in points:
                if point["label"] == label and point[quantity] > 0:
                    values[point["x"]].append(point[quantity])
            x = sorted(values)
            colour, marker = LOOKS[number % len(LOOKS)].split()
            line = "-" if number < len(LOOKS) else "--"
            y = [sum(values[k]) / len(values[k]) for k in x]
            axis.plot(x, y, line, color=colour, marker=marker, label=label)
        axis.set(xscale="log", yscale="log", xlabel=xlabel, ylabel=title)
        axis.grid(alpha=0.3, which="both")
    if labels:
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    figure.savefig(IMAGES / f"scale-{name}.png", dpi=110)
    plt.close(figure)
    return len(points)
