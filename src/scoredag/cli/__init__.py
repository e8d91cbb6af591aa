"""The command ``scoredag``: one file a command, each a thin layer over the library.

Exit codes: 0 done, 2 bad input or usage, 1 a fault of ours or a benchmark without any result; 130
after Ctrl-C, 141 after a pipe that was closed early.
"""

from __future__ import annotations

import codecs
import io
import signal
import sys

from scoredag.cli.interrupts import INTERRUPTED, end_promptly, interrupted

# What the extra `cli` brings, by import name.
_EXTRA = ("typer", "rich", "pyarrow")
# How to write the signs of our messages where an encoding lacks them.
_PLAIN = {"→": "->", "–": "-", "—": "--", "…": "...", "−": "-", "“": '"', "”": '"'}


def run() -> None:
    """Run the command; the entry point that the package installs."""
    end_promptly()
    _end_with_the_pipe()
    _print_what_can_be_printed()
    try:
        import rich  # noqa: F401  # typer before 0.22 does without it; the commands do not

        from scoredag.cli.app import app

        app(prog_name="scoredag")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except ImportError as error:
        if interrupted():  # and the import has made an error of it
            sys.exit(INTERRUPTED)
        if error.name is None or error.name.partition(".")[0] not in _EXTRA:
            raise
        sys.stderr.write(
            f"scoredag: the command line needs {error.name}, which is not installed: "
            "pip install 'scoredag[cli]'\n"
        )
        sys.exit(2)


def _end_with_the_pipe() -> None:
    """Let a pipe that is closed early end the process, as it ends every other tool."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def _print_what_can_be_printed() -> None:
    """Replace what the terminal's encoding lacks, such as arrows, instead of failing over it."""
    codecs.register_error("scoredag.plain", _spelled_out)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="scoredag.plain")


def _spelled_out(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_PLAIN.get(sign, "?") for sign in lacking), error.end
