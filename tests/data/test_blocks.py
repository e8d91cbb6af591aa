"""Blocks of rows, and sums over them: the same bits for any number of jobs, in bounded memory."""

from functools import reduce
from operator import add
from threading import Lock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joblib import parallel_config
from numpy.testing import assert_array_equal

from scoredag.data.blocks import (
    BLOCK_BYTES,
    FAN_IN,
    ArrayBlocks,
    ScaledBlocks,
    block_rows,
    cut,
    fold,
    in_tree,
    is_blocks,
    sample_rows,
    take_rows,
)


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(1000, 3))


def gram(block):
    return block.T @ block


def plus(a, b):
    return a + b


def nested(terms):
    """Note how terms are combined, instead of combining them."""
    return list(terms)


@pytest.mark.parametrize("count", [1, 2, FAN_IN, FAN_IN + 1, FAN_IN**2, FAN_IN**2 + 1])
def test_tree_combines_neighbours_in_order(count):
    def flat(tree):
        return (
            [leaf for branch in tree for leaf in flat(branch)] if isinstance(tree, list) else [tree]
        )

    def width(tree):
        return max([len(tree), *map(width, tree)]) if isinstance(tree, list) else 1

    tree = in_tree(range(count), nested)
    assert flat(tree) == list(range(count))
    assert width(tree) <= FAN_IN


def test_tree_is_as_documented():
    """Blocks 16 at a time from the left, then these sums from the left."""
    terms = [np.float64(x) for x in np.random.default_rng(1).normal(size=40)]
    groups = [reduce(plus, terms[k : k + FAN_IN]) for k in range(0, 40, FAN_IN)]
    assert in_tree(iter(terms), lambda group: reduce(plus, group)) == reduce(plus, groups)


@pytest.mark.parametrize("jobs", [2, 3])
def test_bits_do_not_depend_on_jobs(X, jobs):
    blocks = ArrayBlocks(X, rows=13)
    assert_array_equal(fold(gram, plus, blocks, jobs), fold(gram, plus, blocks))


@pytest.mark.parametrize("backend", ["threading", "loky", "multiprocessing"])
def test_bits_do_not_depend_on_the_backend(X, backend):
    """Rows in memory stay there, wherever other work is sent: functions need not travel."""
    blocks, here = ArrayBlocks(X, rows=13), []
    with parallel_config(backend=backend, n_jobs=2):
        found = fold(lambda block: (here.append(0), gram(block))[1], plus, blocks)
    assert len(here) == 77
    assert_array_equal(found, fold(gram, plus, blocks))


def test_sum_is_right(X):
    np.testing.assert_allclose(fold(gram, plus, ArrayBlocks(X, rows=13)), X.T @ X, rtol=1e-12)


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_few_blocks_are_held(jobs):
    held, most, lock = 0, 0, Lock()

    class Counted(ArrayBlocks):
        def __iter__(self):
            nonlocal held, most
            for block in super().__iter__():
                with lock:
                    held += 1
                    most = max(most, held)
                yield block

    def release(block):
        nonlocal held
        with lock:
            held -= 1
        return len(block)

    assert fold(release, plus, Counted(np.zeros((300, 1)), rows=1), jobs) == 300
    assert most <= 3 * jobs + 1


@given(
    lengths=st.lists(st.integers(0, 40), max_size=6),
    rows=st.integers(1, 15),
)
def test_cut_covers_every_row_once(lengths, rows):
    found = [(s.run, s.first + k) for s in cut(lengths, rows) for k in range(s.n_rows)]
    assert found == [(run, row) for run, length in enumerate(lengths) for row in range(length)]
    assert all(1 <= span.n_rows <= rows for span in cut(lengths, rows))


@pytest.mark.parametrize("d", [1, 20, 128, 1000, 5000])
def test_blocks_have_bounded_size(d):
    rows = block_rows(d)
    assert 256 <= rows <= 8192
    assert rows == 256 or 8 * rows * d <= BLOCK_BYTES


@given(st.sets(st.integers(0, 99), max_size=30), st.integers(1, 40))
def test_rows_are_taken_where_they_are(positions, rows):
    X = np.arange(200.0).reshape(100, 2)
    wanted = np.array(sorted(positions), dtype=int)
    assert_array_equal(take_rows(ArrayBlocks(X, rows), wanted), X[wanted])


def test_sample_is_without_replacement_and_in_order():
    X = np.arange(100.0)[:, None]
    drawn = sample_rows(ArrayBlocks(X, 7), 30, np.random.default_rng(0))[:, 0]
    assert len(drawn) == 30
    assert (np.diff(drawn) > 0).all()
    everything = sample_rows(ArrayBlocks(X, 7), 500, np.random.default_rng(0))
    assert_array_equal(everything, X)


def test_scaled_blocks(X):
    centre, scale = X.mean(axis=0), X.std(axis=0)
    scaled = ScaledBlocks(ArrayBlocks(X, 64), centre, scale)
    assert scaled.shape == X.shape
    assert_array_equal(np.vstack(list(scaled)), (X - centre) / scale)


def test_what_holds_its_numbers_is_no_blocks(X):
    pandas = pytest.importorskip("pandas")
    others = [X, X.tolist(), pandas.DataFrame(X), "table.csv", None]
    assert not any(map(is_blocks, others))
    assert is_blocks(ArrayBlocks(X))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_fold_reports_the_rows(n_jobs):
    seen = []
    blocks = ArrayBlocks(np.arange(70.0)[:, None], rows=20)
    total = fold(np.sum, add, blocks, n_jobs, progress=lambda *state: seen.append(state))
    assert total == fold(np.sum, add, blocks)
    assert seen == [(20, 70), (40, 70), (60, 70), (70, 70)]
