"""The console on which results are printed."""

from __future__ import annotations

from rich.console import Console

# Files and other programs have no margin to fold names at.
UNLIMITED = 1_000_000


def for_results() -> Console:
    """Make the console on standard output; only on a terminal has it a width."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = UNLIMITED
    return console
