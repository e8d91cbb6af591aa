import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from scoredag.data.standardise import standardise
from scoredag.regression import lapack
from scoredag.regression.gp_evidence import JointEvidence, profiled
from scoredag.settings import SEARCH

seeds = st.integers(0, 2**32 - 1)
relevances = st.lists(st.one_of(st.just(0.0), st.floats(0.01, 4.0)), min_size=1, max_size=5)
log_amplitudes = st.floats(-6.0, 8.0)


def problem(n, p, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, standardise(np.sin(2 * X[:, 0]) + 0.5 * rng.normal(size=n))


def dense(X, y, log_amplitude, r):
    """n, q and 1/2 log |M| with every matrix written out."""
    apart = (X[:, None, :] - X[None, :, :]) * r
    M = np.exp(log_amplitude - 0.5 * (apart**2).sum(axis=2)) + np.eye(len(y))
    return len(y), y @ np.linalg.solve(M, y), 0.5 * np.linalg.slogdet(M)[1]


@settings(max_examples=60)
@given(st.integers(2, 150), relevances, log_amplitudes, seeds)
def test_value_equals_a_dense_computation(n, r, log_amplitude, seed):
    X, y = problem(n, len(r), seed)
    expected = dense(X, y, log_amplitude, r)
    evidence = JointEvidence(X, y)
    assert_allclose(evidence.terms(log_amplitude, np.array(r)), expected, rtol=1e-9, atol=1e-9)
    n, q, half_log_determinant = expected
    value = n / 2 * np.log(q / n) + half_log_determinant
    assert_allclose(evidence.value(log_amplitude, np.array(r)), value, rtol=1e-9, atol=1e-9)


@settings(max_examples=40)
@given(st.integers(5, 130), relevances, st.floats(-3.0, 5.0), seeds)
def test_gradient_equals_central_differences(n, r, log_amplitude, seed):
    r, step = np.array(r), 1e-5
    evidence = JointEvidence(*problem(n, len(r), seed))
    slope = evidence.slope(log_amplitude, r)
    assert slope.value == pytest.approx(evidence.value(log_amplitude, r), rel=1e-14, abs=1e-12)

    def difference(shift_amplitude, shift):
        ends = [evidence.value(log_amplitude + s * shift_amplitude, r + s * shift) for s in (1, -1)]
        return (ends[0] - ends[1]) / (2 * step)

    tolerance = {"rtol": 1e-5, "atol": 1e-5 * n}
    none = np.zeros(len(r))
    assert_allclose(slope.by_log_amplitude, difference(step, none), **tolerance)
    for k, unit in enumerate(np.eye(len(r))):
        expected = difference(0.0, step * unit) if r[k] else 0.0
        assert_allclose(slope.by_relevances[k], expected, **tolerance)


def test_without_relevance_only_a_constant_is_left():
    X, y = problem(50, 3, 0)
    evidence = JointEvidence(X, y)
    # y has mean 0, so that the constant costs its determinant and explains nothing.
    assert evidence.value(1.0, np.zeros(3)) == pytest.approx(0.5 * np.log1p(50 * np.e))
    assert_array_equal(evidence.slope(1.0, np.zeros(3)).by_relevances, np.zeros(3))


def test_arguments_are_left_alone():
    X, y = problem(70, 2, 0)
    X, y, r = np.asfortranarray(X), y.copy(), np.array([0.5, 1.0])
    before = X.copy(), y.copy(), r.copy()
    evidence = JointEvidence(X, y)
    first = evidence.slope(0.0, r)
    for array, copy in zip((X, y, r), before, strict=True):
        assert_array_equal(array, copy)
    again = evidence.slope(0.0, r)
    assert again.value == first.value
    assert_array_equal(again.by_relevances, first.by_relevances)


def assert_infinite(evidence, log_amplitude, r):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        value, slope = evidence.value(log_amplitude, r), evidence.slope(log_amplitude, r)
    assert value == slope.value == np.inf
    assert slope.by_log_amplitude == 0.0
    assert_array_equal(slope.by_relevances, np.zeros(len(r)))


def test_a_singular_kernel_is_infinitely_unlikely():
    X, y = problem(20, 2, 0)
    X[10:] = X[:10]
    assert_infinite(JointEvidence(X, y), 60.0, np.ones(2))


def test_a_failed_factorisation_is_infinitely_unlikely(monkeypatch):
    X, y = problem(20, 2, 0)
    assert np.isfinite(JointEvidence(X, y).value(0.0, np.ones(2)))
    monkeypatch.setattr(lapack.Routines, "factorise", lambda *_: False)
    assert_infinite(JointEvidence(X, y), 0.0, np.ones(2))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("weighted", [False, True])
def test_single_precision_changes_losses_by_a_tenth_of_a_nat_at_most(seed, weighted):
    X, y = problem(400, 3, seed)
    w = 0.5 * X[:, 1] if weighted else None
    trace = np.exp(-w).sum() if weighted else len(y)
    exact, mixed = JointEvidence(X, y, w), JointEvidence(X, y, w, mixed=True)
    for r in (0.05, 0.5, 4.0):
        for share in (1e-4, 1e-2, 0.99):
            arguments = np.log(share * SEARCH.single_condition / trace), np.full(3, r)
            assert mixed.value(*arguments) != exact.value(*arguments)  # single precision was used
            assert mixed.value(*arguments) == pytest.approx(exact.value(*arguments), abs=0.1)
            slopes = [evidence.slope(*arguments) for evidence in (mixed, exact)]
            assert_allclose(slopes[0].by_relevances, slopes[1].by_relevances, rtol=0.01, atol=1.0)
            parts = [evidence.leave_one_out(*arguments) for evidence in (mixed, exact)]
            assert_allclose(parts[0].residuals, parts[1].residuals, atol=0.01)


def test_an_ill_conditioned_kernel_has_double_precision():
    X, y = problem(200, 2, 0)
    arguments = np.log(1.01 * SEARCH.single_condition / 200), np.full(2, 0.5)
    assert JointEvidence(X, y, mixed=True).value(*arguments) == JointEvidence(X, y).value(
        *arguments
    )


def test_blocks_share_the_noise_and_nothing_else():
    X, y = problem(90, 2, 1)
    r = np.array([1.0, 0.3])
    blocks = [slice(0, 30), slice(30, 90)]
    parts = np.array([dense(X[rows], y[rows], 0.5, r) for rows in blocks])
    n, q, half_log_determinant = parts.sum(axis=0)
    found = profiled(JointEvidence(X[rows], y[rows]).terms(0.5, r) for rows in blocks)
    assert found == pytest.approx(n / 2 * np.log(q / n) + half_log_determinant, rel=1e-9)


def test_one_failed_block_spoils_all():
    assert profiled([(10, 9.0, 1.0), (10, np.nan, np.nan)]) == np.inf


@pytest.mark.parametrize("seed", range(5))
def test_standardised_columns_are_the_same_in_all_units(seed):
    """To the last bit, which could tip a search."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(500, 4)) ** 3
    moved = np.array([3e-7, -1.0, 7.7, 1e12]) * (X + rng.normal(size=4))
    signs = [1.0, -1.0, 1.0, 1.0]
    assert_array_equal(standardise(moved), signs * standardise(X))
    assert_allclose(standardise(X), (X - X.mean(axis=0)) / X.std(axis=0), atol=1e-6)


def test_constant_columns_are_standardised_to_zero():
    x = np.random.default_rng(0).normal(3.0, 5.0, size=40)
    table = standardise(np.column_stack([np.full(40, 7.0), x]))
    assert_array_equal(table[:, 0], np.zeros(40))
    assert_allclose([table[:, 1].mean(), table[:, 1].std()], [0.0, 1.0], atol=1e-6)


@pytest.mark.parametrize("constant", [0.1, 1 / 3, 1e9 + 0.1])
def test_rounding_does_not_make_a_constant_column_vary(constant):
    assert_array_equal(standardise(np.full((37, 1), constant)), np.zeros((37, 1)))
