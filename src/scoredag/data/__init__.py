"""Tables on their way in: reading files, refusing what cannot be analysed, warning about the rest.

- `read_table` turns a file into numbers and names, or says what is wrong with it.
- `open_table` opens one that may be larger than memory.
- `check_columns` refuses a matrix that no method could analyse.
- `distinct_rows` finds rows that are copies of others.
- `warn_about` says what to be careful with.
"""

from scoredag.data.cautions import warn_about
from scoredag.data.checks import check_columns
from scoredag.data.distinct import distinct_rows
from scoredag.data.opening import open_table
from scoredag.data.reading import read_table
from scoredag.data.table import Table

__all__ = [
    "Table",
    "check_columns",
    "distinct_rows",
    "open_table",
    "read_table",
    "warn_about",
]
