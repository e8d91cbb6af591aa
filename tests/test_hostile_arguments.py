"""Arguments of the wrong kind: refused by us, in words that name them, never by a library."""

import traceback

import numpy as np
import pandas as pd
import pytest

import scoredag
from scoredag import Knowledge, order, prune, score, simulate
from scoredag.data import read_table
from scoredag.estimators import score_gp
from scoredag.plugins import shelf

X = np.random.default_rng(0).normal(size=(60, 4))
GAPS = np.where(X > 2, np.nan, X)
CONSTANT = np.column_stack([X[:, :3], np.ones(60)])
CANDIDATES = np.triu(np.ones((4, 4), dtype=int), 1)
ORDER = [0, 1, 2, 3]


def refused(function, *arguments, name=None, **options):
    label = name or ", ".join([*(type(a).__name__ for a in arguments[1:]), *map(str, options)])
    return pytest.param(function, arguments, options, id=f"{function.__name__}: {label}")


CASES = [
    refused(order.peel, X, eta=0),
    refused(order.peel, X, eta="a"),
    refused(order.peel, X, eta=np.inf),
    refused(order.peel, X, criterion=3),
    refused(order.peel, X, criterion="varianse"),
    refused(order.peel, X, criterion=lambda field: "x"),
    refused(order.peel, X, score_estimator=lambda X: 3),
    refused(order.peel, X, score_estimator=lambda X: None),
    *(
        case
        for function, arguments in (
            (order.peel, [X]),
            (order.greedy_additive, [X]),
            (order.sort_by_precision, [X]),
            (order.refine_order, [X, ORDER]),
            (prune.cam_prune, [X, CANDIDATES]),
            (prune.das_prune, [X, CANDIDATES]),
            (prune.gp_prune, [X, CANDIDATES]),
            (prune.jacobian_prune, [X, CANDIDATES]),
            (score_gp, [X]),
        )
        for case in (
            refused(function, *arguments, knowledge="rules.toml", name="knowledge in a file"),
            refused(function, *arguments, knowledge=Knowledge, name="the class of knowledge"),
            refused(function, *arguments, knowledge=Knowledge(roots=["z"]), name="no such column"),
            refused(function, *arguments, knowledge=Knowledge().resolve("abc"), name="columns"),
            refused(function, *arguments, knowledge={"needed": []}, name="no such rule"),
            refused(function, *arguments, knowledge={"required": [(0, 1), (1, 0)]}, name="cycle"),
        )
    ),
    refused(score_gp, X, alpha=0),
    refused(score_gp, X, alpha="a"),
    refused(score_gp, X, margins="log"),
    refused(score_gp, X, margins=None),
    refused(score_gp, X, min_gain=-1),
    refused(score_gp, X, rows=49),
    refused(score_gp, X, final_rows="a"),
    refused(score_gp, X, rng="a"),
    refused(score_gp, X, n_jobs=0),
    refused(score_gp, X[:5], name="few rows"),
    refused(score_gp, GAPS, name="gaps"),
    refused(score_gp, CONSTANT, name="constant"),
    refused(order.peel, X, knowledge=3),
    refused(order.peel, X, knowledge={"required": [(0, 1), (1, 0)]}),
    refused(order.peel, X[:2], name="two rows"),
    refused(order.peel, np.ones((60, 3)), name="equal rows"),
    refused(order.peel, np.empty((60, 0)), name="no column"),
    refused(order.peel, GAPS, name="gaps"),
    refused(order.peel, {"a": [1]}, name="dict"),
    refused(order.greedy_additive, X, candidates=np.ones((3, 3))),
    refused(order.greedy_additive, X, candidates="x"),
    refused(order.greedy_additive, X, candidates=np.full((4, 4), np.nan)),
    refused(order.greedy_additive, X, edf="a"),
    refused(order.greedy_additive, X, edf=1),
    refused(order.greedy_additive, X, size=0),
    refused(order.greedy_additive, X, size="x"),
    refused(order.greedy_additive, X, basis="x"),
    refused(order.greedy_additive, X, basis=lambda x, size: None),
    refused(order.greedy_additive, CONSTANT, name="constant"),
    refused(order.greedy_additive, GAPS, name="gaps"),
    refused(order.boosted_neighbours, X, size=-1),
    refused(order.boosted_neighbours, X, steps="a"),
    refused(order.boosted_neighbours, X, steps=0),
    refused(order.boosted_neighbours, X, edf=0.5),
    refused(order.boosted_neighbours, CONSTANT, name="constant"),
    refused(order.sort_by_variance, GAPS, name="gaps"),
    refused(order.sort_by_r2, X[:, 0], name="one dimension"),
    refused(order.sort_by_precision, X[:3], name="few rows"),
    refused(order.refine_order, X),
    refused(order.refine_order, X, "abcd"),
    refused(order.refine_order, X, [0, 0, 1, 2], name="twice"),
    refused(order.refine_order, X, [0, 1, 2], name="short"),
    refused(order.refine_order, X, ORDER, rng="a"),
    refused(order.refine_order, X, ORDER, rng=-1),
    refused(order.refine_order, X, ORDER, candidates="x"),
    refused(order.refine_order, X, ORDER, candidates=np.ones((2, 2))),
    refused(order.refine_order, X, ORDER, n_jobs=0),
    refused(order.refine_order, X, ORDER, n_jobs="a"),
    refused(order.refine_order, X, ORDER, rows=49),
    refused(order.refine_order, X, ORDER, min_gain="a"),
    refused(order.refine_order, X, ORDER, local_score=3),
    refused(order.refine_order, X, ORDER, local_score="bic"),
    refused(order.refine_order, X, ORDER, refiners=["x"]),
    refused(order.refine_order, X, ORDER, thorough_refiners=[3]),
    refused(order.refine_order, X, ORDER, knowledge={"required": [(0, 9)]}),
    refused(order.refine_order, GAPS, ORDER, name="gaps"),
    refused(prune.cam_prune, X, CANDIDATES, alpha="x"),
    refused(prune.cam_prune, X, CANDIDATES, alpha=2),
    refused(prune.cam_prune, X, CANDIDATES, alpha=float("nan")),
    refused(prune.cam_prune, X, CANDIDATES, alpha=True),
    refused(prune.cam_prune, X, CANDIDATES, smoothing="x"),
    refused(prune.cam_prune, X, CANDIDATES, smoothing=lambda solution: 3),
    refused(prune.cam_prune, X, CANDIDATES, smoothing=lambda solution: None),
    refused(prune.cam_prune, X, CANDIDATES, basis="x"),
    refused(prune.cam_prune, X, CANDIDATES, basis=lambda x, size: None),
    refused(prune.das_prune, X, CANDIDATES, alpha=2),
    refused(prune.das_prune, X, CANDIDATES, preselection_alpha="a"),
    refused(prune.das_prune, X, CANDIDATES, max_parents=2.5),
    refused(prune.das_prune, X, CANDIDATES, smoothing="x"),
    refused(prune.gp_prune, X, CANDIDATES, "x"),
    refused(prune.gp_prune, X, CANDIDATES, 0),
    refused(prune.gp_prune, X, CANDIDATES, rng="x"),
    refused(prune.gp_prune, X, CANDIDATES, fits=[1, 2]),
    refused(prune.jacobian_prune, X, CANDIDATES, n_permutations=0),
    refused(prune.jacobian_prune, X, CANDIDATES, n_permutations="a"),
    refused(prune.jacobian_prune, X, CANDIDATES, threshold="a"),
    refused(prune.jacobian_prune, X, CANDIDATES, score_estimator=lambda X: 3),
    refused(prune.jacobian_prune, X, CANDIDATES, rng="a"),
    *(
        case
        for function in (prune.cam_prune, prune.das_prune, prune.gp_prune, prune.jacobian_prune)
        for case in (
            refused(function, X, np.ones((3, 3)), name="shape"),
            refused(function, X, "x"),
            refused(function, X, None),
            refused(function, X, np.eye(4), name="self-loop"),
            refused(function, X, np.ma.array(CANDIDATES, mask=CANDIDATES == 1), name="masked"),
            refused(function, GAPS, CANDIDATES, name="gaps"),
            refused(function, CONSTANT, CANDIDATES, name="constant"),
            refused(function, X[:5], CANDIDATES, name="few rows"),
            refused(function, X, CANDIDATES, n_jobs=0),
        )
    ),
    refused(simulate.random_dag, -1, 1),
    refused(simulate.random_dag, "a", 1),
    refused(simulate.random_dag, True, 1, name="true"),
    refused(simulate.random_dag, 5, "a"),
    refused(simulate.random_dag, 5, -1, name="negative"),
    refused(simulate.random_dag, 5, np.inf, name="infinite"),
    refused(simulate.random_dag, 5, 1, kind="x"),
    refused(simulate.random_dag, 5, 1, kind=lambda d, edges, rng: 3),
    refused(simulate.random_dag, 5, 1, kind=lambda d, edges, rng: np.ones((5, 5))),
    refused(simulate.random_dag, 5, 1, rng="a"),
    refused(simulate.random_dag, 5, 1.5, kind="sf"),
    refused(simulate.random_dag, 3, 10, kind="sf"),
    refused(simulate.sample_anm, CANDIDATES, 0),
    refused(simulate.sample_anm, CANDIDATES, "x"),
    refused(simulate.sample_anm, 1 - np.eye(2), 10, name="cycle"),
    refused(simulate.sample_anm, CANDIDATES, 10, mechanism="x"),
    refused(simulate.sample_anm, CANDIDATES, 10, mechanism=lambda parents, rng: "x"),
    refused(simulate.sample_anm, CANDIDATES, 10, mechanism=lambda parents, rng: np.ones(3)),
    refused(
        simulate.sample_anm, CANDIDATES, 10, mechanism=lambda parents, rng: np.full(10, np.nan)
    ),
    refused(simulate.sample_anm, CANDIDATES, 10, noise=3),
    refused(simulate.sample_anm, CANDIDATES, 10, noise=lambda n, variance, rng: None),
    refused(simulate.sample_anm, CANDIDATES, 10, noise_variance=-1),
    refused(simulate.sample_anm, CANDIDATES, 10, noise_variance="x"),
    refused(simulate.sample_anm, CANDIDATES, 10, rng="x"),
    *(
        case
        for sample in shelf("scoredag.simulate.models").values()
        for case in (
            refused(sample, CANDIDATES, 0, name="no row"),
            refused(sample, 1 - np.eye(2), 10, name="cycle"),
            refused(sample, "x", 10, name="no graph"),
            refused(sample, CANDIDATES, 10, rng="x"),
        )
    ),
    refused(simulate.sample_sem, CANDIDATES, 10, lambda node, function: None, name="no column"),
    refused(simulate.sample_hidden_cause, CANDIDATES, 10, hidden="x"),
    refused(simulate.sample_location_scale, CANDIDATES, 10, log_scale_sd="x"),
    refused(simulate.sample_measurement_error, CANDIDATES, 10, error_share="x"),
    refused(simulate.sample_measurement_error, CANDIDATES, 10, affected="x"),
    refused(simulate.sample_multiplicative, CANDIDATES, 10, spread="x"),
    refused(simulate.sample_poisson, CANDIDATES, 10, median_count="x"),
    refused(simulate.sample_post_nonlinear, CANDIDATES, 10, distortion=3),
    refused(simulate.sample_rounded, CANDIDATES, 10, levels="x"),
    refused(simulate.sample_sensors, CANDIDATES, 10, noise_share=None),
    refused(simulate.simulated_dataset, 3),
    refused(simulate.simulated_dataset, "rounded", 5, "ER1", level=3),
    refused(simulate.paper_dataset, None),
    refused(simulate.paper_dataset, 5, "XX"),
    refused(simulate.paper_dataset, 5, None),
    refused(simulate.paper_dataset, 0, name="no node"),
    refused(simulate.paper_dataset, 5, seed="a"),
    refused(simulate.paper_dataset, 5, seed=-1),
    refused(simulate.paper_dataset, 5, noise="x"),
    refused(score.stein_score, "x"),
    refused(score.stein_score, X, "a"),
    refused(score.stein_jacobian_row, X, 9),
    refused(score.stein_jacobian_row, X, "a"),
    refused(score.stein_jacobian_row, X, -1, name="negative"),
    refused(read_table, None),
    refused(read_table, 3),
    refused(read_table, "table.csv", header="yes"),
    refused(read_table, "table.csv", decimal="x"),
    refused(read_table, "table.csv", incomplete="fill"),
]


@pytest.mark.filterwarnings("ignore::scoredag.exceptions.DataWarning")
@pytest.mark.parametrize("value", ["rules.toml", Knowledge, [("a", "b")], 3, np.zeros((4, 4))])
def test_estimators_refuse_what_is_no_knowledge_before_they_read_the_table(value):
    for make in shelf("scoredag.estimators").values():
        with pytest.raises(TypeError, match=r"knowledge must be None, a scoredag\.Knowledge or a"):
            make(knowledge=value).fit("no table")


@pytest.mark.parametrize("make", shelf("scoredag.estimators").values())
def test_parameters_of_estimators_are_keywords(make):
    with pytest.raises(TypeError, match="takes 1 positional argument"):
        make(0.5)


@pytest.mark.parametrize(("function", "arguments", "options"), CASES)
def test_it_is_refused_by_us(function, arguments, options):
    with pytest.raises((ValueError, TypeError)) as caught:
        function(*arguments, **options)
    last = traceback.extract_tb(caught.tb)[-1]
    assert "scoredag" in last.filename
    assert last.line.startswith(("raise ", 'f"', '"', ")")) or "raise" in last.line, last.line


def test_one_name_is_a_list_of_one(tmp_path):
    path = tmp_path / "table.csv"
    pd.DataFrame(X, columns=["dose", "age", "x", "y"]).to_csv(path, index=False)
    assert read_table(path, select="dose,age").names == ("dose", "age")
    assert read_table(path, drop="dose").names == ("age", "x", "y")


def test_scoredag_has_what_it_lists():
    assert all(hasattr(scoredag, name) for name in scoredag.__all__)
