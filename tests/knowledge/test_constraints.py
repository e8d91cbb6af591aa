"""Matrices against the definition, over every graph of up to four columns."""

import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoredag import Knowledge, KnowledgeError
from scoredag.knowledge import Constraints
from scoredag.knowledge.precedence import transitive_closure
from tests.knowledge.all_graphs import are_acyclic, obeying

ARRAYS = ("allowed", "required", "precedes", "stated_forbidden")


def random_rules(seed):
    """Rules about positions; few of them, so that most are free of contradictions."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 5))
    pairs = [(i, j) for i in range(d) for j in range(d) if i != j]

    def some(items, most):
        count = min(len(items), int(rng.integers(0, most + 1)))
        return [items[k] for k in rng.permutation(len(items))[:count]]

    tier_of = rng.integers(-1, 3, size=d)
    tiers = [np.flatnonzero(tier_of == k).tolist() for k in range(3)]
    return d, {
        "required": some(pairs, 1 + d // 3),
        "forbidden": some(pairs, 3),
        "tiers": tiers if rng.random() < 0.7 else [],
        "roots": some(range(d), 1),
        "sinks": some(range(d), 1),
        "edges_within_tiers": bool(rng.integers(2)),
    }


RULES = st.integers(0, 2**32 - 1).map(random_rules)


def legal_graphs(d, said):
    return obeying(
        d,
        **{k: v for k, v in said.items() if k != "edges_within_tiers"},
        within=said["edges_within_tiers"],
    )


@settings(derandomize=True, deadline=None, max_examples=200)
@given(RULES)
def test_rules_contradict_each_other_where_no_graph_obeys_them(case):
    d, said = case
    graphs = legal_graphs(d, said)
    try:
        constraints = Knowledge(**said).resolve([f"c{i}" for i in range(d)])
    except KnowledgeError:
        assert len(graphs) == 0
        return
    # An edge is allowed if some graph has it, and required if a rule says so.
    assert len(graphs)
    np.testing.assert_array_equal(constraints.allowed, graphs.any(axis=0))
    assert set(map(tuple, np.argwhere(constraints.required).tolist())) == set(said["required"])
    assert (graphs | ~constraints.required).all()
    # What is stated is what holds without required edges and beyond single edges.
    stated = ~obeying(
        d,
        said["required"][:0],
        said["forbidden"],
        said["tiers"],
        said["roots"],
        said["sinks"],
        said["edges_within_tiers"],
    ).any(axis=0)
    np.fill_diagonal(stated, False)
    np.testing.assert_array_equal(constraints.stated_forbidden, stated)
    # No graph is lost: each has an order that obeys precedes.
    precedes = constraints.precedes
    assert are_acyclic(graphs | precedes).all()
    np.testing.assert_array_equal(precedes, transitive_closure(precedes))
    assert not precedes.diagonal().any()
    assert not (constraints.allowed & precedes.T).any()
    for i in range(d):
        for j in range(d):
            assert (constraints.why_forbidden(i, j) is None) == constraints.allowed[i, j]


@settings(derandomize=True, deadline=None, max_examples=150)
@given(RULES, st.randoms(use_true_random=False))
def test_orders(case, random):
    d, said = case
    try:
        constraints = Knowledge(**said).resolve([f"c{i}" for i in range(d)])
    except KnowledgeError:
        return
    order = random.sample(range(d), d)
    repaired = constraints.repair(order)
    assert sorted(repaired) == list(range(d))
    assert constraints.is_legal(repaired)
    assert constraints.is_legal(order) == (repaired == tuple(order))
    assert constraints.repair(repaired) == repaired
    # Peeling leaves that may be leaves gives a legal order, and never gets stuck.
    left, peeled = list(range(d)), []
    while left:
        may = [c for c, yes in zip(left, constraints.eligible_leaves(left), strict=True) if yes]
        peeled.insert(0, random.choice(may))
        left.remove(peeled[0])
    assert constraints.is_legal(peeled)


@pytest.mark.parametrize("d", [0, 1, 2, 5])
def test_no_rules_exclude_nothing(d):
    for constraints in (Knowledge().resolve(range(d)), Constraints.none(d)):
        np.testing.assert_array_equal(constraints.allowed, ~np.eye(d, dtype=bool))
        assert not constraints.required.any()
        assert not constraints.precedes.any()
        assert not constraints.stated_forbidden.any()
        assert constraints.is_empty
        assert constraints.n == d
        assert constraints.repair(range(d)) == tuple(range(d))


def test_one_column_may_have_all_rules():
    constraints = Knowledge(roots="a", sinks="a", tiers=["a"], forbidden=["a -> *"]).resolve(["a"])
    assert constraints.is_empty
    assert constraints.eligible_leaves([0]).tolist() == [True]


def test_a_root_comes_first_and_a_sink_last():
    constraints = Knowledge(roots=["c"], sinks=["a"]).resolve("abcd")
    assert constraints.repair([0, 1, 2, 3]) == (2, 1, 3, 0)
    assert constraints.precedes.astype(int).tolist() == [
        [0, 0, 0, 0],
        [1, 0, 0, 0],
        [1, 1, 0, 1],
        [1, 0, 0, 0],
    ]


def test_a_root_of_a_later_tier_waits_for_that_tier():
    constraints = Knowledge(tiers=["a", "b"], roots=["b"]).resolve("abc")
    # 'b' cannot have a cause, but 'a', which can, stands before it by its tier.
    assert constraints.precedes.astype(int).tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]


def test_a_sink_of_an_earlier_tier_does_not_wait():
    constraints = Knowledge(tiers=["a", "b"], sinks=["a"]).resolve("abc")
    assert constraints.precedes.astype(int).tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]


def test_a_repaired_order_changes_no_more_than_it_must():
    constraints = Knowledge(required=["a -> d"]).resolve("abcde")
    assert constraints.repair([4, 3, 2, 0, 1]) == (4, 2, 0, 3, 1)


@pytest.mark.parametrize("order", [[0, 1], [0, 1, 1], [0, 1, 2.5], "abc", [[0, 1, 2]]])
def test_what_is_no_order_is_refused(order):
    with pytest.raises(KnowledgeError, match="order must list each of 0 to 2 once"):
        Constraints.none(3).repair(order)


def test_why():
    knowledge = Knowledge(
        required=["a -> u", "u -> v"],
        forbidden=["v -> *", ("w", 0), "? -> w"],
        tiers=[["b"], ["a", "c"]],
        roots=["r*"],
        sinks=["s"],
        edges_within_tiers=False,
    )
    labels = ["a", "b", "c", "u", "v", "w", "r1", "s"]
    constraints = knowledge.resolve(labels)

    def why(cause, effect):
        return constraints.why_forbidden(labels.index(cause), labels.index(effect))

    assert why("a", "v") is None
    assert why("v", "b") == "forbidden: 'v -> *'"
    assert why("w", "a") == "forbidden: 'w -> 0'"
    assert why("v", "w") == "forbidden: 'v -> *'; forbidden: '? -> w'"
    assert why("a", "b") == "tiers: 'b' is in tier 1, 'a' in tier 2"
    assert "both in tier 2" in why("a", "c")
    assert why("b", "r1") == "'r1' is a root"
    assert why("s", "b") == "'s' is a sink"
    assert why("u", "a") == "required: 'a -> u'"
    assert "'b' is in an earlier tier than 'a'" in why("u", "b")
    assert why("u", "u") == "'u' cannot cause itself"


def test_arrays_cannot_be_changed_not_even_in_another_process():
    constraints = Knowledge(required=["a -> b"], tiers=["a", "b"]).resolve("abc")
    for copy in (constraints, pickle.loads(pickle.dumps(constraints))):
        for name in ARRAYS:
            with pytest.raises(ValueError, match="read-only"):
                getattr(copy, name)[0, 0] = True
        assert copy.why_forbidden(1, 0)
    with pytest.raises(AttributeError):
        constraints.allowed = None


def test_described_rules_are_rules_again():
    knowledge = Knowledge(
        required=["a* -> b"], forbidden=[(0, 3)], tiers=[["a*"], ["b"]], roots=["c"], sinks=["b"]
    )
    labels = ["a1", "a2", "b", "c"]
    first = knowledge.resolve(labels)
    described = first.describe()
    assert described == {
        "required": [["a1", "b"], ["a2", "b"]],
        "forbidden": [["a1", "c"]],
        "tiers": [["a1", "a2"], ["b"]],
        "roots": ["c"],
        "sinks": ["b"],
        "edges_within_tiers": True,
    }
    second = Knowledge.from_mapping(described).resolve(labels)
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))


def test_a_thousand_columns():
    labels = [f"v{i}" for i in range(1000)]
    knowledge = Knowledge(
        required=[(i, i + 1) for i in range(700, 999)],
        forbidden=["v1* -> v2*"],
        tiers=[labels[:300], labels[300:700], labels[700:]],
    )
    constraints = knowledge.resolve(labels)
    assert constraints.precedes[0, 300]
    assert constraints.precedes[700, 999]
    assert constraints.is_legal(constraints.repair(range(999, -1, -1)))


@settings(derandomize=True, deadline=None, max_examples=50)
@given(st.integers(0, 2**32 - 1))
def test_the_closure_is_that_of_networkx(seed):
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 20))
    relation = rng.random((d, d)) < rng.random() * 0.3
    before = relation.copy()
    reference = nx.transitive_closure(nx.from_numpy_array(relation, create_using=nx.DiGraph))
    expected = nx.to_numpy_array(reference, nodelist=range(d)) > 0
    np.testing.assert_array_equal(transitive_closure(relation), expected)
    np.testing.assert_array_equal(relation, before)
