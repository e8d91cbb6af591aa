"""Files to write: refused before the work starts, written by their suffix after it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, combinations, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoredag.cli.errors import UsageProblem
from scoredag.cli.options import GRAPH_FORMATS
from scoredag.plugins import names

if TYPE_CHECKING:
    from scoredag.report import Finding

PAGE = ".html"


def graph_suffixes() -> list[str]:
    """List the suffixes of the graph formats, which are the names of their files.

    Examples
    --------
    >>> graph_suffixes()
    ['.csv', '.dot', '.gml', '.json']
    """
    return [f".{name}" for name in names(GRAPH_FORMATS)]


def check_outputs(paths: Sequence[Path], reads: Mapping[str, Path | None] | None = None) -> None:
    """Raise `UsageProblem` if a result cannot be written to one of these files.

    Parameters
    ----------
    paths : sequence of Path
        Where to write graphs and pages.
    reads : mapping of str to Path, optional
        What is read, and from where: files that must not be overwritten.
    """
    for path in paths:
        check_output(path, [*graph_suffixes(), PAGE])
        for what, source in (reads or {}).items():
            if source is not None and _same_file(path, source):
                raise UsageProblem(f"{path} is {what}: choose another name for the result.")
    refuse_same_file(paths)


def refuse_same_file(paths: Sequence[Path]) -> None:
    """Raise `UsageProblem` if one result would overwrite another."""
    for first, second in combinations(paths, 2):
        if _same_file(first, second):
            raise UsageProblem(f"{second} is to be written twice: choose another name for one.")


def _same_file(first: Path, second: Path) -> bool:
    if first.exists() and second.exists():
        return first.samefile(second)
    return os.path.realpath(first) == os.path.realpath(second)


def check_output(path: Path, suffixes: Sequence[str]) -> None:
    """Raise `UsageProblem` if a file of this name cannot be written."""
    if path.suffix.lower() not in suffixes:
        one_of = "one of " * (len(suffixes) > 1)
        raise UsageProblem(f"{path}: the name must end in {one_of}{', '.join(suffixes)}.")
    if path.is_dir():
        raise UsageProblem(f"{path} is a directory: give the path of a file.")
    if path.is_symlink() and os.path.islink(os.path.realpath(path)):
        raise UsageProblem(
            f"{path} is a symbolic link that leads in a circle: choose another name."
        )
    folder = Path(os.path.realpath(path)).parent if path.is_symlink() else path.parent
    if not folder.is_dir():
        raise UsageProblem(f"{path}: the folder {folder} does not exist. Create it first.")
    if _is_standard_output(path):
        raise UsageProblem(f"{path} is where standard output goes: choose another name.")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise UsageProblem(f"{path} cannot be written: permission denied.")


def _is_standard_output(path: Path) -> bool:
    """Whether a result would be overwritten by what is printed."""
    try:
        return path.is_file() and os.path.samestat(path.stat(), os.fstat(1))
    except OSError:  # closed
        return False


def write_outputs(paths: Sequence[Path], graph: Any, finding: Finding) -> None:
    """Write a page or a graph to each file, whichever its suffix says."""
    from scoredag.graph import write_graph
    from scoredag.report import render_page

    for path in paths:
        if path.suffix.lower() == PAGE:
            with replaced(path) as partial:
                partial.write_text(render_page(finding), encoding="utf-8", errors="replace")
        else:
            with named_on_failure(path):
                write_graph(graph, path)


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """Yield where to write; that takes the file's place once all is written."""
    from scoredag.replacing import replacing

    with named_on_failure(path), replacing(path, make_folder=False) as partial:
        yield partial


@contextmanager
def named_on_failure(path: Path) -> Iterator[None]:
    """Name the file that could not be written: a full disk does not say which."""
    try:
        yield
    except OSError as error:
        raise UsageProblem(f"{path} cannot be written: {error.strerror or error}.") from error


def free_name(path: Path) -> Path:
    """Return the path, or one with a number behind its name if there is such a file already.

    Examples
    --------
    >>> free_name(Path("no_such_page.html")).name
    'no_such_page.html'
    """
    numbered = (path.with_stem(f"{path.stem}-{number}") for number in count(2))
    return next(name for name in chain([path], numbered) if not os.path.lexists(name))
