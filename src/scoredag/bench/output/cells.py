"""One cell: a method's runs on one kind of data, beside what was published."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scoredag.bench.output.quantities import Quantity, quantity
from scoredag.bench.output.reference import Published
from scoredag.bench.output.selection import Row

DONE = "done"
# Longer ones are errors of other programs, which quote half of their input.
_LONGEST_REASON = 220
_STATUS_WORDS = {"skipped": "not run"}


@dataclass(frozen=True)
class Failure:
    """Runs without a result: how they ended, how many, and why most of them did."""

    status: str
    count: int
    reason: str
    several_reasons: bool = False

    @property
    def word(self) -> str:
        """The status as a reader says it."""
        return _STATUS_WORDS.get(self.status, self.status)

    @property
    def text(self) -> str:
        """A footnote."""
        also = " (and other reasons)" if self.several_reasons else ""
        return f"{self.word}: {brief(self.reason) or 'no reason was given'}{also}"


@dataclass(frozen=True)
class Cell:
    """A method's runs on one kind of data.

    Attributes
    ----------
    metric : str
        What is measured.
    mean, sd : float or None
        Over the runs that have a value. The deviation divides by their number, as the SCORE
        paper's seem to (see ``bench/references/README.md``); None for one run.
    values, done, total : int
        Runs that have a value, that finished, and that there are.
    failures : tuple of Failure
        The other runs.
    at_best : float or None
        Mean SHD if every edge that the method leaves undecided were turned the right way.
    published : Published or None
        What the reference has here.
    best, published_best : bool
        Whether it is the best of its column, among ours and among all published ones.
    usual_total : int
        Most runs that a method has in this column.
    notes : tuple of int
        Footnotes of the table, from 1.
    """

    metric: str
    mean: float | None
    sd: float | None
    values: int
    done: int
    total: int
    failures: tuple[Failure, ...] = ()
    at_best: float | None = None
    published: Published | None = None
    best: bool = False
    published_best: bool = False
    usual_total: int = 0
    notes: tuple[int, ...] = ()

    @property
    def quantity(self) -> Quantity:
        """What is known of the metric."""
        return quantity(self.metric)

    @property
    def reproduced(self) -> bool | None:
        """Whether ours agrees with what was published; None if there is nothing to compare."""
        if self.mean is None or self.published is None:
            return None
        return agrees(self.mean, self.published, self.quantity)

    @property
    def text(self) -> str:
        """Ours in words: mean and deviation, or why there is none. Never empty.

        Examples
        --------
        >>> Cell("shd", 1.1, 0.943, 10, 10, 10).text
        '1.1 ± 0.9'
        >>> Cell("shd", None, None, 0, 0, 10, (Failure("timeout", 10, "600 s"),)).text
        'timeout 10 of 10'
        >>> Cell("d_top", None, None, 0, 10, 10).text, Cell("shd", None, None, 0, 0, 0).text
        ('–', 'not run')
        """
        if self.mean is not None:
            return _mean_text(self.mean, self.sd, self.quantity)
        if self.done:
            return "–"
        if all(failure.status == "skipped" for failure in self.failures):
            return "not run"
        return ", ".join(
            f"{failure.word} {failure.count} of {self.total}" for failure in self.failures
        )

    @property
    def at_best_text(self) -> str:
        """SHD at its best, where the method leaves edges undecided."""
        return "" if self.at_best is None else f"best {self.quantity.text(self.at_best)}"

    @property
    def runs_text(self) -> str:
        """How many runs the mean is of, where that is not all of them or fewer than others have.

        Examples
        --------
        >>> Cell("shd", 1.1, 0.9, 7, 7, 10).runs_text
        '7/10'
        >>> Cell("shd", 1.1, 0.9, 3, 3, 3, usual_total=10).runs_text
        '3 runs'
        """
        if self.mean is None:
            return ""
        if self.values < self.total:
            return f"{self.values}/{self.total}"
        few = 0 < self.total < self.usual_total
        return f"{self.total} run{'s' * (self.total != 1)}" if few else ""


def brief(text: str) -> str:
    r"""Bring a reason to one line of reasonable length.

    Examples
    --------
    >>> brief("RuntimeError:\n  it  failed")
    'RuntimeError: it failed'
    """
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_REASON else line[: _LONGEST_REASON - 1] + "…"


def agrees(mean: float, published: Published, measured: Quantity) -> bool:
    """Whether a mean is within one standard deviation of the published one, or better.

    Examples
    --------
    >>> from scoredag.bench.output.reference import load_reference
    >>> number = load_reference("score_2022").numbers[0]
    >>> number.text, [agrees(mean, number, quantity("shd")) for mean in (0.0, 2.0, 2.1)]
    ('1.1 ± 0.9', [True, True, False])
    """
    slack = published.sd or 0.0
    worst = published.mean - slack if measured.larger_is_better else published.mean + slack
    return measured.better(mean, worst)


def make_cell(runs: Sequence[Row], metric: str, published: Published | None = None) -> Cell:
    """Sum up the runs of a method on one kind of data.

    Examples
    --------
    >>> runs = [{"status": "done", "shd": 1}, {"status": "done", "shd": 3}, {"status": "timeout"}]
    >>> cell = make_cell(runs, "shd")
    >>> cell.text, cell.runs_text
    ('2.0 ± 1.0', '2/3')
    """
    done = [run for run in runs if run["status"] == DONE]
    values = _values(done, metric)
    mean, sd = _mean_and_sd(values)
    best_case = _values(done, "shd_best") if metric == "shd" else []
    return Cell(
        metric=metric,
        mean=mean,
        sd=sd,
        values=len(values),
        done=len(done),
        total=len(runs),
        failures=_failures(runs),
        at_best=_mean_and_sd(best_case)[0],
        published=published,
    )


def _values(runs: Sequence[Row], metric: str) -> list[float]:
    return [float(run[metric]) for run in runs if run.get(metric) is not None]


def _mean_and_sd(values: Sequence[float]) -> tuple[float | None, float | None]:
    if not values:
        return None, None
    mean = math.fsum(values) / len(values)
    if len(values) == 1:
        return mean, None
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))


def _failures(runs: Sequence[Row]) -> tuple[Failure, ...]:
    reasons: dict[str, Counter[str]] = {}
    for run in runs:
        if run["status"] != DONE:
            reasons.setdefault(run["status"], Counter())[str(run.get("reason") or "")] += 1
    return tuple(
        Failure(status, count.total(), count.most_common(1)[0][0], len(count) > 1)
        for status, count in sorted(reasons.items())
    )


def _mean_text(mean: float, sd: float | None, measured: Quantity) -> str:
    if sd is None:
        return f"{mean:.0f}" if mean.is_integer() else measured.text(mean)
    return f"{measured.text(mean)} ± {sd:.{measured.places(mean)}f}"
