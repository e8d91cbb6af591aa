"""Run a peer on a table, in a process of its own."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from scoredag.bench.peers import _child
from scoredag.bench.peers.process import call
from scoredag.bench.peers.registry import (
    Library,
    check_peer_options,
    distributions,
    find_peer,
    peers_folder,
    python_of,
)
from scoredag.bench.scoring import COSTS, Outcome


def run_peer(
    name: str,
    X: ArrayLike,
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    folder: Path | None = None,
) -> Outcome:
    """Run a method that others wrote.

    Parameters
    ----------
    name : str
        One of `peer_methods`, such as "causal-learn/PC"; ValueError for any other.
    X : array-like of shape (n, d)
        The table.
    options : mapping, optional
        By the names that its library gives them; ValueError if it lacks one.
    seed : int, default=0
        For methods that draw random numbers.
    folder : Path, optional
        Folder of the venvs; `peers_folder` by default.

    Returns
    -------
    Outcome
        Matrices in our convention: ``A[i, j] = 1`` means i -> j.

    Notes
    -----
    Raises `PeerMissing` and `PeerFailed` with what to do, and the last line that it wrote. There
    is no time limit. A signal to the caller's process group ends the process, too.
    """
    library, method = find_peer(name)
    table = np.ascontiguousarray(X, dtype=np.float64)
    given = dict(options or {})
    check_peer_options(name, given)
    if library.requirements is None:
        return _outcome(_child.timed(library.methods[method], table, given, seed))
    python = python_of(library, peers_folder() if folder is None else folder)
    request = {
        "method": method,
        "options": given,
        "seed": seed,
        "distributions": distributions(library),
    }
    return _outcome(ask(python, library, table, request))


def ask(
    python: Path, library: Library, table: np.ndarray, request: dict[str, Any]
) -> dict[str, Any]:
    """Hand a request to a peer's script, and read its answer: see `_child`."""
    with tempfile.TemporaryDirectory(prefix="scoredag-peer-") as scratch:
        data, asked, answered = (Path(scratch, f) for f in ("X.npy", "request.json", "result.json"))
        np.save(data, table)
        asked.write_text(json.dumps({**request, "data": str(data)}))
        # -I: neither our PYTHONPATH nor the working directory leaks into the venv.
        call([python, "-I", _child.__file__, library.script, asked, answered])
        return json.loads(answered.read_text())


def _outcome(found: Mapping[str, Any]) -> Outcome:
    """Read the plain dict that a peer wrote."""
    order, scores = found.get("order"), found.get("scores")
    return Outcome(
        kind=found["kind"],
        matrix=np.asarray(found["matrix"], dtype=np.int64),
        order=None if order is None else np.asarray(order, dtype=np.intp),
        costs={name: found[name] for name in COSTS if name in found},
        versions=found["versions"],
        scores=None if scores is None else np.asarray(scores, dtype=float),
    )
