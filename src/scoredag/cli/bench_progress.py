"""How far a benchmark is: runs done, running and failed, and the time left."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from scoredag.cli.progress import worded_time

if TYPE_CHECKING:
    from rich.console import Console

    from scoredag.bench.session import Session

# Between two lines, where nobody watches a terminal.
_SECONDS_BETWEEN_LINES = 60.0


class BenchProgress:
    """Context manager and callback for `scoredag.bench.run_benchmark`.

    On a terminal a bar; elsewhere a line a minute, so that a log tells how far it is.

    Parameters
    ----------
    console : rich.console.Console
        Where to draw; standard error, so that results can be piped.
    """

    def __init__(self, console: Console) -> None:
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

        self._console = console
        self._bar = Progress(
            SpinnerColumn(),
            BarColumn(),
            TextColumn("{task.description}", markup=False),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task("starting", total=None)
        self._last_line = time.monotonic()

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._console.is_terminal:  # elsewhere it would leave an empty line
            self._bar.stop()

    def __call__(self, session: Session) -> None:
        """Show the state of a session."""
        text = described(session)
        if self._console.is_terminal:
            self._bar.update(
                self._task, completed=session.finished, total=session.total, description=text
            )
        elif time.monotonic() - self._last_line > _SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            self._console.print(text, markup=False, highlight=False)


def described(session: Session) -> str:
    """Put the state of a session into words.

    Examples
    --------
    >>> from scoredag.bench import Session
    >>> described(Session(total=3, jobs=1))
    '0 of 3 runs'
    """
    parts = [f"{session.finished} of {session.total} runs"]
    if session.running:
        first, *others = session.running
        more = f" and {len(others)} more" if others else ""
        parts.append(f"running {first.label}, seed {first.seed}{more}")
    for count, word in ((session.failed, "failed"), (session.counts["skipped"], "skipped")):
        if count:
            parts.append(f"{count} {word}")
    left = session.seconds_left()
    if left:
        parts.append(worded_time(left))
    return " · ".join(parts)
