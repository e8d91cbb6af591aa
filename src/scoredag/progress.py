"""Progress of work in several phases, as one number that only grows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

Report = Callable[[int, int], None]

_TICKS = 1000


class Phases:
    """Reports how far the work is, in phases whose work is known or estimated beforehand.

    Parameters
    ----------
    progress : callable or None
        Gets the work done and the total, in units that depend on the number of phases alone.
    work : sequence of float
        Of each phase, in any unit.

    Examples
    --------
    >>> phases = Phases(lambda done, total: print(done, total), work=[3.0, 1.0])
    >>> phases.begin()(1, 2)
    750 2000
    >>> phases.end()
    2000 2000
    """

    def __init__(self, progress: Report | None, work: Sequence[float]) -> None:
        self._progress, self._begun = progress, 0
        self._ends = [0.0, *accumulate(work)]
        self._ticks = _TICKS * len(work)

    def begin(self) -> Report:
        """Begin the next phase; the function that is returned takes the work done in the phase."""
        self._begun += 1
        before, after = self._ends[self._begun - 1 : self._begun + 1]
        return lambda done, total: self._tell(before + (after - before) * done / total)

    def end(self) -> None:
        """Report that all is done, also phases that were not needed."""
        self._tell(self._ends[-1])

    def _tell(self, work: float) -> None:
        if self._progress is not None:
            self._progress(round(self._ticks * work / self._ends[-1]), self._ticks)


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
