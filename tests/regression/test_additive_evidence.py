import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scoredag.data.standardise import standardise
from scoredag.regression.additive import AdditiveDesign
from scoredag.regression.additive_evidence import additive_evidence
from scoredag.regression.bases.cubic import cubic


@pytest.fixture(scope="module")
def table():
    """Columns 0 (bent), 1 (straight) and 2 (nothing) before their sum in 3."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(150, 3))
    y = np.sin(2 * x[:, 0]) + 0.8 * x[:, 1] + 0.5 * rng.normal(size=150)
    return standardise(np.column_stack([x, y]))


@pytest.fixture(scope="module")
def design(table):
    return AdditiveDesign.of(table, range(4), cubic, 8)


def kernel(design, x, k, line, bend):
    """Prior covariance of one term, n x n: a line and a spline of these mean variances."""
    basis = design.basis(k)
    Z = np.sqrt(len(x)) * basis.columns(x)  # of mean square 1
    weights = 1 / basis.penalty[1:]
    variances = np.append(line, bend * weights / weights.sum())
    return (Z * variances) @ Z.T


def dense(design, table, target, predictors, variances):
    M = np.eye(len(table))
    for k, (line, bend) in zip(predictors, variances, strict=True):
        M += kernel(design, table[:, k], k, line, bend)
    y = table[:, target]
    q = y @ np.linalg.solve(M, y)
    return len(y) / 2 * np.log(q / len(y)) + 0.5 * np.linalg.slogdet(M)[1]


PAIRS = list(itertools.product(np.exp([-14.0, -4.0, -1.0, 0.0, 1.0, 3.0, 6.0]), repeat=2))


@pytest.mark.parametrize("k", [0, 1, 2])
def test_no_variances_are_more_likely_than_those_it_finds(design, table, k):
    found = additive_evidence(design, 3, [k])
    naive = min(dense(design, table, 3, [k], [pair]) for pair in PAIRS)
    assert found <= min(naive, 0.0) + 1e-3
    assert found > naive - 3  # a grid this fine comes close: both are the same function


def test_no_variances_of_two_terms_are_more_likely_than_those_it_finds(design, table):
    found = additive_evidence(design, 3, [0, 1])
    some = PAIRS[::3]
    pairs = itertools.product(some, some)
    naive = min(dense(design, table, 3, [0, 1], variances) for variances in pairs)
    assert naive - 5 < found <= naive + 1e-3


def test_nothing_explains_nothing(design):
    assert additive_evidence(design, 3, []) == 0.0


def test_the_order_of_predictors_does_not_matter(design):
    values = [additive_evidence(design, 3, order) for order in itertools.permutations(range(3))]
    assert_allclose(values, values[0], atol=0.01)


def test_a_cause_lowers_it_and_another_column_does_not(design):
    one, both, all_ = (additive_evidence(design, 3, range(k)) for k in (1, 2, 3))
    assert both < one - 20 < -30
    assert both - 1 < all_ < both + 0.01


def test_independent_columns_explain_nothing(design):
    assert -1 < additive_evidence(design, 2, [0, 1]) <= 0.0


def test_a_column_of_two_values_has_a_straight_line_only():
    rng = np.random.default_rng(1)
    x = rng.integers(0, 2, size=200).astype(float)
    X = standardise(np.column_stack([x, x + 0.5 * rng.normal(size=200)]))
    design = AdditiveDesign.of(X, [0, 1], cubic, 8)
    assert additive_evidence(design, 1, [0]) < -50
