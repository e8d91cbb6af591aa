import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoredag.data.selection import choose
from scoredag.exceptions import DataError

COLUMNS = ["a", "b,c", "d", "a"]


@pytest.mark.parametrize(
    ("select", "drop", "positions"),
    [
        (None, None, [0, 1, 2, 3]),
        ([], [], [0, 1, 2, 3]),
        (["d", "b,c"], None, [2, 1]),
        (["d, a"], None, [2, 0, 3]),
        (["a", "a"], None, [0, 3]),
        (None, ["b,c"], [0, 2, 3]),
        (["d,a"], ["a"], [2]),
    ],
)
def test_positions(select, drop, positions):
    assert choose(COLUMNS, select, drop) == positions


def test_unknown_name_in_a_list():
    with pytest.raises(DataError, match="drop: there is no column 'e'"):
        choose(COLUMNS, drop=["a,e"])


def test_nothing_left():
    with pytest.raises(DataError, match="no column is left"):
        choose(["a"], drop=["a"])


@settings(max_examples=50)
@given(st.lists(st.text(min_size=1, max_size=5), min_size=2, max_size=6, unique=True), st.data())
def test_select_returns_the_names_asked_for(columns, data):
    wanted = data.draw(st.lists(st.sampled_from(columns), min_size=1, unique=True))
    assert [columns[k] for k in choose(columns, select=wanted)] == wanted
