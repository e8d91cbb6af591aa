"""Data that runs share, and the peak memory of a block."""

import subprocess
import sys

import numpy as np
import pytest

from scoredag.bench import work
from scoredag.bench.spec import Run
from scoredag.bench.work import watched_memory


def run_on(**options):
    return Run("paper", {"d": 3, "graph": "ER1", "n": 20} | options, 1, "SCORE", "SCORE", {}, 9, ())


def test_read_data_are_the_drawn_ones_bit_by_bit(tmp_path):
    first, second = work.problem_of(run_on(), tmp_path), work.problem_of(run_on(), tmp_path)
    np.testing.assert_array_equal(first.X, second.X, strict=True)
    np.testing.assert_array_equal(first.adjacency, second.adjacency, strict=True)
    assert len(list(tmp_path.iterdir())) == 1


def test_data_are_drawn_once(tmp_path, monkeypatch):
    work.problem_of(run_on(), tmp_path)
    monkeypatch.setattr(work, "piece", lambda *_: pytest.fail("drawn again"))
    work.problem_of(run_on(), tmp_path)


@pytest.mark.parametrize("change", [{"n": 21}, {"noise": "laplace"}])
def test_other_data_are_other_files(tmp_path, change):
    first = work.problem_of(run_on(), tmp_path)
    other = work.problem_of(run_on(**change), tmp_path)
    assert first.X.shape != other.X.shape or (first.X != other.X).any()


def test_data_of_other_sources_are_not_used(tmp_path, monkeypatch):
    work.problem_of(run_on(), tmp_path)
    monkeypatch.setattr(work, "fingerprint", lambda: "other")
    work.problem_of(run_on(), tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_file_cut_short_is_drawn_again(tmp_path):
    first = work.problem_of(run_on(), tmp_path)
    (path,) = tmp_path.iterdir()
    for size in (0, 100, path.stat().st_size - 50):
        path.write_bytes(path.read_bytes()[:size])
        np.testing.assert_array_equal(work.problem_of(run_on(), tmp_path).X, first.X)


def test_clear(tmp_path):
    work.problem_of(run_on(), tmp_path / "drawn")
    work.clear(tmp_path / "drawn")
    work.clear(tmp_path / "drawn")
    assert not (tmp_path / "drawn").exists()


def test_peak_counts_what_was_there_for_a_moment():
    with watched_memory() as memory:
        np.ones(30 * 2**17)  # 30 MiB, gone at once
    assert 25 < memory["peak_mb"] < 200


def test_an_earlier_peak_does_not_count():
    np.ones(300 * 2**17)
    with watched_memory() as memory:
        np.ones(10 * 2**17)
    assert memory["peak_mb"] < 250


def test_a_childs_memory_counts():
    # In a new process: only a child larger than all before it counts, and the suite starts many.
    code = (
        "import subprocess, sys\n"
        "from scoredag.bench.work import watched_memory\n"
        "with watched_memory() as memory:\n"
        "    subprocess.run([sys.executable, '-c', 'bytearray(150 * 2**20)'], check=True)\n"
        "print(memory['peak_mb'])\n"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert float(run.stdout) > 140
