import numpy as np
import pytest

from scoredag.simulate import add_measurement_error, sample_anm, sample_measurement_error

A = np.eye(3, k=1)


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_share_of_the_variance(share):
    exact = sample_anm(A, 20_000, "linear", rng=0)
    X = sample_measurement_error(A, 20_000, mechanism="linear", error_share=share, rng=0)
    errors = X - exact
    assert errors.var(axis=0) / X.var(axis=0) == pytest.approx([share] * 3, rel=0.05)
    together = np.corrcoef(np.hstack([errors, exact]).T)
    assert np.abs(together[:3] - np.eye(6)[:3]).max() < 0.03


def test_share_of_the_columns():
    X = np.random.default_rng(0).normal(size=(50, 8))
    for affected, number in ((0, 0), (0.25, 2), (0.5, 4), (1, 8)):
        changed = (add_measurement_error(X, affected=affected, rng=1) != X).all(axis=0)
        assert changed.sum() == number
    which = [(add_measurement_error(X, affected=0.25, rng=r) != X)[0].tolist() for r in range(9)]
    assert len({tuple(columns) for columns in which}) > 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"error_share": 1}, "error_share must be a number between 0 and 1; got 1"),
        ({"affected": 2}, "affected must be a share of the columns, from 0 to 1; got 2"),
    ],
)
def test_errors(options, message):
    with pytest.raises(ValueError, match=message):
        sample_measurement_error(A, 5, **options)
    with pytest.raises(ValueError, match=message):
        add_measurement_error(np.ones((3, 2)), **options)
