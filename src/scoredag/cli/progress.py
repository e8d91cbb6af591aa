"""A progress bar with an estimate of the time left, for work that takes more than a moment."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

PATIENCE = 1.5
# Share of an estimate that counts as work done at the estimated pace: then the pace is measured.
TRUST = 0.02
_TICKS = 10_000
STAGES = {
    "read": "Checking the table",
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


def planned_time_left(plan: Mapping[str, float], stage: str, share: float, elapsed: float) -> float:
    """Seconds left of work whose stages were estimated: the estimate, at the pace so far.

    Parameters
    ----------
    plan : mapping of str to float
        Estimated seconds of each stage, in their order.
    stage : str
        The stage at hand, and
    share : float
        the share of its work that is done.
    elapsed : float
        Seconds since the first stage began.

    Notes
    -----
    The pace is the time taken over the time that was estimated for it. It counts from the beginning
    with the weight of `TRUST` of the whole estimate, so that it does not jump.

    Examples
    --------
    >>> plan = {"order": 60.0, "prune": 20.0}
    >>> planned_time_left(plan, "order", 0.0, 0.0), planned_time_left(plan, "prune", 0.5, 70.0)
    (80.0, 10.0)
    """
    stages = list(plan)
    done = sum(plan[name] for name in stages[: stages.index(stage)]) + share * plan[stage]
    whole = sum(plan.values())
    trust = TRUST * whole
    return (elapsed + trust) / (done + trust) * (whole - done)


def worded_time(seconds: float) -> str:
    """Put the time left into words.

    Examples
    --------
    >>> worded_time(0.2), worded_time(99.0), worded_time(7200.0)
    ('about 1 s left', 'about 99 s left', 'about 2.0 h left')
    """
    return f"about {worded_duration(seconds)} left"


def worded_duration(seconds: float) -> str:
    """Put a duration into words.

    Examples
    --------
    >>> worded_duration(0.2), worded_duration(600.0), worded_duration(2e6)
    ('1 s', '10 min', '23 days')
    """
    if seconds < 100:
        return f"{max(round(seconds), 1)} s"
    if seconds < 6000:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h" if seconds < 100 * 3600 else f"{seconds / 86400:,.0f} days"


class DelayedProgress:
    """Context manager and callback ``(stage, done, total)`` for an estimator's ``progress``.

    Nothing is shown for the first moment, nor ever where nobody watches a terminal.

    Parameters
    ----------
    console : rich.console.Console
        Where to draw; standard error, so that results can be piped.
    patience : float
        Seconds before the bar appears.
    plan : mapping of str to float, optional
        Estimated seconds of each stage: the bar is then that of all stages together.
    """

    def __init__(
        self,
        console: Console,
        patience: float = PATIENCE,
        plan: Mapping[str, float] | None = None,
    ) -> None:
        self._console = console
        self._plan = dict(plan or {})
        self._whole = sum(self._plan.values())
        self._timer = threading.Timer(patience, self._appear)
        self._timer.daemon = True
        self._lock = threading.Lock()
        self._bar: Progress | None = None
        self._closed = False
        self._stage, self._done, self._total = "", 0, 0
        # When the stage began, and when the last report came, with which a new stage begins.
        self._entered = self._began = self._heard = time.monotonic()

    def __enter__(self) -> Self:
        self._entered = self._heard = time.monotonic()
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
        if self._bar is None or not (self._stage or self._plan):
            return
        # Before its first report a stage has no name here.
        stage = self._stage or next(iter(self._plan))
        completed, total, left = self._done, self._total, ""
        if stage in self._plan and self._whole > 0:
            share = self._done / self._total if self._total else 0.0
            seconds = planned_time_left(self._plan, stage, share, time.monotonic() - self._entered)
            before = list(self._plan)[: list(self._plan).index(stage)]
            worked = sum(self._plan[name] for name in before) + share * self._plan[stage]
            completed, total = round(_TICKS * worked / self._whole), _TICKS
            left = worded_time(seconds) if completed < total else ""
        elif self._stage:
            left = time_left(time.monotonic() - self._began, self._done, self._total)
        self._bar.update(
            self._bar.task_ids[0],
            description=STAGES.get(stage, stage.capitalize()),
            completed=completed,
            total=total,
            left=left,
        )
