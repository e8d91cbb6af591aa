"""Lines of a text table that have more or fewer fields than the first, and the likely cause."""

from __future__ import annotations

from collections.abc import Sequence

from scoredag.data.wording import counted

Line = tuple[int, list[str]]


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
