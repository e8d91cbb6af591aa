"""A progress bar with an estimate of the time left, for work that takes more than a moment."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

PATIENCE = 1.5
STAGES = {
    "start": "Finding orders to begin with",
    "refine": "Refining the order",
    "train": "Training the score",
    "order": "Finding the order",
    "prune": "Testing the edges",
    "simulate": "Drawing the data",
}


def time_left(elapsed: float, done: int, total: int) -> str:
    """Estimate the time left from the pace so far.

    Examples
    --------
    >>> time_left(10.0, 0, 4), time_left(10.0, 1, 4), time_left(600.0, 1, 4), time_left(9.0, 4, 4)
    ('', 'about 30 s left', 'about 30 min left', '')
    """
    if done <= 0 or done >= total:
        return ""
    return worded_time(elapsed / done * (total - done))


def worded_time(seconds: float) -> str:
    """Put the time left into words.

    Examples
    --------
    >>> worded_time(0.2), worded_time(99.0), worded_time(7200.0)
    ('about 1 s left', 'about 99 s left', 'about 2.0 h left')
    """
    if seconds < 100:
        return f"about {max(round(seconds), 1)} s left"
    if seconds < 6000:
        return f"about {round(seconds / 60)} min left"
    return f"about {seconds / 3600:.1f} h left"


class DelayedProgress:
    """Context manager and callback ``(stage, done, total)`` for an estimator's ``progress``.

    Nothing is shown for the first moment, nor ever where nobody watches a terminal.

    Parameters
    ----------
    console : rich.console.Console
        Where to draw; standard error, so that results can be piped.
    patience : float
        Seconds before the bar appears.
    """

    def __init__(self, console: Console, patience: float = PATIENCE) -> None:
        self._console = console
        self._timer = threading.Timer(patience, self._appear)
        self._timer.daemon = True
        self._lock = threading.Lock()
        self._bar: Progress | None = None
        self._closed = False
        self._stage, self._done, self._total = "", 0, 0
        # When the stage began, and when the last report came, with which a new stage begins.
        self._began = self._heard = time.monotonic()

    def __enter__(self) -> Self:
        self._heard = time.monotonic()
        if self._console.is_terminal:
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        with self._lock:
            self._closed = True
            if self._bar is not None:
                self._bar.stop()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Take note of the work done."""
        with self._lock:
            if stage != self._stage:
                self._stage, self._began = stage, self._heard
            self._heard = time.monotonic()
            self._done, self._total = done, total
            self._draw()

    def _appear(self) -> None:
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

        with self._lock:
            if self._closed:
                return
            self._bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.fields[left]}"),
                console=self._console,
                transient=True,
            )
            self._bar.add_task("Working", total=None, left="")
            self._bar.start()
            self._draw()

    def _draw(self) -> None:
        if self._bar is None or not self._stage:
            return
        self._bar.update(
            self._bar.task_ids[0],
            description=STAGES.get(self._stage, self._stage.capitalize()),
            completed=self._done,
            total=self._total,
            left=time_left(time.monotonic() - self._began, self._done, self._total),
        )
