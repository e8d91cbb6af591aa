"""Scale: rows, columns, cores and machines. Results are in ``benchmarks/results/scale``.

``python -m benchmarks scale`` runs all parts, for hours of one core; ``python -m benchmarks.scale
--parts joint cores`` some of them; ``--parts plots`` draws what has been measured. What was
measured on these sources is not measured again.
"""

import importlib
from collections.abc import Iterable, Iterator

from benchmarks.figure import Figure

PARTS = (
    "rows",
    "joint",
    "cores",
    "columns",
    "low_rank",
    "amortised",
    "machines",
    "costs",
    "knots",
    "plots",
)


def figures(parts: Iterable[str] = PARTS) -> Iterator[Figure]:
    for part in parts:
        yield from importlib.import_module(f"benchmarks.scale.{part}").figures()
