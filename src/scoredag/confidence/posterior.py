"""The posterior over DAGs whose parent sets are known local fits, by block Gibbs sampling.

With the loss of node j given the parents S, in nats, and all DAGs equally likely beforehand,

    p(G | data) is proportional to prod_j exp(-loss_j(pa_G(j)) / T)

over the DAGs in which the parents of each node are those of a known fit. A step draws the parents
of a few nodes B together, given the parents of all others. Whether the result is acyclic depends on
one thing of a parent set of j in B: which nodes of B it is reached from, that is, of which nodes of
B it contains a descendant (or the node itself) when the edges into B are left out. So the sets of j
fall into 2^(|B| - 1) classes, the classes of all nodes of B make a directed graph on B, and the
whole is acyclic if this graph is. There are 25 DAGs of three nodes and 543 of four: their weights
are products of class sums, and the draw is exact.

References
----------
R. Goudie and S. Mukherjee. A Gibbs sampler for learning DAGs. JMLR 17(30), 2016. N. Friedman and D.
Koller. Being Bayesian about network structure. Machine Learning 50:95, 2003.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoredag.knowledge import Constraints
from scoredag.order.local_score import LocalFit

Floats = NDArray[np.float64]

_BLOCK = 4  # nodes whose parents are drawn together: 543 DAGs; 29,281 of five take longer than they
# help


@dataclass(frozen=True, eq=False)
class GraphPosterior:
    """Probabilities under a posterior over DAGs.

    Attributes
    ----------
    edge_probability : ndarray of shape (d, d)
        Probability of the edge i -> j, at [i, j].
    ancestor_probability : ndarray of shape (d, d)
        Probability of a directed path from i to j, at [i, j].
    order_probability : ndarray of shape (d, d)
        Probability that i comes before j, at [i, j]; columns without a path between them are in
        either order with probability 1/2.
    standard_error : ndarray of shape (d, d)
        Monte-Carlo error of ``edge_probability``, from the differences between chains.
    """

    edge_probability: Floats
    ancestor_probability: Floats
    order_probability: Floats
    standard_error: Floats


def graph_posterior(
    fits: Sequence[Sequence[LocalFit]],
    *,
    constraints: Constraints | None = None,
    temperature: float = 1.0,
    n_steps: int = 2000,
    n_chains: int = 4,
    rng: np.random.Generator | int | None = 0,
) -> GraphPosterior:
    """Sample DAGs from the known fits of all nodes.

    Parameters
    ----------
    fits : sequence of sequence of LocalFit
        For each node its known fits: parents and loss in nats; that without parents among them.
    constraints : Constraints, optional
        Prior knowledge, which every DAG obeys.
    temperature : float, default=1.0
        T: evidence in nats is divided by it.
    n_steps : int, default=2000
        Steps of each chain; in each the parents of four nodes are drawn.
    n_chains : int, default=4
        Independent chains: the first starts at an empty graph, the others at random DAGs.
    rng : numpy.random.Generator or int, optional
        A fixed seed by default.

    Returns
    -------
    GraphPosterior

    Notes
    -----
    Exact up to the Monte-Carlo error for the known fits: a parent set that nobody has fitted has
    probability 0. Not for fits whose losses are of different rows.

    Examples
    --------
    >>> from scoredag.regression.gp_fit import GPFit
    >>> null, zeros = GPFit.null(2), np.zeros(2)
    >>> forward = GPFit(frozenset({0}), -5.0, 0.0, zeros)
    >>> backward = GPFit(frozenset({1}), -3.0, 0.0, zeros)
    >>> graph_posterior([[null, backward], [null, forward]]).edge_probability.round(3)
    array([[0.   , 0.876],
           [0.118, 0.   ]])
    """
    generator = np.random.default_rng(rng)
    tables = [
        _ParentSets.of(node, known, len(fits), constraints, temperature)
        for node, known in enumerate(fits)
    ]
    neighbours = _neighbours(tables)
    chains = [
        _run(tables, neighbours, n_steps, child, at_random=bool(k))
        for k, child in enumerate(generator.spawn(n_chains))
    ]
    edges = np.array([chain.edges for chain in chains])
    ancestors = np.mean([chain.ancestors for chain in chains], axis=0)
    before = 0.5 * (1.0 + ancestors - ancestors.T)
    np.fill_diagonal(before, 0.0)
    return GraphPosterior(
        edges.mean(axis=0),
        ancestors,
        before,
        edges.std(axis=0, ddof=1) / np.sqrt(n_chains) if n_chains > 1 else np.zeros_like(edges[0]),
    )


class _ParentSets(NamedTuple):
    """The known parent sets of a node: as bits, as rows of a matrix, and their weights."""

    bits: tuple[int, ...]
    words: NDArray[np.uint64]  # (sets, words): the same bits, 64 in a word
    members: Floats  # (sets, d): 1 for each parent
    weights: Floats

    @classmethod
    def of(
        cls,
        node: int,
        fits: Sequence[LocalFit],
        d: int,
        constraints: Constraints | None,
        temperature: float,
    ) -> _ParentSets:
        """Those that the constraints allow, with the least loss of each."""
        least = dict[frozenset[int], float]()
        required, allowed = frozenset[int](), frozenset(range(d)) - {node}
        if constraints is not None:
            required = frozenset(np.flatnonzero(constraints.required[:, node]).tolist())
            allowed = frozenset(np.flatnonzero(constraints.allowed[:, node]).tolist())
        for fit in fits:
            parents = (fit.parents & allowed) | required
            # A set that lacks a required parent is as good with it: a parent that has no effect.
            if fit.parents <= allowed:
                least[parents] = min(fit.loss, least.get(parents, np.inf))
        least.setdefault(required, 0.0)
        losses = np.array(list(least.values()))
        members = np.zeros((len(least), d))
        for row, parents in zip(members, least, strict=True):
            row[sorted(parents)] = 1.0
        bits = tuple(sum(1 << k for k in parents) for parents in least)
        weights = np.exp(-(losses - losses.min()) / temperature)
        return cls(bits, np.array([_as_words(b, d) for b in bits]), members, weights)


class _Chain(NamedTuple):
    edges: Floats
    ancestors: Floats


def _run(
    tables: Sequence[_ParentSets],
    neighbours: Sequence[NDArray[np.intp]],
    n_steps: int,
    rng: np.random.Generator,
    *,
    at_random: bool,
) -> _Chain:
    """Average over one chain, without its first tenth."""
    d = len(tables)
    size = min(_BLOCK, d)
    parents = [table.bits[int(np.argmin(table.members.sum(axis=1)))] for table in tables]
    if at_random:
        parents = _random_start(tables, rng)
    probability = [np.zeros(len(table.weights)) for table in tables]
    visits, ancestors, samples = np.zeros(d), np.zeros((d, d)), 0
    every, burn_in = max(1, d // size), n_steps // 10
    for step in range(n_steps):
        block = _block(neighbours, size, rng)
        marginals = _draw(block, parents, tables, rng)
        if step < burn_in:
            continue
        for node, marginal in zip(block, marginals, strict=True):
            probability[node] += marginal
            visits[node] += 1
        if step % every == 0:
            ancestors += _ancestors(parents)
            samples += 1
    edges = np.zeros((d, d))
    for node, (table, sums) in enumerate(zip(tables, probability, strict=True)):
        edges[:, node] = table.members.T @ sums / max(visits[node], 1)
    return _Chain(edges, ancestors / max(samples, 1))


def _draw(
    block: Sequence[int],
    parents: list[int],
    tables: Sequence[_ParentSets],
    rng: np.random.Generator,
) -> list[Floats]:
    """Draw the parents of a block of nodes in place; return the probabilities of their sets."""
    d, size = len(parents), len(block)
    inside = sum(1 << node for node in block)
    children = [0] * d
    for node, bits in enumerate(parents):
        if not inside >> node & 1:
            while bits:
                low = bits & -bits
                children[low.bit_length() - 1] |= 1 << node
                bits ^= low
    reached = [_as_words(_reached(children, node), d) for node in block]
    graphs = _dags(size)
    class_of, sums = list[NDArray[np.intp]](), np.empty((size, 2**size))
    for position, node in enumerate(block):
        table = tables[node]
        # Bit i of the class: the set is reached from node i of the block.
        classes = np.zeros(len(table.weights), dtype=np.intp)
        for i, words in enumerate(reached):
            classes |= (table.words & words).any(axis=1).astype(np.intp) << i
        class_of.append(classes)
        sums[position] = np.bincount(classes, table.weights, minlength=2**size)
    weights = sums[np.arange(size), graphs].prod(axis=1)
    weights /= weights.sum()
    drawn = graphs[_pick(weights, rng)]
    marginals = []
    for position, node in enumerate(block):
        table, classes = tables[node], class_of[position]
        by_class = np.bincount(graphs[:, position], weights, minlength=2**size)
        share = np.divide(by_class, sums[position], out=np.zeros(2**size), where=sums[position] > 0)
        marginals.append(table.weights * share[classes])
        chosen = np.where(classes == drawn[position], table.weights, 0.0)
        parents[node] = table.bits[_pick(chosen, rng)]
    return marginals


@cache
def _dags(size: int) -> NDArray[np.intp]:
    """All DAGs of so many nodes: for each node the bits of its parents, (graphs, nodes).

    Examples
    --------
    >>> [len(_dags(size)) for size in (1, 2, 3, 4)]
    [1, 3, 25, 543]
    """
    choices = [[bits for bits in range(2**size) if not bits >> node & 1] for node in range(size)]
    found = [parents for parents in product(*choices) if _is_acyclic(parents)]
    return np.array(found, dtype=np.intp)


def _is_acyclic(parents: Sequence[int]) -> bool:
    left, removed = set(range(len(parents))), 0
    while left:
        roots = [node for node in left if not parents[node] & ~removed]
        if not roots:
            return False
        left.difference_update(roots)
        removed |= sum(1 << node for node in roots)
    return True


def _reached(children: Sequence[int], start: int) -> int:
    """Bits of a node and its descendants."""
    seen, front = 1 << start, children[start]
    while front:
        low = front & -front
        seen |= low
        front = (front | children[low.bit_length() - 1]) & ~seen
    return seen


def _ancestors(parents: Sequence[int]) -> Floats:
    """1 at [i, j] for a directed path from i to j."""
    d = len(parents)
    known = [-1] * d

    def ancestors_of(node: int) -> int:
        if known[node] < 0:
            bits = found = parents[node]
            while bits:
                low = bits & -bits
                found |= ancestors_of(low.bit_length() - 1)
                bits ^= low
            known[node] = found
        return known[node]

    found = [_as_words(ancestors_of(node), d) for node in range(d)]
    flags = np.unpackbits(np.array(found).view(np.uint8), axis=1, bitorder="little", count=d)
    return np.asarray(flags.T, dtype=float)


def _as_words(bits: int, d: int) -> NDArray[np.uint64]:
    count = (d + 63) // 64
    return np.frombuffer(bits.to_bytes(8 * count, "little"), dtype="<u8")


def _neighbours(tables: Sequence[_ParentSets]) -> list[NDArray[np.intp]]:
    """For each node those that are parents or children in any known set."""
    related = np.array([table.members.any(axis=0) for table in tables])
    related |= related.T
    return [np.flatnonzero(row) for row in related]


def _block(
    neighbours: Sequence[NDArray[np.intp]], size: int, rng: np.random.Generator
) -> list[int]:
    """Nodes at random, each related to one before it where there is any: whatever the state is."""
    d = len(neighbours)
    block = [int(rng.integers(d))]
    while len(block) < size:
        near = [k for node in block for k in neighbours[node].tolist() if k not in block]
        others = near if near and rng.random() < 0.9 else [k for k in range(d) if k not in block]
        block.append(others[int(rng.integers(len(others)))])
    return block


def _random_start(tables: Sequence[_ParentSets], rng: np.random.Generator) -> list[int]:
    """The likeliest known sets by a random order, as far as required parents allow one."""
    required = [np.bitwise_and.reduce(np.array(table.bits, dtype=object)) for table in tables]
    parents, before, left = [0] * len(tables), 0, list(range(len(tables)))
    while left:
        ready = [node for node in left if not required[node] & ~before]
        node = ready[int(rng.integers(len(ready)))]
        table = tables[node]
        possible = [k for k, bits in enumerate(table.bits) if not bits & ~before]
        parents[node] = table.bits[max(possible, key=lambda k: table.weights[k])]
        before |= 1 << node
        left.remove(node)
    return parents


def _pick(weights: Floats, rng: np.random.Generator) -> int:
    total = np.cumsum(weights)
    return int(np.searchsorted(total, rng.random() * total[-1], side="right"))
