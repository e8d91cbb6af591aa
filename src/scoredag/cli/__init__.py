"""The command ``scoredag``: one file a command, each a thin layer over the library.

Exit codes: 0 done, 2 bad input or usage, 1 a fault of ours; 130 after Ctrl-C, 141 after a pipe
that was closed early.
"""

from __future__ import annotations

import io
import sys

# What the extra `cli` brings, by import name.
_EXTRA = ("typer", "rich", "pyarrow")


def run() -> None:
    """Run the command; the entry point that the package installs."""
    _print_what_can_be_printed()
    try:
        from scoredag.cli.app import app

        app(prog_name="scoredag")
    except KeyboardInterrupt:
        sys.exit(130)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _EXTRA:
            raise
        sys.stderr.write(
            f"scoredag: the command line needs {error.name}, which is not installed: "
            "pip install 'scoredag[cli]'\n"
        )
        sys.exit(2)


def _print_what_can_be_printed() -> None:
    """Replace what the terminal's encoding lacks, such as arrows, instead of failing over it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
