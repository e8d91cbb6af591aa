"""Graph files that a command reads, with errors that name the file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scoredag.exceptions import GraphError
from scoredag.graph import read_graph


def load_graph(path: Path, nodes: Iterable[str] | None = None) -> Any:
    """Read a graph; what is missing, a directory or no graph is a `GraphError`."""
    try:
        return read_graph(path, nodes=nodes)
    except OSError as error:
        raise GraphError(f"{path} cannot be read: {error.strerror}.") from error
