"""Peak memory of a block."""

import subprocess
import sys

import numpy as np

from scoredag.bench.memory import watched_memory


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
    with watched_memory() as memory:
        subprocess.run([sys.executable, "-c", "bytearray(150 * 2**20)"], check=True)
    assert memory["peak_mb"] > 140
