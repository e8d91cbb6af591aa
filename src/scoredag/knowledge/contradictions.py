"""Rules that no graph can obey: all of them in one error, in the user's words.

Rules are free of contradictions if no required edge is forbidden and required edges and tiers
together have no cycle: then the required edges alone are a graph that obeys all rules. A cycle of
both is a cycle of required edges, a required edge from a tier to an earlier one, or a path of
required edges from a tier to an earlier one by columns in no tier.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from scoredag.data.wording import counted, listing, name_list
from scoredag.exceptions import KnowledgeError
from scoredag.knowledge.precedence import shortest_path, transitive_closure
from scoredag.knowledge.rules import NO_TIER, EdgeRules, Mask, Rules

# Beyond these, a message names how many columns are concerned: one wildcard can make thousands.
_MOST_CYCLES = 20
_MOST_PATHS = 20
_MOST_TIER_DOUBLES = 20
# Nodes whose shortest cycles compete for being shown.
_STARTS = 5


def refuse_contradictions(rules: Rules) -> None:
    """Raise one `scoredag.KnowledgeError` that lists all contradictions among rules.

    Parameters
    ----------
    rules : Rules
        The rules, found among the columns.

    Examples
    --------
    >>> from scoredag import Knowledge
    >>> Knowledge(required=["a -> b", "b -> c"], forbidden=["b -> *"], roots=["b"]).resolve("abc")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.KnowledgeError: knowledge contradicts itself: 2 problems
    - required: 'b -> c' and forbidden: 'b -> *' both speak of 'b' -> 'c'
    - required: 'a -> b' gives a cause to a root, 'b'
    """
    problems = [
        *_self_loops(rules),
        *_in_several_tiers(rules),
        *_required_and_forbidden(rules),
        *_against_tiers(rules),
        *_causes_of_roots(rules),
        *_effects_of_sinks(rules),
        *_cycles(rules),
    ]
    if problems:
        head = f"knowledge contradicts itself: {counted(len(problems), 'problem')}"
        raise KnowledgeError("\n".join([head, *(f"- {p}" for p in problems)]), problems)


def _self_loops(rules: Rules) -> Iterator[str]:
    for k in rules.required.loops:
        column = int(rules.required.causes[k][0])
        yield f"{rules.required.shown(k)} makes {rules.name(column)} its own cause"


def _in_several_tiers(rules: Rules) -> Iterator[str]:
    tiers_of: dict[int, list[str]] = {}
    for number, members in enumerate(rules.tier_members, start=1):
        for column in members.tolist():
            tiers_of.setdefault(column, []).append(str(number))
    double = {column: tiers for column, tiers in tiers_of.items() if len(tiers) > 1}
    for column in list(double)[:_MOST_TIER_DOUBLES]:
        yield f"tiers: {rules.name(column)} is in the tiers {listing(double[column])}"
    rest = list(double)[_MOST_TIER_DOUBLES:]
    if rest:
        yield f"tiers: so are {_names(rules, rest)} in several tiers"


def _required_and_forbidden(rules: Rules) -> Iterator[str]:
    both = rules.required.mask & rules.forbidden.mask
    if not both.any():
        return
    for k, edges in rules.required.hitting(both):
        of_rule = _mask(edges, len(both))
        for m, shared in rules.forbidden.hitting(of_rule):
            yield (
                f"{rules.required.shown(k)} and {rules.forbidden.shown(m)} both speak of "
                f"{_edges(rules, shared)}"
            )


def _against_tiers(rules: Rules) -> Iterator[str]:
    backwards = rules.required.mask & rules.tier_before.T
    for k, edges in rules.required.hitting(backwards):
        yield (
            f"{rules.required.shown(k)} leads to an earlier tier: {_edges(rules, edges)} "
            f"({rules.about_tiers(*edges[0])})"
        )
    within = rules.required.mask & rules.tier_forbids & ~backwards
    for k, edges in rules.required.hitting(within):
        yield (
            f"{rules.required.shown(k)} stays within a tier: {_edges(rules, edges)} "
            f"({rules.about_tiers(*edges[0])})"
        )


def _causes_of_roots(rules: Rules) -> Iterator[str]:
    for k, edges in rules.required.hitting(rules.required.mask & rules.roots[None, :]):
        roots = sorted({effect for _, effect in edges})
        yield f"{rules.required.shown(k)} gives a cause to a root, {_names(rules, roots)}"


def _effects_of_sinks(rules: Rules) -> Iterator[str]:
    for k, edges in rules.required.hitting(rules.required.mask & rules.sinks[:, None]):
        sinks = sorted({cause for cause, _ in edges})
        yield f"{rules.required.shown(k)} gives an effect to a sink, {_names(rules, sinks)}"


def _cycles(rules: Rules) -> Iterator[str]:
    """Cycles of required edges, and paths of them against the tiers."""
    required = rules.required.mask
    if not transitive_closure(required | rules.tier_before).diagonal().any():
        return
    yield from _required_cycles(rules, required.copy())
    yield from _paths_against_tiers(rules)


def _required_cycles(rules: Rules, edges: Mask) -> Iterator[str]:
    """Cycles that share no edge: without one of each, and the next ones, no cycle is left."""
    for _ in range(_MOST_CYCLES):
        on_cycle = np.flatnonzero(transitive_closure(edges).diagonal())
        if not len(on_cycle):
            return
        starts = on_cycle[:_STARTS].tolist()
        cycle = min((shortest_path(edges, node, node) for node in starts), key=len)
        yield f"required cycle {_path(rules, cycle)}, by {_rules_along(rules.required, cycle)}"
        edges[cycle[:-1], cycle[1:]] = False
    on_cycle = np.flatnonzero(transitive_closure(edges).diagonal())
    if len(on_cycle):
        yield f"required cycles, further ones, through {_names(rules, on_cycle.tolist())}"


def _paths_against_tiers(rules: Rules) -> Iterator[str]:
    """Paths of two edges or more, with no column of a tier but the first and the last one."""
    required, tier = rules.required.mask, rules.tier
    in_tier = tier != NO_TIER
    # A step starts at the first column or at one in no tier; so only the ends are in tiers.
    by_untiered = transitive_closure(required & ~in_tier[:, None] & ~in_tier[None, :])
    np.fill_diagonal(by_untiered, True)
    into, out_of = required & ~in_tier[None, :], required & ~in_tier[:, None]
    detour = _product(_product(into, by_untiered), out_of)
    bad = np.argwhere(detour & rules.tier_before.T)
    for start, goal in bad[:_MOST_PATHS].tolist():
        steps = required & ~in_tier[:, None]
        steps[start] = into[start]
        path = shortest_path(steps, start, goal)
        yield (
            f"required path {_path(rules, path)} leads to an earlier tier "
            f"({rules.about_tiers(start, goal)}), by {_rules_along(rules.required, path)}"
        )
    if len(bad) > _MOST_PATHS:
        ends = [(int(i), int(j)) for i, j in bad[_MOST_PATHS:]]
        yield f"required paths, further ones, lead to an earlier tier: {_edges(rules, ends)}"


def _product(a: Mask, b: Mask) -> Mask:
    """Which pairs a step of a and then one of b join."""
    return (a.astype(np.float32) @ b.astype(np.float32)) > 0


def _mask(edges: Iterable[tuple[int, int]], d: int) -> Mask:
    mask = np.zeros((d, d), dtype=bool)
    for edge in edges:
        mask[edge] = True
    return mask


def _rules_along(required: EdgeRules, path: Sequence[int]) -> str:
    along = _mask(pairwise(path), required.d)
    return listing([required.shown(k) for k, _ in required.hitting(along)], limit=10)


def _path(rules: Rules, path: Iterable[int]) -> str:
    return " -> ".join(map(rules.name, path))


def _edges(rules: Rules, edges: Sequence[tuple[int, int]]) -> str:
    return listing([_path(rules, edge) for edge in edges])


def _names(rules: Rules, columns: Iterable[int]) -> str:
    return name_list(str(rules.labels[column]) for column in columns)
