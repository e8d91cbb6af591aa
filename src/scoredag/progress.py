"""Progress of work in several phases, as one number that only grows."""

from __future__ import annotations

from collections.abc import Callable

Report = Callable[[int, int], None]

_TICKS = 1000


class Phases:
    """Reports how far the work is, in phases of equal length.

    Examples
    --------
    >>> phases = Phases(lambda done, total: print(done, total), total=2)
    >>> phases.begin()(1, 2)
    500 2000
    >>> phases.end()
    2000 2000
    """

    def __init__(self, progress: Report | None, total: int) -> None:
        self._progress, self._total, self._begun = progress, total, 0

    def begin(self) -> Report:
        """Begin the next phase; the function that is returned takes the work done in the phase."""
        self._begun += 1
        return lambda done, total: self._tell(self._begun - 1 + done / total)

    def end(self) -> None:
        """Report that all is done, also phases that were not needed."""
        self._tell(self._total)

    def _tell(self, phases: float) -> None:
        if self._progress is not None:
            self._progress(round(_TICKS * phases), _TICKS * self._total)


def halving(report: Report, number: int) -> Report:
    """Progress of a phase of unknown length: each part takes half of what is left.

    Examples
    --------
    >>> halving(lambda done, total: print(done, total), 1)(1, 1)
    750 1000
    """

    def within(done: int, total: int) -> None:
        left = 0.5**number * (1 - 0.5 * done / total)
        report(round(_TICKS * (1 - left)), _TICKS)

    return within
