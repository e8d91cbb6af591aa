"""Warnings about the data, printed as they come and kept for the report."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scoredag.cli.wording import in_flags
from scoredag.exceptions import DataWarning

if TYPE_CHECKING:
    from rich.console import Console


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
