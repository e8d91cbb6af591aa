"""What is known so far about which columns explain which, kept between questions.

A search over orders asks thousands of times how well a column is explained by the ones before it.
Every Gaussian process that was ever fitted answers for all sets that contain its causes: the loss
of a column given a set is the least loss among the explanations that need nothing else. So moving
a column past others that have nothing to do with it is free, and losses only fall as more is
tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from scoredag.regression.additive import AdditiveDesign
from scoredag.regression.bases.cubic import cubic
from scoredag.regression.evidence import JointEvidence, standardise
from scoredag.regression.independence import independence_p_values
from scoredag.regression.likeness import likeness_of_neighbours
from scoredag.regression.negentropy import negentropy
from scoredag.regression.relevance import COST, Explanation, explain
from scoredag.regression.smoothing.reml import reml
from scoredag.regression.threads import one_blas_thread

Floats = NDArray[np.float64]
Start = tuple[float | None, Floats]  # logarithm of the amplitude, if known, and relevances

_ADDITIVE_LEVEL = 0.01
_ROWS_PER_TERM = 4
# Relevances to begin with
_ON, _FAINT = 0.7, 0.1
_ALIKE = 5.0  # sum of squares, where all are the same; with less, many causes together are missed
_NEWCOMER, _LEAST_NEWCOMER = 0.5, 0.22
# Of functions that turn within a half to a seventh of a standard deviation, as large as the noise
# or larger: with fewer of them sin 8x, sin 12x, or sin 5x beside a line are missed.
_FAST = (2.0, 4.0, 7.0)
_FAST_LOG_AMPLITUDES = (0.0, 2.0)
# What a fit leaves is looked at in so many rows; from so many standard deviations on, it follows
# a column.
_LOOK_ROWS, _FOLLOWS = 200, 5.0


class Explanations:
    """Gaussian processes for the columns of a table, as far as they were tried.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The rows on which explanations are compared.
    fit_rows : int, optional
        How many of them, from the first, hyper-parameters are fitted to; by default all. A fit
        takes some ten times as long as one evaluation on as many rows.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x, z = rng.normal(size=(2, 200))
    >>> known = Explanations(np.column_stack([x, z, np.sin(2 * x) + 0.3 * rng.normal(size=200)]))
    >>> known.explore(2, {0, 1})
    >>> sorted(known.best(2, {0, 1}).causes), known.best(2, {1}).loss
    ([0], 0.0)
    """

    def __init__(self, X: Floats, fit_rows: int | None = None) -> None:
        self._X = standardise(X)
        self._part = np.asfortranarray(self._X[:fit_rows])
        self._d = X.shape[1]
        # A rare value may be missing from these rows: what is constant here explains nothing.
        self._varying = frozenset(np.flatnonzero(self._X.any(axis=0)).tolist())
        self._design = AdditiveDesign.of(self._X, sorted(self._varying), cubic, _basis_size(X))
        self._sorted = np.argsort(self._X[:_LOOK_ROWS], axis=0, kind="stable")
        self._known = [[Explanation.none(self._d)] for _ in range(self._d)]
        self._tried: list[list[tuple[frozenset[int], frozenset[int]]]] = [
            [] for _ in range(self._d)
        ]
        self._shapes: dict[tuple[int, frozenset[int], float, int], float] = {}

    def best(self, target: int, available: Iterable[int]) -> Explanation:
        """The most likely explanation of a column by some of these columns."""
        allowed = frozenset(available)
        usable = (known for known in self._known[target] if known.causes <= allowed)
        return min(usable, key=lambda known: known.loss)

    def loss(self, order: Sequence[int]) -> float:
        """Sum of the losses of all columns, each given those before it."""
        return sum(self.best(v, order[:place]).loss for place, v in enumerate(order))

    def noise_shape(self, target: int, explanation: Explanation, rows: int | None = None) -> float:
        """Nats that an explanation has more by the shape of the noise than if it were normal.

        Parameters
        ----------
        target : int
            The column that is explained.
        explanation : Explanation
            Of this column.
        rows : int, optional
            How many rows, from the first, tell about all; by default all of them do.
        """
        rows = min(rows or len(self._X), len(self._X))
        key = target, explanation.causes, explanation.loss, rows
        if key not in self._shapes:
            noise = self._noise(target, explanation, rows)
            self._shapes[key] = len(self._X) * negentropy(noise)
        return self._shapes[key]

    def noise_independence(
        self,
        target: int,
        explanation: Explanation,
        causes: Sequence[int],
        rows: int | None = None,
    ) -> list[float]:
        """p-values of the hypotheses that what an explanation leaves does not depend on these.

        With `rows`, only the first of them are looked at, by the process as well.
        """
        noise = self._noise(target, explanation, rows)
        return independence_p_values(self._X[:rows, causes], noise)

    def noise_share(self, target: int, explanation: Explanation, rows: int) -> float:
        """What is noise of the variance of a column, in the first rows."""
        return float(self._noise(target, explanation, rows).var())

    def _noise(self, target: int, explanation: Explanation, rows: int | None = None) -> Floats:
        X, causes = self._X[:rows], sorted(explanation.causes)
        if not causes:
            return np.asarray(X[:, target])
        evidence = JointEvidence(X[:, causes], X[:, target])
        return evidence.residuals(explanation.log_amplitude, explanation.relevances[causes])

    def use_all_rows(self) -> None:
        """Fit to all rows from now on, beginning at what is known from fewer."""
        self._part = self._X
        self._tried = [[] for _ in range(self._d)]

    def explore(self, target: int, candidates: Iterable[int]) -> None:
        """Look for a better explanation of a column by these candidates.

        Begins at the best that is known, with all other candidates switched on; or, the first time,
        at all candidates alike and at those that an additive regression finds. Where what is left
        follows a candidate too fast for these smooth beginnings, a fit begins there. Does nothing
        if an earlier search has covered these candidates.
        """
        wanted = frozenset(candidates) & self._varying
        if target not in self._varying:
            return
        if not wanted or any(found <= wanted <= tried for tried, found in self._tried[target]):
            return
        first = len(self._known[target]) == 1
        starts = self._fresh(target, wanted) if first else [self._warm(target, wanted)]
        fits = sorted((self._fit(target, *start) for start in starts), key=lambda fit: -fit.loss)
        # Of those with the same causes the last, which is the best.
        distinct = {fit.causes: fit for fit in fits}.values()
        best = min((self._scored(target, fit) for fit in distinct), key=lambda fit: fit.loss)
        while (start := self._fast(target, wanted, best)) is not None:
            faster = self._scored(target, self._fit(target, *start))
            if not faster.loss < best.loss:
                break
            best = faster
        self._tried[target].append((wanted, best.causes))
        self._known[target].append(best)

    def explore_all(
        self,
        candidates: Mapping[int, Iterable[int]],
        *,
        n_jobs: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Look for better explanations of several columns, each by its candidates."""
        jobs = (delayed(self.explore)(target, columns) for target, columns in candidates.items())
        # Threads: the work is in BLAS and NumPy, and no two of them touch the same column.
        with one_blas_thread():
            runs = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")(jobs)
            for done, _ in enumerate(runs, start=1):
                if progress is not None:
                    progress(done, len(candidates))

    def _fit(self, target: int, log_amplitude: float | None, relevances: Floats) -> Explanation:
        return explain(
            self._part, target, relevances, log_amplitude=log_amplitude, cost=self._part_cost
        )

    def _scored(self, target: int, fit: Explanation) -> Explanation:
        """With the loss on all rows."""
        if len(self._part) == len(self._X) or not fit.causes:
            return fit
        causes = sorted(fit.causes)
        evidence = JointEvidence(self._X[:, causes], self._X[:, target])
        loss = evidence.value(fit.log_amplitude, fit.relevances[causes]) + COST * len(causes)
        return replace(fit, loss=loss) if loss < 0 else Explanation.none(self._d)

    def _warm(self, target: int, wanted: frozenset[int]) -> Start:
        known = self.best(target, wanted)
        newcomers = sorted(wanted - known.causes)
        if not known.causes:
            return None, self._alike(wanted)
        relevances = known.relevances.copy()
        relevances[newcomers] = max(
            _LEAST_NEWCOMER, _NEWCOMER / np.sqrt(max(len(newcomers) / 2, 1.0))
        )
        return known.log_amplitude, relevances

    def _fresh(self, target: int, wanted: frozenset[int]) -> Sequence[Start]:
        starts: list[Start] = [(None, self._alike(wanted))]
        predictors = sorted(wanted)
        significant = self._significant(target, predictors)
        if significant.any() and len(predictors) > 1:
            relevances = np.zeros(self._d)
            relevances[predictors] = np.where(significant, _ON, _FAINT)
            starts.append((None, relevances))
        return starts

    def _fast(self, target: int, wanted: frozenset[int], best: Explanation) -> Start | None:
        """A function that turns often, if it begins better than the best of this search ended."""
        rest = sorted(wanted - best.causes)
        if not rest:
            return None
        noise = self._noise(target, best, _LOOK_ROWS)
        likeness = {k: likeness_of_neighbours(noise, self._sorted[:, k]) for k in rest}
        followed = max(rest, key=lambda k: likeness[k])
        options = [([followed], fast) for fast in _FAST if likeness[followed] > _FOLLOWS]
        if not best.causes:  # several together may leave no trace of any one
            options.append((rest, _FAST[0]))
        if not options:
            return None
        starts = [
            (log_amplitude, _with_fast(best, log_amplitude, *newcomers))
            for newcomers in options
            for log_amplitude in _FAST_LOG_AMPLITUDES
        ]
        losses = [self._part_loss(target, *start) for start in starts]
        now = self._part_loss(target, best.log_amplitude, best.relevances)
        return starts[int(np.argmin(losses))] if min(losses) < now else None

    def _part_loss(self, target: int, log_amplitude: float, relevances: Floats) -> float:
        """Of the rows that are fitted to."""
        causes = np.flatnonzero(relevances)
        if not len(causes):
            return 0.0
        evidence = JointEvidence(self._part[:, causes], standardise(self._part[:, target]))
        return evidence.value(log_amplitude, relevances[causes]) + self._part_cost * len(causes)

    @property
    def _part_cost(self) -> float:
        """Of a cause: what is worth its cost on all rows may be worth a part of it on a part."""
        return COST * len(self._part) / len(self._X)

    def _significant(self, target: int, predictors: list[int]) -> NDArray[np.bool_]:
        """Which predictors an additive regression finds, among as many as the rows allow."""
        most = max(1, self._design.n_rows // _ROWS_PER_TERM)
        explained = dict(zip(self._design.variables, self._design.explained(target), strict=True))
        tested = sorted(sorted(predictors, key=lambda k: -explained[k])[:most])
        p_values = self._design.regress(target, tested, reml).p_values()
        found = {k for k, p in zip(tested, p_values, strict=True) if p < _ADDITIVE_LEVEL}
        return np.array([k in found for k in predictors])

    def _alike(self, wanted: frozenset[int]) -> Floats:
        """The same for all, and so little that the joint kernel still sees across the sample."""
        relevances = np.zeros(self._d)
        relevances[sorted(wanted)] = min(_ON, np.sqrt(_ALIKE / len(wanted)))
        return relevances


def _with_fast(
    known: Explanation, log_amplitude: float, newcomers: list[int], fast: float
) -> Floats:
    """The relevances of an explanation at another amplitude, and of newcomers that turn often.

    A line is a small relevance with a vast amplitude: its slope stays where there is room for it.
    """
    slopes = np.exp(0.5 * (known.log_amplitude - log_amplitude)) * known.relevances
    relevances = np.where(known.relevances > _ON, known.relevances, np.minimum(slopes, _ON))
    relevances[newcomers] = fast
    return relevances


def _basis_size(X: Floats) -> int:
    """Coefficients of a smooth term, few enough for a regression on all columns."""
    n, d = X.shape
    return int(np.clip(n // (3 * d), 3, 10))
