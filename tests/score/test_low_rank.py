"""The low-rank field against the exact one, its sums over blocks, and its errors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scoredag.data.blocks import ArrayBlocks, RowBlocks
from scoredag.exceptions import DataError, DataWarning
from scoredag.score import SteinField
from scoredag.score.fields.low_rank import LowRankField, default_rank


def table(n, d, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X[:, 1:] += np.sin(2 * X[:, :-1])
    return X


def relative_error(ours, exact):
    return np.abs(ours - exact).max() / np.abs(exact).max()


@pytest.mark.parametrize("d", [1, 4])
def test_with_all_rows_as_landmarks_the_score_is_the_exact_one(d):
    X = table(150, d)
    ours, exact = LowRankField(X, rank=150), SteinField(X)
    # The exact bandwidth is the median over all pairs of rows, equal ones included.
    ours_s, exact_s = np.median(ours.score(), axis=0), np.median(exact.score(), axis=0)
    assert_allclose(ours_s, exact_s, atol=0.05)
    assert relative_error(ours.score(), exact.score()) < 0.02


def test_the_jacobian_is_the_derivative_of_the_score():
    X, step = table(200, 3), 1e-5
    field = LowRankField(X, rank=60)
    rows = np.stack([field.jacobian_row(column) for column in range(3)], axis=1)
    for j in range(3):
        moved = step * (np.arange(3) == j)
        numerical = (field.score_at(X + moved) - field.score_at(X - moved)) / (2 * step)
        assert_allclose(rows[:, :, j], numerical, rtol=1e-4, atol=1e-4)
    assert_allclose(field.jacobian_diagonal(), rows[:, range(3), range(3)], rtol=1e-8, atol=1e-10)


@pytest.mark.slow
@pytest.mark.slice
def test_many_rows_put_the_leaf_last():
    """x -> y -> z, nonlinear: the second derivative of log p is constant along z alone."""
    found = []
    for seed in range(5):
        x, e, f = np.random.default_rng(seed).normal(size=(3, 20_000))
        y = np.sin(2 * x) + 0.7 * e
        z = np.cos(2 * y) + 0.7 * f
        _, variance = LowRankField(np.column_stack([z, x, y])).diagonal_moments()
        found.append(int(np.argmin(variance)))
    assert found == [0] * 5


def test_moments_are_those_of_the_diagonal():
    field = LowRankField(table(500, 3), rank=60)
    mean, variance = field.diagonal_moments()
    J = field.jacobian_diagonal()
    assert_allclose(mean, J.mean(axis=0))
    assert_allclose(variance, J.var(axis=0))


def test_blocks_of_any_size_give_the_same_estimates():
    X = table(1000, 4)
    whole = LowRankField(X, rank=50).diagonal_moments()
    for rows in (1000, 137):
        parts = LowRankField(ArrayBlocks(X, rows=rows), rank=50).diagonal_moments()
        assert_allclose(parts, whole, rtol=1e-6)  # but for rounding


def test_any_number_of_jobs_gives_the_same_bits():
    blocks = ArrayBlocks(table(1000, 4), rows=100)
    one, two = (LowRankField(blocks, rank=50, n_jobs=jobs).diagonal_moments() for jobs in (1, 2))
    assert_array_equal(one, two)


def test_a_field_after_removals_equals_one_of_the_columns_left():
    X = table(300, 5)
    field = LowRankField(X, rank=300)
    field.remove(3)
    field.remove(0)
    assert_array_equal(field.columns, [1, 2, 4])
    fresh = LowRankField(X[:, [1, 2, 4]], rank=300)
    assert_allclose(field.diagonal_moments(), fresh.diagonal_moments(), rtol=1e-6)


def test_shifts_of_columns_change_nothing_but_rounding():
    X = table(400, 3)
    moved = LowRankField(X + np.array([1e3, -50, 0]), rank=40).diagonal_moments()
    assert_allclose(moved, LowRankField(X, rank=40).diagonal_moments(), rtol=1e-5)


def test_the_score_is_a_function_also_away_from_the_samples():
    """That of a standard normal density is -x."""
    X = np.random.default_rng(0).normal(size=(3000, 2))
    points = np.array([[0.5, -1.0], [-1.0, 0.3]])
    assert_allclose(LowRankField(X).score_at(points), -points, atol=0.2)


def test_more_rows_bring_the_jacobian_of_a_normal_density_closer():
    """It is the constant -1."""
    errors = []
    for n in (500, 50_000):
        X = np.random.default_rng(1).normal(size=(n, 2))
        mean, variance = LowRankField(X).diagonal_moments()
        errors.append(np.abs(mean + 1).max() + variance.max())
    assert errors[1] < 0.5 * errors[0]


def test_rows_in_blocks_have_no_estimates_at_each_sample():
    class Stream(RowBlocks):
        shape = (100, 3)

        def __iter__(self):
            yield from np.split(table(100, 3), 4)

    field = LowRankField(Stream(), rank=20)
    with pytest.raises(DataError, match="fits into memory"):
        field.jacobian_diagonal()
    assert np.isfinite(field.diagonal_moments()).all()


def test_the_default_rank_grows_with_the_rows_up_to_a_bound():
    ranks = [default_rank(n) for n in (10, 100, 1000, 10_000, 1_000_000)]
    assert ranks == sorted(ranks)
    assert ranks[0] == 10
    assert ranks[-1] == ranks[-2] == 600


@pytest.mark.parametrize("arguments", [{"eta": 0}, {"rank": 1}, {"rank": 2.5}])
def test_wrong_arguments_are_named(arguments):
    (name,) = arguments
    with pytest.raises(ValueError, match=name):
        LowRankField(table(50, 2), **arguments)


def test_rows_that_are_all_equal_are_refused():
    with pytest.raises(DataError, match="no variation"):
        LowRankField(np.zeros((50, 2)), rank=10)


def test_the_last_column_stays():
    field = LowRankField(table(50, 2), rank=10)
    field.remove(0)
    with pytest.raises(ValueError, match="last one"):
        field.remove(1)
    with pytest.raises(ValueError, match="not among"):
        field.remove(0)


def test_many_equal_rows_are_warned_of_and_do_not_end_the_search():
    """As with the exact estimates: zero-inflated columns are left in the end."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 3))
    X[:, :2] *= rng.random((600, 2)) < 0.1
    field = LowRankField(X, rank=60)
    field.remove(2)
    with pytest.warns(DataWarning, match="median of the other distances"):
        assert np.isfinite(field.diagonal_moments()).all()


def test_a_ridge_far_from_the_scale_of_the_table_is_warned_of():
    with pytest.warns(DataWarning, match="smooths the score away"):
        LowRankField(1e6 * table(100, 2), rank=20)
