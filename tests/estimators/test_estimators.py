"""The contract: scikit-learn's checks, fitted attributes, input of all kinds, errors in words."""

import pickle
import sys
from functools import partial
from inspect import signature

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import estimator_checks_generator
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

import scoredag
from scoredag import CAM, LISTEN, SCORE, R2Sort, ScoreGP, VarSort
from scoredag.data import read_table
from scoredag.exceptions import DataError, DataWarning
from scoredag.graph import full_dag, is_dag, topological_order
from scoredag.metrics import order_divergence
from scoredag.order import (
    boosted_neighbours,
    greedy_additive,
    peel,
    sort_by_r2,
    sort_by_variance,
)
from scoredag.plugins import shelf
from scoredag.prune import PruneResult, cam_prune, das_prune, jacobian_prune
from scoredag.score import SteinField
from scoredag.simulate import paper_dataset, random_dag

ESTIMATORS = shelf("scoredag.estimators")
DATA = paper_dataset(6, "ER1", seed=1, n=200)
NAMES = ["dose", "age", "x", "y", "price of tea", "z"]


def brief(make):
    """An estimator, with few steps where it takes steps: accuracy is not the matter here."""
    return make(max_iter=3) if "max_iter" in signature(make).parameters else make()


def skip_without(modules):
    """Skip the test where one of the modules that an estimator needs is not installed."""
    for module in modules:
        pytest.importorskip(module)


def sklearn_checks():
    for make in ESTIMATORS.values():
        for estimator, check in estimator_checks_generator(brief(make)):
            name = getattr(check, "func", check).__name__
            yield pytest.param(estimator, check, id=f"{make.__name__}-{name}")


@pytest.mark.filterwarnings("ignore::scoredag.exceptions.DataWarning")
@pytest.mark.parametrize(("estimator", "check"), list(sklearn_checks()))
def test_scikit_learn_check(estimator, check):
    skip_without(estimator._requires)
    check(estimator)


@pytest.mark.filterwarnings("ignore:training ended after", "ignore:the data do not tell")
@pytest.mark.parametrize("make", list(ESTIMATORS.values()))
def test_fitted_attributes(make):
    skip_without(make._requires)
    model = brief(make).fit(pd.DataFrame(DATA.X, columns=NAMES))
    assert sorted(model.causal_order_) == list(range(6))
    assert model.adjacency_matrix_.shape == (6, 6)
    assert is_dag(model.adjacency_matrix_)
    assert order_divergence(model.adjacency_matrix_, model.causal_order_) == 0
    assert list(model.graph_) == NAMES
    edges = {(NAMES[i], NAMES[j]) for i, j in np.argwhere(model.adjacency_matrix_)}
    assert set(model.graph_.edges) == edges
    for i, j, evidence in model.graph_.edges(data=True):
        edge = NAMES.index(i), NAMES.index(j)
        statistic = "evidence" if make is ScoreGP else "p_value"
        assert evidence[statistic] == model.edge_statistic_[edge]
        assert evidence.get("p_value", 0.0) < 1e-3
        if make is not ScoreGP:  # causes that act together have none
            assert evidence["edf"] >= 0.99
    assert set(model.effects_) == set(zip(*np.nonzero(model.adjacency_matrix_), strict=True))
    assert_array_equal(model.feature_names_in_, NAMES)
    assert model.n_features_in_ == 6
    assert not hasattr(model, "score")


@pytest.mark.filterwarnings("ignore:the data do not tell")
def test_p_values_are_there_only_where_the_method_has_them():
    model = SCORE().fit(DATA.X)
    assert model.p_values_ is model.edge_statistic_
    model.set_params(pruner="gp").fit(DATA.X)
    assert not hasattr(model, "p_values_")
    assert not hasattr(ScoreGP().fit(DATA.X), "p_values_")


def test_score_is_peeling_and_cam_pruning():
    model = SCORE().fit(DATA.X)
    assert_array_equal(model.causal_order_, peel(DATA.X))
    pruned = cam_prune(DATA.X, full_dag(peel(DATA.X)))
    assert_array_equal(model.adjacency_matrix_, pruned.adjacency)
    assert_array_equal(model.p_values_, pruned.p_values)
    assert list(model.graph_) == ["x0", "x1", "x2", "x3", "x4", "x5"]


@pytest.mark.parametrize("reverse", [False, True])
def test_sorting_baselines_sort(reverse):
    by_variance = VarSort(reverse=reverse).fit(DATA.X).causal_order_
    assert_array_equal(by_variance, sort_by_variance(DATA.X, reverse=reverse))
    by_r2 = R2Sort(reverse=reverse).fit(DATA.X).causal_order_
    assert_array_equal(by_r2, sort_by_r2(DATA.X, reverse=reverse))


def test_cam_is_greedy_search_and_pruning():
    model = CAM(edf=4.0).fit(DATA.X)
    found = greedy_additive(DATA.X, edf=4.0)
    assert_array_equal(model.causal_order_, found.order)
    pruned = cam_prune(DATA.X, found.adjacency)
    assert_array_equal(model.p_values_, pruned.p_values)
    units = 10.0 ** np.arange(-3, 3)
    assert_array_equal(CAM(edf=4.0).fit(DATA.X * units).adjacency_matrix_, pruned.adjacency)


def test_cam_tests_only_the_neighbours_it_selects():
    data = paper_dataset(22, "ER1", seed=0, n=200)
    neighbours = boosted_neighbours(data.X)
    tested = ~np.isnan(CAM().fit(data.X).p_values_)
    assert not (tested & (neighbours == 0)).any()
    everything = ~np.isnan(CAM(neighbour_selection=False).fit(data.X).p_values_)
    assert everything.sum() == 22 * 21 / 2
    with pytest.raises(ValueError, match="neighbour_selection must be True, False or 'auto'"):
        CAM(neighbour_selection="yes").fit(DATA.X)


def test_listen_finds_a_linear_graph():
    rng = np.random.default_rng(0)
    A = random_dag(6, 1, rng=rng)
    X = np.zeros((2000, 6))
    for j in topological_order(A):
        X[:, j] = X @ (A[:, j] * 1.2) + rng.normal(size=2000)
    model = LISTEN().fit(X)
    assert order_divergence(A, model.causal_order_) == 0
    assert_array_equal(model.adjacency_matrix_, A)
    assert all(effect.edf == pytest.approx(1) for effect in model.effects_.values())


def test_parameters_reach_what_they_steer():
    X = DATA.X * [1, 20, 1, 1, 0.1, 1]
    model = SCORE(criterion="scale_free", eta=1e-2, alpha=0.05, smoothing="gcv").fit(X)
    order = peel(X, criterion="scale_free", eta=1e-2)
    assert_array_equal(model.causal_order_, order)
    pruned = cam_prune(X, full_dag(order), alpha=0.05, smoothing="gcv")
    assert_array_equal(model.p_values_, pruned.p_values)
    assert_array_equal(model.adjacency_matrix_, pruned.adjacency)


def test_the_jacobian_pruner_records_its_statistic():
    model = SCORE(pruner="jacobian", eta=1e-2).fit(DATA.X)
    pruned = jacobian_prune(DATA.X, full_dag(model.causal_order_), eta=1e-2)
    assert_array_equal(model.edge_statistic_, pruned.statistic)
    assert_array_equal(model.adjacency_matrix_, pruned.adjacency)
    assert not hasattr(model, "p_values_")
    assert model.effects_ == {}
    for *_, evidence in model.graph_.edges(data=True):
        assert list(evidence) == ["jacobian_variance_ratio"]


def test_a_pruner_of_the_users_keeps_its_own_options():
    candidates = full_dag(SCORE().fit(DATA.X).causal_order_)

    def generous(X, candidates):
        return cam_prune(X, candidates, alpha=0.5)

    def keywords(X, candidates, **options):
        return cam_prune(X, candidates, alpha=options["alpha"])

    expected = cam_prune(DATA.X, candidates, alpha=0.5).adjacency
    for pruner in (generous, partial(cam_prune, alpha=0.5)):
        assert_array_equal(SCORE(pruner=pruner).fit(DATA.X).adjacency_matrix_, expected)
    model = SCORE(pruner=keywords, alpha=0.5).fit(DATA.X)
    assert_array_equal(model.adjacency_matrix_, expected)
    thin_plate = partial(cam_prune, smoothing="gcv", basis="thin_plate")
    gcv = cam_prune(DATA.X, candidates, smoothing="gcv").p_values
    assert_array_equal(SCORE(pruner=thin_plate).fit(DATA.X).p_values_, gcv)
    with pytest.raises(ValueError, match=r"alpha=0\.2 has no effect"):
        SCORE(pruner=partial(cam_prune, alpha=0.5), alpha=0.2).fit(DATA.X)


def test_a_score_estimator_of_the_users():
    with_ridge = partial(SteinField, eta=0.1)
    model = SCORE(score_estimator=with_ridge).fit(DATA.X)
    assert_array_equal(model.causal_order_, peel(DATA.X, eta=0.1))


@pytest.mark.parametrize("estimator", ["amortised", partial(SteinField, eta=0.1)])
def test_a_ridge_that_the_score_estimator_does_not_take_is_refused(estimator):
    for fit in (
        lambda: SCORE(score_estimator=estimator, eta=0.01).fit(DATA.X),
        lambda: SCORE(score_estimator=estimator, pruner="das", eta=0.01).fit(DATA.X),
        lambda: peel(DATA.X, score_estimator=estimator, eta=0.01),
    ):
        with pytest.raises(ValueError, match=r"eta=0\.01 has no effect: (.*SteinField|Amortised)"):
            fit()


def test_a_ridge_for_the_pruner_alone_is_taken():
    with_ridge, das = partial(SteinField, eta=0.1), partial(das_prune, score_estimator="stein")
    found = [SCORE(score_estimator=with_ridge, pruner=das, eta=eta).fit(DATA.X) for eta in (1, 9)]
    assert_array_equal(found[0].causal_order_, found[1].causal_order_)
    candidates = full_dag(found[1].causal_order_)
    assert_array_equal(found[1].p_values_, das_prune(DATA.X, candidates, eta=9).p_values)


@pytest.mark.parametrize(
    ("option", "value"), [("alpha", 0.05), ("smoothing", "gcv"), ("screen", "forward")]
)
def test_an_option_that_the_pruner_lacks_is_refused(option, value):
    with pytest.raises(ValueError, match=f"{option}={value!r} has no effect: jacobian_prune"):
        SCORE(pruner="jacobian", **{option: value}).fit(DATA.X)


@pytest.mark.parametrize(
    "parameter", ["criterion", "pruner", "smoothing", "score_estimator", "screen"]
)
def test_an_unknown_name_is_refused_with_those_that_exist_before_the_work_begins(parameter):
    seen = []
    with pytest.raises(ValueError, match=f"{parameter} must be one of '.*, or a callable; got 'x'"):
        SCORE(**{parameter: "x"}, progress=lambda *state: seen.append(state)).fit(DATA.X)
    assert seen == []


def test_same_result_for_numpy_pandas_and_polars():
    frames = [
        DATA.X,
        pd.DataFrame(DATA.X, columns=NAMES),
        pl.DataFrame(DATA.X, schema=NAMES),
        np.asfortranarray(DATA.X),
        DATA.X.tolist(),
    ]
    p = [SCORE().fit(frame).p_values_ for frame in frames]
    for other in p[1:]:
        assert_array_equal(other, p[0])
    assert list(SCORE().fit(frames[2]).graph_) == NAMES
    assert list(SCORE().fit(frames[2].to_arrow()).graph_) == NAMES
    assert list(SCORE().fit(pd.DataFrame(DATA.X)).graph_) == [0, 1, 2, 3, 4, 5]


def test_progress_reports_both_stages():
    seen = []
    SCORE(progress=lambda *state: seen.append(state)).fit(DATA.X)
    stages = [stage for stage, _, _ in seen]
    assert stages == sorted(stages, key=["order", "prune"].index)
    assert {stage for stage, done, total in seen if done == total} == {"order", "prune"}


def test_fitted_models_survive_pickling_and_cloning():
    model = SCORE(alpha=0.01).fit(DATA.X)
    again = pickle.loads(pickle.dumps(model))
    assert_array_equal(again.adjacency_matrix_, model.adjacency_matrix_)
    assert nx.utils.graphs_equal(again.graph_, model.graph_)
    fresh = clone(model)
    assert fresh.get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        check_is_fitted(fresh)


def test_same_bits_for_any_number_of_jobs_and_same_graph_for_any_number_of_threads():
    one = SCORE(n_jobs=1).fit(DATA.X)
    two = SCORE(n_jobs=2).fit(DATA.X)
    assert_array_equal(two.p_values_, one.p_values_)
    for threads in (1, 2):
        with threadpool_limits(limits=threads):
            model = SCORE().fit(DATA.X)
        assert_array_equal(model.causal_order_, one.causal_order_)
        assert_array_equal(model.adjacency_matrix_, one.adjacency_matrix_)


def test_permuting_the_columns_permutes_the_result():
    columns = np.random.default_rng(0).permutation(6)
    A = SCORE().fit(DATA.X).adjacency_matrix_
    permuted = SCORE().fit(DATA.X[:, columns]).adjacency_matrix_
    assert_array_equal(permuted, A[np.ix_(columns, columns)])
    assert_array_equal(SCORE().fit(DATA.X - 1000).adjacency_matrix_, A)


def test_bad_tables_are_refused_naming_the_columns():
    good = pd.DataFrame(DATA.X, columns=NAMES)
    text = good.assign(city="Lausanne", when=pd.Timestamp("2026-01-01"))
    with pytest.raises(DataError, match="do not hold numbers: 'city'"):
        SCORE().fit(text)
    with pytest.raises(DataError, match="do not hold numbers: 'city'"):
        SCORE().fit(pl.DataFrame(DATA.X, schema=NAMES).with_columns(pl.lit("Bern").alias("city")))
    for dates in (text[["x", "when"]], pl.DataFrame(text[["x", "when"]]), text[["when"]]):
        with pytest.raises(DataError, match="do not hold numbers: 'when'"):
            SCORE().fit(dates)
    holes = good.copy()
    holes.loc[3, "age"] = np.nan
    with pytest.raises(DataError, match="'age'"):
        SCORE().fit(holes)
    with pytest.raises(DataError, match="constant columns: 'tea'"):
        SCORE().fit(good.assign(tea=1.0))
    with pytest.raises(DataError, match="'dose' and 'twin'"):
        SCORE().fit(good.assign(twin=good["dose"]))
    with pytest.raises(DataError, match="'dose'"):
        SCORE().fit(good.set_axis(["dose", "dose", "x", "y", "w", "z"], axis=1))
    with pytest.raises(DataError, match="n_features = 1"):
        SCORE().fit(good[["age"]])


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (VarSort(reverse="false"), "reverse must be True or False; got 'false'"),
        (R2Sort(reverse=1), "reverse must be True or False; got 1"),
        (CAM(edf="a"), "edf must be a number above 1"),
        (CAM(edf=1.0), "edf must be a number above 1"),
        (CAM(edf=np.inf), "edf must be a number above 1"),
        (SCORE(alpha=True), "alpha must be a number between 0 and 1; got True"),
        (SCORE(eta="1e-3"), "eta must be a number above 0; got '1e-3'"),
        (SCORE(n_jobs=True), "n_jobs must be None, or a whole number"),
        (ScoreGP(rows=10), "rows must be a whole number, at least 50; got 10"),
        (ScoreGP(final_rows=49), "final_rows must be a whole number, at least 50; got 49"),
        (ScoreGP(rows=True), "rows must be a whole number"),
        (ScoreGP(min_gain=np.inf), "min_gain must be a number, 0 or more; got inf"),
        (ScoreGP(random_state="seed"), "random_state must be None, a whole number"),
    ],
)
def test_parameters_of_the_wrong_kind_are_refused_before_the_work(model, words):
    with pytest.raises(ValueError, match=words):
        model.fit(DATA.X)


class Half:
    """A score estimator that lacks what the leaf criterion asks for."""

    def __init__(self, X):
        self.columns = np.arange(X.shape[1])

    def remove(self, column):
        self.columns = self.columns[self.columns != column]


def edges_that_were_no_candidates(X, candidates):
    return PruneResult(1 - candidates - np.eye(len(candidates), dtype=int), np.ones((6, 6)))


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"pruner": lambda X, candidates: candidates}, TypeError, "must return a .*PruneResult"),
        ({"pruner": lambda X, candidates: None}, TypeError, "PruneResult; got NoneType"),
        (
            {"pruner": lambda X, candidates: PruneResult(np.zeros((2, 2)), np.zeros((6, 6)))},
            ValueError,
            r"must return matrices of shape \(6, 6\); got adjacency of shape \(2, 2\)",
        ),
        ({"pruner": edges_that_were_no_candidates}, ValueError, "must keep candidate edges only"),
        ({"score_estimator": lambda X: 3.0}, TypeError, "float lacks columns and remove"),
        ({"score_estimator": Half}, TypeError, "Half lacks diagonal_moments, which the leaf"),
        ({"criterion": lambda field: "abcdef"}, ValueError, "must return one number for each"),
        ({"criterion": lambda field: list("abcdef")}, ValueError, "must return one number"),
    ],
)
def test_pieces_of_the_users_that_return_the_wrong_thing(options, error, words):
    with pytest.raises(error, match=words):
        SCORE(**options).fit(DATA.X)


def test_masked_entries_are_missing():
    X = np.ma.array(DATA.X, mask=False)
    assert_array_equal(SCORE().fit(X).p_values_, SCORE().fit(DATA.X).p_values_)
    X[3, 2] = np.ma.masked
    with pytest.raises(DataError, match=r"'x2': 1 missing \(row 3"):
        SCORE().fit(X)
    for function in (peel, sort_by_variance, greedy_additive, boosted_neighbours):
        with pytest.raises(DataError, match="column 2 has NaN"):
            function(X)


def test_tables_of_other_kinds_are_refused():
    frame = pl.DataFrame(DATA.X, schema=NAMES)
    for table, words in (
        (frame.lazy(), r"not a LazyFrame, which has no rows yet: call its method collect\(\)"),
        (frame.to_dict(), "not a dict: pandas.DataFrame makes a table"),
        ("table.csv", "scoredag.data.read_table reads files"),
        (DATA.X.astype(str), "numbers stored as text"),
        (np.where(DATA.X > 2, "high", DATA.X.astype(object)), "'x1' .*first 'high'"),
    ):
        with pytest.raises(DataError, match=words):
            SCORE().fit(table)


def test_frames_and_files_agree(tmp_path):
    """Text numbers, truth values, names and sizes: what a file may hold, a frame may hold."""
    good = pd.DataFrame(DATA.X, columns=NAMES)
    for bad, words in (
        (good.assign(age=good["age"].astype(str)), "numbers stored as text"),
        (good.rename(columns={"age": " "}), "no name|without a name"),
        (good.head(9), "n_samples = 9"),
    ):
        path = tmp_path / "table.parquet"
        bad.to_parquet(path)
        with pytest.raises(DataError, match=words):
            SCORE().fit(read_table(path))
        with pytest.raises(DataError, match=words):
            SCORE().fit(bad)
    truth = good.assign(age=good["age"] > 0)
    truth.to_parquet(path)
    from_file, from_frame = SCORE().fit(read_table(path)), SCORE().fit(truth)
    assert_array_equal(from_file.p_values_, from_frame.p_values_)


@pytest.mark.parametrize("label", [None, "", "  ", float("nan")])
def test_blank_names_are_refused(label):
    with pytest.raises(DataError, match="columns without a name: 2, counted from 1"):
        SCORE().fit(pd.DataFrame(DATA.X, columns=["a", label, "c", "d", "e", "f"]))


def test_labels_of_any_kind():
    labels = [0, "a", ("b", 1), 2.5, pd.Timestamp("2026-01-01"), True]
    model = SCORE().fit(pd.DataFrame(DATA.X, columns=labels))
    assert list(model.graph_) == labels
    assert model.node_names_ == labels
    with pytest.raises(DataError, match="column labels that are equal: True and 1"):
        SCORE().fit(pd.DataFrame(DATA.X, columns=[True, 1, "c", "d", "e", "f"]))
    with pytest.raises(DataError, match="columns without a name: 1"):
        SCORE().fit(pd.DataFrame(DATA.X, columns=[pd.NA, "b", "c", "d", "e", "f"]))


@pytest.mark.parametrize("make", [SCORE, ScoreGP])
def test_edges_as_a_table(make):
    model = make().fit(pd.DataFrame(DATA.X, columns=NAMES))
    table = model.edges_
    assert list(table.columns[:2]) == ["cause", "effect"]
    assert set(zip(table["cause"], table["effect"], strict=True)) == set(model.graph_.edges)
    statistic = "p_value" if make is SCORE else "evidence"
    for row in table.to_dict("records"):
        known = model.graph_.edges[row["cause"], row["effect"]]
        assert row[statistic] == known[statistic]
        assert np.isfinite(row["size"])
    assert table[statistic].is_monotonic_increasing == (make is SCORE)
    assert ("undirected" in table) == (make is ScoreGP)
    if make is ScoreGP:
        assert ((table["undirected_reason"] != "") == table["undirected"]).all()
    other = make().fit(np.random.default_rng(0).normal(size=(60, 3)))
    assert list(other.edges_.columns) == list(table.columns)
    assert len(other.edges_) == 0
    assert other.edges_["cause"].dtype == object


def test_the_table_of_edges_needs_a_fit_and_pandas(monkeypatch):
    assert not hasattr(SCORE(), "edges_")
    model = SCORE().fit(DATA.X)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        _ = model.edges_


def test_varsort_warns_where_variances_are_equal():
    with pytest.warns(DataWarning, match="order is arbitrary"):
        VarSort().fit(DATA.X / DATA.X.std(axis=0))


def test_every_estimator_on_the_shelf_is_at_the_top():
    for make in ESTIMATORS.values():
        assert getattr(scoredag, make.__name__) is make
    with pytest.raises(AttributeError, match="no attribute 'Score'"):
        _ = scoredag.Score


@pytest.mark.filterwarnings("error::scoredag.exceptions.DataWarning")
def test_warns_about_units_only_where_they_matter():
    X = DATA.X * [1, 1, 1, 1, 1, 1e5]
    with pytest.raises(DataWarning, match="scales differ"):
        SCORE().fit(X)
    R2Sort().fit(X)


def test_warns_where_the_order_of_variances_explains_the_graph():
    rng = np.random.default_rng(0)
    columns = [rng.normal(size=300)]
    for scale in range(2, 9):
        columns.append(scale * (np.sin(columns[-1]) + 0.3 * rng.normal(size=300)))

    def last_column(field):
        return -field.columns.astype(float)

    with pytest.warns(DataWarning, match="sorting by variance already explains"):
        SCORE(criterion=last_column, alpha=0.05).fit(np.column_stack(columns))
