"""A benchmark from spec to rows: what is done stays done, the rest is run."""

from __future__ import annotations

import threading
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from joblib import Parallel, delayed

from scoredag.bench.isolation import Isolation, check_isolation
from scoredag.bench.journal import FILE_NAME, Journal, JournalUnwritable, Row, read_rows
from scoredag.bench.methods import depends_on_our_sources
from scoredag.bench.provenance import fingerprint
from scoredag.bench.scoring import COSTS
from scoredag.bench.spec import MEASURES, Run, Spec
from scoredag.bench.work import FOLDER_NAME, clear, failed, row_of
from scoredag.exceptions import DataError
from scoredag.plugins import names

REDO = ("failed", "stale", "all")
# Columns of a row that are numbers, beside its metrics.
_FIGURES = (*COSTS, "wall_seconds", "peak_mb", "rows", "nodes", "edges")
_LARGEST_FIGURE = 1e15


@dataclass
class Session:
    """How far a benchmark is; what a progress bar shows.

    Attributes
    ----------
    total, jobs : int
        Runs that the spec asks for, without those that it leaves out, and runs at a time.
    counts : Counter
        Runs that have a row, by their status.
    running : list of Run
        Those going on now.
    """

    total: int
    jobs: int
    counts: Counter[str] = field(default_factory=Counter)
    running: list[Run] = field(default_factory=list)
    _pending: Counter[str] = field(default_factory=Counter)
    _seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    @property
    def finished(self) -> int:
        """Runs that have a row."""
        return self.counts.total()

    @property
    def failed(self) -> int:
        """Runs that raised or took too long."""
        return self.counts["error"] + self.counts["timeout"]

    def note(self, run: Run, row: Row) -> None:
        """Take a row into account, old or new."""
        self.counts[row["status"]] += 1
        self._pending[_pace(run)] -= 1
        if row.get("wall_seconds") is not None:
            self._seconds[_pace(run)].append(row["wall_seconds"])

    def seconds_left(self) -> float | None:
        """Estimate from the mean time of equal runs, or of all where there is none yet."""
        known = [seconds for group in self._seconds.values() for seconds in group]
        if not known:
            return None
        overall = sum(known) / len(known)
        means = {key: sum(group) / len(group) for key, group in self._seconds.items()}
        work = sum(count * means.get(key, overall) for key, count in self._pending.items())
        return work / self.jobs


def run_benchmark(
    spec: Spec,
    folder: str | Path,
    *,
    jobs: int = 1,
    redo: str | None = None,
    only_rows: bool = False,
    progress: Callable[[Session], None] | None = None,
) -> list[Row]:
    """Run what a spec asks for and the folder does not have yet.

    Parameters
    ----------
    spec : Spec
        From `scoredag.bench.read_spec`.
    folder : path
        Where the journal is, or will be.
    jobs : int, default=1
        Runs at a time. Each has one BLAS thread.
    redo : {"failed", "stale", "all"}, optional
        Rows to make again: those that failed, those of other sources than the present ones,
        or all. Rows that were skipped are always tried again.
    only_rows : bool, default=False
        Run nothing; return the rows of the journal, or of ``runs.parquet`` where it is gone.
    progress : callable, optional
        Called with a `Session` after each row, and about once a second.

    Returns
    -------
    list of dict
        One row for each run of the spec, in its order. What has not run says so.

    Raises
    ------
    DataError
        If another process runs in the folder, its rows cannot be read or written, or the system
        cannot run processes of their own.

    Notes
    -----
    Runs are new processes that import the script which calls this: call it below
    ``if __name__ == "__main__":``, or each of them starts the benchmark again and fails.

    Examples
    --------
    >>> from scoredag.bench import read_spec
    >>> if __name__ == "__main__":  # doctest: +SKIP
    ...     rows = run_benchmark(read_spec("quick"), "results/quick", jobs=2)
    """
    if redo is not None and redo not in REDO:
        raise ValueError(f"redo must be one of {', '.join(map(repr, REDO))}; got {redo!r}")
    wanted = [run for run in spec.runs if not run.not_run]
    if only_rows:
        rows = read_rows(folder)
        if not any(run.key in rows for run in wanted):
            has = "rows of other runs than those of" if rows else "no rows yet of"
            raise DataError(
                f"{folder} has {has} {spec.name}: run the benchmark first, or name the folder that "
                "it ran in."
            )
    else:
        check_isolation()
        with Journal(folder) as journal:
            journal.drop([key for key, row in journal.rows.items() if _is_redone(row, redo)])
            _run_all(wanted, journal, jobs, progress)
            rows = journal.rows
    return [_row(run, rows, folder) for run in spec.runs]


def _row(run: Run, rows: dict[str, Row], folder: str | Path) -> Row:
    if run.not_run:
        return failed(run, "skipped", run.not_run)
    found = rows.get(run.key)
    if found is None:
        return failed(run, "skipped", "not run yet")
    for name in (*names(MEASURES), *_FIGURES):
        value = found.get(name, 0)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if value is not None and not (number and abs(value) < _LARGEST_FIGURE):
            raise DataError(
                f"{folder}/{FILE_NAME}: the row of {run.label} on {run.data}, seed {run.seed}, has "
                f"{value!r:.60} as {name}, which must be a number. Remove its line: the run is "
                "then made again."
            )
    return run.identity | found | run.identity


def stale(rows: list[Row]) -> int:
    """Count the rows that other sources than the present ones have made."""
    return sum(_is_stale(row) for row in rows)


def _is_stale(row: Row) -> bool:
    return depends_on_our_sources(row["estimator"]) and row.get("code") != fingerprint()


def _is_redone(row: Row, redo: str | None) -> bool:
    again = {"failed": ("error", "timeout"), "all": (row["status"],)}.get(redo or "", ())
    return row["status"] in ("skipped", *again) or (redo == "stale" and _is_stale(row))


def _run_all(
    wanted: list[Run], journal: Journal, jobs: int, progress: Callable[[Session], None] | None
) -> None:
    session = Session(len(wanted), jobs, _pending=Counter(map(_pace, wanted)))
    pending = {run.key: run for run in wanted if run.key not in journal.rows}
    for run in wanted:
        if run.key in journal.rows:
            session.note(run, journal.rows[run.key])
    drawn = journal.path.parent / FOLDER_NAME
    with (
        Isolation(partial(row_of, drawn=drawn)) as isolation,
        _told(session, isolation, progress) as tell,
    ):
        results = Parallel(
            n_jobs=jobs, backend="threading", batch_size=1, return_as="generator_unordered"
        )(delayed(isolation.row_of)(run) for run in pending.values())
        try:
            for row in results:
                if row is not None:
                    run = pending[row["key"]]
                    _keep(journal, run, row, drawn)
                    session.note(run, row)
                    tell()
        finally:
            isolation.end()
            with warnings.catch_warnings():  # joblib warns of runs that did not finish
                warnings.simplefilter("ignore")
                results.close()
    clear(drawn)


def _keep(journal: Journal, run: Run, row: Row, drawn: Path) -> None:
    """Write a row; if there is no room for it, in that of the data that runs share."""
    with suppress(JournalUnwritable):
        journal.append(row)
        return
    clear(drawn)
    try:
        journal.append(row)
    except JournalUnwritable as error:
        raise JournalUnwritable(
            f"{error} {run.label} on {run.data}, seed {run.seed}, had ended ({row['status']}) and "
            "could not be written: it is made again at the next start."
        ) from error


@contextmanager
def _told(
    session: Session, isolation: Isolation, progress: Callable[[Session], None] | None
) -> Iterator[Callable[[], None]]:
    """Report how far a session is, about once a second and whenever what is yielded is called."""
    if progress is None:
        yield lambda: None
        return
    lock, end = threading.Lock(), threading.Event()

    def tell() -> None:
        with lock:
            session.running = isolation.running
            progress(session)

    def tick() -> None:
        while not end.wait(1.0):
            tell()

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield tell
    finally:
        end.set()
        thread.join()


def _pace(run: Run) -> str:
    """Runs that should take about as long: one method on data sets that differ in their seed."""
    return f"{run.method} {run.method_options} {run.data} {run.data_options}"
