"""One contradiction of each kind, planted in rules that have none: refused, and named."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoredag import Knowledge, KnowledgeError


class Consistent:
    """Random rules that a random graph obeys; an order of names, and rules about them."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        d = int(self.rng.integers(5, 12))
        self.labels = [f"{'abc'[k % 3]}{k}" for k in range(d)]
        self.order = [self.labels[k] for k in self.rng.permutation(d)]
        self.roots, self.sinks = self.order[:1], self.order[-1:]
        # The last tier ends before the last column, which is free for what tests plant.
        self.tiers = [self.order[1:2], self.order[3:4]]
        forwards = self._edges([(i, j) for i in range(d) for j in range(i + 1, d)])
        backwards = self._edges([(j, i) for i in range(d) for j in range(i + 1, d)])
        self.required = [e for e in forwards if self.rng.random() < 0.3]
        spared = [e for e in forwards if e not in self.required]
        self.forbidden = [e for e in [*spared, *backwards] if self.rng.random() < 0.2]

    def _edges(self, places):
        return [(self.order[i], self.order[j]) for i, j in places]

    def knowledge(self, **more):
        rules = {
            name: [*getattr(self, name), *more.pop(name, [])]
            for name in ("required", "forbidden", "tiers", "roots", "sinks")
        }
        return Knowledge(**rules, **more)


def a_cycle(case):
    nodes = case.order[2:5]
    edges = [*pairwise(nodes), (nodes[-1], nodes[0])]
    case.required = [edge for edge in case.required if not set(edge) <= set(nodes)]
    # Tiers would forbid the edges, too, and the path that is shown could be another one.
    case.forbidden, case.tiers = [], []
    return {"required": edges}, ["required cycle", *(f"'{c} -> {e}'" for c, e in edges)]


def required_and_forbidden(case):
    cause, effect = case.order[0], case.order[2]
    added = {"required": [(cause, effect)], "forbidden": [(cause, effect)]}
    return added, [f"required: '{cause} -> {effect}'", f"forbidden: '{cause} -> {effect}'"]


def required_and_forbidden_by_wildcard(case):
    cause, effect = case.order[0], case.order[2]
    added = {"required": [(cause, effect)], "forbidden": [(cause, "*")]}
    expected = [f"required: '{cause} -> {effect}'", f"forbidden: '{cause} -> *'"]
    return added, [*expected, f"'{cause}' -> '{effect}'"]


def required_wildcard_and_forbidden(case):
    first = case.order[0]
    case.roots, case.sinks = [first], []
    added = {"required": [(first, "*")], "forbidden": [(first, case.order[2])]}
    return added, [f"required: '{first} -> *'", f"forbidden: '{first} -> {case.order[2]}'"]


def against_tiers(case):
    late, early = case.order[3], case.order[1]
    expected = [f"'{late} -> {early}'", f"'{early}' is in tier 1", f"'{late}' in tier 2"]
    return {"required": [(late, early)]}, expected


def within_a_tier(case):
    cause, effect = case.order[3:5]
    case.tiers[1] = [cause, effect]
    added = {"required": [(cause, effect)], "edges_within_tiers": False}
    return added, [f"'{cause} -> {effect}'", "both in tier 2", "edges_within_tiers"]


def a_path_against_tiers(case):
    late, between, early = case.order[3], case.order[2], case.order[1]
    edges = [(late, between), (between, early)]
    path = f"required path '{late}' -> '{between}' -> '{early}'"
    return {"required": edges}, [path, *(f"'{c} -> {e}'" for c, e in edges), "tier 1", "tier 2"]


def in_two_tiers(case):
    column = case.order[1]
    return {"tiers": [[column]]}, [f"'{column}' is in the tiers 1 and 3"]


def a_root_with_a_cause(case):
    cause, root = case.order[2], case.order[0]
    return {"required": [(cause, root)]}, [f"'{cause} -> {root}'", f"root, '{root}'"]


def a_sink_with_an_effect(case):
    sink, effect = case.order[-1], case.order[2]
    return {"required": [(sink, effect)]}, [f"'{sink} -> {effect}'", f"sink, '{sink}'"]


def its_own_cause(case):
    column = case.order[2]
    place = case.labels.index(column)
    return {"required": [(column, place)]}, [f"'{column} -> {place}'", f"'{column}' its own cause"]


PLANTED = [
    a_cycle,
    required_and_forbidden,
    required_and_forbidden_by_wildcard,
    required_wildcard_and_forbidden,
    against_tiers,
    within_a_tier,
    a_path_against_tiers,
    in_two_tiers,
    a_root_with_a_cause,
    a_sink_with_an_effect,
    its_own_cause,
]


TOGETHER = [
    against_tiers,
    a_path_against_tiers,
    a_root_with_a_cause,
    a_sink_with_an_effect,
    its_own_cause,
]


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
@settings(derandomize=True, deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_planted_contradiction_is_named(plant, seed):
    case = Consistent(seed)
    assert not case.knowledge().resolve(case.labels).is_empty
    added, expected = plant(case)
    case.knowledge().resolve(case.labels)
    with pytest.raises(KnowledgeError, match=r"^knowledge contradicts itself") as caught:
        case.knowledge(**added).resolve(case.labels)
    problems = caught.value.problems
    assert any(all(part in problem for part in expected) for problem in problems), problems
    assert all(f"- {problem}" in str(caught.value) for problem in problems)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32 - 1))
def test_several_contradictions_are_all_named(seed):
    case = Consistent(seed)
    added, wanted = {}, []
    for plant in TOGETHER:
        rules, expected = plant(case)
        wanted.append(expected)
        added = {k: [*added.get(k, []), *rules.get(k, [])] for k in {*added, *rules}}
    with pytest.raises(KnowledgeError) as caught:
        case.knowledge(**added).resolve(case.labels)
    for expected in wanted:
        assert any(all(part in problem for part in expected) for problem in caught.value.problems)


def problems(labels, **rules):
    with pytest.raises(KnowledgeError) as caught:
        Knowledge(**rules).resolve(labels)
    return caught.value.problems


def test_cycles_apart_are_all_listed():
    found = problems("abcdef", required=["a->b", "b->a", "c->d", "d->e", "e->c", "e->f"])
    assert found == (
        "required cycle 'a' -> 'b' -> 'a', by required: 'a -> b' and required: 'b -> a'",
        "required cycle 'c' -> 'd' -> 'e' -> 'c', by required: 'c -> d', required: 'd -> e' and "
        "required: 'e -> c'",
    )


def test_wildcards_are_reported_by_what_they_hit():
    labels = [f"g{k}" for k in range(20)] + ["y"]
    (found,) = problems(labels, required=["g* -> y"], forbidden=["* -> y"])
    assert found == (
        "required: 'g* -> y' and forbidden: '* -> y' both speak of 'g0' -> 'y', 'g1' -> 'y', "
        "'g2' -> 'y', 'g3' -> 'y', 'g4' -> 'y' and 15 more"
    )


def test_a_wildcard_alone_can_be_a_cycle():
    found = problems([f"g{k}" for k in range(30)], required=["g* -> g*"])
    assert found[0] == "required cycle 'g0' -> 'g1' -> 'g0', by required: 'g* -> g*'"
    assert "further ones" in found[-1]
    assert len(found) == 21


def test_long_lists_are_cut():
    labels = [f"g{k}" for k in range(60)] + ["u", "z"]
    found = problems(labels, required=["g* -> u", "u -> z"], tiers=["z", "g*"])
    assert len(found) == 21
    assert found[-1].endswith("and 35 more")
    found = problems(labels, tiers=["g*", "g*"])
    assert len(found) == 21


def test_a_root_and_sink_in_one_is_no_contradiction():
    constraints = Knowledge(roots="a", sinks="a").resolve("abc")
    assert not constraints.allowed[0].any()
    assert not constraints.allowed[:, 0].any()


def test_a_path_within_a_tier_by_another_column_is_no_contradiction():
    Knowledge(required=["a->u", "u->b"], tiers=[["a", "b"]], edges_within_tiers=False).resolve(
        "abu"
    )
