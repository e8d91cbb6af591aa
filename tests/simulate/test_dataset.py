"""Data sets by the name of their model: what holds for all of them."""

import warnings

import numpy as np
import pytest

from scoredag.metrics import order_divergence
from scoredag.plugins import names
from scoredag.simulate import paper_dataset, random_dag, sample_anm, simulated_dataset
from scoredag.simulate.dataset import MODELS, model_options

ALL = names(MODELS)


@pytest.mark.parametrize("model", ALL)
def test_same_seed_same_bits(model):
    first, again, other = (simulated_dataset(model, 6, "ER1", n=40, seed=s) for s in (3, 3, 4))
    assert first.X.shape == (40, 6)
    assert np.isfinite(first.X).all()
    assert (first.X.std(axis=0) > 0).all()
    assert (first.X == again.X).all()
    assert (first.X != other.X).any()
    assert order_divergence(first.adjacency, first.order) == 0


@pytest.mark.parametrize("model", ALL)
def test_models_share_the_graphs(model):
    for graph in ("ER2", "SF1"):
        expected = paper_dataset(7, graph, seed=5, n=5).adjacency
        assert (simulated_dataset(model, 7, graph, seed=5, n=5).adjacency == expected).all()


@pytest.mark.parametrize("model", ALL)
def test_nothing_explodes_or_fades(model):
    for graph, d in (("ER4", 12), ("SF1", 25)):
        X = simulated_dataset(model, d, graph, n=500, standardize=model == "poisson").X
        assert X.var(axis=0).max() < 6
        assert np.median(X.var(axis=0)) > 0.4


@pytest.mark.parametrize("model", ALL)
def test_pairs_have_one_edge_in_either_direction(model):
    pairs = [simulated_dataset(model, 2, "ER1", n=5, seed=seed).adjacency for seed in range(20)]
    assert {A.sum() for A in pairs} == {1}
    assert {int(A[0, 1]) for A in pairs} == {0, 1}


@pytest.mark.parametrize("model", ALL)
def test_every_name_on_the_other_shelves_fits(model):
    options = model_options(model)
    if "mechanism" in options:
        for mechanism in names("scoredag.simulate.mechanisms"):
            simulated_dataset(model, 4, "ER1", n=30, mechanism=mechanism)
    if "noise" in options:
        for noise in names("scoredag.simulate.noises"):
            simulated_dataset(model, 4, "ER1", n=30, noise=noise)


@pytest.mark.parametrize("model", ALL)
def test_progress_is_reported_and_changes_nothing(model):
    seen = []
    watched = simulated_dataset(
        model, 4, "ER1", n=20, progress=lambda done, total: seen.append((done, total))
    )
    assert seen[-1][0] == seen[-1][1] >= 4
    assert (watched.X == simulated_dataset(model, 4, "ER1", n=20).X).all()


def test_usual_settings():
    assert simulated_dataset(n=20).X.shape == (20, 10)
    sensors = simulated_dataset("sensors", n=20)
    assert sensors.X.shape == (20, 20)
    assert 25 <= sensors.adjacency.sum() <= 45


def test_additive_is_sample_anm():
    for_graph, for_data = np.random.default_rng(2).spawn(2)
    A = random_dag(5, 2, rng=for_graph)
    expected = sample_anm(A, 30, "linear", "exponential", standardize=True, rng=for_data)
    found = simulated_dataset(
        d=5, graph="ER2", n=30, mechanism="linear", noise="exponential", standardize=True, seed=2
    )
    assert (expected == found.X).all()


def test_a_model_of_ones_own():
    def ones(adjacency, n, *, rng, progress, height=1.0):
        return np.full((n, len(adjacency)), height)

    assert simulated_dataset(ones, 3, "ER1", n=4, height=2.0).X.tolist() == [[2.0] * 3] * 4


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (["addditive"], {}, "model must be one of 'additive', .* got 'addditive'"),
        (["rounded"], {"level": 3}, "'level' is no option of model 'rounded', which has 'levels'"),
        (["sensors"], {"noise": "laplace"}, "'noise' is no option of model 'sensors'"),
        (["additive", 5, "XX1"], {}, "graph must be one of BIPARTITE, ER, SF"),
        (["additive", 5, "SF5"], {}, "edges_per_node must be"),
        (["additive", 0], {}, "d must be a whole number of nodes"),
        (["additive"], {"seed": "a"}, "seed must be"),
    ],
)
def test_errors(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        simulated_dataset(*arguments, **options)


def test_a_model_of_ones_own_must_return_a_table():
    for returned in (np.zeros((4, 1)), "x"):
        with pytest.raises(ValueError, match="model must return an array of 4 rows and 3 columns"):
            simulated_dataset(lambda adjacency, n, rng, progress, r=returned: r, 3, "ER1", n=4)


def test_an_unhashable_distortion_is_refused():
    with pytest.raises(ValueError, match="distortion must be one of"):
        simulated_dataset("post_nonlinear", distortion=["cube"], n=10)


def test_overflow_is_an_error_and_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="of a column are NaN or infinite"):
            simulated_dataset("location_scale", n=20, log_scale_sd=1000.0)
