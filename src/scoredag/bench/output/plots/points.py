"""What plots show: means of runs, by method and kind of data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoredag.bench.output.cells import make_cell
from scoredag.bench.output.options import data_options
from scoredag.bench.output.reference import Reference
from scoredag.bench.output.selection import Row, grouped, setting


@dataclass(frozen=True)
class Curve:
    """Means of one method over d: (d, mean) pairs with growing d."""

    method: str
    points: tuple[tuple[float, float], ...]
    published: bool = False


def is_followed(lines: Sequence[Curve]) -> bool:
    """Whether a line of ours has two points, so that it is one."""
    return any(len(line.points) > 1 for line in lines if not line.published)


def mean_of(runs: Sequence[Row], metric: str) -> float | None:
    """Average a metric over the runs that have it."""
    return make_cell(runs, metric).mean


def methods_of(rows: Sequence[Row]) -> list[str]:
    """List the methods, as they come."""
    return list(dict.fromkeys(row["method"] for row in rows))


def curves(rows: Sequence[Row], metric: str, reference: Reference | None) -> list[Curve]:
    """Follow a metric over d, for each method: ours, and what was published.

    Examples
    --------
    >>> rows = [
    ...     {"method": "SCORE", "status": "done", "d": d, "shd": d / 10} for d in (20, 10)
    ... ]
    >>> curves(rows, "shd", None)
    [Curve(method='SCORE', points=((10, 1.0), (20, 2.0)), published=False)]
    """
    by_d = {d: part for (d,), part in grouped(rows, ["d"]).items() if d is not None}
    ours: dict[str, list[tuple[float, float]]] = {}
    theirs: dict[str, list[tuple[float, float]]] = {}
    for d in sorted(by_d):
        for (method,), runs in grouped(by_d[d], ["method"]).items():
            mean = mean_of(runs, metric)
            if mean is not None:
                ours.setdefault(method, []).append((d, mean))
        published = reference.lookup(setting(by_d[d], data_options())) if reference else {}
        for (method, measured), number in published.items():
            if measured == metric:
                theirs.setdefault(method, []).append((d, number.mean))
    return [Curve(method, tuple(points)) for method, points in ours.items()] + [
        Curve(method, tuple(points), published=True) for method, points in theirs.items()
    ]
