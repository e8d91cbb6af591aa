"""Pruning by the variance of a row of the score's Jacobian: Lemma 1 (ii) of the SCORE paper.

For a leaf l, d s_l / d x_j varies over the samples exactly if j is a parent of l. A node is a
leaf among itself and any set of columns that holds its parents and none of its descendants, so
its candidates are that set. An estimate varies even for a column that is no parent, the more so
the longer the column's tails. The size of this variation is estimated with the node's values
permuted, which makes the node independent of all its candidates and changes nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from joblib import delayed
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import as_generator, check_between, check_count, check_jobs
from scoredag.jobs import results_of
from scoredag.knowledge import Constraints, Knowledge
from scoredag.plugins import accepted, pick
from scoredag.prune.result import Floats, PruneResult, check_pruning
from scoredag.score import ScoreField


def jacobian_prune(
    X: ArrayLike,
    candidates: ArrayLike,
    *,
    threshold: float | None = None,
    n_permutations: int = 3,
    eta: float = 1e-3,
    score_estimator: str | Callable[..., ScoreField] = "stein",
    knowledge: Knowledge | Constraints | None = None,
    rng: np.random.Generator | int | None = None,
    n_jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> PruneResult:
    """Keep the candidate edges along which the slope of a node's score varies more than by chance.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    candidates : array-like of shape (d, d)
        Non-zero ``candidates[i, j]`` means that i -> j may be an edge. The candidates of a node
        must include its parents and none of its descendants, as in the full graph of an order.
    threshold : float, optional
        An edge stays where the variance is more than this multiple of the variance with the
        node's values permuted. By default 1 + 0.4 sqrt(1000 / n), which about 1 in 100 of the
        absent edges exceeds on simulated data of the paper's kind, sparse graphs.
    n_permutations : int, default=3
        Permutations over which that reference is averaged.
    eta : float, default=1e-3
        Ridge of the score estimator, for one that has such an option.
    score_estimator : {"stein"} or callable, default="stein"
        Builds a `scoredag.score.ScoreField` from a table; names are files in ``score/fields``.
    knowledge : Knowledge, optional
        Prior knowledge: forbidden edges are not tested, required ones are kept whatever the test
        says. See `scoredag.Knowledge`.
    rng : numpy.random.Generator or int, optional
        Draws the permutations; a fixed seed by default. Rows are permuted, so that the result
        depends on the order of the rows.
    n_jobs : int, optional
        Threads over the nodes, as in joblib. The result does not depend on it.
    progress : callable, optional
        Called with the number of nodes done and their total.

    Returns
    -------
    PruneResult
        ``statistic`` is the ratio of variances; there are no p-values and no fitted effects.

    Notes
    -----
    Sees joint effects that an additive model misses, but has less power where `cam_prune`'s
    model holds, and none for linear effects, along which the derivative is constant. Costs
    1 + ``n_permutations`` factorisations of an n x n matrix a node, and two such matrices of
    memory a thread.

    References
    ----------
    Rolland et al. Score matching enables causal discovery of nonlinear additive noise models.
    ICML 2022, Lemma 1 (ii). The permutation reference is ours.

    Examples
    --------
    >>> import numpy as np
    >>> x, z, noise = np.random.default_rng(0).normal(size=(3, 300))
    >>> X = np.column_stack([x, np.sin(2 * x) + 0.5 * noise, z])
    >>> jacobian_prune(X, [[0, 1, 1], [0, 0, 1], [0, 0, 0]]).adjacency
    array([[0, 1, 0],
           [0, 0, 0],
           [0, 0, 0]])
    """
    table, edges, required = check_pruning(X, candidates, knowledge)
    check_count(n_permutations, "n_permutations")
    check_jobs(n_jobs)
    if threshold is None:
        threshold = 1 + 0.4 * np.sqrt(1000 / len(table))
    check_between(threshold, "threshold", 0, np.inf)
    estimate = pick("scoredag.score.fields", score_estimator, "score_estimator")
    estimate = partial(estimate, **accepted(estimate, {"eta": eta}))
    # The kernel has one bandwidth for all columns, so the columns need one scale.
    table = table / table.std(axis=0)
    nodes = np.flatnonzero(edges.any(axis=0)).tolist()
    # The same for every node, so that neither threads nor the order of the columns matter.
    generator = as_generator(0 if rng is None else rng)
    shuffles = [generator.permutation(len(table)) for _ in range(n_permutations)]
    ratios = np.full(edges.shape, np.nan)
    jobs = (
        delayed(_variance_ratios)(
            table[:, np.append(np.flatnonzero(edges[:, j]), j)],
            estimate,
            shuffles,
        )
        for j in nodes
    )
    results = results_of(jobs, n_jobs)
    for done, (j, ratio) in enumerate(zip(nodes, results, strict=True), start=1):
        ratios[edges[:, j], j] = ratio
        if progress is not None:
            progress(done, len(nodes))
    kept = (ratios > threshold) | required
    return PruneResult(kept.astype(int), ratios, "jacobian_variance_ratio")


def _variance_ratios(
    X: Floats,
    estimate: Callable[[Floats], ScoreField],
    shuffles: list[NDArray[np.intp]],
) -> NDArray[np.float64]:
    """For a leaf in the last column, Var d s_l / d x_j over its mean under permutations of x_l."""
    variances = _scaled_variances(estimate(X))
    reference = np.zeros_like(variances)
    for rows in shuffles:
        shuffled = np.column_stack([X[:, :-1], X[rows, -1]])
        reference += _scaled_variances(estimate(shuffled))
    return variances / (reference / len(shuffles))


def _scaled_variances(field: ScoreField) -> NDArray[np.float64]:
    """Var d s_l / d x_j in units of the leaf's noise, -1 / sigma_l^2 = d s_l / d x_l."""
    if not hasattr(field, "jacobian_row"):
        raise TypeError(
            "score_estimator must return an object with the members of scoredag.score.ScoreField; "
            f"{type(field).__name__} lacks jacobian_row"
        )
    row = field.jacobian_row(int(field.columns[-1]))
    return row[:, :-1].var(axis=0) / abs(row[:, -1].mean())


PIECE = jacobian_prune
