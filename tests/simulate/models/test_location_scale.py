import numpy as np
import pytest

from scoredag.simulate import sample_anm, sample_location_scale

PAIR = [[0, 1], [0, 0]]


def first_parent(parents, rng):
    return parents[:, 0]


def zero(parents, rng):
    return np.zeros(len(parents))


def test_equation_with_known_functions():
    """With f = 0 and log g = 0.7 x / sd(x), the effect is g times the noise, which is 1."""
    unit = np.random.default_rng(1).normal(size=500)
    draws = iter([unit, np.ones(500)])
    X = sample_location_scale(
        PAIR,
        500,
        mechanism=zero,
        scale_mechanism=first_parent,
        noise=lambda n, variance, rng: next(draws),
        rng=0,
    )
    expected = np.exp(0.7 * (unit - unit.mean()) / unit.std())
    assert X[:, 1] == pytest.approx(expected / np.sqrt(np.mean(expected**2)))
    assert np.log(X[:, 1]).std() == pytest.approx(0.7)


def test_a_scale_that_hardly_varies_is_an_additive_model():
    A = np.eye(4, k=1)
    X = sample_location_scale(A, 200, mechanism=first_parent, log_scale_sd=1e-9, rng=3)
    assert pytest.approx(sample_anm(A, 200, first_parent, rng=3), abs=1e-6) == X


@pytest.mark.parametrize("mechanism", ["gp", "additive_sigmoids"])
@pytest.mark.parametrize("noise", ["gaussian", "uniform"])
def test_spread_of_the_residuals_follows_the_scale(mechanism, noise):
    """f is held at 0, so squared effects show g: their means over slices of the cause differ."""
    ratios = []
    for seed in range(5):
        X = sample_location_scale(
            PAIR, 2000, mechanism=zero, scale_mechanism=mechanism, noise=noise, rng=seed
        )
        effect = X[np.argsort(X[:, 0]), 1]
        spreads = [np.std(part) for part in np.array_split(effect, 20)]
        ratios.append(max(spreads) / min(spreads))
    assert np.median(ratios) > 3


def test_location_and_scale_are_different_functions():
    seen = []

    def mechanism(parents, rng):
        seen.append(rng.random())
        return parents[:, 0]

    sample_location_scale(PAIR, 10, mechanism=mechanism, rng=0)
    assert len(set(seen)) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"log_scale_sd": 0}, "log_scale_sd must be a number above 0; got 0"),
        ({"scale_mechanism": "x"}, "scale_mechanism must be one of"),
        ({"scale_mechanism": lambda parents, rng: None}, "scale_mechanism must return 5 finite"),
    ],
)
def test_errors(options, message):
    with pytest.raises(ValueError, match=message):
        sample_location_scale(PAIR, 5, rng=0, **options)
