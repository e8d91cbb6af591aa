"""What users may write as a rule, turned into plain values: names are text, positions integers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import groupby
from typing import Any

import numpy as np

from scoredag.arguments import is_number, is_whole_number
from scoredag.data.wording import LONGEST_NAME, close_match
from scoredag.exceptions import KnowledgeError

# How a rule names a column: by its name, which may have wildcards, or by an integer.
Column = str | int
Edge = tuple[Column, Column]

KEYWORDS = ("required", "forbidden", "tiers", "roots", "sinks", "edges_within_tiers")
ARROW = "->"
_AN_EDGE = "a pair (cause, effect) or text such as 'a -> b'"


def shown(column: Column) -> str:
    """Show a column as a rule writes it: names quoted and shortened, integers as they are.

    Examples
    --------
    >>> print(shown("dose"), shown(3))
    'dose' 3
    """
    return repr(_shortened(column) if isinstance(column, str) else column)


def shown_edge(edge: Edge) -> str:
    """Show a rule about an edge as the user would write it.

    Examples
    --------
    >>> shown_edge(("dose", "effect*"))
    "'dose -> effect*'"
    """
    return repr(f" {ARROW} ".join(_shortened(str(column)) for column in edge))


def _shortened(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def refuse_unknown_keywords(rules: Iterable[Any]) -> None:
    """Raise `scoredag.KnowledgeError` if there is none of the rules that some keys speak of.

    Examples
    --------
    >>> refuse_unknown_keywords(["root"])
    Traceback (most recent call last):
        ...
    scoredag.exceptions.KnowledgeError: knowledge has no 'root': did you mean 'roots'?
    """
    problems = []
    for key in rules:
        if key not in KEYWORDS:
            near = close_match(str(key), KEYWORDS)
            hint = f"did you mean {near!r}?" if near else f"it has {', '.join(KEYWORDS)}"
            problems.append(f"knowledge has no {key!r:.60}: {hint}")
    if problems:
        raise KnowledgeError("; ".join(problems), problems)


def parse_edges(value: Any, argument: str) -> tuple[Edge, ...]:
    """Read rules about edges, each of them once.

    Parameters
    ----------
    value : iterable, str or None
        Pairs (cause, effect) or text such as ``"a -> b"``; one such text; None for no rule.
    argument : str
        "required" or "forbidden", for the error message.

    Examples
    --------
    >>> parse_edges(["dose -> effect", ("age", 0)], "required")
    (('dose', 'effect'), ('age', 0))
    >>> parse_edges([("dose", "age", "effect")], "required")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.KnowledgeError: required[0] must be a pair (cause, effect) or text such \
as 'a -> b'; got 3 entries: ('dose', 'age', 'effect')
    """
    if isinstance(value, str):
        value = [value]
    entries = list(_entries(value, argument, f"a list of edges, each {_AN_EDGE}"))
    if _looks_like_one_pair(value, entries):
        raise KnowledgeError(
            f"{argument} must be a list of edges; got one pair: write {argument}="
            f"[{tuple(entries)!r:.80}]"
        )
    edges = (_edge(entry, f"{argument}[{k}]") for k, entry in enumerate(entries))
    return tuple(dict.fromkeys(edges))


def _looks_like_one_pair(value: Any, entries: list[Any]) -> bool:
    """``required=("a", "b")``: two names where two edges should be."""
    if isinstance(value, Set) or len(entries) != 2:
        return False
    return all(is_whole_number(e) or (isinstance(e, str) and ARROW not in e) for e in entries)


def _edge(entry: Any, where: str) -> Edge:
    if isinstance(entry, str):
        return edge_from_text(entry, where)
    if not isinstance(entry, list | tuple | np.ndarray):
        raise KnowledgeError(f"{where} must be {_AN_EDGE}; got {entry!r:.80}")
    if len(entry) != 2:
        raise KnowledgeError(f"{where} must be {_AN_EDGE}; got {len(entry)} entries: {entry!r:.80}")
    cause, effect = entry
    return parse_column(cause, f"the cause of {where}"), parse_column(
        effect, f"the effect of {where}"
    )


def edge_from_text(text: str, where: str) -> Edge:
    """Read an edge such as ``"dose -> effect"``; names may have spaces, but no arrow.

    Examples
    --------
    >>> edge_from_text("body weight -> dose", "forbidden[0]")
    ('body weight', 'dose')
    """
    ends = [end.strip() for end in text.split(ARROW)]
    if len(ends) == 2 and all(ends):
        return ends[0], ends[1]
    reason = {
        1: "it has no '->'",
        2: "a name is missing",
    }.get(len(ends), "it has more than one '->'; write a pair if a name holds one")
    raise KnowledgeError(f"{where} must read 'cause -> effect'; got {text!r:.80}: {reason}")


def parse_column(value: Any, where: str) -> Column:
    """Read the name or the position of a column.

    Examples
    --------
    >>> parse_column(1.5, "roots[0]")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.KnowledgeError: roots[0] must be the name of a column or an integer, its \
position; got 1.5
    """
    if is_whole_number(value):
        return int(value)
    if isinstance(value, str) and value:
        return str(value)
    got = "a name without any letter, ''" if value == "" else f"{value!r:.80}"
    raise KnowledgeError(
        f"{where} must be the name of a column or an integer, its position; got {got}"
    )


def parse_columns(value: Any, argument: str) -> tuple[Column, ...]:
    """Read names and positions of columns, each of them once; one column needs no list.

    Examples
    --------
    >>> parse_columns("dose", "roots"), parse_columns(["age", 2, "age"], "roots")
    (('dose',), ('age', 2))
    """
    if isinstance(value, str) or is_whole_number(value):
        return (parse_column(value, argument),)
    entries = _entries(value, argument, "a list of columns, by name or position")
    columns = (parse_column(entry, f"{argument}[{k}]") for k, entry in enumerate(entries))
    return tuple(dict.fromkeys(columns))


def parse_tiers(value: Any) -> tuple[tuple[Column, ...], ...]:
    """Read tiers, the earliest first.

    Parameters
    ----------
    value : sequence of groups, mapping or None
        A group is a list of columns, or one column. A mapping says which column is in which tier,
        by any numbers; columns of smaller ones come earlier.

    Examples
    --------
    >>> parse_tiers([["age", "sex"], "dose"])
    (('age', 'sex'), ('dose',))
    >>> parse_tiers({"dose": 2, "age": 1, "sex": 1})
    (('age', 'sex'), ('dose',))
    """
    if isinstance(value, Mapping):
        return _tiers_by_number(value)
    wanted = "a list of groups of columns, the earliest first"
    if isinstance(value, Set):
        raise KnowledgeError(f"tiers must be {wanted}; got a {type(value).__name__}, without order")
    groups = _entries(value, "tiers", wanted)
    return tuple(parse_columns(group, f"tiers[{k}]") for k, group in enumerate(groups))


def _tiers_by_number(tiers: Mapping[Any, Any]) -> tuple[tuple[Column, ...], ...]:
    for column, number in tiers.items():
        if not (is_number(number) and np.isfinite(number)):
            raise KnowledgeError(
                f"tiers must map columns to numbers, smaller ones earlier; tiers[{column!r:.60}] "
                f"is {number!r:.60}"
            )
    ranked = sorted(tiers, key=lambda column: tiers[column])
    groups = groupby(ranked, key=lambda column: tiers[column])
    return tuple(tuple(parse_column(c, "a key of tiers") for c in group) for _, group in groups)


def parse_switch(value: Any, argument: str) -> bool:
    """Read True or False.

    Examples
    --------
    >>> parse_switch("no", "edges_within_tiers")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.KnowledgeError: edges_within_tiers must be True or False; got 'no'
    """
    if not isinstance(value, bool | np.bool_):
        raise KnowledgeError(f"{argument} must be True or False; got {value!r:.80}")
    return bool(value)


def _entries(value: Any, argument: str, wanted: str) -> Iterator[Any]:
    if value is None:
        return iter(())
    if hasattr(type(value), "is_directed"):
        raise KnowledgeError(
            f"{argument} must be {wanted}; got a {type(value).__name__}: "
            "scoredag.Knowledge.from_graph makes rules of its edges"
        )
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise KnowledgeError(f"{argument} must be {wanted}; got {value!r:.80}")
    # A set has no order of its own: the rules shall be listed alike in every session.
    return iter(sorted(value, key=repr) if isinstance(value, Set) else value)
