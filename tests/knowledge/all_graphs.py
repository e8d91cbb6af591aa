"""All graphs of a few nodes, and what rules mean for a graph, said in the plainest way."""

from functools import cache
from itertools import product

import numpy as np


@cache
def all_dags(d):
    """Every acyclic matrix over d nodes, and its ancestors: [g, i, j] for i -> j, i ~> j."""
    pairs = [(i, j) for i in range(d) for j in range(d) if i != j]
    graphs = np.zeros((2 ** len(pairs), d, d), dtype=int)
    for k, (i, j) in enumerate(pairs):
        graphs[:, i, j] = np.arange(len(graphs)) >> k & 1
    ancestors = graphs
    for _ in range(d):
        ancestors = ((ancestors + ancestors @ graphs) > 0).astype(int)
    acyclic = ~np.einsum("gii->gi", ancestors).any(axis=1)
    return graphs[acyclic] > 0, ancestors[acyclic] > 0


def obeying(d, required=(), forbidden=(), tiers=(), roots=(), sinks=(), within=True):
    """Those of all graphs that obey rules about positions: the definition, rule by rule."""
    graphs, ancestors = all_dags(d)
    obeys = np.ones(len(graphs), dtype=bool)
    for i, j in required:
        obeys &= graphs[:, i, j] if i != j else False
    for i, j in forbidden:
        obeys &= ~graphs[:, i, j]
    for (early, group), (late, other) in product(enumerate(tiers), repeat=2):
        for i, j in product(group, other):
            if late < early:
                obeys &= ~ancestors[:, i, j]
            if early == late and not within:
                obeys &= ~graphs[:, i, j]
    for j in roots:
        obeys &= ~graphs[:, :, j].any(axis=1)
    for i in sinks:
        obeys &= ~graphs[:, i].any(axis=1)
    return graphs[obeys]


def are_acyclic(relations):
    """Which of many matrices have no cycle, by powers."""
    steps = relations.astype(np.float32)
    power = steps
    acyclic = np.ones(len(relations), dtype=bool)
    for _ in range(relations.shape[-1]):
        acyclic &= np.einsum("gii->g", power) == 0
        power = ((power @ steps) > 0).astype(np.float32)
    return acyclic
