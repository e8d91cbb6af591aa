"""Tables that a command writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scoredag.data.reading import require_arrow

SEPARATORS = {".csv": ",", ".tsv": "\t"}
TABLE_SUFFIXES = [*SEPARATORS, ".parquet", ".feather"]


def write_table(X: NDArray[np.float64], names: Sequence[str], path: Path) -> None:
    """Write a table in the format of its suffix; text keeps every digit."""
    require_arrow()
    import pyarrow
    from pyarrow import csv, feather, parquet

    table = pyarrow.table({name: np.ascontiguousarray(X[:, k]) for k, name in enumerate(names)})
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        parquet.write_table(table, path)
    elif suffix == ".feather":
        feather.write_feather(table, path)
    else:
        separator = SEPARATORS[suffix]
        with path.open("wb") as file:
            file.write((separator.join(names) + "\n").encode())
            csv.write_csv(table, file, csv.WriteOptions(include_header=False, delimiter=separator))
