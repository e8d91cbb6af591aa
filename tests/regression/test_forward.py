import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from scoredag.regression.additive import AdditiveDesign
from scoredag.regression.bases.cubic import cubic
from scoredag.regression.forward import ForwardRegression
from scoredag.simulate import paper_dataset


def design_of(X, size=7, edf=4.0):
    """Inner products, penalties and sums of squares of all columns."""
    design = AdditiveDesign.of(X, range(X.shape[1]), cubic, size)
    return (*design.padded(edf), design.squares)


def direct_rest(products, target, parents):
    """Penalised residual sum of squares by one dense solve."""
    gram, cross, weights, squares = products
    q = weights.shape[1]
    rows = np.concatenate([np.arange(q * k, q * k + q) for k in parents])
    M, b = (gram + np.diag(weights.ravel()))[np.ix_(rows, rows)], cross[rows, target]
    return squares[target] - b @ np.linalg.solve(M, b)


def regression_of(products, target, terms=None):
    gram, cross, weights, squares = products
    return ForwardRegression.of(gram, cross[:, target], weights, squares[target], terms)


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1), st.permutations([0, 1, 2, 3]), st.integers(1, 4))
def test_terms_in_any_order_equal_a_direct_solve(seed, order, count):
    products = design_of(paper_dataset(5, "ER4", seed=seed, n=120).X)
    regression = regression_of(products, 4)
    for k in order[:count]:
        regression = regression.with_term(k)
    assert_allclose(regression.rest, direct_rest(products, 4, order[:count]), rtol=1e-6)


def test_gains_are_those_of_direct_solves():
    products = design_of(paper_dataset(5, "ER4", seed=1, n=150).X)
    regression = regression_of(products, 4).with_term(2)
    now = direct_rest(products, 4, [2])
    gains = regression.gains(np.array([True, True, False, True, False]))
    expected = [np.log(now / direct_rest(products, 4, [2, k])) for k in (0, 1, 3)]
    assert_allclose(gains[[0, 1, 3]], expected, rtol=1e-6)
    assert_array_equal(gains[[2, 4]], -np.inf)


def test_a_gain_is_what_the_term_brings():
    products = design_of(paper_dataset(4, "ER4", seed=2, n=150).X)
    regression = regression_of(products, 3)
    for term in (1, 0, 2):
        promised = regression.gains()[term]
        after = regression.with_term(term)
        assert np.log(regression.rest / after.rest) == pytest.approx(promised, rel=1e-9)
        regression = after


def test_a_regression_on_some_terms_is_that_of_a_smaller_design():
    products = design_of(paper_dataset(6, "ER4", seed=0, n=150).X)
    some = regression_of(products, 5, terms=[4, 1, 2])
    assert_allclose(some.gains(), regression_of(products, 5).gains()[[4, 1, 2]], rtol=1e-12)
    grown, all_ = some.with_term(1).with_term(2), regression_of(products, 5)
    assert_allclose(grown.rest, all_.with_term(1).with_term(2).rest, rtol=1e-9)


def test_regressions_are_values():
    regression = regression_of(design_of(paper_dataset(4, "ER1", n=100).X), 3)
    before = [np.copy(part) for part in vars(regression).values()]
    regression.with_term(0).with_term(1).gains()
    for part, copy in zip(vars(regression).values(), before, strict=True):
        assert_array_equal(part, copy)


def test_terms_of_tied_columns_have_fewer_coefficients():
    """A binary column is a line; what is padded takes no part."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, 200).astype(float)
    X = np.column_stack([x, rng.normal(size=200), 3 * x + rng.normal(size=200)])
    products = design_of(X)
    regression = regression_of(products, 2).with_term(0)
    residuals = X[:, 2] - np.polyval(np.polyfit(x, X[:, 2], 1), x)
    assert regression.rest == pytest.approx(residuals @ residuals, rel=1e-6)


def test_a_copy_leaves_a_little_instead_of_nothing():
    rng = np.random.default_rng(0)
    x = rng.normal(size=100)
    X = np.column_stack([x, x, rng.normal(size=100)])
    regression = regression_of(design_of(X, edf=6.0), 1).with_term(0).with_term(2)
    assert 0 < regression.rest < 1e-3 * regression.total
    assert np.isfinite(regression.gains()).all()


def test_regressions_of_other_columns_share_the_gram_matrix():
    """A copy for each column would take d^3 numbers: 650 GB for 1,000 columns."""
    products = design_of(paper_dataset(5, "ER4", seed=2, n=120).X)
    gram, cross, weights, squares = products
    first = ForwardRegression.of(gram, cross[:, 0], weights, squares[0])
    shared = first.of_column(cross[:, 3], squares[3])
    assert shared.M is first.M
    alone = regression_of(products, 3)
    for regression in (shared, alone):
        assert_array_equal(regression.gains(), alone.gains())
    assert_array_equal(shared.with_term(1).gains(), alone.with_term(1).gains())
