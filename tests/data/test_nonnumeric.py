"""Points that may separate thousands are named; numbers rounded to three digits are not."""

import warnings

import numpy as np
import pytest

from scoredag.data import read_table
from scoredag.exceptions import DataWarning


@pytest.fixture
def cautions(tmp_path):
    def of(cells, mark=".", **options):
        path = tmp_path / "table.csv"
        rows = [f"{cell.replace('.', mark)};{k}{mark}5" for k, cell in enumerate(cells)]
        path.write_text("\n".join(["revenue;b", *rows]))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            read_table(path, **options)
        return [str(entry.message) for entry in caught if entry.category is DataWarning]

    return of


def test_german_thousands(cautions):
    (told,) = cautions(["12.573", "986", "1.204", "99"])
    assert "'revenue' (1.204 and 986)" in told
    assert "may hold thousands that are separated by '.'" in told
    assert "wrong by a factor of 1,000" in told


@pytest.mark.parametrize("other", ["1500", "0", "?", "NA"])
def test_other_cells_do_not_hide_them(cautions, other):
    """Four digits are often written without a mark, and cells may be missing."""
    told = cautions(["12.573", "986", "1.204", other], na=["?"], incomplete="drop")
    assert any("may hold thousands" in message for message in told)


def test_english_thousands_where_the_comma_is_the_decimal_mark(cautions):
    (told,) = cautions(["12.573", "986", "1.204"], mark=",", decimal=",")
    assert "separated by ','" in told


@pytest.mark.parametrize(
    "cells",
    [
        ["12.573", "98.6", "1.204"],  # one digit
        ["12.573", "0.986", "7"],  # a leading zero
        ["12.573", "986.000", "1.204"],  # all have three digits: in any case a change of units
        ["12.573", "0.000", "1.204"],
        ["12", "986", "1204"],
        ["1.5", "2.25", "3"],
    ],
)
def test_other_numbers_are_silent(cautions, cells):
    assert cautions(cells) == []


def test_rounded_measurements_are_silent(cautions):
    values = np.round(np.random.default_rng(0).normal(20, 5, size=300), 3)
    assert cautions([f"{value:g}" for value in values]) == []
