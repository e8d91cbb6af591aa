import numpy as np
import pytest

from scoredag.regression.linear_evidence import eliminate_parents, linear_evidence


def linear_table(n=400, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    X[:, 3] = 3 * X[:, 0] - 2 * X[:, 1] + 0.5 * rng.normal(size=n)
    return (X - X.mean(axis=0)) / X.std(axis=0)


def test_evidence_is_that_of_least_squares():
    X = linear_table()
    residuals = X[:, 3] - X[:, [0, 2]] @ np.linalg.lstsq(X[:, [0, 2]], X[:, 3], rcond=None)[0]
    expected = 200 * np.log((residuals**2).mean()) + np.log(400)
    loss, _ = linear_evidence(np.corrcoef(X, rowvar=False), 400, 3, [0, 2])
    assert loss == pytest.approx(expected, rel=1e-7)


def test_rises_are_those_of_leaving_one_out():
    correlation = np.corrcoef(linear_table(), rowvar=False)
    loss, rises = linear_evidence(correlation, 400, 3, [0, 1, 2])
    for position, others in enumerate([[1, 2], [0, 2], [0, 1]]):
        without = linear_evidence(correlation, 400, 3, others)[0]
        assert rises[position] == pytest.approx(without - loss + 0.5 * np.log(400), rel=1e-6)


def test_only_what_is_worth_it_stays():
    correlation = np.corrcoef(linear_table(), rowvar=False)
    assert eliminate_parents(correlation, 400, 3, [0, 1, 2], least=5.0) == [0, 1]
    assert eliminate_parents(correlation, 400, 2, [0, 1], least=5.0) == []


def test_a_copy_is_explained_without_failing():
    correlation = np.ones((3, 3))
    loss, rises = linear_evidence(correlation, 100, 2, [0, 1])
    assert np.isfinite(loss)
    assert np.isfinite(rises).all()
