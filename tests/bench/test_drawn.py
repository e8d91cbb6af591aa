"""Data that runs share."""

import numpy as np
import pytest

from scoredag.bench import drawn
from scoredag.bench.spec import Run


def run_on(**options):
    return Run("paper", {"d": 3, "graph": "ER1", "n": 20} | options, 1, "SCORE", "SCORE", {}, 9, ())


def test_read_data_are_the_drawn_ones_bit_by_bit(tmp_path):
    first, second = drawn.problem_of(run_on(), tmp_path), drawn.problem_of(run_on(), tmp_path)
    np.testing.assert_array_equal(first.X, second.X, strict=True)
    np.testing.assert_array_equal(first.adjacency, second.adjacency, strict=True)
    assert len(list(tmp_path.iterdir())) == 1


def test_data_are_drawn_once(tmp_path, monkeypatch):
    drawn.problem_of(run_on(), tmp_path)
    monkeypatch.setattr(drawn, "piece", lambda *_: pytest.fail("drawn again"))
    drawn.problem_of(run_on(), tmp_path)


@pytest.mark.parametrize("change", [{"n": 21}, {"noise": "laplace"}])
def test_other_data_are_other_files(tmp_path, change):
    first = drawn.problem_of(run_on(), tmp_path)
    other = drawn.problem_of(run_on(**change), tmp_path)
    assert first.X.shape != other.X.shape or (first.X != other.X).any()


def test_data_of_other_sources_are_not_used(tmp_path, monkeypatch):
    drawn.problem_of(run_on(), tmp_path)
    monkeypatch.setattr(drawn, "fingerprint", lambda: "other")
    drawn.problem_of(run_on(), tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_file_cut_short_is_drawn_again(tmp_path):
    first = drawn.problem_of(run_on(), tmp_path)
    (path,) = tmp_path.iterdir()
    for size in (0, 100, path.stat().st_size - 50):
        path.write_bytes(path.read_bytes()[:size])
        np.testing.assert_array_equal(drawn.problem_of(run_on(), tmp_path).X, first.X)


def test_clear(tmp_path):
    drawn.problem_of(run_on(), tmp_path / "drawn")
    drawn.clear(tmp_path / "drawn")
    drawn.clear(tmp_path / "drawn")
    assert not (tmp_path / "drawn").exists()
