"""Hidden common causes: roots whose columns are not in the table."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from scoredag.arguments import as_generator, check_count
from scoredag.graph.dag import check_dag
from scoredag.graph.matrix import IntArray
from scoredag.simulate.models.additive import sample_anm
from scoredag.simulate.sem import FloatArray, Mechanism, Noise, Progress

# Two columns at least have a hidden cause in common, and not so many that it is all they have.
_FEWEST_CHILDREN, _MOST_CHILDREN = 2, 4


def sample_hidden_cause(
    adjacency: ArrayLike,
    n: int,
    *,
    mechanism: str | Mechanism = "gp",
    noise: str | Noise = "gaussian",
    noise_variance: float | tuple[float, float] = (0.4, 0.8),
    hidden: int = 2,
    rng: np.random.Generator | int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Draw n rows of an additive-noise model that has further roots, and leave those out.

    Parameters
    ----------
    adjacency : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j; acyclic, d at least 2. The graph of the observed columns.
    n : int
        Number of rows.
    mechanism, noise, noise_variance, rng, progress
        As in `sample_anm`.
    hidden : int, default=2
        Number of hidden roots; each has two to four of the columns as its children.

    Returns
    -------
    ndarray of shape (n, d)
        The observed columns in the order of `adjacency`.

    Notes
    -----
    The observed graph is not the whole truth: two children of a hidden root are dependent, and no
    DAG over the observed columns says so without an edge that `adjacency` lacks.

    References
    ----------
    P. Spirtes, C. Glymour, R. Scheines, "Causation, Prediction, and Search", 2nd edition, MIT
    Press, 2000, chapter 6.

    Examples
    --------
    >>> sample_hidden_cause([[0, 1], [0, 0]], 100, hidden=1, rng=0).shape
    (100, 2)
    """
    generator = as_generator(rng)
    whole = with_hidden_roots(adjacency, hidden, generator.spawn(1)[0])
    X = sample_anm(whole, n, mechanism, noise, noise_variance, rng=generator, progress=progress)
    return X[:, : X.shape[1] - hidden]


def with_hidden_roots(adjacency: ArrayLike, hidden: int, rng: np.random.Generator) -> IntArray:
    """Add roots behind the columns of a graph, each with two to four children.

    Returns
    -------
    ndarray of int, shape (d + hidden, d + hidden)
        ``A[i, j] = 1`` means i -> j; the last columns are the hidden roots.

    Examples
    --------
    >>> with_hidden_roots([[0, 1], [0, 0]], 1, np.random.default_rng(0))
    array([[0, 1, 0],
           [0, 0, 0],
           [1, 1, 0]])
    """
    edges = check_dag(adjacency, "adjacency")
    check_count(hidden, "hidden", least=0)
    d = len(edges)
    if hidden and d < _FEWEST_CHILDREN:
        raise ValueError(f"adjacency must have two nodes for a common cause; got {d}")
    whole = np.zeros((d + hidden, d + hidden), dtype=np.int64)
    whole[:d, :d] = edges != 0
    for root in range(d, d + hidden):
        number = rng.integers(_FEWEST_CHILDREN, min(_MOST_CHILDREN, d), endpoint=True)
        whole[root, rng.choice(d, size=number, replace=False)] = 1
    return whole


PIECE = sample_hidden_cause
