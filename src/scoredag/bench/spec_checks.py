"""What must hold of a spec before hours of runs begin."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from scoredag.bench.layout import Layout, read_layout
from scoredag.bench.option_checks import refuse_unknown
from scoredag.bench.outcome import COSTS
from scoredag.exceptions import SpecError

_KINDS: Mapping[str, tuple[type, str]] = {
    "title": (str, "text"),
    "description": (str, "text"),
    "metrics": (list, "a list of names"),
    "data": (list, "[[data]] blocks"),
    "methods": (list, "[[methods]] blocks"),
    "tables": (list, "[[tables]] blocks"),
    "label": (str, "text"),
    "why": (str, "text"),
    "options": (dict, "a table of options"),
    "only": (dict, "a table of options"),
}
_ONE_LINE = ("title", "label")


def check_kinds(block: Mapping[str, Any], where: str) -> None:
    """Refuse values of the wrong kind, by their key.

    Examples
    --------
    >>> check_kinds({"label": 5}, "method SCORE")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.SpecError: method SCORE: label must be text; got 5.
    """
    for key, (kind, name) in _KINDS.items():
        if key in block and not isinstance(block[key], kind):
            raise SpecError(f"{where}: {key} must be {name}; got {block[key]!r:.80}.")
    for key in _ONE_LINE:
        text = block.get(key, key)
        if not text.strip() or not text.isprintable():
            raise SpecError(f"{where}: {key} must be one line of text; got {text!r:.80}.")


def check_tables(
    blocks: Sequence[Any], options: Collection[str], labels: Collection[str], metrics: Sequence[str]
) -> None:
    """Refuse tables that cannot be made, or that name what no run has.

    Parameters
    ----------
    blocks : list
        ``[[tables]]`` of the spec.
    options : collection of str
        What rows say of their data.
    labels : collection of str
        The methods.
    metrics : sequence of str
        What is measured.
    """
    known = [*metrics, *COSTS, "peak_mb"]
    for block in blocks:
        if not isinstance(block, Mapping):
            raise SpecError(f"[[tables]]: must be blocks; got {block!r}.")
        try:
            layout = read_layout(block)
        except ValueError as error:
            raise SpecError(f"[[tables]]: {error}") from None
        refuse_unknown(layout.options, options, f"[[tables]] {layout.title!r}")
        shown = [line.metric for line in layout.rows or () if line.metric]
        refuse_unknown([*layout.metrics, *shown], known, _metrics_of(layout))
        refuse_unknown([line.method for line in layout.rows or ()], labels, _rows_of(layout))


def _metrics_of(layout: Layout) -> str:
    return f"metrics of [[tables]] {layout.title!r}"


def _rows_of(layout: Layout) -> str:
    return f"rows of [[tables]] {layout.title!r}"
