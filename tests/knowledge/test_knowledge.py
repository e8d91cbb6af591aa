"""Rules as values: what may be written, what equals what, which columns are meant."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import scoredag
from scoredag import SCORE, Knowledge, KnowledgeError
from scoredag.knowledge import as_constraints


def test_many_ways_to_write_the_same_rules():
    expected = Knowledge(required=[("a", "b"), ("c", 0)], roots=["a"], tiers=[["a", "x"], ["b"]])
    same = [
        Knowledge(required=["a -> b", ["c", 0]], roots="a", tiers=(("x", "a"), "b")),
        Knowledge(required={("c", 0), ("a", "b")}, roots={"a"}, tiers=({"a", "x"}, {"b"})),
        Knowledge(
            required=(edge for edge in [("a", "b"), ("c", np.int64(0)), "a->b"]),
            roots=np.array(["a", "a"]),
            tiers={"b": 7, "a": -1.5, "x": -1.5},
        ),
        Knowledge(required=np.array([["a", "b"]]), roots=pd.Index(["a"]))
        | Knowledge(required=[("c", 0)], tiers=[["a", "x"], ["b"]]),
        eval(repr(expected)),
        copy.deepcopy(expected),
        pickle.loads(pickle.dumps(expected)),
    ]
    for knowledge in same:
        assert knowledge == expected
        assert hash(knowledge) == hash(expected)
        assert all(type(end) in (str, int) for edge in knowledge.required for end in edge)


def test_other_rules_are_not_equal():
    different = [
        Knowledge(),
        Knowledge(required=["a -> b"]),
        Knowledge(required=["b -> a"]),
        Knowledge(forbidden=["a -> b"]),
        Knowledge(tiers=["a", "b"]),
        Knowledge(tiers=["b", "a"]),
        Knowledge(tiers=[["a", "b"]]),
        Knowledge(roots=["a"]),
        Knowledge(sinks=["a"]),
        Knowledge(roots=[0]),
        Knowledge(roots=["0"]),
        Knowledge(edges_within_tiers=False),
    ]
    assert len(set(different)) == len(different)
    assert Knowledge() != "Knowledge()"


def test_it_cannot_be_changed_and_changes_nothing():
    required, tiers = [["a", "b"]], [["a"], ["b"]]
    knowledge = Knowledge(required=required, tiers=tiers)
    required[0][0] = tiers[0][0] = "z"
    assert knowledge == Knowledge(required=[("a", "b")], tiers=[["a"], ["b"]])
    with pytest.raises(FrozenInstanceError):
        knowledge.required = ()
    labels, before = ["a", "b", "c"], repr(knowledge)
    knowledge.resolve(labels)
    assert labels == ["a", "b", "c"]
    assert repr(knowledge) == before
    rules = {"required": ["x0 -> x1"]}
    as_constraints(rules, 3)
    assert rules == {"required": ["x0 -> x1"]}


def test_a_long_list_is_shown_in_part():
    shown = repr(Knowledge(forbidden=[(0, k) for k in range(1, 1500)]))
    assert shown.endswith("(0, 10), ... 1,489 more])")


def test_it_is_a_parameter_as_scikit_learn_wants_it():
    class WithKnowledge(SCORE):
        def __init__(self, *, knowledge=None):
            self.knowledge = knowledge

    estimator = WithKnowledge(knowledge=Knowledge(roots="a"))
    assert clone(estimator).knowledge == estimator.knowledge
    assert "Knowledge(roots=['a'])" in repr(estimator)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"required": ("a", "b")}, r"got one pair: write required=\[\('a', 'b'\)\]"),
        ({"required": (0, 1)}, "got one pair"),
        ({"required": {"a": "b"}}, "required must be a list of edges"),
        ({"required": 3}, "required must be a list of edges.*; got 3"),
        ({"required": b"a -> b"}, "required must be a list of edges"),
        ({"required": nx.DiGraph([("a", "b")])}, "got a DiGraph: .*from_graph"),
        ({"required": ["a -> b", "a b"]}, r"required\[1\] must read .* it has no '->'"),
        ({"required": ["a -> b -> c"]}, "more than one '->'; write a pair"),
        ({"required": [" -> b"]}, "a name is missing"),
        ({"required": [{"a", "b"}]}, r"required\[0\] must be a pair"),
        ({"required": [("a", "b", "c")]}, "got 3 entries"),
        ({"forbidden": [("a", None)]}, r"the effect of forbidden\[0\] must be the name"),
        ({"forbidden": [(True, "a")]}, r"the cause of forbidden\[0\].*; got True"),
        ({"forbidden": [("", "a")]}, "got a name without any letter"),
        ({"tiers": "ab"}, "tiers must be a list of groups"),
        ({"tiers": {"a", "b"}}, "tiers must be a list .* got a set, without order"),
        ({"tiers": {"a": "first"}}, r"tiers\['a'\] is 'first'"),
        ({"tiers": {"a": float("nan")}}, r"tiers\['a'\] is nan"),
        ({"tiers": {(1, 2): 1}}, "a key of tiers must be"),
        ({"tiers": [["a"], [None]]}, r"tiers\[1\]\[0\] must be"),
        ({"roots": {"a": 1}}, "roots must be a list of columns"),
        ({"sinks": [1.5]}, r"sinks\[0\] must be .*; got 1.5"),
        ({"edges_within_tiers": None}, "edges_within_tiers must be True or False"),
    ],
)
def test_what_is_no_rule_is_refused_where_it_stands(rules, message):
    with pytest.raises(KnowledgeError, match=message):
        Knowledge(**rules)


def test_arguments_have_names():
    with pytest.raises(TypeError):
        Knowledge(["a -> b"])


def required(knowledge, labels):
    return list(map(tuple, np.argwhere(knowledge.resolve(labels).required).tolist()))


@pytest.mark.parametrize(
    ("rule", "labels", "edges"),
    [
        ("a -> b", ["b", "a"], [(1, 0)]),
        ((1, 0), ["b", "a"], [(1, 0)]),
        (("b", 1), ["b", "a"], [(0, 1)]),
        # With labels that are integers, integers are labels, and so is text that looks like one.
        ((7, 5), [5, 7], [(1, 0)]),
        ((1, 0), [1, 0], [(0, 1)]),
        ((np.int64(7), "5"), np.array([5, 7]), [(1, 0)]),
        ((7, "a"), ["a", 7], [(1, 0)]),
        # Other labels are compared as text.
        (("2020-01-01", "1.5"), [pd.Timestamp("2020-01-01").date(), 1.5], [(0, 1)]),
        ("a* -> b", ["a1", "b", "a2", "ca"], [(0, 1), (2, 1)]),
        ("a? -> b", ["a", "a1", "a12", "b"], [(1, 3)]),
        ("a -> *", ["a", "b", "c"], [(0, 1), (0, 2)]),
        # All else is no wildcard.
        ("[ab]. -> b", ["[ab].", "a1", "b"], [(0, 2)]),
        # A column's own name is meant alone.
        ("a* -> b", ["a*", "a1", "b"], [(0, 2)]),
        ("a\n* -> b", ["a\n\n1", "b"], [(0, 1)]),
    ],
)
def test_which_columns_are_meant(rule, labels, edges):
    assert required(Knowledge(required=[rule]), labels) == edges


def test_all_names_that_fit_no_column_are_listed():
    knowledge = Knowledge(
        required=["Raff -> mek", (9, -1)],
        forbidden=["z* -> *"],
        tiers=[["erk"], ["nothing like it"]],
        roots=["1"],
        sinks=["Mek"],
    )
    with pytest.raises(KnowledgeError) as caught:
        knowledge.resolve(["Raf", "Mek", "Erk"])
    assert caught.value.problems == (
        "no column is named 'Raff' (near: 'Raf'), in required: 'Raff -> mek'",
        "no column is named 'mek' (near: 'Mek' and 'Erk'), in required: 'Raff -> mek'",
        "no column has the position 9: they are 0 to 2, in required: '9 -> -1'",
        "no column has the position -1: they are 0 to 2, in required: '9 -> -1'",
        "no column matches 'z*', in forbidden: 'z* -> *'",
        "no column is named 'erk' (near: 'Erk' and 'Mek'), in tier 1",
        "no column is named 'nothing like it', in tier 2",
        "no column is named '1' (positions are integers, not text: write a pair such as [0, 1]), "
        "in roots",
    )
    assert "3 columns: 'Raf', 'Mek' and 'Erk'" in str(caught.value)


def test_an_integer_that_is_no_label():
    with pytest.raises(KnowledgeError, match="no column has the label 0"):
        Knowledge(roots=[0]).resolve([5, 7])


def test_columns_must_differ():
    with pytest.raises(KnowledgeError, match="repeated column names: 'a'"):
        Knowledge().resolve(["a", "b", "a"])


def test_both_sides_of_a_union_hold():
    one = Knowledge(required=["a -> b"], tiers=["a", "c"])
    two = Knowledge(forbidden=["b -> c"], roots="a", sinks="b", edges_within_tiers=False)
    both = Knowledge(
        required=["a -> b"],
        forbidden=["b -> c"],
        tiers=["a", "c"],
        roots="a",
        sinks="b",
        edges_within_tiers=False,
    )
    assert one | two == both == two | one
    assert one | one == one
    assert Knowledge() | one == one
    with pytest.raises(TypeError):
        one | {"roots": ["a"]}


def test_tiers_of_a_union():
    longer = Knowledge(tiers=[["a", "x"], ["b"], ["c"]])
    assert longer | Knowledge(tiers=["a", "c"]) == longer
    assert Knowledge(tiers=["x", "c"]) | longer == longer
    for other in (["c", "a"], ["a", "z"], ["a", "x"]):
        with pytest.raises(KnowledgeError, match="write one list of tiers"):
            longer | Knowledge(tiers=other)
    apart = Knowledge(tiers=[["a", "b"]], edges_within_tiers=False)
    with pytest.raises(KnowledgeError, match="write one list of tiers"):
        longer | apart


def test_the_error_is_a_value_error_that_travels():
    error = KnowledgeError("all of it", ["one", "two"])
    back = pickle.loads(pickle.dumps(error))
    assert isinstance(back, ValueError)
    assert (str(back), back.problems) == ("all of it", ("one", "two"))
    assert KnowledgeError("alone").problems == ("alone",)
    assert scoredag.KnowledgeError is KnowledgeError
    assert scoredag.knowledge.Knowledge is scoredag.Knowledge


def test_a_required_wildcard_that_hits_one_column_on_both_sides_is_refused():
    with pytest.raises(KnowledgeError, match="makes 'a1' its own cause"):
        Knowledge(required=["a* -> a1"]).resolve(["a1", "b"])


def test_many_stars_take_no_time():
    columns = ["a" * 200, "b"]
    with pytest.raises(KnowledgeError, match="no column matches"):
        Knowledge(roots=["*a" * 30 + "b"]).resolve(columns)
    assert Knowledge(roots=["*a" * 30 + "*"]).resolve(columns).describe()["roots"] == ["a" * 200]
