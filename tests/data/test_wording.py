import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoredag.data.wording import close_match, counted, listing, name_list, quoted


@given(st.text())
def test_quoted_names_are_one_short_printable_line(name):
    shown = quoted(name)
    assert len(shown.splitlines()) == 1
    assert shown.isprintable()
    assert len(name) <= 40 or len(eval(shown)) == 40


@pytest.mark.parametrize(
    ("items", "text"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (list("abc"), "a, b and c")],
)
def test_listing_joins(items, text):
    assert listing(items) == text


def test_listing_counts_the_rest():
    assert listing([str(k) for k in range(1205)]) == "0, 1, 2, 3, 4 and 1,200 more"
    assert name_list("abcdefg", limit=2) == "'a', 'b' and 5 more"


def test_counted():
    assert [counted(k, "row") for k in (0, 1, 2)] == ["0 rows", "1 row", "2 rows"]


def test_close_match():
    assert close_match("TEMPERATUR", ["pressure", "temperature"]) == "temperature"
    assert close_match("zzz", ["pressure", "temperature"]) is None
