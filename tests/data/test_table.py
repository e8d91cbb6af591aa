import numpy as np
import pytest

from scoredag import VarSort
from scoredag.data import Table

VALUES = np.random.default_rng(0).normal(size=(60, 2))


def test_estimators_take_a_table_and_know_its_names():
    fitted = VarSort().fit(Table(VALUES, ("dose", "effect"), "t.csv"))
    assert list(fitted.graph_) == ["dose", "effect"]
    assert np.array_equal(fitted.causal_order_, VarSort().fit(VALUES).causal_order_)


def test_it_is_an_array():
    table = Table(VALUES, ("dose", "effect"), "t.csv")
    assert len(table) == 60
    assert table.shape == (60, 2)
    assert np.shares_memory(np.asarray(table), VALUES)
    assert not np.shares_memory(np.array(table, copy=True), VALUES)
    assert np.asarray(table, dtype=np.float32).dtype == np.float32


def test_it_is_frozen():
    with pytest.raises(AttributeError):
        Table(VALUES, ("a", "b"), "t.csv").names = ("c", "d")
