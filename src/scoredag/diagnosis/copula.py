"""Evidence for directions that a dependence without a direction leaves: a Gaussian copula."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from scoredag.data.margins import normal_scores
from scoredag.jobs import run_here
from scoredag.order.local_score import HasResiduals, LocalScore

Floats = NDArray[np.float64]

_LARGEST = 1 - 1e-12  # of a correlation: computed columns have 1, and an infinite likelihood


def evidence_beside_copulas(
    direction: Floats,
    adjacency: NDArray[np.int_],
    score: LocalScore,
    n_jobs: int | None = None,
) -> Floats:
    """Reduce the evidence for directions to what is left if either direction may be a copula.

    A column that depends on another through a Gaussian copula has no function of the other with
    noise of its own: no direction. Jointly log-normal columns are an example, and had up to 29 nats
    for either direction, because a curve with noise whose scale varies nearly fits both ways.
    Hence a copula is allowed in place of the effect i -> j, and in place of the effect j -> i of
    the reversed edge::

        forward   loss(j | pa_j without i) + n/2 log(1 - rho^2),   rho given pa_j without i
        reversed  loss(i | pa_i) + n/2 log(1 - rho'^2),            rho' given pa_i

    rho is the correlation of the normal scores of what fits on the given parents leave of i and j,
    less the lines in those parents. Both are likelihoods of the same rows as the losses of the
    effects, and the likelier model of each direction counts.

    Do not use it with normal noise: the loss of a column without parents then counts a margin that
    is not normal against the copula.

    Parameters
    ----------
    direction : ndarray of shape (d, d)
        Evidence in nats for the direction of i -> j, at [i, j]: the cost of its reversal. NaN where
        the cost is not known.
    adjacency : ndarray of shape (d, d)
        The graph: ``adjacency[i, j] = 1`` means i -> j.
    score : LocalScore
        The local score of the search; only fits that it knows are compared.
    n_jobs : int, optional
        Threads over the edges, as in joblib. The result does not depend on it.

    Returns
    -------
    ndarray of shape (d, d)
        The evidence, nowhere more than before.

    Examples
    --------
    >>> from scoredag.order.local_scores.free import FreeNoiseScore
    >>> rng = np.random.default_rng(0)
    >>> x, e = rng.normal(size=(2, 300))
    >>> direction, edge = np.array([[np.nan, 50], [np.nan, np.nan]]), np.array([[0, 1], [0, 0]])
    >>> left = []
    >>> for y in (x + e, np.sin(2 * x) + 0.3 * e):
    ...     score = FreeNoiseScore(np.column_stack([x, y / y.std()]))
    ...     score.explore(1, [0])
    ...     left.append(float(evidence_beside_copulas(direction, edge, score)[0, 1].round()))
    >>> left
    [0.0, 50.0]
    """
    assert isinstance(score, HasResiduals)  # Gaussian processes have a table
    scores, left = normal_scores(score.table), direction.copy()

    @cache
    def noise(node: int, *parents: int) -> Floats:
        """Normal scores of what the known fit leaves, less their lines in all the parents."""
        residuals = score.residuals(node, score.best(node, parents))
        return _left_over(normal_scores(residuals[:, None])[:, 0], scores[:, list(parents)])

    def copula(effect: int, parents: list[int], cause: int) -> float:
        """Change of the loss of the effect by a copula with the cause."""
        rho = min(abs(_correlation(noise(effect, *parents), noise(cause, *parents))), _LARGEST)
        return len(scores) / 2 * float(np.log1p(-(rho**2)))

    def reduce(i: int, j: int) -> None:
        causes, others = (np.flatnonzero(adjacency[:, k]).tolist() for k in (i, j))
        # Relative to the two losses of the graph, of which that of i without j is a part both ways.
        effect = score.best(j, others)
        if i not in effect.parents:  # only the edge test has found the effect
            return
        others.remove(i)
        without = score.best(j, others).loss - effect.loss
        forward = min(0.0, without + copula(j, others, i))
        reversed_ = min(direction[i, j], without + copula(i, causes, j))
        left[i, j] = min(direction[i, j], reversed_ - forward)

    directed = np.argwhere((adjacency == 1) & ~np.isnan(direction)).tolist()
    run_here((partial(reduce, i, j) for i, j in directed), n_jobs)
    return left


def _left_over(x: Floats, others: Floats) -> Floats:
    """What least squares on other columns leave of x; all columns have mean 0."""
    return np.asarray(x - others @ np.linalg.lstsq(others, x, rcond=None)[0])


def _correlation(x: Floats, y: Floats) -> float:
    """Correlation of two columns of mean 0; 0 for a column without variance."""
    return float(x @ y / max(np.linalg.norm(x) * np.linalg.norm(y), np.finfo(float).tiny))
