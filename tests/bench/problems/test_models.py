import numpy as np
import pytest

from scoredag.bench import read_spec
from scoredag.bench.problems.models import models
from scoredag.plugins import names
from scoredag.simulate import paper_dataset, simulated_dataset


def test_it_is_the_simulated_data_set():
    found = models("location_scale", 4, "ER1", "additive_sigmoids", "uniform", n=30, seed=2)
    expected = simulated_dataset(
        "location_scale", 4, "ER1", mechanism="additive_sigmoids", noise="uniform", n=30, seed=2
    )
    assert (found.X == expected.X).all()
    assert (found.adjacency == paper_dataset(4, "ER1", seed=2, n=5).adjacency).all()


def test_scale():
    X = models("sensors", 6, "BIPARTITE2", n=30, scale="standardised", seed=0).X
    assert X.std(axis=0) == pytest.approx(np.ones(6))


def test_the_spec_has_every_model_in_the_size_that_it_names():
    runs = read_spec("noises").runs
    data = {(run.data_options["model"], run.data_options["graph"], run.seed) for run in runs}
    assert {model for model, _, _ in data} == set(names("scoredag.simulate.models"))
    assert {seed for _, _, seed in data} == set(range(10))
    assert {graph for _, graph, _ in data} == {"ER1", "ER2", "BIPARTITE5"}
    sizes = {(run.data_options["graph"], run.data_options["n"]) for run in runs}
    assert sizes == {("ER1", 1000), ("ER2", 1000), ("BIPARTITE5", 2000)}
    assert len({str(run.data_options) for run in runs}) == 21
    assert {"auroc", "f1", "right_doubted", "wrong_doubted"} <= set(runs[0].metrics)


def test_the_spec_compares_normal_noise_where_the_noise_is_not_additive():
    runs = [run for run in read_spec("noises").runs if run.method_options == {"noise": "normal"}]
    compared = {run.data_options["model"] for run in runs if not run.not_run}
    assert compared == {"location_scale", "multiplicative", "post_nonlinear"}
