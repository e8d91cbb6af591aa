"""Text tables: the separator, the header, and the lines on which something is wrong.

Arrow does the parsing. Only when it refuses a file, or when a cell turns out to be bad, is the
text walked line by line to say where.
"""

from __future__ import annotations

import csv
import io
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from scoredag.data.columns import Columns
from scoredag.data.wording import counted, listing
from scoredag.exceptions import DataError, warn

if TYPE_CHECKING:
    import pyarrow

# Where two split the lines evenly, the earlier one wins: a comma is then a decimal mark.
SEPARATORS = ("\t", ";", "|", ",")
CHARACTERS_SNIFFED = 1 << 18
LINES_SNIFFED = 50
# Arrow parses block by block, and a line must fit into one.
SMALLEST_BLOCK, LARGEST_BLOCK = 1 << 20, 1 << 26

Line = tuple[int, list[str]]


def read_delimited(
    data: bytes,
    label: str,
    header: bool | None = None,
    decimal: str = ".",
    na: Sequence[str] = (),
) -> Columns:
    r"""Parse a text table.

    Parameters
    ----------
    data : bytes
        The file, in UTF-8.
    label : str
        What messages call it.
    header : bool, optional
        Whether the first line holds names. By default it does unless it holds only numbers other
        than 0, 1, 2, ...; a `DataWarning` says how a line of numbers was taken.
    decimal : {".", ","}
        The decimal mark.
    na : sequence of str
        How missing values are written, beside Arrow's spellings.

    Examples
    --------
    >>> read_delimited(b"a;b\n1,5;2\n", "example.csv", decimal=",").names
    ('a', 'b')
    """
    text = _decode(data, label)
    separator = sniff_separator(text)
    _, fields = next(split_lines(text[:CHARACTERS_SNIFFED], separator))
    first = [field.strip() for field in fields]
    numbers = _as_numbers(first, decimal)
    named = (numbers is None or _counts_up(numbers)) if header is None else header
    parse = partial(_parse, data, text, label, separator, named)
    table = parse(decimal, na)
    if table.num_rows == 0:
        raise DataError(
            f"{label} has a header ({counted(len(first), 'column')}) but no rows of numbers."
        )
    if header is None and numbers is not None:
        _warn_of_numbers(label, first, named)
    names = table.column_names if named else [f"x{k}" for k in range(len(first))]
    lines = _Lines(text, separator, header=named)

    def reread(positions: Sequence[int]) -> list[set[str]]:
        kept = [table.column_names[k] for k in positions]
        columns = parse(decimal, (), as_text=kept).columns
        return [{cell.strip() for cell in column.unique().to_pylist()} for column in columns]

    return Columns.named(names, table.columns, lines, decimal, reread)


def sniff_separator(text: str) -> str:
    r"""Find the separator that splits the first lines most evenly into several fields.

    Examples
    --------
    >>> sniff_separator("a;b\n1,5;2,5\n"), sniff_separator("a\tb\n1\t2\n"), sniff_separator("a\n1")
    (';', '\t', ',')
    """
    sample = text[:CHARACTERS_SNIFFED]

    def evenness(separator: str) -> float:
        lines = itertools.islice(split_lines(sample, separator), LINES_SNIFFED)
        sizes = Counter(len(fields) for _, fields in lines)
        size, lines_of_that_size = sizes.most_common(1)[0]
        return lines_of_that_size / sizes.total() if size > 1 else 0.0

    best = max(SEPARATORS, key=evenness)
    return best if evenness(best) > 0 else ","


def split_lines(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    r"""Line number and fields of each line that is not blank.

    Examples
    --------
    >>> list(split_lines("a,b\n\n1,2\n", ","))
    [(1, ['a', 'b']), (3, ['1', '2'])]
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    start = 1
    while True:
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error:
            # A quotation mark that is never closed swallows the rest: one huge field.
            yield start, ['"']
            return
        if fields:
            yield start, fields
        start = reader.line_num + 1


def _decode(data: bytes, label: str) -> str:
    if b"\x00" in data:
        raise DataError(f"{label} holds binary data, not text: export the table as CSV or Parquet.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{label} is not text in UTF-8 (byte 0x{data[error.start]:02x} in line {line}): "
            "save it as UTF-8, or convert it, e.g. `iconv -f latin1 -t utf-8`."
        ) from error


def _as_numbers(fields: Sequence[str], decimal: str) -> list[float] | None:
    try:
        return [float(field.replace(decimal, ".")) for field in fields]
    except ValueError:
        return None


def _counts_up(numbers: Sequence[float]) -> bool:
    """Tell the names 0, 1, 2, ... that pandas writes from a first line of data."""
    return any(numbers == list(range(start, start + len(numbers))) for start in (0, 1))


def _warn_of_numbers(label: str, first: Sequence[str], named: bool) -> None:
    """Say how a first line of nothing but numbers was taken, and how to have it otherwise."""
    if named:
        taken, otherwise = "names", ("is data", "header=False", "header=True")
    else:
        taken = f"data and the columns were named x0 to x{len(first) - 1}"
        otherwise = ("holds the names", "header=True", "header=False")
    mistake, option, silence = otherwise
    warn(
        f"the first line of {label} holds only numbers ({listing(first, 3)}), so it was read as "
        f"{taken}. If it {mistake}, pass {option}; to silence this, pass {silence}."
    )


def _parse(
    data: bytes,
    text: str,
    label: str,
    separator: str,
    named: bool,
    decimal: str,
    na: Sequence[str],
    as_text: Sequence[str] = (),
) -> pyarrow.Table:
    """Let Arrow read the columns; those that are named ``as_text`` are all, and stay text."""
    import pyarrow
    from pyarrow import csv as arrow_csv

    try:
        return arrow_csv.read_csv(
            pyarrow.BufferReader(data),
            read_options=arrow_csv.ReadOptions(
                autogenerate_column_names=not named,
                block_size=min(max(len(data), SMALLEST_BLOCK), LARGEST_BLOCK),
                # Arrow's threads may abort the process at exit: only where they save much time.
                use_threads=len(data) > LARGEST_BLOCK,
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=separator, newlines_in_values=b'"' in data
            ),
            convert_options=arrow_csv.ConvertOptions(
                decimal_point=decimal,
                null_values=[*arrow_csv.ConvertOptions().null_values, *na],
                include_columns=list(as_text),
                column_types=dict.fromkeys(as_text, pyarrow.string()),
            ),
        )
    except pyarrow.ArrowInvalid as error:
        if "Empty CSV" in str(error):  # a header that no line break ends
            return pyarrow.table({})
        found = describe_ragged(list(split_lines(text, separator)), separator)
        raise DataError(f"{label}: {found or error}") from error


def describe_ragged(lines: Sequence[Line], separator: str) -> str | None:
    """Say which lines do not fit the first one; None if all do.

    Parameters
    ----------
    lines : sequence of (int, list of str)
        Line number and fields of each line that is not blank.
    separator : str
        What separates the fields.

    Examples
    --------
    >>> lines = [(1, ["a", "b"]), (2, ["1", "2"]), (3, ["1"]), (4, ["1", "2"])]
    >>> print(describe_ragged(lines, ","))
    line 3 has 1 field, expected 2 as in line 1 (separator ','). Quote values that hold the \
separator, and fill missing fields.
    """
    (first, header), *rest = lines
    odd = [(number, fields) for number, fields in rest if len(fields) != len(header)]
    if not odd:
        return None
    number, fields = odd[0]
    more = f", and {counted(len(odd) - 1, 'more line')} like it" if len(odd) > 1 else ""
    return (
        f"line {number} has {counted(len(fields), 'field')}, expected {len(header)} as in line "
        f"{first} (separator {separator!r}){more}. {_likely_cause(header, rest, odd, separator)}"
    )


def _likely_cause(
    header: Sequence[str], rest: Sequence[Line], odd: Sequence[Line], separator: str
) -> str:
    sizes = {len(fields) for _, fields in odd}
    common = sizes.pop() if len(sizes) == 1 and len(odd) == len(rest) else None
    if header[0].lower().startswith("sep="):
        return "The first line tells spreadsheets the separator and is no header: remove it."
    if header[0].lstrip().startswith("#") or (common and len(header) == 1):
        return "Is the first line a title or a comment? Remove it."
    if common == len(header) + 1:
        return (
            "Every row has one field more than the header, as when R writes row names: "
            "write the file with row.names = FALSE."
        )
    if common == 2 * len(header) and separator == ",":
        return "Are these decimal commas? Separate the fields with ';' and pass decimal=','"
    # An open quotation mark swallows line breaks, and the parser takes the mark itself away.
    if set('"\n') & set("".join(odd[0][1])):
        return "Look for a quotation mark that is never closed."
    return "Quote values that hold the separator, and fill missing fields."


class _Lines:
    """Where the rows of a table stand in its text; the text is walked once, on the first call."""

    def __init__(self, text: str, separator: str, header: bool) -> None:
        self._text, self._separator, self._header = text, separator, header

    @cached_property
    def _numbers(self) -> list[int]:
        numbers = [number for number, _ in split_lines(self._text, self._separator)]
        return numbers[self._header :]

    def __call__(self, rows: Sequence[int]) -> str:
        lines = [f"{self._numbers[row]}" for row in rows]
        return f"line{'s' * (len(lines) > 1)} {listing(lines)}"
