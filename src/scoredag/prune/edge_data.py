"""What the edge tests of all nodes share: blocks of rows, additive regressions, correlations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoredag.data.margins import normal_scores, rank_transformed
from scoredag.data.standardise import standardise
from scoredag.order.local_scores.free import FreeNoiseScore
from scoredag.order.local_scores.gp import GaussianProcessScore
from scoredag.prune.pruners.cam import additive_effects
from scoredag.regression.additive import AdditiveDesign
from scoredag.regression.bases.cubic import cubic
from scoredag.regression.basis import basis_size
from scoredag.regression.gp_fit import GPFit
from scoredag.regression.smoothing.reml import reml
from scoredag.settings import EDGE_TEST, SEARCH, EdgeTestSettings, SearchSettings

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class EdgeTest:
    """Data and settings that the decisions about all nodes share."""

    candidates: Bools  # [i, j]: i may be a parent of j
    required: Bools  # [i, j]: i is a parent of j, whatever the test says
    alpha: float
    blocks: list[Floats]  # rows of the standardised table
    score: GaussianProcessScore  # on the first block
    p_values: Floats  # of the additive regressions, [i, j]
    design: AdditiveDesign
    correlation: Floats
    n_candidates: NDArray[np.int_]  # of each node, before any were screened out
    settings: EdgeTestSettings
    search: SearchSettings
    wide: Bools | None = None  # the nodes that are tested in larger blocks
    free_noise: bool = False  # whether the scale of the noise may depend on the parents
    ranked: Bools | None = None  # the columns that are by rank in the blocks
    raw_blocks: tuple[Floats, ...] = ()  # the same with all columns raw; empty without `ranked`
    log_variance: tuple[Floats, ...] | None = None  # of the noise of one node, block by block

    @classmethod
    def of(
        cls,
        table: Floats,
        candidates: Bools,
        required: Bools,
        alpha: float,
        rng: np.random.Generator,
        n_jobs: int | None = None,
        settings: EdgeTestSettings = EDGE_TEST,
        search: SearchSettings = SEARCH,
        free_noise: bool = False,
        ranked: Bools | None = None,
        n_candidates: NDArray[np.int_] | None = None,
        wide: Bools | None = None,
    ) -> EdgeTest:
        """Prepare the test: blocks of rows, additive regressions, correlations."""
        raw = standardise(table)
        X = raw if ranked is None else standardise(rank_transformed(table, ranked))
        parts = random_parts(len(X), settings.block_rows, rng)
        blocks, raw_blocks = split_rows(X, parts), split_rows(raw, parts)
        # Standardised values are rounded, which ranks beside a far outlier do not survive.
        unrounded = (
            raw_blocks if ranked is None else split_rows(np.where(ranked, table, raw), parts)
        )
        p_values = np.full(candidates.shape, np.nan)
        if n_candidates is None:
            n_candidates = candidates.sum(axis=0)
        for node, p, _ in additive_effects(X, candidates, n_jobs=n_jobs, required=required):
            p_values[:, node] = p
        predictors = np.flatnonzero(candidates.any(axis=1)).tolist()
        most = int(candidates.sum(axis=0).max(initial=1))
        return cls(
            candidates=candidates,
            required=required,
            alpha=alpha,
            blocks=blocks,
            score=FreeNoiseScore(unrounded[0], settings=search, heavy_tailed=ranked)
            if free_noise
            else GaussianProcessScore(blocks[0], settings=search),
            p_values=p_values,
            design=AdditiveDesign.of(X, predictors, cubic, basis_size(len(X), most)),
            correlation=X.T @ X / len(X),
            n_candidates=n_candidates,
            settings=settings,
            search=search,
            wide=wide,
            free_noise=free_noise,
            ranked=ranked,
            raw_blocks=tuple(raw_blocks) if ranked is not None else (),
        )

    def in_wide_blocks(self, node: int) -> EdgeTest:
        """The test of one node in larger blocks, on a part of the rows.

        The evidence of a joint function of many parents grows with the pairs of rows in a block.
        """
        settings = self.settings

        def split(blocks: Sequence[Floats]) -> list[Floats]:
            X = np.vstack(blocks)[: settings.wide_rows]
            count = max(1, round(len(X) / settings.wide_block_rows))
            return [np.asfortranarray(part) for part in np.array_split(X, count)]

        blocks = split(self.blocks)
        raw_blocks = tuple(split(self.raw_blocks)) if self.raw_blocks else ()
        test = replace(self, blocks=blocks, raw_blocks=raw_blocks)
        return test.weighted(node, np.zeros(sum(map(len, blocks))))

    def in_units_of(self, node: int, fit: GPFit) -> EdgeTest:
        """The test of one node with response and parents in the units of a fit."""
        ranked = np.zeros(len(self.candidates), dtype=bool) if self.ranked is None else self.ranked
        raw = ranked & fit.raw_parents
        raw[node] = ranked[node] and not fit.post_nonlinear
        test = self
        if raw.any():
            X = np.vstack(self.blocks)
            X[:, raw] = np.vstack(self.raw_blocks)[:, raw]
            test = replace(self, blocks=self._split(X)).weighted(node, np.zeros(len(X)))
        return test.by_rank(node) if fit.post_nonlinear and not ranked[node] else test

    def by_rank(self, node: int) -> EdgeTest:
        """The test of one node with the normal quantiles of its ranks as the response."""
        X = np.vstack(self.blocks)
        X[:, node] = standardise(normal_scores(X[:, [node]]))[:, 0]
        return replace(self, blocks=self._split(X)).weighted(node, np.zeros(len(X)))

    def weighted(self, node: int, log_variance: Floats) -> EdgeTest:
        """The test of one node with rows weighted by the inverse variances of its noise."""
        X = np.vstack(self.blocks)
        weights = np.exp(-log_variance)
        weights /= weights.mean()
        candidates = np.flatnonzero(self.candidates[:, node]).tolist()
        design = AdditiveDesign.of(
            X, candidates, cubic, basis_size(len(X), len(candidates)), weights
        )
        required = np.flatnonzero(self.required[:, node]).tolist()
        tested = sorted({*design.strongest(node, candidates), *required})
        p_values = self.p_values.copy()
        p_values[:, node] = np.nan
        p_values[tested, node] = design.regress(node, tested, reml).p_values()
        centred = X - np.average(X, axis=0, weights=weights)
        covariance = centred.T @ (weights[:, None] * centred)
        scale = np.sqrt(covariance.diagonal())
        # Without parents the loss of the node is then 0, as with noise of constant scale.
        X[:, node] = centred[:, node] / np.sqrt(
            np.mean(np.exp(-log_variance) * centred[:, node] ** 2)
        )
        return replace(
            self,
            blocks=self._split(X),
            p_values=p_values,
            design=design,
            correlation=covariance / np.outer(scale, scale),
            log_variance=tuple(self._split(log_variance)) if log_variance.any() else None,
        )

    def _split(self, rows: Floats) -> list[Floats]:
        """Rows of all blocks, block by block."""
        ends = np.cumsum([len(block) for block in self.blocks])[:-1]
        return [np.asfortranarray(part) for part in np.split(rows, ends)]


def columns_by_rank(fits: Sequence[Any], heavy: Bools) -> Bools:
    """The columns with heavy tails, without those that every fit took by their own values.

    Parameters
    ----------
    fits : sequence of GPFit
        For each column its fit.
    heavy : ndarray of bool, shape (d,)
        The columns with heavy tails.
    """
    ranked, raw = np.zeros((2, len(heavy)), dtype=bool)
    for node, fit in enumerate(fits):
        if not isinstance(fit, GPFit) or not fit.parents:
            continue
        response = ranked if fit.post_nonlinear else raw
        response[node] = True
        parents = raw if fit.raw_parents else ranked
        parents[sorted(fit.parents)] = True
    return heavy & (ranked | ~raw)


def split_rows(X: Floats, parts: Sequence[NDArray[np.intp]]) -> list[Floats]:
    """Blocks of rows; the table itself if there is one block."""
    return [X] if len(parts) == 1 else [np.asfortranarray(X[rows]) for rows in parts]


def random_parts(n_rows: int, block_rows: int, rng: np.random.Generator) -> list[NDArray[np.intp]]:
    """Random parts of about the same number of rows; one part if the rows are few."""
    count = max(1, round(n_rows / block_rows))
    drawn = np.arange(n_rows) if count == 1 else rng.permutation(n_rows)
    return np.array_split(drawn, count)
