"""Report on prior knowledge: required edges, and forbidden edges that the data favour."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoredag.data.blocks import RowBlocks
from scoredag.data.wording import counted, listing, name_list, quoted
from scoredag.knowledge import Constraints
from scoredag.knowledge.precedence import transitive_closure
from scoredag.prune import PruneResult
from scoredag.regression.additive import AdditiveDesign
from scoredag.regression.bases.cubic import cubic
from scoredag.regression.forward import ForwardRegression
from scoredag.settings import EDGE_TEST, SEARCH

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# Columns above which forbidden edges are not weighed: the Gram matrix of all has 10 d rows.
_MOST_COLUMNS = 200


@dataclass(frozen=True)
class EdgeOfRule:
    """An edge that rules are about.

    Attributes
    ----------
    cause, effect : object
        Labels of the columns.
    statistic : float
        For a required edge the statistic of the pruner (a p-value, or evidence in nats); for a
        forbidden edge the evidence in nats for adding the edge to the result.
    rule : str
        The rules in words.
    """

    cause: Any
    effect: Any
    statistic: float
    rule: str


@dataclass(frozen=True)
class KnowledgeReport:
    """The effect of prior knowledge on a result.

    Attributes
    ----------
    required : tuple of EdgeOfRule
        The required edges, all of which are in the result.
    forbidden : tuple of EdgeOfRule
        The forbidden edges, and reversals of required ones, that the data favour, strongest first,
        with the gain in nats of adding the edge, or of reversing an edge of the result, under
        additive regressions; `ScoreGP` weighs reversals by its own model. A reversal counts from
        `EdgeTestSettings.undirected_line`, below which the data do not identify the direction.
    rules : dict or None
        The rules as they were resolved against the columns; None if there were none.
    weighed : bool
        Whether forbidden edges were weighed: not with more than 200 columns or very few rows.
    """

    required: tuple[EdgeOfRule, ...] = ()
    forbidden: tuple[EdgeOfRule, ...] = ()
    rules: dict[str, Any] | None = None
    weighed: bool = True

    def messages(self) -> list[str]:
        """Warn about forbidden edges that the data favour."""
        if not self.forbidden:
            return []
        named = listing(
            [
                f"{quoted(str(edge.cause))} → {quoted(str(edge.effect))} "
                f"({edge.statistic:.0f} nats; {edge.rule})"
                for edge in self.forbidden
            ]
        )
        count = counted(len(self.forbidden), "edge")
        return [
            f"the data favour {count} that the rules forbid: {named}. The result obeys the rules; "
            "check these rules if the evidence surprises you."
        ]


def rules_in_words(rules: Mapping[str, Any]) -> dict[str, str]:
    """Write resolved rules for people, kind by kind; kinds without a rule are left out.

    Examples
    --------
    >>> from scoredag import Knowledge
    >>> known = Knowledge(required=["dose -> effect"], tiers=[["age"], ["dose", "effect"]])
    >>> rules_in_words(known.resolve(["age", "dose", "effect"]).describe())
    {'required': "'dose' → 'effect'", 'tiers': "'age' before 'dose' and 'effect'"}
    """

    def edges(pairs: Iterable[Sequence[Any]]) -> str:
        return listing([f"{quoted(str(i))} → {quoted(str(j))}" for i, j in pairs])

    def columns(labels: Iterable[Any]) -> str:
        return name_list([str(label) for label in labels])

    words = {
        "required": edges(rules["required"]),
        "forbidden": edges(rules["forbidden"]),
        "tiers": " before ".join(columns(tier) for tier in rules["tiers"]),
        "roots": columns(rules["roots"]),
        "sinks": columns(rules["sinks"]),
        "edges within tiers": "" if rules["edges_within_tiers"] else "none",
    }
    return {kind: text for kind, text in words.items() if text}


def knowledge_report(
    X: Floats | RowBlocks,
    pruned: PruneResult,
    constraints: Constraints,
    reversal_gain: Callable[[int, int], float] | None = None,
) -> KnowledgeReport:
    """Report the effect of prior knowledge on a result.

    Parameters
    ----------
    X : ndarray of shape (n, d), or RowBlocks
        The table from which the result was found, with columns by rank where they were.
    pruned : PruneResult
        The result, [i, j] for i -> j.
    constraints : Constraints
        Prior knowledge, resolved against the columns.
    reversal_gain : callable, optional
        ``reversal_gain(i, j)``: nats that reversing the edge i -> j of the result gains under the
        model of the method; NaN where that model does not identify the direction. It replaces the
        gain under additive regressions, which only selects the reversals to be weighed.

    Examples
    --------
    >>> from scoredag import Knowledge
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=300)
    >>> X = np.column_stack([x, np.sin(2 * x) + 0.3 * rng.normal(size=300)])
    >>> empty = PruneResult(np.zeros((2, 2), dtype=int), np.full((2, 2), np.nan))
    >>> rules = Knowledge(forbidden=["x0 -> x1"]).resolve(["x0", "x1"])
    >>> knowledge_report(X, empty, rules).forbidden[0].rule
    "forbidden: 'x0 -> x1'"
    """
    if constraints.is_empty:
        return KnowledgeReport()
    labels, statistic, stated = constraints.labels, pruned.statistic, constraints.rules.required
    required = tuple(
        EdgeOfRule(labels[i], labels[j], float(statistic[i, j]), listing(stated.about(i, j)))
        for i, j in np.argwhere(constraints.required).tolist()
    )
    edges = pruned.adjacency != 0
    # What the user forbids, and the reversals of what the user requires.
    excluded = constraints.stated_forbidden | constraints.required.T
    weighed = len(labels) <= _MOST_COLUMNS and X.shape[0] > 2 * SEARCH.additive_size
    gains = _forbidden_gains(X, edges, excluded & weighed)
    # An added edge has paid for its parameters. A reversal has not, and is as often likelier as
    # not where the data do not identify a direction.
    least = np.where(edges.T, EDGE_TEST.undirected_line, 0.0)
    if reversal_gain is not None:
        for i, j in np.argwhere((gains > least) & edges.T).tolist():
            gains[i, j] = reversal_gain(j, i)  # NaN is not above any number
    favoured = sorted(np.argwhere(gains > least).tolist(), key=lambda edge: -gains[tuple(edge)])
    forbidden = tuple(
        EdgeOfRule(labels[i], labels[j], float(gains[i, j]), str(constraints.why_forbidden(i, j)))
        for i, j in favoured
    )
    return KnowledgeReport(required, forbidden, constraints.describe(), weighed)


def _forbidden_gains(X: Floats | RowBlocks, edges: Bools, forbidden: Bools) -> Floats:
    """Gain in nats of each forbidden edge that creates no cycle, [i, j]; -inf elsewhere.

    A forbidden edge replaces its reverse in the result. Each parent costs as many nats as in
    `scoredag.order.local_scores.additive`.
    """
    n, d = X.shape
    gains = np.full((d, d), -np.inf)
    if not forbidden.any():
        return gains
    design = AdditiveDesign.of(X, range(d), cubic, SEARCH.additive_size)
    gram, cross, weights = design.padded(SEARCH.additive_edf)
    cost = 0.5 * SEARCH.additive_edf * np.log(n)

    def regression(node: int, parents: Iterable[int]) -> ForwardRegression:
        fit = ForwardRegression.of(gram, cross[:, node], weights, design.squares[node])
        for parent in parents:
            fit = fit.with_term(parent)
        return fit

    parents = [np.flatnonzero(edges[:, j]).tolist() for j in range(d)]
    reaches = transitive_closure(edges)
    for j in np.flatnonzero(forbidden.any(axis=0)).tolist():
        asked = forbidden[:, j] & ~edges[:, j]
        added = 0.5 * n * regression(j, parents[j]).gains(asked) - cost
        for i in np.flatnonzero(asked).tolist():
            if not reaches[j, i]:
                gains[i, j] = added[i]
            elif edges[j, i] and not (edges[j] & reaches[:, i]).any():
                without = regression(i, (k for k in parents[i] if k != j))
                gains[i, j] = added[i] - (0.5 * n * without.gains()[j] - cost)
    return gains
