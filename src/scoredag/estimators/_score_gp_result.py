"""The immutable result of `scoredag.estimators.score_gp`, and its warnings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoredag.data.wording import name_list
from scoredag.diagnosis import (
    Reason,
    about_dependent_noise,
    about_missing_noise,
    about_products,
    about_undirected_edges,
    about_weak_edges,
    evidence_beside_copulas,
    related,
)
from scoredag.diagnosis.computed import Relation
from scoredag.estimators._base import Floats
from scoredag.order.local_score import HasNoise, LocalScore
from scoredag.order.moves import excluded_reversal
from scoredag.prune import PruneResult
from scoredag.settings import EDGE_TEST


@dataclass(frozen=True)
class ScoreGPResult:
    """The result of `score_gp`; matrices have [i, j] for i -> j.

    Attributes
    ----------
    order : ndarray of int, shape (d,)
        The columns, sources first.
    pruned : PruneResult
        The edges with their evidence and effects.
    direction_evidence : ndarray of shape (d, d)
        Cost in nats of reversing an edge; NaN where the cost is not known.
    undirected_reasons : ndarray of str, shape (d, d)
        Why the data do not identify the direction of an edge, one of
        `scoredag.diagnosis.Reason`; "" where they do, and where there is no edge.
    weak_edges : ndarray of bool, shape (d, d)
        The edges whose evidence a small departure from the model can explain; none that is
        required.
    noise_independence : ndarray of shape (d, d)
        p-values of the hypothesis that the noise of j does not depend on its parent i.
    noise_share : ndarray of shape (d,)
        Share of the noise in the variance of each column.
    by_rank : ndarray of bool, shape (d,)
        The columns that entered by the normal quantiles of their ranks: with free noise those
        with heavy tails, unless every fit took them by their own values.
    compared_by_rank : ndarray of bool, shape (d,)
        The columns that directions were weighed with by rank, in one of the orders at least.
    relations : tuple of Relation
        Sets of columns of which each can be computed from the others.
    n_rows : int
        Distinct rows of the table, on which edges were tested.
    search_rows : int
        Rows on which directions were weighed.
    few_values : ndarray of bool, shape (d,)
        With free noise the columns without a density: few distinct or many equal values.
    outside_model : ndarray of bool, shape (d, d)
        Pairs of columns for which the model of the noise does not hold.
    score : LocalScore
        The local score of the search, with all fits that were found.
    rows : mapping of str to int
        What used how many rows, step by step.
    """

    order: NDArray[np.intp]
    pruned: PruneResult
    direction_evidence: Floats
    undirected_reasons: NDArray[np.str_]
    weak_edges: NDArray[np.bool_]
    noise_independence: Floats
    noise_share: Floats
    by_rank: NDArray[np.bool_]
    compared_by_rank: NDArray[np.bool_]
    relations: tuple[Relation, ...]
    n_rows: int
    search_rows: int
    few_values: NDArray[np.bool_]
    outside_model: NDArray[np.bool_]
    score: LocalScore
    rows: Mapping[str, int]

    @property
    def undirected_edges(self) -> NDArray[np.bool_]:
        """The edges whose direction the data do not identify."""
        return np.asarray(self.undirected_reasons != Reason.NONE)

    def reversal_gain(self, i: int, j: int) -> float:
        """Gain in nats of reversing the edge i -> j, whatever the rules.

        NaN where the direction is not identified: see `scoredag.diagnosis.undirected_reasons`. With
        free noise it counts what a Gaussian copula leaves, as ``direction_evidence`` does.
        """
        gain = excluded_reversal(self.order.tolist(), self.score, i, j)
        if gain > 0 and isinstance(self.score, HasNoise):
            reverse = self.pruned.adjacency.copy()
            reverse[:, i] |= reverse[:, j]  # among which the reversed effect was fitted
            reverse[[i, j, i], [i, i, j]] = 0, 1, 0
            evidence = np.full(reverse.shape, np.nan)
            evidence[j, i] = gain
            gain = float(evidence_beside_copulas(evidence, reverse, self.score)[j, i])
        mixed = self.compared_by_rank[i] != self.compared_by_rank[j]
        least = EDGE_TEST.mixed_units(self.search_rows) if mixed else 0.0
        return np.nan if self.outside_model[i, j] or abs(gain) < least else gain

    def messages(self, names: Sequence[str], margins: str = "auto") -> tuple[str, ...]:
        """Warnings about the result, in sentences for users.

        Parameters
        ----------
        names : sequence of str
            Names of the columns.
        margins : str, default="auto"
            Rank-transformed columns are named only with "auto".
        """
        found = self.pruned.adjacency == 1
        by_rank = self.by_rank if margins == "auto" else np.zeros_like(self.by_rank)
        named = (found & related(self.relations, len(found))).any(axis=0)  # with their relation
        messages = [
            _about_ranks(by_rank, names),
            about_undirected_edges(
                self.undirected_reasons,
                found,
                names,
                self.search_rows,
                few_values=self.few_values,
            ),
            about_weak_edges(self.weak_edges, names, self.n_rows),
            about_dependent_noise(self.noise_independence, names),
            *about_products(self.relations, names),
            *about_missing_noise(np.where(named, 1.0, self.noise_share), found, names),
        ]
        return tuple(message for message in messages if message)


def _about_ranks(by_rank: NDArray[np.bool_], names: Sequence[str]) -> str | None:
    if not by_rank.any():
        return None
    listed = name_list([name for name, heavy in zip(names, by_rank, strict=True) if heavy])
    return (
        f"heavy tails or outliers in {listed}: these columns enter by the normal quantiles of "
        "their ranks where that is likelier. Their effects are shown in those units, and ranks can "
        "hide which way they go. Take logarithms first where all values are positive and that is "
        "natural, or use the columns' own values with margins='raw'."
    )
