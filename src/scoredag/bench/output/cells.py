"""One cell of a table: a method's runs on one kind of data, beside what was published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import pandas as pd

from scoredag.bench.reference import Published

# Means of whole numbers over ten runs have one decimal; above this the paper prints none.
_LARGE = 1000.0
# Longer ones are errors of other programs, which quote half of their input.
_LONGEST_REASON = 220


@dataclass(frozen=True)
class Quantity:
    """A metric for readers: its name, which way is better, and how many digits it has.

    ``larger_is_better`` is None where neither way is: then no method is the best.
    """

    label: str
    larger_is_better: bool | None = False
    decimals: int | None = 1

    def text(self, value: float) -> str:
        """Write a mean, with digits that fit its size."""
        return f"{value:.{self.places(value)}f}"

    def places(self, value: float) -> int:
        """Decimals for a value of this size; its standard deviation is printed with the same."""
        if self.decimals is not None:
            return 0 if abs(value) >= _LARGE else self.decimals
        return sum(abs(value) < bound for bound in (1, 10, 100))

    def better(self, value: float, other: float) -> bool:
        """Whether a value is at least as good as another, up to rounding errors."""
        if self.larger_is_better is None:
            return False
        gain = value - other if self.larger_is_better else other - value
        return gain >= -1e-9 * max(1.0, abs(other))


_QUANTITIES: Mapping[str, Quantity] = MappingProxyType(
    {
        "shd": Quantity("SHD"),
        "shd_best": Quantity("SHD, best"),
        "sid": Quantity("SID"),
        "d_top": Quantity("D_top"),
        "precision": Quantity("precision", larger_is_better=True, decimals=2),
        "recall": Quantity("recall", larger_is_better=True, decimals=2),
        "f1": Quantity("F1", larger_is_better=True, decimals=2),
        "right_edges": Quantity("right edges", larger_is_better=True),
        "wrong_edges": Quantity("wrong edges"),
        # Few where there are few to doubt: to be read beside the counts above.
        "right_doubted": Quantity("right, doubted", larger_is_better=None),
        "wrong_doubted": Quantity("wrong, doubted", larger_is_better=None),
        "auroc": Quantity("AUROC", larger_is_better=True, decimals=2),
        "order_seconds": Quantity("order, s", decimals=None),
        "prune_seconds": Quantity("pruning, s", decimals=None),
        "seconds": Quantity("time, s", decimals=None),
        "cpu_seconds": Quantity("CPU time, s", decimals=None),
        "peak_mb": Quantity("peak memory, MB", decimals=0),
    }
)


def quantity(metric: str) -> Quantity:
    """Describe a metric; one that is not known by name is taken as smaller-is-better."""
    return _QUANTITIES.get(metric, Quantity(metric, decimals=2))


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
        return "not run" if self.status == "skipped" else self.status

    @property
    def text(self) -> str:
        """A footnote of one line."""
        also = " (and other reasons)" if self.several_reasons else ""
        line = " ".join(self.reason.split()) or "no reason was given"
        if len(line) > _LONGEST_REASON:
            line = line[: _LONGEST_REASON - 1] + "…"
        return f"{self.word}: {line}{also}"


@dataclass(frozen=True)
class Cell:
    """A method's runs on one kind of data, and what was published."""

    metric: str
    # Over the runs that have a value. The deviation divides by their number, as the SCORE paper's
    # seem to (see ``bench/references/README.md``); None for one run.
    mean: float | None
    sd: float | None
    # Runs that have a value, that finished, and that there are; then how the others ended.
    values: int
    done: int
    total: int
    failures: tuple[Failure, ...] = ()
    # Mean SHD if every undirected edge had the right direction.
    at_best: float | None = None
    published: Published | None = None
    # Most runs that a method has in this column.
    usual_total: int = 0
    # Whether it is the best of its column, among ours and among all published ones.
    best: bool = False
    published_best: bool = False
    # Footnotes of the table, from 1.
    notes: tuple[int, ...] = ()

    @property
    def quantity(self) -> Quantity:
        """What is known of the metric."""
        return quantity(self.metric)

    @property
    def reproduced(self) -> bool | None:
        """Whether ours is within the published mean and deviation, or better; None if unknown."""
        ranked = self.quantity.larger_is_better is not None
        if self.mean is None or self.published is None or not ranked:
            return None
        slack = self.published.sd or 0.0
        sign = -1 if self.quantity.larger_is_better else 1
        return self.quantity.better(self.mean, self.published.mean + sign * slack)

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
            mean, places = self.quantity.text(self.mean), self.quantity.places(self.mean)
            if self.sd is not None:
                return f"{mean} ± {self.sd:.{places}f}"
            return f"{self.mean:.0f}" if self.mean.is_integer() else mean
        if self.done:
            return "–"
        if all(failure.status == "skipped" for failure in self.failures):
            return "not run"
        return ", ".join(f"{each.word} {each.count} of {self.total}" for each in self.failures)

    @property
    def at_best_text(self) -> str:
        """SHD at its best, where the method leaves edges undirected."""
        return "" if self.at_best is None else f"best {self.quantity.text(self.at_best)}"

    @property
    def runs_text(self) -> str:
        """How many runs the mean is of, where that is not all or fewer than others have: "7/10"."""
        if self.mean is None:
            return ""
        if self.values < self.total:
            return f"{self.values}/{self.total}"
        few = 0 < self.total < self.usual_total
        return f"{self.total} run{'s' * (self.total != 1)}" if few else ""


def make_cell(
    runs: pd.DataFrame, metric: str, published: Published | None = None, usual_total: int = 0
) -> Cell:
    """Sum up the runs of a method on one kind of data.

    Examples
    --------
    >>> from scoredag.bench.output.frame import as_frame
    >>> runs = [{"status": "done", "shd": 1}, {"status": "done", "shd": 3}, {"status": "timeout"}]
    >>> cell = make_cell(as_frame(runs), "shd")
    >>> cell.text, cell.runs_text
    ('2.0 ± 1.0', '2/3')
    """
    done = runs[runs["status"] == "done"]
    values = numbers(done, metric)
    at_best = numbers(done, "shd_best") if metric == "shd" else ()
    return Cell(
        metric=metric,
        mean=float(values.mean()) if len(values) else None,
        sd=float(values.std(ddof=0)) if len(values) > 1 else None,
        values=len(values),
        done=len(done),
        total=len(runs),
        failures=tuple(_failures(runs[runs["status"] != "done"])),
        at_best=float(pd.Series(at_best).mean()) if len(at_best) else None,
        published=published,
        usual_total=usual_total,
    )


def numbers(runs: pd.DataFrame, metric: str) -> pd.Series:
    """The values of a metric, of the runs that have one."""
    return runs[metric].dropna().astype(float) if metric in runs else pd.Series(dtype=float)


def _failures(runs: pd.DataFrame) -> list[Failure]:
    reasons = runs["reason"].map(lambda reason: reason or "")
    return [
        Failure(status, counts.sum(), counts.idxmax(), len(counts) > 1)
        for status, part in reasons.groupby(runs["status"])
        for counts in [part.value_counts(sort=False)]
    ]
