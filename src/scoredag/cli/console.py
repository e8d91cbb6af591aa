"""What is printed: results on standard output, warnings on standard error."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from scoredag.cli.wording import in_flags
from scoredag.exceptions import DataWarning

if TYPE_CHECKING:
    from rich.console import Console

# Files and other programs have no margin to fold names at.
UNLIMITED = 1_000_000


def for_results() -> Console:
    """Make the console on standard output; only on a terminal has it a width."""
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = UNLIMITED
    return console


def to_json(document: dict[str, Any]) -> str:
    """Write JSON that every parser takes: NaN and infinity are an error here, not output.

    Examples
    --------
    >>> print(to_json({"edges": []}))
    {
      "edges": []
    }
    """
    return json.dumps(document, indent=2, allow_nan=False)


@contextmanager
def told_to(console: Console) -> Iterator[list[str]]:
    """Print each `DataWarning` to a console, and collect the messages in the list it yields.

    Warnings of other libraries are for developers, and are silent here.
    """
    messages: list[str] = []

    def hear(message: Warning | str, *_: object, **__: object) -> None:
        messages.append(in_flags(str(message)))
        tell(messages[-1], console)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", DataWarning)
        warnings.showwarning = hear
        yield messages


def tell(message: str, console: Console) -> None:
    """Print one warning to a console."""
    console.print("Warning: ", style="bold yellow", end="")
    console.print(message, markup=False, highlight=False, soft_wrap=True)
