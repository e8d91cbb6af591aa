"""Run the programs of others: quietly, with one thread, and with a reason if they fail."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scoredag.bench.peers.errors import PeerFailed

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


def call(command: Sequence[str | Path]) -> None:
    """Run a command to its end.

    It stays in our process group, so that a signal to the group ends it too.

    Raises
    ------
    PeerFailed
        If it ends with an error: the last line that it wrote, or how it ended.
    """
    with tempfile.TemporaryFile() as said:
        done = subprocess.run(
            list(map(str, command)),
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
        )
        said.seek(max(0, said.seek(0, os.SEEK_END) - _TAIL_BYTES))
        text = said.read().decode(errors="replace")
    if done.returncode < 0:
        raise PeerFailed(f"ended by {signal.Signals(-done.returncode).name}")
    if done.returncode > 0:
        raise PeerFailed(last_line(text) or f"exit code {done.returncode}, and no message")


def last_line(text: str) -> str:
    r"""What a program said last.

    Examples
    --------
    >>> last_line("Traceback:\n  File x\nValueError: no rows\n\n")
    'ValueError: no rows'
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def _environment() -> dict[str, str]:
    """Ours, without what would lead the Python of a venv to our own packages."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return inherited | _ENVIRONMENT
