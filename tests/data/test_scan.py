"""One pass over blocks tells what a table in memory tells, and refuses it in the same words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from scoredag.data import check_columns
from scoredag.data.block_table import BlockTable
from scoredag.data.blocks import ArrayBlocks
from scoredag.data.profile import profile_of
from scoredag.data.scan import Scan, copies_among, scan
from scoredag.exceptions import DataError

NAMES = ("a", "b", "c", "d")


def table(seed=0, n=60):
    return np.random.default_rng(seed).normal(size=(n, 4))


def told_in_memory(X, names=NAMES):
    with pytest.raises(DataError) as caught:
        check_columns(X, names)
    return str(caught.value)


def told_in_blocks(X, names=NAMES, rows=7):
    with pytest.raises(DataError) as caught:
        BlockTable(ArrayBlocks(X, rows), names).checked()
    return str(caught.value)


def with_gaps():
    X = table()
    X[[3, 8, 20, 30, 31], 1] = np.nan
    X[[5, 59], 2] = np.inf
    X[8, 3] = -np.inf
    return X


def all_missing():
    X = table()
    X[:, 2] = np.nan
    return X


def constant():
    X = table()
    X[:, 0], X[:, 3] = 5.0, 2.0**60
    return X


def nearly_constant():
    X = table()
    X[:, 1] = 1.0 + np.spacing(1.0) * (np.arange(60) % 2)
    return X


def extreme():
    X = table()
    X[40, 0], X[:, 2] = 1e300, X[:, 2] * 1e-80
    return X


def copied():
    X = table()
    X[:, 1] = X[:, 0]
    X[:, 3] = 32 - 1.8 * X[:, 0]
    return X


def all_at_once():
    X = with_gaps()
    X[:, 0] = X[:, 0] * 0 + 3
    return np.column_stack([X, X[:, 0] * 0 + table()[:, 0], table()[:, 0]])


@pytest.mark.parametrize(
    "make",
    [with_gaps, all_missing, constant, nearly_constant, extreme, copied],
)
@pytest.mark.parametrize("rows", [1, 7, 100])
def test_same_refusal(make, rows):
    X = make()
    assert told_in_blocks(X, rows=rows) == told_in_memory(X)


def test_all_problems_at_once():
    names = ("a", "b", "c", "d", "e", "a")
    told = told_in_blocks(all_at_once(), names)
    assert told == told_in_memory(all_at_once(), names)
    assert told.startswith("4 problems:")


@pytest.mark.parametrize("shape", [(5, 4), (60, 1), (0, 4)])
def test_size_is_refused_alike(shape):
    X = np.random.default_rng(0).normal(size=shape)
    assert told_in_blocks(X, NAMES[: shape[1]]) == told_in_memory(X, NAMES[: shape[1]])


@given(st.integers(0, 10**6), st.lists(st.integers(1, 30), min_size=1, max_size=6))
def test_merged_scans_are_the_scan_of_all(seed, lengths):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(sum(lengths), 3)) * [1, 1e3, 1e-6] + [0, 1e6, 3]
    X[rng.random(X.shape) < 0.02] = np.nan
    parts = np.split(X, np.cumsum(lengths)[:-1])
    merged, whole = sum(map(Scan.of, parts[1:]), Scan.of(parts[0])), Scan.of(X)
    for name in ("missing", "infinite"):
        assert_array_equal(getattr(merged.gaps, name), getattr(whole.gaps, name))
    assert merged.gaps.first_missing == whole.gaps.first_missing
    assert merged.gaps.broken_rows == whole.gaps.broken_rows
    assert merged.complete == tuple(int(np.isfinite(part).all(axis=1).sum()) for part in parts)
    assert_array_equal(merged.extent.low, whole.extent.low)
    scale = np.sqrt(np.outer(whole.variance, whole.variance)) * len(X) + 1e-300
    assert_allclose(merged.mean, whole.mean, rtol=1e-12)
    assert_allclose(merged.products / scale, whole.products / scale, atol=1e-9)


def test_noise_on_a_copy_is_no_copy():
    """A correlation of 1 - 1e-10, as a copy could have it, but cells differ."""
    X = np.random.default_rng(0).normal(size=(500, 3))
    X[:, 1] = X[:, 0] + 1e-5 * X[:, 2]
    blocks = ArrayBlocks(X, 64)
    assert copies_among(blocks, scan(blocks), [0, 1, 2]) == []
    X[:, 1] = 3 - X[:, 0]
    blocks = ArrayBlocks(X, 64)
    assert copies_among(blocks, scan(blocks), [0, 1, 2]) == [(0, 1, True)]


def test_profile_of_a_small_table_is_exact():
    X = table(n=300)
    profile = profile_of(ArrayBlocks(X, 64))
    assert_array_equal(profile.sample, X)
    assert_allclose(profile.mean, X.mean(axis=0), rtol=1e-12)
    assert_allclose(profile.variance, X.var(axis=0), rtol=1e-12)
    assert_array_equal(profile.spread_values[-2:], [X.min(axis=0), X.max(axis=0)])


def test_sample_of_a_large_table_is_stated_and_fair():
    X = np.random.default_rng(0).normal(size=(60_000, 2))
    sample = profile_of(ArrayBlocks(X)).sample
    assert sample.shape == (20_000, 2)
    assert abs(sample.mean(axis=0) - X.mean(axis=0)).max() < 4 / np.sqrt(20_000)
