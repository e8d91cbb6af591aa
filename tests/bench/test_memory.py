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
    # In a new process: only a child larger than all before it counts, and the suite starts many.
    code = (
        "import subprocess, sys\n"
        "from scoredag.bench.memory import watched_memory\n"
        "with watched_memory() as memory:\n"
        "    subprocess.run([sys.executable, '-c', 'bytearray(150 * 2**20)'], check=True)\n"
        "print(memory['peak_mb'])\n"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert float(run.stdout) > 140
