"""Data sets, drawn once for all the methods that run on them.

Runs are processes of their own, so what they share lies on disk: in the output folder, under a
name that says which sources drew it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from scoredag.bench.provenance import fingerprint
from scoredag.bench.spec import PROBLEMS, Run
from scoredag.plugins import piece
from scoredag.replacing import replacing

_UNREADABLE = (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile)
FOLDER_NAME = ".scoredag-drawn"


def problem_of(run: Run, folder: Path) -> Any:
    """Look a run's data up, or draw them and put them down for the next.

    Parameters
    ----------
    run : Run
        Which data.
    folder : Path
        Where they lie; `clear` removes it.

    Returns
    -------
    object
        With ``.X`` and ``.adjacency`` (``A[i, j] = 1`` means i -> j), bit by bit the same
        whether drawn or read.
    """
    path = folder / f"{_name(run)}.npz"
    # A file that a crash of the machine has cut short is drawn again.
    with contextlib.suppress(*_UNREADABLE), path.open("rb") as file, np.load(file) as arrays:
        return SimpleNamespace(X=arrays["X"], adjacency=arrays["adjacency"])
    problem = piece(PROBLEMS, run.data)(**run.data_options, seed=run.seed)
    # A full disk or a folder that is gone is no fault of the run: the next draws the data anew.
    with contextlib.suppress(OSError):
        folder.mkdir(exist_ok=True)
        with replacing(path, make_folder=False) as partial:
            np.savez(partial, X=problem.X, adjacency=problem.adjacency)
    return problem


def clear(folder: Path) -> None:
    """Remove what was drawn, and nothing else."""
    for path in [*folder.glob("*.npz"), *folder.glob(".*.npz")]:
        path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # not empty, or not there
        folder.rmdir()


def _name(run: Run) -> str:
    what = json.dumps([run.data, run.data_options, run.seed, fingerprint()], sort_keys=True)
    return hashlib.sha256(what.encode()).hexdigest()[:24]
