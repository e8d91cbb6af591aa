"""Build the venvs of the peers: ``python -m scoredag.bench.peers [LIBRARY ...]``.

A venv that is up to date is left alone. One that cannot be built does not stop the others; the
exit code is 1 then.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from scoredag.bench.peers.process import PeerFailed
from scoredag.bench.peers.registry import Library, build, is_built, libraries, peers_folder


def main(wanted: list[str]) -> int:
    """Build the venvs of some libraries, or of all; return the exit code."""
    known = {name: library for name, library in libraries().items() if library.requirements}
    unknown = [name for name in wanted if name not in known]
    if unknown:
        _say(f"No library {', '.join(unknown)}: there are {', '.join(known)}.")
        return 2
    folder = peers_folder()
    failed = [name for name in wanted or known if not _built(known[name], folder)]
    if failed:
        _say(f"Not built: {', '.join(failed)}. The benchmark marks their runs as skipped.")
    return 1 if failed else 0


def _built(library: Library, folder: Path) -> bool:
    if is_built(library, folder):
        _say(f"{library.name}: up to date in {folder / library.name}")
        return True
    _say(f"{library.name}: building {folder / library.name} ...")
    start = time.perf_counter()
    try:
        build(library, folder)
    except (PeerFailed, OSError) as error:
        _say(f"{library.name}: failed: {error}")
        return False
    _say(f"{library.name}: built in {time.perf_counter() - start:.0f} s")
    return True


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
