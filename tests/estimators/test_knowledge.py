"""Prior knowledge holds in the result of every estimator, whatever the data say."""

import pickle
import warnings
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.base import clone

from scoredag import (
    CAM,
    LISTEN,
    SCORE,
    GraNDAG,
    Knowledge,
    KnowledgeError,
    R2Sort,
    ScoreGP,
    VarSort,
)
from scoredag.diagnosis.knowledge import knowledge_report
from scoredag.exceptions import DataWarning
from scoredag.graph import full_dag, topological_order
from scoredag.order import peel
from scoredag.plugins import shelf
from scoredag.prune import PruneResult, cam_prune, gp_prune
from scoredag.simulate import paper_dataset, simulated_dataset
from tests.knowledge.random_cases import random_case, violations

CHEAP = {
    "SCORE": SCORE(),
    "CAM": CAM(),
    "CAM of neighbours": CAM(neighbour_selection=True),
    "VarSort": VarSort(),
    "R2Sort": R2Sort(),
    "LISTEN": LISTEN(),
}
# What takes longer: fewer examples, and of fewer columns.
COSTLY = {
    "SCORE and Gaussian processes": SCORE(pruner="gp"),
    "ScoreGP": ScoreGP(rows=50, final_rows=60),
    "GraNDAG": GraNDAG(max_iter=30),
    "GraNDAG of neighbours": GraNDAG(max_iter=30, neighbour_selection=True),
}
METHODS = CHEAP | COSTLY
SEEDS = st.integers(0, 2**32 - 1)

pytestmark = pytest.mark.filterwarnings("ignore::scoredag.exceptions.DataWarning")


def fitted(name, X, knowledge=None):
    method = METHODS[name]
    for module in method._requires:
        pytest.importorskip(module)
    return clone(method).set_params(knowledge=knowledge).fit(X)


def check(name, case):
    before = pickle.dumps(case.knowledge)
    model = fitted(name, case.table, case.knowledge)
    assert violations(case, model, before) == []


def test_every_estimator_is_here():
    assert {type(method) for method in METHODS.values()} == set(
        shelf("scoredag.estimators").values()
    )


def test_results_that_know_no_rules_break_them():
    """What checks results would see it."""
    broken = 0
    for seed in range(15):
        case = random_case(6, seed)
        model = R2Sort(alpha=0.5).fit(case.table)
        broken += bool(violations(case, model, pickle.dumps(case.knowledge)))
    assert broken > 10


@pytest.mark.slow
@pytest.mark.slice
@pytest.mark.parametrize("name", CHEAP)
@settings(max_examples=6)
@given(d=st.integers(3, 12), seed=SEEDS)
def test_rules_hold(name, d, seed):
    check(name, random_case(d, seed))


@pytest.mark.slow
@pytest.mark.slice
@pytest.mark.parametrize("name", COSTLY)
@settings(max_examples=2)
@given(d=st.integers(3, 5), seed=SEEDS)
def test_rules_hold_in_costly_methods(name, d, seed):
    check(name, random_case(d, seed, n=60))


@pytest.mark.slow
@pytest.mark.parametrize("name", CHEAP)
@settings(max_examples=500)
@given(d=st.integers(3, 12), seed=SEEDS)
def test_rules_hold_in_many_tables(name, d, seed):
    check(name, random_case(d, seed))


@pytest.mark.slow
@pytest.mark.parametrize("name", COSTLY)
@settings(max_examples=40)
@given(d=st.integers(3, 9), seed=SEEDS)
def test_rules_hold_in_many_tables_of_costly_methods(name, d, seed):
    check(name, random_case(d, seed, n=60))


def fitted_state(model):
    """All that a fit has set, as plain numbers."""
    state = {name: value for name, value in vars(model).items() if name.endswith("_")}
    state["effects_"] = {edge: effect.y for edge, effect in model.effects_.items()}
    state["graph_"] = dict(model.graph_.edges)
    return state | {"edges_": model.edges_.to_dict()}


@pytest.mark.parametrize("name", METHODS)
def test_empty_knowledge_changes_no_bit(name):
    X = paper_dataset(4, "ER1", seed=2, n=60).X
    state, *others = (
        fitted_state(fitted(name, X, knowledge))
        for knowledge in (None, Knowledge(), {}, Knowledge(tiers=[[0, 1, 2, 3]]))
    )
    for other in others:
        np.testing.assert_equal(other, state)


@pytest.mark.parametrize("name", METHODS)
def test_a_required_path_against_the_data_holds_in_the_order(name):
    rng = np.random.default_rng(0)
    c = rng.normal(size=100)
    b = np.sin(2 * c) + 0.3 * rng.normal(size=100)
    frame = pd.DataFrame({"c": c, "b": b, "a": np.tanh(2 * b) + 0.3 * rng.normal(size=100)})
    model = fitted(name, frame, Knowledge(required=["a -> b", "b -> c"]))
    order = [model.node_names_[k] for k in model.causal_order_]
    assert order == ["a", "b", "c"]
    assert {("a", "b"), ("b", "c")} <= set(model.graph_.edges)
    assert all(model.graph_.edges[edge]["required"] == 1 for edge in [("a", "b"), ("b", "c")])


@pytest.mark.parametrize("name", METHODS)
def test_a_graph_that_is_known_is_returned(name):
    """All edges of a chain required, all others forbidden."""
    knowledge = Knowledge.from_matrix(np.eye(4, k=1), edge_direction="from row to column")
    model = fitted(name, paper_dataset(4, "ER1", seed=1, n=80).X, knowledge)
    assert_array_equal(model.adjacency_matrix_, np.eye(4, k=1))
    assert_array_equal(model.causal_order_, range(4))
    assert len(model.effects_) == 3


@pytest.mark.parametrize("name", METHODS)
def test_no_edge_is_allowed(name):
    model = fitted(name, paper_dataset(4, "ER1", seed=1, n=80).X, Knowledge(roots=["*"]))
    assert not model.adjacency_matrix_.any()
    assert len(model.edges_) == 0
    assert model.edges_["required"].dtype == bool


def test_required_edges_keep_their_evidence_even_if_it_is_small():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(200, 3)), columns=["a", "b", "c"])
    knowledge = Knowledge(required=["a* -> ?"], tiers={"b": 1, "c": 2})
    for model, statistic in ((SCORE(), "p_value"), (ScoreGP(), "evidence")):
        model.set_params(knowledge=knowledge).fit(frame)
        table = model.edges_.set_index(["cause", "effect"])
        assert sorted(table.index) == [("a", "b"), ("a", "c")]
        assert table["required"].all()
        for edge in model.knowledge_report_.required:
            assert edge.rule == "required: 'a* -> ?'"
            assert edge.statistic == table.loc[(edge.cause, edge.effect), statistic]
            assert np.isfinite(edge.statistic)
        assert np.isfinite(table["size"]).all()


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("rules", [{}, {"required": [(0, 1)]}])
def test_the_table_of_edges_always_says_which_are_required(name, rules):
    X = paper_dataset(3, "ER1", seed=1, n=60).X
    table = fitted(name, X, Knowledge(**rules)).edges_
    assert table["required"].dtype == bool
    assert table["required"].sum() == len(rules.get("required", ()))


def test_edges_that_are_not_required_are_marked_so():
    data = paper_dataset(6, "ER1", seed=1, n=300)
    i, j = np.argwhere(data.adjacency)[0]
    table = SCORE(knowledge=Knowledge(required=[(i, j)])).fit(data.X).edges_
    assert set(table["required"]) == {False, True}
    assert table["required"].sum() == 1


def curve(n=300, seed=0):
    rng = np.random.default_rng(seed)
    dose, age = rng.normal(size=(2, n))
    effect = np.sin(2 * dose) + 0.3 * rng.normal(size=n)
    return pd.DataFrame({"dose": dose, "effect": effect, "age": age})


@pytest.mark.parametrize("make", [SCORE, ScoreGP, CAM, VarSort])
@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"forbidden": ["dose -> *"]}, "forbidden: 'dose -> *'"),
        ({"sinks": ["dose"]}, "'dose' is a sink"),
        ({"tiers": {"dose": 2, "effect": 1}}, "tiers: 'effect' is in tier 1, 'dose' in tier 2"),
        ({"roots": ["effect", "age"]}, "'effect' is a root"),
    ],
)
def test_a_forbidden_edge_that_the_data_favour_is_named(make, rules, words):
    with pytest.warns(DataWarning, match="the data favour 1 edge that the rules forbid") as caught:
        model = make(knowledge=Knowledge(**rules)).fit(curve())
    (edge,) = model.knowledge_report_.forbidden
    assert (edge.cause, edge.effect, edge.rule) == ("dose", "effect", words)
    assert edge.statistic > 50
    said = next(str(w.message) for w in caught if "rules forbid" in str(w.message))
    assert f"'dose' → 'effect' ({edge.statistic:.0f} nats; {words})" in said
    assert [w.filename for w in caught if "rules forbid" in str(w.message)] == [__file__]


@pytest.mark.filterwarnings("error:the data favour:scoredag.exceptions.DataWarning")
@pytest.mark.parametrize("make", [SCORE, ScoreGP, CAM])
def test_rules_that_the_data_agree_with_are_not_warned_about(make):
    for rules in (
        {"forbidden": ["effect -> *", "age -> *", "* -> age"]},
        {"tiers": ["dose", "effect"], "roots": ["age"]},
        {"required": ["dose -> effect"]},
        {"required": ["age -> effect"], "roots": ["age"]},
    ):
        model = make(knowledge=Knowledge(**rules)).fit(curve())
        assert model.knowledge_report_.forbidden == ()


@pytest.mark.parametrize("seed", range(4))
def test_rules_about_directions_that_the_data_do_not_tell_are_not_warned_about(seed):
    """Linear effects with normal noise: by chance one direction is likelier."""
    X = np.random.default_rng(seed).normal(size=(300, 5))
    for j in range(1, 5):
        X[:, j] += 0.8 * X[:, j - 1]
    for tiers in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0]):
        model = CAM(knowledge=Knowledge(tiers=tiers)).fit(X)
        assert model.adjacency_matrix_.sum() >= 4
        assert model.knowledge_report_.forbidden == ()


def test_true_tiers_are_not_warned_about():
    warned = 0
    for seed in range(10):
        data = paper_dataset(10, "ER4", seed=seed, n=500)
        tiers = np.array_split(topological_order(data.adjacency), 5)
        knowledge = Knowledge(tiers=[group.tolist() for group in tiers])
        pruned = PruneResult(data.adjacency, np.full((10, 10), np.nan))
        report = knowledge_report(data.X, pruned, knowledge.resolve(range(10)))
        warned += bool(report.forbidden)
    assert warned == 0  # 7 if every reversal that gains counted


def wild(n=200):
    """A heavy-tailed parent, which enters by its ranks unless the user asks for raw columns."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=n)
    y = np.sin(2 * x) + 0.3 * rng.normal(size=n)
    return np.column_stack([np.sign(x) * np.exp(4 * np.abs(x)), y])


def test_rules_are_weighed_in_the_units_of_the_analysis():
    X = wild()
    free = ScoreGP().fit(X)
    model = ScoreGP(knowledge=Knowledge(forbidden=["x0 -> x1"])).fit(X)
    assert_array_equal(model.by_rank_, [True, False])
    (favoured,) = model.knowledge_report_.forbidden
    assert (favoured.cause, favoured.effect) == ("x0", "x1")
    evidence = free.direction_evidence_[0, 1]
    assert favoured.statistic == pytest.approx(evidence, rel=0.2)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "data",
    [
        {"model": "multiplicative", "mechanism": "additive_sigmoids"},
        {"model": "additive", "mechanism": "linear", "noise": "exponential"},
    ],
)
def test_true_rules_are_weighed_by_the_model_of_the_method(data, seed):
    """With normal noise the reverse direction is likelier in half of these pairs."""
    drawn = simulated_dataset(d=2, graph="ER1", n=400, seed=seed, **data)
    (cause, effect), *_ = np.argwhere(drawn.adjacency).tolist()
    true = ScoreGP(knowledge=Knowledge(required=[(cause, effect)])).fit(drawn.X)
    assert true.knowledge_report_.forbidden == ()
    false = ScoreGP(knowledge=Knowledge(required=[(effect, cause)])).fit(drawn.X)
    identified = ScoreGP().fit(drawn.X).direction_evidence_[cause, effect] > 30
    if identified and false.knowledge_report_.forbidden:
        (told,) = false.knowledge_report_.forbidden
        assert (told.cause, told.effect) == (f"x{cause}", f"x{effect}")
        assert told.statistic > 10


@pytest.mark.parametrize("margins", ["auto", "raw"])
def test_true_rules_about_log_normal_columns_are_not_contradicted(margins):
    """A Gaussian copula has no direction; without it the reverse has 15 nats."""
    x, e = np.random.default_rng(103).normal(size=(2, 500))
    X = np.exp(np.column_stack([x, 0.3 * x + 0.1 * e]))
    assert ScoreGP(margins=margins).fit(X).undirected_edges_.any()
    for rules in ({"required": ["x0 -> x1"]}, {"forbidden": ["x1 -> x0"]}):
        model = ScoreGP(margins=margins, knowledge=Knowledge(**rules)).fit(X)
        assert model.adjacency_matrix_[0, 1] == 1
        assert model.knowledge_report_.forbidden == ()


def test_no_direction_is_favoured_at_a_column_with_two_values():
    rng = np.random.default_rng(0)
    treated = (rng.random(400) < 0.5).astype(float)
    X = np.column_stack([treated, np.sin(3 * treated) + 0.3 * rng.normal(size=400)])
    model = ScoreGP(knowledge=Knowledge(roots=["x0"])).fit(X)
    assert model.adjacency_matrix_[0, 1] == 1
    assert model.knowledge_report_.forbidden == ()


def test_a_report_without_rules_is_empty():
    report = SCORE().fit(curve()).knowledge_report_
    assert report.required == report.forbidden == ()
    assert report.rules is None
    assert report.messages() == []
    said = SCORE(knowledge=Knowledge(roots="a*")).fit(curve()).knowledge_report_
    assert said.rules["roots"] == ["age"]
    with pytest.raises(FrozenInstanceError):
        said.rules = None


def test_a_column_that_is_computed_from_others_is_reported_with_finite_nats():
    x, z = np.random.default_rng(0).normal(size=(2, 100))
    frame = pd.DataFrame({"x": x, "y": x**3, "z": z})
    for make in (SCORE, CAM, ScoreGP):
        report = make(knowledge=Knowledge(sinks=["x"])).fit(frame).knowledge_report_
        assert all(np.isfinite(edge.statistic) for edge in report.forbidden)


@pytest.mark.parametrize("make", [SCORE, CAM, R2Sort, ScoreGP])
def test_more_columns_than_rows(make):
    X = np.random.default_rng(0).normal(size=(24, 28))
    knowledge = Knowledge(required=["x1? -> x27"], tiers=[["x1?"], ["x27"]])
    model = make(knowledge=knowledge).fit(X)
    assert model.adjacency_matrix_[10:20, 27].all()
    assert {(k, 27) for k in range(10, 20)} <= set(model.effects_)


def test_knowledge_is_refused_where_it_does_not_fit_the_table():
    with pytest.raises(KnowledgeError, match="no column is named 'doze'"):
        SCORE(knowledge=Knowledge(roots=["doze"])).fit(curve())
    constraints = Knowledge(roots=["dose"]).resolve(["dose", "effect", "age"])
    assert SCORE(knowledge=constraints).fit(curve()).node_names_ == ["dose", "effect", "age"]
    with pytest.raises(KnowledgeError, match="column 0 is 'dose'; that of this one is 'd'"):
        SCORE(knowledge=constraints).fit(curve().set_axis(["d", "effect", "age"], axis=1))


def test_a_rule_holds_against_any_criterion():
    def infinite(field):
        return np.where(np.array(field.columns) == 1, np.inf, 1.0)

    X = np.random.default_rng(0).normal(size=(60, 2))
    model = SCORE(criterion=infinite, knowledge=Knowledge(required=["x0 -> x1"])).fit(X)
    assert_array_equal(model.causal_order_, [0, 1])


def test_directions_that_rules_decide_do_not_rest_on_variances():
    rng = np.random.default_rng(0)
    columns = [rng.normal(size=300)]
    for scale in range(2, 9):
        columns.append(scale * (np.sin(columns[-1]) + 0.3 * rng.normal(size=300)))
    X = np.column_stack(columns)
    rising = VarSort().fit(X).causal_order_.tolist()

    def said(knowledge):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            SCORE(criterion=last_column, alpha=0.05, knowledge=knowledge).fit(X)
        return any("sorting by variance" in str(entry.message) for entry in caught)

    def last_column(field):
        return -field.columns.astype(float)

    assert said(None)
    assert not said(Knowledge(tiers=rising))


def test_models_with_knowledge_are_cloned_and_pickled():
    knowledge = Knowledge(required=["age -> effect"])
    model = SCORE(knowledge=knowledge).fit(curve())
    again = pickle.loads(pickle.dumps(model))
    assert again.knowledge == clone(model).knowledge == knowledge
    assert again.knowledge_report_ == model.knowledge_report_
    assert "Knowledge(required=[('age', 'effect')])" in repr(model)


def test_a_second_fit_forgets_the_knowledge_of_the_first():
    model = SCORE(knowledge=Knowledge(required=["age -> effect"])).fit(curve())
    model.set_params(knowledge=None).fit(curve())
    assert not model.edges_["required"].any()
    assert model.knowledge_report_.required == ()


def test_a_pruner_of_the_users_need_not_know_about_knowledge():
    def nothing(X, candidates):
        return PruneResult(np.zeros(candidates.shape, dtype=int), np.full(candidates.shape, 1.0))

    rules = {"required": ["age -> effect"], "forbidden": ["dose -> *"]}
    model = SCORE(pruner=nothing, knowledge=Knowledge(**rules)).fit(curve())
    assert list(model.graph_.edges) == [("age", "effect")]
    ((edge, effect),) = model.effects_.items()
    assert edge == (2, 1)
    assert 0 < effect.size < 0.5
    assert np.isfinite(model.edges_["size"]).all()


def test_directions_that_rules_decide_are_not_called_undirected():
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    frame = pd.DataFrame({"x": x, "y": x + 0.5 * rng.normal(size=300)})
    with pytest.warns(DataWarning, match="do not tell the direction of 1 of 1"):
        assert ScoreGP().fit(frame).undirected_edges_.any()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for rules in ({"required": ["y -> x"]}, {"tiers": ["y", "x"]}, {"roots": ["y"]}):
            model = ScoreGP(knowledge=Knowledge(**rules)).fit(frame)
            assert list(model.graph_.edges) == [("y", "x")]
            assert not model.undirected_edges_.any()


def test_functions_take_the_labels_of_a_frame():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(60, 3)), columns=[2, 0, 1])
    knowledge = Knowledge(
        required=[(1, 2)]
    )  # labels, since they are integers: column 2 -> column 0
    order = peel(frame, knowledge=knowledge).tolist()
    assert order.index(2) < order.index(0)
    assert cam_prune(frame, np.zeros((3, 3)), knowledge=knowledge).adjacency[2, 0] == 1
    named = pd.DataFrame(rng.normal(size=(60, 2)), columns=["dose", "effect"])
    assert peel(named, knowledge=Knowledge(required=["effect -> dose"])).tolist() == [1, 0]


def bent(n=200):
    rng = np.random.default_rng(0)
    x = rng.normal(size=n)
    return np.column_stack([x, np.sin(2 * x) + 0.3 * rng.normal(size=n)])


@pytest.mark.filterwarnings("ignore::scoredag.exceptions.DataWarning")
def test_a_required_edge_against_the_data_is_reported():
    report = SCORE(knowledge=Knowledge(required=["x1 -> x0"])).fit(bent()).knowledge_report_
    (edge,) = report.forbidden
    assert (edge.cause, edge.effect, edge.rule) == ("x0", "x1", "required: 'x1 -> x0'")
    assert edge.statistic > 10


def test_a_reversal_that_rules_forbid_has_no_evidence():
    model = ScoreGP(knowledge=Knowledge(forbidden=["x1 -> x0"])).fit(bent())
    assert model.adjacency_matrix_[0, 1] == 1
    assert np.isnan(model.direction_evidence_[0, 1])


@pytest.mark.filterwarnings("ignore::scoredag.exceptions.DataWarning")
def test_the_level_is_that_of_the_pruner_unless_it_is_set():
    rng = np.random.default_rng(4)
    x = rng.normal(size=120)
    y = 0.25 * x + rng.normal(size=120)
    X = np.column_stack([x, y, 0.25 * np.sin(2 * y) + rng.normal(size=120)])
    model = SCORE(pruner="gp").fit(X)
    expected = gp_prune(X, full_dag(model.causal_order_))
    assert_array_equal(model.adjacency_matrix_, expected.adjacency)
    strict = SCORE(pruner="gp", alpha=1e-9).fit(X)
    assert strict.adjacency_matrix_.sum() <= model.adjacency_matrix_.sum()
