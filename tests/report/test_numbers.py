import math
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scoredag.report.numbers import number_text, p_phrase, p_text, tick_text, ticks

NUMBERS = st.floats(-1e9, 1e9)


@given(NUMBERS, NUMBERS)
def test_ticks_are_few_even_and_inside(a, b):
    low, high = sorted((a, b))
    assume(high - low > 1e-6 * max(1, abs(low), abs(high)))
    found = ticks(low, high)
    assert 2 <= len(found) <= 7
    slack = 1e-6 * (high - low)
    assert low - slack <= found[0] <= found[-1] <= high + slack
    steps = [later - earlier for earlier, later in pairwise(found)]
    assert all(math.isclose(step, steps[0], rel_tol=1e-3) for step in steps)


def test_an_empty_range_has_one_tick():
    assert ticks(3.0, 3.0) == [3.0]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1500.0, "1500"),
        (2e5, "2e5"),
        (2.5e-7, "2.5e-7"),
        (-3e6, "−3e6"),
        (0.001, "0.001"),
    ],
)
def test_tick_text(value, text):
    assert tick_text(value) == text


def test_p_values():
    assert p_text(0.049) == "4.9e-02"
    assert p_text(1e-310) == "< 1e-300"
    assert p_phrase(0.0) == "p < 1e-300"
    assert p_phrase(1.0) == "p = 1.0e+00"


def test_numbers():
    assert [number_text(v) for v in (0.001, 99.94, 123456.0, 1e7, None, "cam")] == [
        "0.001",
        "99.9",
        "123000",
        "1e+07",
        "None",
        "cam",
    ]
