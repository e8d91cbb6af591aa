"""GraN-DAG as an estimator: its parts, its randomness, its messages, and the paper's figures."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from scoredag import GraNDAG
from scoredag.estimators._parameters import selects_neighbours
from scoredag.estimators.grandag.estimator import strongest_dag
from scoredag.estimators.grandag.selection import tree_neighbours
from scoredag.estimators.grandag.training import train
from scoredag.exceptions import DataWarning
from scoredag.graph import full_dag, is_dag, topological_order
from scoredag.metrics import order_divergence, shd
from scoredag.prune import cam_prune
from scoredag.simulate import paper_dataset

DATA = paper_dataset(5, "ER1", seed=100, n=150)
quick = pytest.mark.filterwarnings("ignore:training ended after")


@quick
def test_it_is_training_reduction_and_cam_pruning():
    model = GraNDAG(max_iter=40, hidden_layers=1, hidden_units=6, random_state=3).fit(DATA.X)
    trained = train(DATA.X, rng=np.random.default_rng(3), hidden=(6,), max_iter=40)
    assert_array_equal(model.weights_, trained.weights)
    assert model.n_iter_ == 40
    dag = strongest_dag(trained.weights)
    assert is_dag(dag)
    assert dag.any()
    assert_array_equal(model.causal_order_, topological_order(dag))
    pruned = cam_prune(DATA.X, dag)
    assert_array_equal(model.p_values_, pruned.p_values)
    assert_array_equal(model.adjacency_matrix_, pruned.adjacency)
    assert order_divergence(model.adjacency_matrix_, model.causal_order_) == 0


@quick
def test_parameters_reach_training():
    options = {"learning_rate": 0.01, "batch_size": 16, "max_iter": 20}
    model = GraNDAG(random_state=0, **options).fit(DATA.X)
    trained = train(DATA.X, rng=np.random.default_rng(0), **options)
    assert_array_equal(model.weights_, trained.weights)
    assert GraNDAG(tolerance=10.0).fit(DATA.X).n_iter_ == 0


@quick
def test_many_columns_are_trained_on_selected_neighbours():
    rng = np.random.default_rng(0)
    allowed = tree_neighbours(DATA.X, rng=rng) != 0
    assert 0 < allowed.sum() < 20
    weights = GraNDAG(neighbour_selection=True, max_iter=5).fit(DATA.X).weights_
    assert_array_equal(weights, train(DATA.X, rng=rng, allowed=allowed, max_iter=5).weights)
    everything = GraNDAG(max_iter=5).fit(DATA.X).weights_
    assert (everything > 0).sum() == 20
    assert selects_neighbours("auto", many_columns=True)
    assert not selects_neighbours("auto", many_columns=False)


@quick
def test_random_states_of_all_kinds():
    def weights(random_state):
        return GraNDAG(max_iter=3, random_state=random_state).fit(DATA.X).weights_

    assert_array_equal(weights(5), weights(np.random.default_rng(5)))
    assert_array_equal(weights(np.random.RandomState(5)), weights(np.random.RandomState(5)))
    assert (weights(5) != weights(6)).any()
    assert (weights(None) != weights(None)).any()
    with pytest.raises(ValueError, match="random_state must be None, a whole number"):
        weights(-1)


@quick
def test_neither_jobs_nor_threads_change_the_bits():
    before = torch.get_num_threads()
    models = []
    for threads, n_jobs in [(1, None), (2, 1), (2, 2)]:
        torch.set_num_threads(threads)
        models.append(GraNDAG(max_iter=50, n_jobs=n_jobs).fit(DATA.X))
        assert torch.get_num_threads() == threads
    torch.set_num_threads(before)
    for model in models[1:]:
        assert_array_equal(model.weights_, models[0].weights_)
        assert_array_equal(model.p_values_, models[0].p_values_)


@quick
def test_progress_reports_both_stages():
    seen = []
    GraNDAG(max_iter=210, progress=lambda *state: seen.append(state)).fit(DATA.X)
    trained = [done for stage, done, _ in seen if stage == "order"]
    assert trained == [0, 47, 95, 100]  # at steps 0, 100 and 200 of 210, and at the end
    assert {stage for stage, done, total in seen if done == total} == {"order", "prune"}


def test_it_warns_where_training_ended_too_early():
    with pytest.warns(DataWarning, match=r"after 7 steps .* Raise max_iter") as caught:
        GraNDAG(max_iter=7).fit(DATA.X)
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("hidden_layers", 0, "hidden_layers must be a whole number, at least 1; got 0"),
        ("hidden_units", 2.5, "hidden_units must be a whole number"),
        ("batch_size", True, "batch_size must be a whole number"),
        ("max_iter", -1, "max_iter must be a whole number"),
        ("learning_rate", 0.0, "learning_rate must be a positive number; got 0.0"),
        ("learning_rate", float("nan"), "learning_rate must be a positive number"),
        ("learning_rate", True, "learning_rate must be a positive number; got True"),
        ("tolerance", "small", "tolerance must be a positive number; got 'small'"),
        ("neighbour_selection", "yes", "neighbour_selection must be True, False or 'auto'"),
        ("neighbour_selection", np.ones(5), "neighbour_selection must be True, False or 'auto'"),
    ],
)
def test_bad_parameters_are_refused(name, value, message):
    with pytest.raises(ValueError, match=message):
        GraNDAG(**{name: value}).fit(DATA.X)


# A module that is None in sys.modules would do, did SciPy not look whether PyTorch is there.
WITHOUT_PYTORCH = """
import sys
class Hidden:
    def find_spec(self, name, *_):
        if name == "torch":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Hidden())
import scoredag, scoredag.estimators
from scoredag.plugins import shelf
assert shelf("scoredag.estimators")["grandag"] is scoredag.GraNDAG
try:
    scoredag.GraNDAG().fit(scoredag.simulate.paper_dataset(3, "ER1", n=50).X)
except ImportError as error:
    print(error)
"""


def test_only_fit_fails_without_pytorch():
    shown = subprocess.run([sys.executable, "-c", WITHOUT_PYTORCH], capture_output=True, text=True)
    assert shown.stdout.endswith("pip install 'scoredag[torch]'\n"), shown.stderr


@given(st.integers(1, 7), st.integers(0, 1000))
def test_no_lower_threshold_leaves_a_dag(d, seed):
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 6, size=(d, d)) * (1.0 - np.eye(d))  # with ties
    dag = strongest_dag(weights)
    assert is_dag(dag)
    dropped = weights[dag == 0].max(initial=0.0)
    assert (weights[dag == 1] > dropped).all()
    if dropped > 0:
        assert not is_dag(weights >= dropped)


def test_a_dag_keeps_its_edges():
    weights = full_dag([2, 0, 1]) * 1e-3
    assert_array_equal(strongest_dag(weights), weights > 0)


@pytest.mark.slow
@pytest.mark.parametrize(("graph", "mean", "deviation"), [("ER1", 1.5, 1.4), ("ER4", 22.2, 2.6)])
def test_the_papers_figures(graph, mean, deviation):
    """SHD of GraN-DAG in the tables of Rolland et al. (2022), 10 columns; ten fits, minutes."""
    distances = []
    for seed in range(10):
        data = paper_dataset(10, graph, seed=seed)
        distances.append(shd(data.adjacency, GraNDAG().fit(data.X).adjacency_matrix_))
    assert np.mean(distances) <= mean + deviation
