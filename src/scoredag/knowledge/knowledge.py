"""What is known about a graph before the data are looked at."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

from scoredag.data.wording import close_match
from scoredag.exceptions import KnowledgeError
from scoredag.knowledge.columns import Columns
from scoredag.knowledge.constraints import Constraints
from scoredag.knowledge.parsing import (
    Column,
    Edge,
    parse_columns,
    parse_edges,
    parse_switch,
    parse_tiers,
)
from scoredag.knowledge.rules import find_rules

KEYWORDS = ("required", "forbidden", "tiers", "roots", "sinks", "edges_within_tiers")
_MOST_SHOWN = 10


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Knowledge:
    """Rules about the causal graph of a table that hold whatever the data say.

    Every estimator takes them as ``knowledge=``. The rules are used inside the search: no order and
    no edge that breaks one is ever considered.

    Parameters
    ----------
    required, forbidden : iterable of edges, optional
        Edges that must, or must not, be in the graph: pairs (cause, effect), or text such as
        ``"dose -> effect"``. A required edge is in the result even where the data show none.
    tiers : sequence of groups, or mapping, optional
        Groups of columns in the order of time, the earliest first: no column causes one of an
        earlier group, be it directly or by way of others. A mapping has a number for each column,
        smaller ones earlier. Columns in no tier may stand anywhere.
    roots : iterable of columns, optional
        Columns without causes, such as what an experimenter has set.
    sinks : iterable of columns, optional
        Columns without effects.
    edges_within_tiers : bool, default=True
        Whether a column may be a direct cause of another one of its own tier.

    Attributes
    ----------
    required, forbidden : tuple of (cause, effect)
    tiers : tuple of tuples
    roots, sinks : tuple
    edges_within_tiers : bool
        The same in one form, each rule once. They cannot be changed; objects with the same rules
        are equal.

    Raises
    ------
    KnowledgeError
        If an argument is no such rule. Whether the columns exist, and whether the rules contradict
        each other, is found out when they meet a table: see `resolve`.

    Notes
    -----
    A column is given by its name, or by an integer: its position, counted from 0, unless some
    label of the table is itself an integer (a data frame without names); then it is the label.
    The columns of an array have the names x0, x1, ...

    In names ``*`` stands for any letters or none and ``?`` for one: ``"gene* -> *"`` speaks of each
    pair of different columns that matches. A column whose own name is written is meant alone,
    even if that name has such a character.

    Not for guesses: a wrong rule is never given up, and bends the rest of the graph. Not for
    correlations either: an edge is a direct cause.

    Examples
    --------
    >>> knowledge = Knowledge(required=["dose -> effect"], roots=["age"], tiers=[["age"], ["dose"]])
    >>> knowledge
    Knowledge(required=[('dose', 'effect')], tiers=[['age'], ['dose']], roots=['age'])
    >>> knowledge.resolve(["effect", "dose", "age"]).required.astype(int)  # [i, j] for i -> j
    array([[0, 0, 0],
           [1, 0, 0],
           [0, 0, 0]])
    >>> Knowledge(required=["dose -> effect"]) | Knowledge(sinks="effect")
    Knowledge(required=[('dose', 'effect')], sinks=['effect'])
    """

    required: tuple[Edge, ...]
    forbidden: tuple[Edge, ...]
    tiers: tuple[tuple[Column, ...], ...]
    roots: tuple[Column, ...]
    sinks: tuple[Column, ...]
    edges_within_tiers: bool

    def __init__(
        self,
        *,
        required: Iterable[str | Sequence[Column]] | None = None,
        forbidden: Iterable[str | Sequence[Column]] | None = None,
        tiers: Sequence[Iterable[Column] | Column] | Mapping[Column, float] | None = None,
        roots: Iterable[Column] | Column | None = None,
        sinks: Iterable[Column] | Column | None = None,
        edges_within_tiers: bool = True,
    ) -> None:
        values = {
            "required": parse_edges(required, "required"),
            "forbidden": parse_edges(forbidden, "forbidden"),
            "tiers": parse_tiers(tiers),
            "roots": parse_columns(roots, "roots"),
            "sinks": parse_columns(sinks, "sinks"),
            "edges_within_tiers": parse_switch(edges_within_tiers, "edges_within_tiers"),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_mapping(cls, rules: Mapping[str, Any]) -> Self:
        """Make knowledge from a mapping with the keywords of the class, such as a JSON document.

        Examples
        --------
        >>> Knowledge.from_mapping({"require": ["a -> b"]})
        Traceback (most recent call last):
            ...
        scoredag.exceptions.KnowledgeError: knowledge has no 'require': did you mean 'required'?
        """
        unknown = [key for key in rules if key not in KEYWORDS]
        if unknown:
            problems = [_about_keyword(key) for key in unknown]
            raise KnowledgeError("; ".join(problems), problems)
        return cls(**rules)

    def resolve(self, labels: Iterable[Hashable]) -> Constraints:
        """Find the rules among the columns of a table, and derive all that they imply.

        Parameters
        ----------
        labels : iterable
            The columns' labels, in their order.

        Returns
        -------
        Constraints
            Matrices in which ``[i, j]`` means i -> j.

        Raises
        ------
        KnowledgeError
            If a name or a wildcard fits no column, or the rules contradict each other: a required
            cycle, an edge that is required and forbidden, required edges against the tiers, a root
            with a required cause, a sink with a required effect, a column in two tiers. The message
            lists all such rules, and so does its attribute ``problems``.

        Examples
        --------
        >>> Knowledge(required=["a -> b", "b -> a"]).resolve(["a", "b"])
        Traceback (most recent call last):
            ...
        scoredag.exceptions.KnowledgeError: knowledge contradicts itself: 1 problem
        - required cycle 'a' -> 'b' -> 'a', by required: 'a -> b' and required: 'b -> a'
        """
        rules = find_rules(
            Columns(list(labels)),
            required=self.required,
            forbidden=self.forbidden,
            tiers=self.tiers,
            roots=self.roots,
            sinks=self.sinks,
            edges_within_tiers=self.edges_within_tiers,
        )
        return Constraints.from_rules(rules)

    def __or__(self, other: object) -> Knowledge:
        """All rules of both."""
        if not isinstance(other, Knowledge):
            return NotImplemented
        within = self.edges_within_tiers and other.edges_within_tiers
        return Knowledge(
            required=self.required + other.required,
            forbidden=self.forbidden + other.forbidden,
            tiers=_joint_tiers(self.tiers, other.tiers, within),
            roots=self.roots + other.roots,
            sinks=self.sinks + other.sinks,
            edges_within_tiers=within,
        )

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Knowledge) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[Hashable, ...]:
        """The rules without the order in which they were written, but for that of the tiers."""
        groups = (self.required, self.forbidden, self.roots, self.sinks)
        tiers = tuple(map(frozenset, self.tiers))
        return (*map(frozenset, groups), tiers, self.edges_within_tiers)

    def __repr__(self) -> str:
        fields = {
            "required": _shown(self.required),
            "forbidden": _shown(self.forbidden),
            "tiers": _shown([_Shown(_shown(group)) for group in self.tiers]),
            "roots": _shown(self.roots),
            "sinks": _shown(self.sinks),
        }
        parts = [f"{name}={text}" for name, text in fields.items() if text != "[]"]
        parts += ["edges_within_tiers=False"] * (not self.edges_within_tiers)
        return f"Knowledge({', '.join(parts)})"


class _Shown(str):
    """Text that is its own representation."""

    __slots__ = ()
    __repr__ = str.__str__


def _shown(rules: Sequence[object]) -> str:
    more = [f"... {len(rules) - _MOST_SHOWN:,} more"] * (len(rules) > _MOST_SHOWN)
    return f"[{', '.join([*map(repr, rules[:_MOST_SHOWN]), *more])}]"


def _about_keyword(key: object) -> str:
    near = close_match(str(key), KEYWORDS)
    hint = f"did you mean {near!r}?" if near else f"it has {', '.join(KEYWORDS)}"
    return f"knowledge has no {key!r:.60}: {hint}"


Tiers = tuple[tuple[Column, ...], ...]


def _joint_tiers(first: Tiers, second: Tiers, edges_within: bool) -> Tiers:
    """Those of two lists of tiers that say what both say; an error if neither does."""
    for larger, smaller in ((first, second), (second, first)):
        if _says_all(larger, smaller, edges_within):
            return larger
    raise KnowledgeError(
        "both sides of | have tiers, and neither list says all that the other one says, so that "
        "their common order is not known: write one list of tiers"
    )


def _says_all(larger: Tiers, smaller: Tiers, edges_within: bool) -> bool:
    place = {column: k for k, group in enumerate(larger) for column in group}
    places = [{place.get(column) for column in group} for group in smaller if group]
    if any(None in group for group in places):
        return False
    known = [[k for k in group if k is not None] for group in places]
    in_order = all(max(a) < min(b) for a, b in pairwise(known))
    return in_order and (edges_within or all(len(group) == 1 for group in known))
