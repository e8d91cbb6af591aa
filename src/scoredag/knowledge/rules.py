"""The user's rules, found among the columns of a table, and the words to speak of them.

``[i, j]`` means i -> j.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoredag.arguments import is_whole_number
from scoredag.data.wording import quoted
from scoredag.exceptions import KnowledgeError
from scoredag.knowledge.columns import Columns, Positions
from scoredag.knowledge.parsing import Column, Edge, shown_edge

Mask = NDArray[np.bool_]
NO_TIER = -1


def locked(array: NDArray[Any]) -> NDArray[Any]:
    """Make an array read-only, and return it."""
    array.setflags(write=False)
    return array


@dataclass(frozen=True, eq=False)
class EdgeRules:
    """Rules that require or forbid edges.

    Attributes
    ----------
    kind : str
        "required" or "forbidden".
    written : tuple of pairs
        The rules as the user wrote them.
    causes, effects : tuple of arrays
        For each rule the columns that its two ends mean.
    loops : tuple of int
        Which rules name one column as its own cause and match nothing else.
    d : int
        The number of columns.
    """

    kind: str
    written: tuple[Edge, ...]
    causes: tuple[Positions, ...]
    effects: tuple[Positions, ...]
    loops: tuple[int, ...]
    d: int

    @cached_property
    def mask(self) -> Mask:
        """``[i, j]``: some rule speaks of i -> j. The diagonal is False."""
        mask = np.zeros((self.d, self.d), dtype=bool)
        single: list[int] = []
        for causes, effects in zip(self.causes, self.effects, strict=True):
            if len(causes) == len(effects) == 1:
                single.append(int(causes[0]) * self.d + int(effects[0]))
            else:
                mask[np.ix_(causes, effects)] = True
        mask.ravel()[single] = True
        np.fill_diagonal(mask, False)
        return locked(mask)

    def about(self, i: int, j: int) -> list[str]:
        """Show the rules that speak of the edge i -> j, as the user wrote them."""
        return [self.shown(k) for k, _ in self.hitting(_only(i, j, self.d))]

    def hitting(self, edges: Mask) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Find the rules that speak of some of these edges, and of which of them."""
        if not edges.any():
            return
        for k, (causes, effects) in enumerate(zip(self.causes, self.effects, strict=True)):
            if len(causes) == len(effects) == 1:  # nearly all rules, and the block takes longer
                i, j = int(causes[0]), int(effects[0])
                if edges[i, j]:
                    yield k, [(i, j)]
                continue
            hit = np.argwhere(edges[np.ix_(causes, effects)])
            if len(hit):
                yield k, [(int(causes[a]), int(effects[b])) for a, b in hit]

    def shown(self, k: int) -> str:
        """Show a rule as the user wrote it, after what it is."""
        return f"{self.kind}: {shown_edge(self.written[k])}"


def _only(i: int, j: int, d: int) -> Mask:
    mask = np.zeros((d, d), dtype=bool)
    mask[i, j] = i != j
    return mask


@dataclass(frozen=True, eq=False)
class Rules:
    """All rules of a `scoredag.Knowledge`, found among the columns of a table.

    Attributes
    ----------
    labels : tuple
        The columns' labels.
    required, forbidden : EdgeRules
        Rules about edges.
    tier_members : tuple of arrays
        The columns of each tier, the earliest first.
    roots, sinks : ndarray of bool, shape (d,)
        Columns without causes, and without effects.
    edges_within_tiers : bool
        Whether columns of one tier may cause each other.
    """

    labels: tuple[Any, ...]
    required: EdgeRules
    forbidden: EdgeRules
    tier_members: tuple[Positions, ...]
    roots: Mask
    sinks: Mask
    edges_within_tiers: bool

    @cached_property
    def tier(self) -> Positions:
        """The tier of each column, from 0, the last one if it is in several; or `NO_TIER`."""
        tier = np.full(len(self.labels), NO_TIER, dtype=np.intp)
        for k, members in enumerate(self.tier_members):
            tier[members] = k
        return locked(tier)

    @cached_property
    def tier_before(self) -> Mask:
        """``[i, j]``: i is in an earlier tier than j."""
        in_tier = self.tier != NO_TIER
        both = in_tier[:, None] & in_tier[None, :]
        return locked(both & (self.tier[:, None] < self.tier[None, :]))

    @cached_property
    def tier_forbids(self) -> Mask:
        """``[i, j]``: tiers forbid i -> j; the diagonal says nothing."""
        if self.edges_within_tiers:
            return self.tier_before.T
        in_tier = self.tier != NO_TIER
        within = in_tier[:, None] & (self.tier[:, None] == self.tier[None, :])
        return locked(self.tier_before.T | within)

    @cached_property
    def forbids(self) -> Mask:
        """``[i, j]``: a rule of the user forbids i -> j, be there required edges or not."""
        stated = self.forbidden.mask | self.tier_forbids
        stated |= self.roots[None, :]
        stated |= self.sinks[:, None]
        np.fill_diagonal(stated, False)
        return locked(stated)

    def name(self, i: int) -> str:
        """Quote the name of a column."""
        return quoted(str(self.labels[i]))

    def reasons(self, i: int, j: int) -> list[str]:
        """Say which of the user's rules forbid i -> j, whatever is required."""
        reasons = list(self.forbidden.about(i, j)) if self.forbidden.mask[i, j] else []
        if self.tier_forbids[i, j]:
            reasons.append(self.about_tiers(i, j))
        if self.roots[j]:
            reasons.append(f"{self.name(j)} is a root")
        if self.sinks[i]:
            reasons.append(f"{self.name(i)} is a sink")
        return reasons

    def about_tiers(self, i: int, j: int) -> str:
        """Say where in the tiers two columns are that may not be cause and effect."""
        first, second = self.tier[i] + 1, self.tier[j] + 1
        if first == second:
            return (
                f"tiers: {self.name(i)} and {self.name(j)} are both in tier {first}, and "
                "edges_within_tiers is False"
            )
        return f"tiers: {self.name(j)} is in tier {second}, {self.name(i)} in tier {first}"


def find_rules(
    columns: Columns,
    required: Sequence[Edge],
    forbidden: Sequence[Edge],
    tiers: Sequence[Sequence[Column]],
    roots: Sequence[Column],
    sinks: Sequence[Column],
    edges_within_tiers: bool,
) -> Rules:
    """Find all rules among the columns, or list all names that fit none.

    The rules may still contradict each other: see `scoredag.knowledge.contradictions`.
    """
    _refuse_missing(columns, required, forbidden, tiers, roots, sinks)
    return Rules(
        labels=columns.labels,
        required=_edge_rules("required", required, columns),
        forbidden=_edge_rules("forbidden", forbidden, columns),
        tier_members=tuple(_positions(columns, group) for group in tiers),
        roots=_flags(columns, roots),
        sinks=_flags(columns, sinks),
        edges_within_tiers=edges_within_tiers,
    )


def _refuse_missing(
    columns: Columns,
    required: Sequence[Edge],
    forbidden: Sequence[Edge],
    tiers: Sequence[Sequence[Column]],
    roots: Sequence[Column],
    sinks: Sequence[Column],
) -> None:
    missing: dict[Column, str] = {}
    for kind, edges in (("required", required), ("forbidden", forbidden)):
        for edge in edges:
            for column in edge:
                if not len(columns.find(column)):
                    missing.setdefault(column, f"{kind}: {shown_edge(edge)}")
    groups = [(f"tier {k}", group) for k, group in enumerate(tiers, start=1)]
    for place, group in [*groups, ("roots", roots), ("sinks", sinks)]:
        for column in group:
            if not len(columns.find(column)):
                missing.setdefault(column, place)
    if missing:
        problems = columns.about_missing(missing)
        raise KnowledgeError(
            "\n".join(
                [
                    f"knowledge: rules about what is no column; {columns.summary()}",
                    *(f"- {problem}" for problem in problems),
                ]
            ),
            problems,
        )


def _edge_rules(kind: str, edges: Iterable[Edge], columns: Columns) -> EdgeRules:
    written = tuple(edges)
    causes = tuple(columns.find(cause) for cause, _ in written)
    effects = tuple(columns.find(effect) for _, effect in written)
    loops = tuple(
        k
        for k in range(len(written))
        if len(causes[k]) == len(effects[k]) == 1 and causes[k][0] == effects[k][0]
    )
    return EdgeRules(kind, written, causes, effects, loops, len(columns))


def _positions(columns: Columns, group: Iterable[Column]) -> Positions:
    found = [columns.find(column) for column in group]
    return np.unique(np.concatenate(found)) if found else np.array([], dtype=np.intp)


def _flags(columns: Columns, group: Iterable[Column]) -> Mask:
    flags = np.zeros(len(columns), dtype=bool)
    flags[_positions(columns, group)] = True
    return locked(flags)


def plain_label(label: Any) -> str | int:
    """Turn a column's label into what a JSON or TOML file can hold."""
    return int(label) if is_whole_number(label) else str(label)
