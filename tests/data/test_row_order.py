"""What is said about the order of the rows."""

import numpy as np

from scoredag.data.row_order import about_row_order

NAMES = ["a", "b", "c"]


def table(seed=0):
    return np.random.default_rng(seed).normal(size=(300, 3))


def test_random_walks():
    (told,) = about_row_order(table().cumsum(axis=0), NAMES)
    assert "alike in 'a', 'b' and 'c', as in a time series" in told
    for words in ("independent draws", "differences", "delay", "method for time series", "sorted"):
        assert words in told


def test_one_walk_alone_makes_no_edge_and_is_not_named():
    X = table()
    X[:, 1] = X[:, 1].cumsum()
    assert about_row_order(X, NAMES) == []


def test_a_sorted_table_is_called_sorted():
    X = table()
    X[:, 1] += X[:, 0]
    (told,) = about_row_order(X[np.argsort(X[:, 0])], NAMES)
    assert told.startswith("the rows are sorted by 'a'.")


def test_shuffling_silences():
    X = table()
    X[:, 1] += X[:, 0]
    assert about_row_order(X, NAMES) == []


def test_a_row_number():
    X = table()
    X[:, 2] = np.arange(300)
    (told,) = about_row_order(X, NAMES)
    assert told.startswith("'c' changes by the same step from row to row")


def test_a_time_stamp_beside_walks():
    X = table().cumsum(axis=0)
    X[:, 2] = 2000 + np.arange(300) / 12
    stamp, series = about_row_order(X, NAMES)
    assert "'c'" in stamp
    assert "alike in 'a' and 'b'" in series


def test_small_tables_are_silent():
    assert about_row_order(table()[:30].cumsum(axis=0), NAMES) == []
