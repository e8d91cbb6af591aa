"""Random tables with random rules that do not contradict each other, and a check of results.

The rules are those of a hidden graph, which the table knows nothing of: data and rules disagree.
They are kept twice, as a `scoredag.Knowledge` in words, wildcards and positions, and as plain
positions, so that a result is checked without the code under test.
"""

import pickle
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

from scoredag import Knowledge

DATA = ("noise", "chain", "linear", "ties")
TABLES = ("array", "names", "numbers")


@dataclass(frozen=True)
class Case:
    """A table, knowledge about it, and the same rules as positions of columns."""

    table: Any
    labels: list
    knowledge: Knowledge
    required: set
    forbidden: set
    tiers: list
    roots: set
    sinks: set
    edges_within_tiers: bool


def random_case(d, seed, n=None):
    """Draw a table of d columns and rules about it; n is between 60 and 120 by default."""
    rng = np.random.default_rng(seed)
    kind = TABLES[rng.integers(3)]
    n = int(rng.integers(60, 121)) if n is None else n
    labels = _labels(d, kind, rng)
    values = random_values(d, n, DATA[rng.integers(4)], rng)
    table = values if kind == "array" else pd.DataFrame(values, columns=labels)
    return Case(table, labels, **_rules(labels, kind, rng))


def random_values(d, n, kind, rng):
    """Numbers in d columns: independent, or along a random order by curves, lines or counts."""
    X = rng.normal(size=(n, d))
    order = rng.permutation(d)
    for place, j in enumerate(order[1:], start=1):
        parents = order[max(0, place - 2) : place]
        if kind in ("chain", "ties"):
            X[:, j] = 0.4 * X[:, j] + np.sin(2 * X[:, parents]).sum(axis=1)
        if kind == "linear":
            X[:, j] += X[:, parents] @ rng.uniform(-1.5, 1.5, size=len(parents))
    return np.round(3 * X) / 3 if kind == "ties" else X


def violations(case, model, before):
    """List what a fitted estimator did against the rules; `before` is the pickled knowledge."""
    A = np.asarray(model.adjacency_matrix_) != 0
    edges = {(int(i), int(j)) for i, j in np.argwhere(A)}
    graph = nx.DiGraph(edges)
    graph.add_nodes_from(range(len(A)))
    paths = set(nx.transitive_closure(graph).edges)
    tier = {column: k for k, group in enumerate(case.tiers) for column in group}
    found = [f"required {edge} is missing" for edge in case.required - edges]
    found += [f"forbidden {edge} is there" for edge in case.forbidden & edges]
    found += [
        f"the path {i} ~> {j} leads to an earlier tier"
        for i, j in paths
        if i in tier and j in tier and tier[i] > tier[j]
    ]
    if not case.edges_within_tiers:
        found += [
            f"{i} -> {j} is within a tier" for i, j in edges if i in tier and tier[i] == tier.get(j)
        ]
    found += [f"the root {j} has a cause" for _, j in edges if j in case.roots]
    found += [f"the sink {i} has an effect" for i, _ in edges if i in case.sinks]
    found += ["a cycle"] * (not nx.is_directed_acyclic_graph(graph))
    place = {int(column): k for k, column in enumerate(model.causal_order_)}
    if sorted(place) != list(range(len(A))):
        return [*found, "causal_order_ is no order"]
    found += [f"{i} -> {j} against the order" for i, j in edges if place[i] > place[j]]
    precedes = case.knowledge.resolve(case.labels).precedes
    found += [
        f"{i} must precede {j}, but not in the order"
        for i, j in np.argwhere(precedes).tolist()
        if place[i] > place[j]
    ]
    found += [f"no effect of {edge}" for edge in edges if edge not in model.effects_]
    found += _report_violations(case, model)
    if case.knowledge != pickle.loads(before) or pickle.dumps(case.knowledge) != before:
        found.append("the knowledge has changed")
    return found


def _report_violations(case, model):
    report, labels = model.knowledge_report_, case.labels
    said = {(labels.index(edge.cause), labels.index(edge.effect)) for edge in report.required}
    found = [f"the report lacks required {edge}" for edge in case.required - said]
    found += [f"the report has a required {edge}" for edge in said - case.required]
    for edge in report.forbidden:
        pair = labels.index(edge.cause), labels.index(edge.effect)
        if model.adjacency_matrix_[pair] or not edge.statistic > 0 or not edge.rule:
            found.append(f"the report has a strange forbidden edge {edge}")
    marked = model.edges_["required"]
    if sum(marked) != len(case.required):
        found.append(f"edges_ marks {sum(marked)} edges as required")
    return found


def _labels(d, kind, rng):
    if kind == "array":
        return [f"x{k}" for k in range(d)]
    if kind == "names":
        return [f"{'abc'[k % 3]}{k}" for k in range(d)]
    return (rng.permutation(d) + 1).tolist()


def _rules(labels, kind, rng):
    """Rules of a hidden graph, in positions and in the user's words."""
    d = len(labels)
    order = rng.permutation(d).tolist()
    hidden = {
        (order[a], order[b])
        for a in range(d)
        for b in range(a + 1, d)
        if rng.random() < min(1.0, 3 / d)
    }
    tiers, within = _tiers(order, rng), bool(rng.random() < 0.7)
    tier = {column: k for k, group in enumerate(tiers) for column in group}
    roots = set(rng.permutation(d)[: rng.integers(3)].tolist()) if rng.random() < 0.5 else set()
    sinks = set(rng.permutation(d)[: rng.integers(3)].tolist()) if rng.random() < 0.5 else set()
    hidden = {(i, j) for i, j in hidden if j not in roots and i not in sinks}
    if not within:
        hidden = {(i, j) for i, j in hidden if i not in tier or tier[i] != tier.get(j)}
    patterns = _patterns(labels, kind, rng)
    share = rng.choice([0.0, 0.3, 0.7])
    required = {edge for edge in sorted(hidden) if rng.random() < share}
    required_patterns = [p for p, meant in patterns if meant and meant <= hidden][:1]
    required |= {edge for p, meant in patterns if p in required_patterns for edge in meant}
    others = [(i, j) for i in range(d) for j in range(d) if i != j and (i, j) not in hidden]
    share = rng.choice([0.0, 0.1, 0.4])
    forbidden = {edge for edge in others if rng.random() < share}
    spoken = [(p, meant) for p, meant in patterns if meant and not meant & required][:2]
    word = _wording(labels, kind, rng)
    knowledge = Knowledge(
        required=[*(_edge(word, edge, rng) for edge in sorted(required)), *required_patterns],
        forbidden=[*(_edge(word, e, rng) for e in sorted(forbidden)), *(p for p, _ in spoken)],
        tiers=[[word(column) for column in group] for group in tiers],
        roots=[word(column) for column in sorted(roots)],
        sinks=[word(column) for column in sorted(sinks)],
        edges_within_tiers=within,
    )
    return {
        "knowledge": knowledge,
        "required": required,
        "forbidden": forbidden.union(*(meant for _, meant in spoken)),
        "tiers": tiers,
        "roots": roots,
        "sinks": sinks,
        "edges_within_tiers": within,
    }


def _tiers(order, rng):
    """Cut an order into groups, all of it or without some columns; or no tiers."""
    if rng.random() < 0.4:
        return []
    cuts = np.sort(rng.choice(np.arange(1, len(order)), size=rng.integers(1, 3), replace=False))
    share = rng.choice([0.5, 1.0])
    groups = [[column for column in group if rng.random() < share] for group in _cut(order, cuts)]
    return [group for group in groups if group]


def _cut(order, cuts):
    return [list(map(int, part)) for part in np.split(np.array(order), cuts)]


def _patterns(labels, kind, rng):
    """Some rules with wildcards, and the edges that each means."""
    if kind == "numbers":
        return []
    ends = [*labels, *(f"{label[0]}*" for label in labels[:3]), f"?{labels[-1][1:]}", "*"]
    chosen = [tuple(ends[k] for k in rng.integers(len(ends), size=2)) for _ in range(4)]
    meant = [
        {
            (i, j)
            for i, cause in enumerate(labels)
            for j, effect in enumerate(labels)
            if i != j and fnmatchcase(cause, pair[0]) and fnmatchcase(effect, pair[1])
        }
        for pair in chosen
        if any("*" in end or "?" in end for end in pair)
    ]
    wild = [pair for pair in chosen if any("*" in end or "?" in end for end in pair)]
    return list(zip(wild, meant, strict=True))


def _wording(labels, kind, rng):
    """Name a column by its label or, where numbers are no labels, also by its position."""

    def word(column):
        return column if kind != "numbers" and rng.random() < 0.3 else labels[column]

    return word


def _edge(word, edge, rng):
    cause, effect = map(word, edge)
    texts = isinstance(cause, str) and isinstance(effect, str)
    return f"{cause} -> {effect}" if texts and rng.random() < 0.5 else (cause, effect)
