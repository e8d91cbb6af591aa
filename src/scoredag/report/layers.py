"""Coordinates for drawing a DAG in layers, without Graphviz.

The method of Sugiyama, Tagawa and Toda (1981): layers by the longest path, few crossings by
barycentres, then coordinates that keep edges short. An edge that skips layers holds a place in
each layer that it passes, so that it runs between the nodes and not through them; all edges that
leave one node share that place, which keeps layers narrow in dense graphs.
"""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import numpy as np
from numpy.typing import ArrayLike
from sklearn.isotonic import isotonic_regression

from scoredag.graph.dag import check_dag
from scoredag.graph.matrix import IntArray
from scoredag.report.crossings import FloatArray, fewest_crossings, neighbour_mean

_SWEEPS = 12  # places have settled by then


def layered_layout(A: ArrayLike) -> FloatArray:
    """Place the nodes of a DAG in layers so that every edge points to a later layer.

    Parameters
    ----------
    A : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j; must be acyclic.

    Returns
    -------
    ndarray of float, shape (d, 2)
        Column 0 is the layer, a whole number: the longest path from a source to the node. Column 1
        is the place across the layer, at least 1 from the next node of that layer and centred
        around 0.

    Notes
    -----
    Deterministic; under half a second for 100 nodes and 400 edges. A drawing of more edges than
    that tells little: draw a part of the graph.

    References
    ----------
    K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of hierarchical system
    structures", IEEE Trans. SMC 11:109-125, 1981.

    Examples
    --------
    >>> layered_layout([[0, 1, 1], [0, 0, 0], [0, 0, 0]])
    array([[ 0. ,  0. ],
           [ 1. , -0.5],
           [ 1. ,  0.5]])
    """
    adjacency = check_dag(A, "A")
    graph = nx.from_numpy_array(adjacency, create_using=nx.DiGraph)
    layer = np.zeros(len(adjacency), dtype=np.int64)
    for k, nodes in enumerate(nx.topological_generations(graph)):
        layer[nodes] = k
    slots = [_slots(adjacency, layer, k) for k in range(layer.max(initial=-1) + 1)]
    links = [_links(adjacency, layer, upper, lower) for upper, lower in pairwise(slots)]
    orders = fewest_crossings(links, [len(slot) for slot in slots])
    places = _places(links, orders)
    layout = np.zeros((len(adjacency), 2))
    layout[:, 0] = layer
    for k, (owners, place) in enumerate(zip(slots, places, strict=True)):
        own = layer[owners] == k
        layout[owners[own], 1] = place[own]
    return _centred(layout)


def _slots(adjacency: IntArray, layer: IntArray, k: int) -> IntArray:
    """List the nodes with a slot in layer k: its own, and earlier ones with an edge past it."""
    passes = ((adjacency != 0) & (layer[None, :] > k)).any(axis=1)
    return np.flatnonzero((layer == k) | ((layer < k) & passes))


def _links(adjacency: IntArray, layer: IntArray, upper: IntArray, lower: IntArray) -> FloatArray:
    """Join slots of neighbouring layers: by an edge that ends there, or as one node's edges."""
    below = layer[upper].max() + 1
    arrives = (adjacency[np.ix_(upper, lower)] != 0) & (layer[lower] == below)[None, :]
    continues = upper[:, None] == lower[None, :]
    return (arrives | continues).astype(float)


def _places(links: list[FloatArray], orders: list[IntArray]) -> list[FloatArray]:
    """Move each layer towards its neighbours' mean while its order and a distance of 1 hold."""
    places = [_spread(np.zeros(len(order)), order) for order in orders]
    for _ in range(_SWEEPS):
        for k, order in enumerate(orders):
            places[k] = _spread(_wanted(links, places, k), order)
    return places


def _wanted(links: list[FloatArray], places: list[FloatArray], k: int) -> FloatArray:
    """Mean place of all the neighbours above and below."""
    sides = [(links[k - 1].T, places[k - 1])] if k > 0 else []
    sides += [(links[k], places[k + 1])] if k < len(links) else []
    if not sides:
        return places[k]
    joined = np.hstack([link for link, _ in sides])
    return neighbour_mean(joined, np.concatenate([place for _, place in sides]), places[k])


def _spread(wanted: FloatArray, order: IntArray) -> FloatArray:
    """Least-squares places in the given order, 1 apart: isotonic once the steps are taken off."""
    steps = np.arange(len(order), dtype=float)
    place = np.empty(len(order))
    place[order] = isotonic_regression(wanted[order] - steps) + steps
    return place


def _centred(layout: FloatArray) -> FloatArray:
    if not len(layout):
        return layout
    across = layout[:, 1]
    return layout - [0.0, (across.min() + across.max()) / 2]
