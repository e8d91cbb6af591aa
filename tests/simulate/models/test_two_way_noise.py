import numpy as np
import pytest

from scoredag.simulate import sample_post_nonlinear, sample_two_way_noise

CHAIN = np.eye(4, k=1)


def test_both_noises_are_there():
    """Without the outer noise the column is post-nonlinear; the outer noise has its share."""
    inner = sample_two_way_noise(np.zeros((1, 1)), 2000, outer_share=1e-12, rng=3)
    both = sample_two_way_noise(np.zeros((1, 1)), 2000, outer_share=0.2, rng=3)
    assert pytest.approx(sample_post_nonlinear(np.zeros((1, 1)), 2000, rng=3), abs=1e-4) == inner
    correlation = np.corrcoef(inner[:, 0], both[:, 0])[0, 1]
    assert correlation**2 == pytest.approx(0.8, abs=0.05)


def test_children_see_both_noises():
    """A child of a column with nothing but outer noise still depends on that column."""
    X = sample_two_way_noise([[0, 1], [0, 0]], 3000, mechanism="linear", outer_share=0.9, rng=1)
    assert abs(np.corrcoef(X.argsort(axis=0).argsort(axis=0).T)[0, 1]) > 0.1


def test_columns_are_standardised():
    X = sample_two_way_noise(CHAIN, 500, rng=0)
    assert X.std(axis=0) == pytest.approx(np.ones(4))


@pytest.mark.parametrize("share", [0, 1, -1, "much"])
def test_share_out_of_range(share):
    with pytest.raises(ValueError, match="outer_share must be"):
        sample_two_way_noise(CHAIN, 50, outer_share=share)
