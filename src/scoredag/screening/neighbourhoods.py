"""The columns near a column: its neighbours, and theirs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.screening.ranks import Floats

Positions = NDArray[np.intp]


def symmetric_strength(strength: ArrayLike, d: int) -> Floats:
    """Check what a screen has returned; each pair of columns gets the larger of its two strengths.

    Parameters
    ----------
    strength : array-like of shape (d, d)
        Zero for pairs that are no neighbours.
    d : int
        Number of columns of the table.

    Examples
    --------
    >>> symmetric_strength([[0, 2], [1, 0]], 2)
    array([[0., 2.],
           [2., 0.]])
    >>> symmetric_strength([1.0], 2)
    Traceback (most recent call last):
        ...
    ValueError: screen must return strengths of shape (2, 2), at least 0; got shape (1,)
    """
    array = np.asarray(strength)
    expected = f"screen must return strengths of shape ({d}, {d}), at least 0"
    if array.shape != (d, d) or array.dtype.kind not in "biuf":
        raise ValueError(f"{expected}; got shape {array.shape}")
    array = np.array(array, dtype=np.float64)
    if not (array >= 0).all():
        raise ValueError(f"{expected}; got {array.min():g}")
    np.fill_diagonal(array, 0.0)
    return np.maximum(array, array.T)


def neighbourhood(strength: Floats, column: int, left: Positions, most: int) -> Positions:
    """The neighbours of a column and then their neighbours, strongest first, up to a number.

    A superset of the Markov blanket as far as the screen and the number allow: the parents and
    children are neighbours, and the other parents of the children are neighbours of these.

    Parameters
    ----------
    strength : ndarray of shape (d, d)
        Symmetric; positive for neighbours.
    column : int
    left : ndarray of int
        The columns that count; ``column`` may be one of them.
    most : int
        Largest size of the neighbourhood.

    Returns
    -------
    ndarray of int
        In ascending order, without ``column``.

    Examples
    --------
    >>> chain = np.diag([3.0, 2.0, 1.0], 1)
    >>> strength = chain + chain.T
    >>> neighbourhood(strength, 0, np.arange(4), most=8)
    array([1, 2])
    >>> neighbourhood(strength, 1, np.arange(4), most=2)
    array([0, 2])
    """
    others = left[left != column]
    direct = strength[column, others]
    neighbours = others[direct > 0]
    through = strength[np.ix_(neighbours, others)].max(axis=0, initial=0.0)
    through[direct > 0] = 0.0
    # Neighbours before neighbours of neighbours, each kind by strength.
    ranked = np.lexsort((-through, -direct))
    near = others[ranked][(direct + through)[ranked] > 0]
    return np.sort(near[:most])


def nearness(strength: Floats, most: int) -> Floats:
    """Positive for pairs of columns of which one is in the neighbourhood of the other.

    Parameters
    ----------
    strength : ndarray of shape (d, d)
        Symmetric; positive for neighbours.
    most : int
        Largest size of a neighbourhood. A column can be in more of them.

    Returns
    -------
    ndarray of shape (d, d)
        Symmetric: between neighbours their strength, between neighbours of neighbours less than
        the least of all strengths.

    Examples
    --------
    >>> chain = np.diag([3.0, 2.0, 1.0], 1)
    >>> (nearness(chain + chain.T, most=8) > 0).astype(int)
    array([[0, 1, 1, 0],
           [1, 0, 1, 1],
           [1, 1, 0, 1],
           [0, 1, 1, 0]])
    """
    columns = np.arange(len(strength))
    least = strength[strength > 0].min(initial=1.0)
    near = np.zeros_like(strength)
    for j in columns:
        found = neighbourhood(strength, int(j), columns, most)
        near[found, j] = np.where(strength[found, j] > 0, strength[found, j], least / 2)
    return np.maximum(near, near.T)


def join_dependent(near: Floats, dependence: Floats, count: int) -> Floats:
    """The same pairs, and those of which one is among the columns that depend most on the other.

    A screen by regression leaves out a parent whose part others explain; mostly such a parent is
    among the columns that depend most on its child.

    Parameters
    ----------
    near : ndarray of shape (d, d)
        From `nearness`.
    dependence : ndarray of shape (d, d)
        Symmetric, as from `scoredag.screening.rank_dependence`.
    count : int
        The columns that join each column.

    Returns
    -------
    ndarray of shape (d, d)
        As from `nearness`; pairs that join are weaker than all others, in order of dependence.

    Examples
    --------
    >>> dependence = np.array([[0.0, 3.0, 1.0], [3.0, 0.0, 2.0], [1.0, 2.0, 0.0]])
    >>> (join_dependent(np.zeros((3, 3)), dependence, 1) > 0).astype(int)
    array([[0, 1, 0],
           [1, 0, 1],
           [0, 1, 0]])
    """
    ranked = dependence.astype(np.float64)
    np.fill_diagonal(ranked, 0.0)
    strongest = strongest_candidates(ranked, ranked > 0, count)
    least = near[near > 0].min(initial=1.0)
    weak = least / 2 * ranked / max(ranked.max(initial=0.0), np.finfo(float).tiny)
    return np.maximum(near, np.where(strongest | strongest.T, weak, 0.0))


def strongest_candidates(
    strength: Floats, candidates: NDArray[np.bool_], most: int
) -> NDArray[np.bool_]:
    """The candidate edges between neighbours; of each node the strongest, up to a number.

    Parameters
    ----------
    strength : ndarray of shape (d, d)
        Positive for neighbours.
    candidates : ndarray of bool, shape (d, d)
        True at [i, j] if i -> j may be an edge.
    most : int
        Largest number of candidates of a node.

    Returns
    -------
    ndarray of bool, shape (d, d)

    Examples
    --------
    >>> strength = np.array([[0.0, 3.0, 2.0], [3.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
    >>> strongest_candidates(strength, np.triu(np.ones((3, 3), dtype=bool), 1), most=1)
    array([[False,  True,  True],
           [False, False, False],
           [False, False, False]])
    """
    ranked = np.where(candidates, strength, 0.0)
    chosen = np.argsort(-ranked, axis=0, kind="stable")[:most]
    strongest = np.zeros_like(candidates)
    np.put_along_axis(strongest, chosen, True, axis=0)
    return strongest & (ranked > 0)
