"""What a fit takes: floating-point operations, CPU seconds, memory and passes over the rows.

Every formula counts the operations of one kernel of the library; `RATES` turns counts into CPU
seconds of the machine on which they were measured, and `machine_factor` into those of this one.
Counts are exact in the leading terms and rounded off in the others. ``docs/costs.md`` compares them
with measurements and goes on to sizes that nobody has measured; ``python -m benchmarks costs``
repeats the measurements and prints fitted rates.

Nothing that is computed from data depends on anything here. The estimates refuse what cannot fit,
weigh the steps of a progress bar, and say how long a fit will take.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cache

import numpy as np
from scipy.linalg import lapack

FLOAT = 8  # bytes of a number


@dataclass(frozen=True, kw_only=True)
class Rates:
    """Seconds of one core for each kind of work, by the names of `Work`.

    Fitted by ``python -m benchmarks costs`` on one core of a server of 2026 (x86-64, AVX-512,
    OpenBLAS), for which `calibrate` returns 1.
    """

    factor: float = 1.95e-11
    product: float = 2.4e-11
    exponential: float = 5.4e-9
    value: float = 2.6e-9
    spline: float = 3.0e-8
    small: float = 2.8e-11
    call: float = 1.0e-3
    joint: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Work:
    """Counts of work by kind; a value that adds up.

    Attributes
    ----------
    factor : float
        Flops of Cholesky factorisations of matrices with a row for each sample.
    product : float
        Flops of products and triangular solves with such matrices.
    exponential : float
        Entries of kernel matrices, each with its distance and its share of the median.
    value : float
        Numbers that are read, checked, copied or sorted.
    spline : float
        Values of spline columns that are evaluated.
    small : float
        Flops on matrices of some hundred rows, whose size does not depend on the samples.
    call : float
        Steps that cost time whatever the sizes are, in milliseconds.
    joint : float
        Seconds of the Gaussian processes of ScoreGP, which are fitted to measurements as such.

    Examples
    --------
    >>> 2 * (Work(factor=1.0) + Work(factor=2.0, call=1.0))
    Work(factor=6.0, product=0.0, exponential=0.0, value=0.0, spline=0.0, small=0.0, call=2.0, \
joint=0.0)
    """

    factor: float = 0.0
    product: float = 0.0
    exponential: float = 0.0
    value: float = 0.0
    spline: float = 0.0
    small: float = 0.0
    call: float = 0.0
    joint: float = 0.0

    def __add__(self, other: Work) -> Work:
        return Work(**{kind: getattr(self, kind) + getattr(other, kind) for kind in KINDS})

    def __rmul__(self, times: float) -> Work:
        return Work(**{kind: times * getattr(self, kind) for kind in KINDS})

    def seconds(self, rates: Rates | None = None) -> float:
        """CPU seconds at some rates, by default those of the reference machine."""
        rates = RATES if rates is None else rates
        return sum(getattr(self, kind) * getattr(rates, kind) for kind in KINDS)


KINDS = tuple(field.name for field in fields(Work))
RATES = Rates()


def total(parts: Iterable[Work]) -> Work:
    """The sum of several works."""
    return sum(parts, start=Work())


def summed(work: Callable[[int], Work], sizes: Iterable[int]) -> Work:
    """The sum of a work over sizes, many of which are equal.

    Examples
    --------
    >>> summed(lambda m: Work(factor=m), [2, 2, 3]).factor
    7.0
    """
    return total(float(count) * work(size) for size, count in Counter(sizes).items())


@dataclass(frozen=True)
class Step:
    """One stage of a fit.

    Attributes
    ----------
    stage : str
        As ``progress`` calls it; "read" is what comes before the first stage.
    work : Work
    memory : float
        Bytes at its peak, the table not included.
    largest : str
        What takes most of that memory, for messages.
    passes : float
        Over the rows of the table.
    in_threads : bool
        Whether ``n_jobs`` divides its time.
    """

    stage: str
    work: Work
    memory: float = 0.0
    largest: str = ""
    passes: float = 1.0
    in_threads: bool = False

    def seconds(self, workers: int = 1) -> float:
        """Seconds on the reference machine, with so many cores at work where that helps."""
        return self.work.seconds() / (workers if self.in_threads else 1)


@dataclass(frozen=True)
class Estimate:
    """What a whole fit takes: its stages, and the table where it is in memory.

    Examples
    --------
    >>> steps = (Step("order", Work(call=3000.0), 2e9, "matrices", 2.0), Step("prune", Work()))
    >>> estimate = Estimate(steps, table=1e9)
    >>> estimate.seconds(), estimate.memory, estimate.largest, estimate.passes
    (3.0, 3000000000.0, 'matrices', 3.0)
    """

    steps: tuple[Step, ...]
    table: float = 0.0

    def seconds(self, workers: int = 1) -> float:
        """Seconds on the reference machine; times `machine_factor`, on this one."""
        return sum(step.seconds(workers) for step in self.steps)

    @property
    def memory(self) -> float:
        """Bytes at the peak: stages come one after the other, and the table is there always."""
        return self.table + max((step.memory for step in self.steps), default=0.0)

    @property
    def largest(self) -> str:
        """What takes most of the memory."""
        if not self.steps:
            return ""
        peak = max(self.steps, key=lambda step: step.memory)
        return peak.largest if peak.memory > self.table else "the table"

    @property
    def passes(self) -> float:
        """Passes over the rows of the table."""
        return sum(step.passes for step in self.steps)


# --- SCORE's order


def exact_leaf(n: int, asked: int) -> Work:
    """One step of the exact Stein estimators on n rows, for the criterion of some columns.

    The kernel times 2 m + 1 columns, K [X, X^2, 1], is 4 n^2 m flops, and so is the solution with
    2 m right-hand sides: n^3/3 + 8 n^2 m.

    Examples
    --------
    >>> exact_leaf(1000, 10).product == 8 * 1000**2 * 10
    True
    """
    return Work(
        factor=n**3 / 3,
        product=8 * n**2 * asked,
        exponential=n**2 / 2,  # the lower triangle
        value=20 * n * asked,
        call=1.0,
    )


def asked_columns(left: int, is_first: bool, fewest: int, asked: int) -> int:
    """Columns whose criterion is computed when so many are left: all, or some of many.

    Parameters
    ----------
    left : int
        Columns that are left.
    is_first : bool
        Whether no leaf was found yet.
    fewest : int
        Columns up to which all are computed.
    asked : int
        Columns that are computed otherwise.
    """
    return left if is_first or left <= fewest else min(left, asked)


def exact_memory(n: int, asked: int) -> float:
    """Two n x n matrices, and the right-hand sides of some columns: 16 n^2 + 8 n (10 m).

    Examples
    --------
    >>> exact_memory(200_000, 20) / 1e9  # GB
    640.32
    """
    return 2 * FLOAT * n**2 + FLOAT * n * 10 * asked


def low_rank_leaf(n: int, left: float, rank: int, bandwidth_rows: int = 2000) -> Work:
    """One step of the low-rank estimators: two passes over n rows, with m landmarks.

    First pass: the kernel, 2 n m (c + 2) flops and n m exponentials; Kn'Kn, n m^2 (half of it is
    computed); Kn'[1, X], 2 n m c. Second pass: the kernel again, and K [c, Z c], 4 n m c. Then
    one eigenproblem and one factorisation of m rows, about 12 m^3.

    Examples
    --------
    >>> few, many = low_rank_leaf(10_000, 20, 600), low_rank_leaf(1_000_000, 20, 600)
    >>> round(many.product / few.product)
    100
    """
    sample = min(n, bandwidth_rows)
    return Work(
        product=n * rank**2 + 4 * n * rank * (left + 2) + 6 * n * rank * left,
        exponential=0.4 * 2 * n * rank,  # no update of distances, no median
        value=10 * n * left + sample**2 / 2 * (4 + left / 12),  # distances and their median
        small=12 * rank**3,
        call=1.0,
    )


def low_rank_memory(block: int, rank: int, left: int, jobs: int) -> float:
    """Blocks of m kernel values a row and of the columns themselves, a worker; sums and solution.

    The tree of sums holds about four m x m matrices, the eigenproblem and the solution a dozen.
    """
    return FLOAT * (jobs * block * (rank + 6 * left) + (jobs + 16) * rank**2)


def low_rank_message(rank: int, left: int) -> float:
    """Bytes that a task of a pass sends: its sums, Kn'Kn and Kn'[1, X, X^2].

    Examples
    --------
    >>> low_rank_message(600, 20) / 1e6
    3.0768
    """
    return FLOAT * (rank**2 + rank * (2 * left + 1))


# Fields of one column and its neighbourhood that an order computes, for each column of the table:
# 3 on sparse graphs, up to 9 on dense ones.
LOCAL_FIELDS = 3.0


def local_field(n: int, near: int) -> Work:
    """The criterion of one column from a kernel over it and its neighbours: n^3/3 + 8 n^2."""
    return exact_leaf(n, 1) + Work(product=n**2 * near, exponential=n**2 / 2, call=0.5)


def rank_dependence(n: int, d: int, degree: int, rows: int = 4000) -> Work:
    """Squared correlations of the polynomials of all pairs of columns: 2 n (q d)^2."""
    n = min(n, rows)
    return Work(product=2 * n * (degree * d) ** 2, value=n * d * degree**2, call=1.0)


def rank_memory(n: int, d: int, degree: int, rows: int = 4000) -> float:
    """Polynomials of all columns twice, ranks, and three d x d matrices."""
    n = min(n, rows)
    return FLOAT * (n * d * (2 * degree + 4) + 3 * d**2)


# --- Additive regressions: CAM pruning and CAM's greedy search


def gram(n: int, d: int, coefficients: int) -> Work:
    """The Gram matrix of Q spline columns and their products with d columns: n Q^2 + 2 n Q d."""
    return Work(
        product=n * coefficients**2 + 2 * n * coefficients * d,
        spline=n * coefficients,
        small=20 * coefficients**2,  # rotations
        call=1.0,
    )


def gram_memory(block: int, coefficients: int, d: int, jobs: int) -> float:
    """Five Q x Q matrices while they are summed up and rotated, and blocks of Q columns."""
    return FLOAT * ((4 + jobs) * coefficients**2 + 2 * jobs * block * (coefficients + d))


def gram_message(d: int, coefficients: int) -> float:
    """Bytes that a task of the pass sends: C'C and C'X.

    Examples
    --------
    >>> gram_message(20, 200) / 1e6
    0.352
    """
    return FLOAT * (coefficients**2 + coefficients * d)


def newton_solutions(terms: int) -> float:
    """Solutions of the penalised equations until Newton's method has p smoothing parameters.

    Five to eight with up to 60 terms, 11 to 21 with 120 and more; 89 were seen.
    """
    return 6.0 + terms / 10


def additive_regression(terms: int, size: int) -> Work:
    """One node on p smooth terms of q coefficients, from inner products: no pass over the rows.

    A solution takes a factorisation, (pq)^3/3, the inverse, 2 (pq)^3/3, and its products with the
    penalties of p terms, 4 (pq)^2 p.
    """
    coefficients, solutions = terms * size, newton_solutions(terms)
    return Work(
        small=solutions * (coefficients**3 + 4 * coefficients**2 * terms),
        value=solutions * 4 * coefficients**2,
        call=0.15 * solutions + 0.05 * terms,
    )


def regression_memory(terms: int, size: int, jobs: int) -> float:
    """About seven matrices of p q rows a worker: inner products, factor, inverse, its square."""
    return FLOAT * 7 * jobs * (terms * size) ** 2


def forward_search(d: int, size: int, parents: Sequence[int]) -> Work:
    """CAM's greedy search over d columns, which ends with so many parents of each.

    The gains of all columns once, d^2 inverses of q x q; then, with t terms in the regression of a
    node, one more takes 2 q^2 t d q flops, and its gains d inverses.
    """
    products = sum(size**3 * d * p**2 for p in parents)
    inverses = d * d + d * sum(parents)
    # An inverse of 9 x 9 takes microseconds, and a term some tenths of a millisecond.
    return Work(small=products, value=8 * inverses * size**2, call=0.2 * (d + sum(parents)))


def forward_memory(d: int, size: int, parents: Sequence[int]) -> float:
    """For each node, t q x d q numbers and d blocks of q x q; shared, six d q x d q matrices."""
    return FLOAT * (
        sum(p * size * d * size for p in parents) + d * d * size**2 + 6 * (d * size) ** 2
    )


# --- ScoreGP: fitted to whole stages on joint functions, ER1, normal noise. Other data, on which
# scales vary or tails are heavy, take up to five times as long.


@dataclass(frozen=True)
class JointRates:
    """Seconds of ScoreGP's search and edge test, at 1,000 rows, a d + b d^2 for d columns.

    Attributes
    ----------
    search, search_pairs : float
        a and b of the search.
    search_power : float
        The search grows with its last number of rows to this power.
    test, test_pairs : float
        a and b of the edge test, whose fits are to the first 1,000 rows.
    test_block : float
        What each further 1,000 rows take, relative to the first.
    """

    search: float = 0.24
    search_pairs: float = 0.0075
    search_power: float = 1.2
    test: float = 0.028
    test_pairs: float = 0.0012
    test_block: float = 0.5


JOINT = JointRates()
# Time of the second search of a large table over that of the first one.
GROWN_SEARCH = 4.5

# CPU seconds of another look at faintly explained columns, a column of the table at 10,000 rows.
FAINT_LOOK = 0.1


def faint_look(rows: int, d: int) -> Work:
    """The look at faintly explained columns, by all pairs of rows."""
    return Work(joint=FAINT_LOOK * d * (rows / 10_000) ** 2)


def joint_search(
    d: int, final_rows: int, grows: bool, near: int | None = None, rates: JointRates = JOINT
) -> Work:
    """The search over orders: local fits of d columns, each with its pairs, or the near ones."""
    seconds = rates.search * d + rates.search_pairs * d * (d if near is None else near)
    seconds *= (final_rows / 1000) ** rates.search_power
    return Work(joint=seconds * (1 + GROWN_SEARCH if grows else 1))


def joint_test(n: int, d: int, near: int | None = None, rates: JointRates = JOINT) -> Work:
    """The edge test, block by block of 1,000 rows."""
    blocks = n / 1000
    first, further = min(blocks, 1.0), rates.test_block * max(blocks - 1.0, 0.0)
    return Work(joint=(rates.test * d + rates.test_pairs * d * (near or d)) * (first + further))


def joint_memory(rows: int, jobs: int) -> float:
    """About three matrices of kernel values a worker."""
    return FLOAT * 3 * jobs * rows**2


def lingam(n: int, d: int) -> Work:
    """DirectLiNGAM: the entropies of all residuals of all pairs, for every root: n d^3 / 3."""
    return Work(value=10 * n * d**3 / 3)


# --- This machine

# Seconds that the kernel of `calibrate` takes on the machine of the rates.
REFERENCE = 4.0e-3
_CALIBRATION_ROWS = 400


@cache
def machine_factor() -> float:
    """Seconds on this machine for one on the machine of `RATES`; takes some hundredths of a second.

    Only for what is said to people: another factor changes no result.

    Examples
    --------
    >>> machine_factor() > 0
    True
    """
    return calibrate()


def calibrate() -> float:
    """Measure that factor anew: a machine that does other work at the same time is slower."""
    return min(_kernel_seconds() for _ in range(3)) / REFERENCE


def _kernel_seconds() -> float:
    """CPU time of one kernel of 400 rows: exponentials, a product and a factorisation."""
    n = _CALIBRATION_ROWS
    X = np.linspace(-1, 1, n)
    start = time.thread_time()
    K = np.exp2(-(np.subtract.outer(X, X) ** 2))
    K += n * np.eye(n)
    K @ K
    lapack.dpotrf(K.T, lower=1)
    return time.thread_time() - start


def workers(n_jobs: int | None) -> int:
    """Cores that work in threads, as joblib counts them."""
    from joblib import cpu_count

    if n_jobs is None:
        return 1
    cores: int = cpu_count()
    return min(cores, n_jobs) if n_jobs > 0 else max(1, cores + 1 + n_jobs)
