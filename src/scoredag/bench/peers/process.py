"""Run the programs of others: quietly, with one thread, and with a reason if they fail."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

# One thread, no GPU, no window: like everything else in the benchmark.
_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "CUDA_VISIBLE_DEVICES": "",
    "MPLBACKEND": "Agg",
}
_TAIL_BYTES = 20_000


class PeerMissing(RuntimeError):
    """A peer is not installed; the message says what to do."""


class PeerFailed(RuntimeError):
    """A peer ran and ended without a result; the message is the last thing it said."""


def call(command: Sequence[str | Path]) -> None:
    """Run a command to its end.

    It stays in our process group, so that a signal to the group ends it too.

    Raises
    ------
    PeerFailed
        If it ends with an error: the last line that it wrote, or how it ended.
    """
    # Without what would lead the Python of a venv to our own packages.
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    with tempfile.TemporaryFile() as said:
        done = subprocess.run(
            list(map(str, command)),
            env=inherited | _ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
        )
        said.seek(max(0, said.seek(0, os.SEEK_END) - _TAIL_BYTES))
        text = said.read().decode(errors="replace")
    if done.returncode < 0:
        raise PeerFailed(f"ended by {signal.Signals(-done.returncode).name}")
    if done.returncode > 0:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        raise PeerFailed(lines[-1] if lines else f"exit code {done.returncode}, and no message")
