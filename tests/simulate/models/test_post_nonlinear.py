import numpy as np
import pytest

from scoredag.simulate import sample_anm, sample_post_nonlinear
from scoredag.simulate.models.post_nonlinear import DISTORTIONS

CHAIN = np.eye(6, k=1)


def ranks(values):
    return values.argsort(axis=0).argsort(axis=0)


@pytest.mark.parametrize("name", sorted(DISTORTIONS))
def test_distortions_are_strictly_increasing(name):
    assert (np.diff(DISTORTIONS[name](np.linspace(-4, 4, 999))) > 0).all()


@pytest.mark.parametrize("name", sorted(DISTORTIONS))
def test_roots_are_the_distorted_noise(name):
    """Of independent columns the ranks stay, and the undistorted values come back."""
    X = sample_post_nonlinear(np.zeros((3, 3)), 400, distortion=name, rng=4)
    plain = sample_anm(np.zeros((3, 3)), 400, standardize=True, rng=4)
    assert (ranks(X) == ranks(plain)).all()
    distorted = DISTORTIONS[name](plain)
    assert pytest.approx((distorted - distorted.mean(axis=0)) / distorted.std(axis=0)) == X


def test_identity_leaves_a_standardised_additive_model():
    """Only of two columns: down a chain children see parents of another variance."""
    pair = [[0, 1], [0, 0]]
    mechanism = "linear"  # takes its parents standardised
    X = sample_post_nonlinear(pair, 300, mechanism=mechanism, distortion=lambda z: z, rng=2)
    assert pytest.approx(sample_anm(pair, 300, mechanism, standardize=True, rng=2)) == X


@pytest.mark.parametrize("distortion", [*sorted(DISTORTIONS), None])
def test_values_stay_sane_down_a_chain(distortion):
    X = sample_post_nonlinear(np.eye(20, k=1), 1000, distortion=distortion, rng=0)
    assert X.std(axis=0) == pytest.approx(np.ones(20))
    assert np.abs(X).max() < 32  # the largest standardised value of 1000 rows is 31.6


def test_every_distortion_occurs_by_default():
    """Roots alone show theirs: skewed by exp, bounded by the sigmoid, heavy-tailed otherwise."""
    X = sample_post_nonlinear(np.zeros((60, 60)), 500, rng=0)
    skewness, kurtosis = (X**3).mean(axis=0), (X**4).mean(axis=0)
    assert (skewness > 2).any()
    assert (kurtosis < 2.2).any()
    assert ((np.abs(skewness) < 2) & (kurtosis > 4)).any()


def test_unknown_distortion():
    with pytest.raises(ValueError, match=r"distortion must be one of 'cube', 'exp'.*got 'square'"):
        sample_post_nonlinear(CHAIN, 5, distortion="square")
    with pytest.raises(ValueError, match="distortion must return 5 finite numbers"):
        sample_post_nonlinear(CHAIN, 5, distortion=lambda z: z[:2])
