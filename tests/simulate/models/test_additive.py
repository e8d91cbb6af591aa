import numpy as np
import pytest

from scoredag.exceptions import GraphError
from scoredag.plugins import shelf
from scoredag.simulate import random_dag, sample_anm

CHAIN = np.eye(3, k=1)


def test_equation_holds_for_every_node():
    """With f(parents) = their sum and constant noise the columns are known."""
    A = np.array([[0, 0, 0, 0], [0, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]])  # 3 -> 2 -> 1, both -> 0
    X = sample_anm(
        A,
        n=5,
        mechanism=lambda parents, rng: parents.sum(axis=1),
        noise=lambda n, variance, rng: np.full(n, 1.0),
        rng=0,
    )
    assert X.tolist() == [[4.0, 3.0, 2.0, 1.0]] * 5


def test_roots_are_pure_noise():
    calls = []

    def mechanism(parents, rng):
        calls.append(parents.shape)
        return np.zeros(len(parents))

    sample_anm([[0, 1, 0], [0, 0, 0], [0, 1, 0]], 50, mechanism=mechanism, rng=0)
    assert calls == [(50, 2)]
    X = sample_anm(np.zeros((2, 2)), 40_000, noise_variance=0.5, rng=0)
    assert X.var(axis=0) == pytest.approx([0.5, 0.5], rel=0.04)
    assert X.mean(axis=0) == pytest.approx([0, 0], abs=0.02)


def test_noise_variances_fill_their_range():
    seen = []

    def noise(n, variance, rng):
        seen.append(variance)
        return np.zeros(n)

    sample_anm(np.zeros((2000, 2000)), 1, noise=noise, rng=0)
    assert 0.4 <= min(seen) < 0.41
    assert 0.79 < max(seen) <= 0.8
    assert np.mean(seen) == pytest.approx(0.6, abs=0.01)
    seen.clear()
    sample_anm(np.zeros((3, 3)), 1, noise=noise, noise_variance=2.5, rng=0)
    assert seen == [2.5, 2.5, 2.5]


def test_noises_on_one_seed_share_variances_and_the_functions_stream():
    drawn = {"gaussian": [], "laplace": []}
    for name, draws in drawn.items():
        sample_anm(
            CHAIN,
            10,
            mechanism=lambda parents, rng, draws=draws: draws.append(rng.random()) or parents[:, 0],
            noise=name,
            rng=4,
        )
    assert drawn["gaussian"] == drawn["laplace"]


def test_seed_decides():
    same = [sample_anm(CHAIN, 20, rng=1), sample_anm(CHAIN, 20, rng=np.random.default_rng(1))]
    assert (same[0] == same[1]).all()
    assert (same[0] != sample_anm(CHAIN, 20, rng=2)).all()


def test_a_generator_moves_on_between_calls():
    rng = np.random.default_rng(0)
    assert (sample_anm(CHAIN, 5, rng=rng) != sample_anm(CHAIN, 5, rng=rng)).all()


def test_progress_is_reported_after_each_node():
    seen = []
    watched = sample_anm(CHAIN, 5, rng=0, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert (watched == sample_anm(CHAIN, 5, rng=0)).all()


def test_standardize_scales_finished_columns():
    X = sample_anm(CHAIN, 200, rng=3)
    Z = sample_anm(CHAIN, 200, rng=3, standardize=True)
    assert Z.std(axis=0) == pytest.approx([1, 1, 1])
    assert ((X - X.mean(axis=0)) / X.std(axis=0)) == pytest.approx(Z)


@pytest.mark.parametrize("mechanism", sorted(shelf("scoredag.simulate.mechanisms")))
@pytest.mark.parametrize("adjacency", [np.eye(30, k=1), random_dag(12, 4, rng=5)])
def test_no_mechanism_explodes_or_fades(mechanism, adjacency):
    """Functions add a variance of order 1 to the noise, down a long chain as in a dense graph."""
    X = sample_anm(adjacency, 500, mechanism=mechanism, noise_variance=0.6, rng=11)
    effects = X[:, adjacency.any(axis=0)]
    assert np.isfinite(X).all()
    assert effects.var(axis=0).max() < 4
    assert np.median(effects.var(axis=0)) > 0.75
    assert np.abs(effects).max() < 15


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"adjacency": [[0, 1], [1, 0]]}, GraphError, "adjacency must be acyclic"),
        ({"n": 0}, ValueError, "n must be a whole number of rows"),
        ({"n": 1.5}, ValueError, "n must be a whole number of rows"),
        ({"mechanism": "cubic"}, ValueError, "mechanism must be one of 'additive_gp'"),
        ({"noise": "cauchy"}, ValueError, "noise must be one of 'exponential'"),
        ({"noise_variance": (0.8, 0.4)}, ValueError, r"noise_variance must be .* got \(0.8, 0.4\)"),
        ({"noise_variance": 0}, ValueError, "noise_variance must be positive"),
        ({"noise_variance": (1, 2, 3)}, ValueError, "noise_variance must be positive"),
        ({"noise_variance": (0.4, np.inf)}, ValueError, "noise_variance must be positive"),
    ],
)
def test_errors(arguments, error, message):
    with pytest.raises(error, match=message):
        sample_anm(**{"adjacency": [[0, 1], [0, 0]], "n": 5, "rng": 0, **arguments})
