"""From the parameters of an estimator to the stages of a fit and what each of them takes.

The formulas are in `scoredag.costs`; here are the numbers that they need of the pieces: how many
landmarks, coefficients, blocks. A piece that is not listed here has no estimate, and whatever is
made with it is never refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from scoredag import costs
from scoredag.costs import FLOAT, Estimate, Step, Work
from scoredag.data.blocks import block_rows
from scoredag.data.budget import current_budget, worded_budget, worded_bytes
from scoredag.data.profile import sample_size
from scoredag.exceptions import DataError
from scoredag.order.lazy_leaves import FEWEST_COLUMNS, RELATED, SMALLEST
from scoredag.prune.pruners.cam import MOST_SCREENED, designs_are_separate
from scoredag.regression.additive import most_terms
from scoredag.regression.basis import basis_size
from scoredag.score.fields.auto import is_quick
from scoredag.score.fields.low_rank import default_rank
from scoredag.screening.ranks import DEGREE
from scoredag.settings import EDGE_TEST, SEARCH

# Neighbours of a column of a sparse graph, half of which precede it, and the most of the field.
_NEAR, _MOST_NEAR = 4, 8
# Candidates of a column in a screened search: neighbours, theirs, the 20 most dependent columns.
_SEARCHED = 25
# Share of the columns that are a candidate of any other where a screen leaves few.
_CAUSES = 0.7
# Copies of a table in memory while it is checked and merged, beside itself.
_CHECKED_COPIES = 9.0
# Passes over a table in blocks before and after the fit: two scans, the sample, the stretch of
# neighbouring rows, and a covariance of the result.
_PASSES_OF_CHECKS = 5
# Steps of boosting a column; coefficients of a term in the greedy search, without the constant.
_BOOSTING_STEPS, _TERM = 100, 9
# Parents that CAM's search adds to a column between its selected neighbours.
_SELECTED_PARENTS = 10


def checks(n: int, d: int, *, in_blocks: bool) -> Step:
    """Reading and checking a table: some dozens of operations on each number."""
    work = Work(value=15 * n * d, product=2 * n * d**2, call=5.0)
    if in_blocks:
        rows = sample_size(d)
        memory = FLOAT * (4 * block_rows(d) * d + 3 * min(n, rows) * d + 4 * d**2)
        return Step("read", work, memory, "a sample of rows", _PASSES_OF_CHECKS)
    return Step("read", work, _CHECKED_COPIES * FLOAT * n * d, "copies of the table")


def order_step(
    score_estimator: object, n: int, d: int, *, in_blocks: bool, n_jobs: int | None
) -> Step | None:
    """SCORE's order; None for a score estimator that is not known here."""
    if score_estimator == "auto":
        score_estimator = "stein" if not in_blocks and is_quick(n, d) else "low_rank"
    if score_estimator == "stein":
        return exact_order(n, d)
    if score_estimator == "low_rank":
        return low_rank_order(n, d, default_rank(n), costs.workers(n_jobs))
    return local_order(n, d) if score_estimator == "local" else None


def exact_order(n: int, d: int) -> Step:
    """All leaves by the exact score; with many columns of some columns only."""
    asked = [
        costs.asked_columns(left, left == d, FEWEST_COLUMNS, SMALLEST + RELATED)
        for left in range(d, 1, -1)
    ]
    work = costs.summed(partial(costs.exact_leaf, n), asked)
    memory = costs.exact_memory(n, max(asked, default=1))
    if d > FEWEST_COLUMNS:
        work += costs.rank_dependence(n, d, DEGREE)
        memory += FLOAT * d**2
        memory = max(memory, costs.exact_memory(n, 0) + costs.rank_memory(n, d, DEGREE))
    return Step("order", work, memory, "two matrices of rows by rows")


def low_rank_order(n: int, d: int, rank: int, jobs: int) -> Step:
    """All leaves by the low-rank score: two passes over the rows for each."""
    # The mean of 2, ..., d columns: the work is linear in their number.
    work = (d - 1) * costs.low_rank_leaf(n, d / 2 + 1, rank)
    memory = costs.low_rank_memory(min(n, block_rows(d)), rank, d, jobs)
    memory += FLOAT * 2 * min(n, 2000) * d  # the sample
    return Step("order", work, memory, "blocks of kernel values", 2.0 * (d - 1), in_threads=True)


def local_order(n: int, d: int) -> Step:
    """All leaves by kernels over neighbourhoods, and the screen that finds them."""
    work = costs.LOCAL_FIELDS * d * costs.local_field(n, _NEAR) + screening(n, d)
    memory = costs.exact_memory(n, _MOST_NEAR) + FLOAT * d**2
    memory = max(memory, costs.rank_memory(n, d, 3))
    return Step("order", work, memory, "two matrices of rows by rows")


def screening(n: int, d: int) -> Work:
    """The screen "forward": products of all features, and of the best 30 for each column."""
    rows, features = min(n, 4000), 3 * d
    products = 2 * rows * features**2 + d * 2 * rows * (3 * min(30, d)) ** 2
    return Work(product=products, value=9 * rows * d, call=1.0 * d)


def prune_step(
    pruner: object, screen: object, n: int, d: int, *, in_blocks: bool, n_jobs: int | None
) -> Step | None:
    """Pruning of the full graph of an order; None for a pruner that is not known here."""
    jobs = costs.workers(n_jobs)
    if pruner == "gp":
        return edge_test(n, d, jobs)
    if pruner != "cam":
        return None
    return cam_pruning(n, d, jobs, in_blocks=in_blocks, screened=screen is not None)


def cam_pruning(n: int, d: int, jobs: int, *, in_blocks: bool, screened: bool) -> Step:
    """One Gram matrix for the nodes of each basis size, and a regression for each node.

    The k-th column of an order has k candidates; a screen leaves about two of them, 30 at most.
    """
    work, memory, passes, largest = Work(), 0.0, 0.0, "inner products of spline columns"
    if screened:
        rows = min(n, sample_size(d)) if in_blocks else n
        work += screening(rows, d)
        memory = costs.rank_memory(rows, d, 3)
    block, most = min(n, block_rows(d)), 1
    by_size: dict[int, list[int]] = {}
    for place in range(1, d):
        count = min(place, _NEAR // 2) if screened else place
        terms = min(count, most_terms(n))
        by_size.setdefault(basis_size(n, terms), []).append(count)
        most = max(most, min(place, MOST_SCREENED, most_terms(n)) if screened else terms)
    for size, counts in by_size.items():
        causes = round(_CAUSES * (d - 1)) if screened else max(counts)
        separate = not in_blocks and designs_are_separate(counts, causes, size)
        if separate:
            work += costs.summed(lambda k, q=size: costs.gram(n, d, q * k), counts)  # type: ignore[misc]
            need = costs.gram_memory(block, size * most, d, jobs)
        else:
            work += costs.gram(n, d, size * causes)
            need = costs.gram_memory(block, size * causes, d, jobs)
        passes += 1
        tested = [min(count, most_terms(n)) for count in counts]
        work += costs.summed(partial(costs.additive_regression, size=size - 1), tested)
        need += costs.regression_memory(max(tested), size - 1, jobs)
        memory = max(memory, need)
    return Step("prune", work, memory, largest, passes, in_threads=True)


def greedy_search(n: int, d: int, *, selects: bool) -> tuple[Work, float]:
    """CAM's search: work, and bytes at its peak."""
    size = _TERM + 1
    parents = [min(k, _SELECTED_PARENTS) if selects else k for k in range(d)]
    work = costs.gram(n, d, size * d) + costs.forward_search(d, _TERM, parents)
    memory = costs.forward_memory(d, _TERM, parents)
    memory = max(memory, costs.gram_memory(min(n, block_rows(d)), size * d, d, 1))
    if selects:
        work += costs.gram(n, d, size * d)
        work += Work(small=2 * _BOOSTING_STEPS * d**2 * _TERM**2, call=0.02 * _BOOSTING_STEPS * d)
    return work, memory


def greedy_order(n: int, d: int, *, selects: bool) -> Step:
    """CAM's order; with many columns it selects neighbours first."""
    work, memory = greedy_search(n, d, selects=selects)
    return Step("order", work, memory, "the regressions of all columns")


def start_orders(n: int, d: int, screened: bool = False) -> Step:
    """ScoreGP's starts on at most 2,000 rows: CAM's search, DirectLiNGAM and the exact score.

    With screened candidates: CAM's search among these, and the local score.
    """
    rows = min(n, SEARCH.start_rows)
    if screened:
        near = min(d, _SEARCHED)
        local = local_order(rows, d)
        work = screening(n, d) + costs.gram(rows, d, (_TERM + 1) * d) + local.work
        work += costs.forward_search(near, _TERM, [near] * d)
        memory = costs.gram_memory(min(rows, block_rows(d)), (_TERM + 1) * d, d, 1)
        memory += FLOAT * d * 2 * (near * _TERM) ** 2
        return Step("start", work, max(memory, local.memory), "inner products of spline columns")
    work, memory = greedy_search(rows, d, selects=False)
    exact = exact_order(rows, d)
    work += (
        exact.work
        + costs.lingam(rows, d)
        + cam_pruning(rows, d, 1, in_blocks=False, screened=False).work
    )
    largest = "the regressions of the starting order"
    return Step("start", work, max(memory, exact.memory), largest)


def search_step(
    n: int, d: int, rows: int, final_rows: int, jobs: int, screened: bool = False
) -> Step:
    """ScoreGP's search, on rows that do not grow with the table beyond 4,000."""
    compared = SEARCH.grown_rows[1]
    grows = n >= SEARCH.rows_to_grow and final_rows < compared
    final = min(n, final_rows)
    work = costs.joint_search(d, final, grows, _SEARCHED if screened else d)
    if grows:
        work += costs.faint_look(min(n, SEARCH.faint_rows), d)
    memory = costs.joint_memory(min(n, compared) if grows else final, jobs)
    memory += costs.gram_memory(final, 10 * d, d, 1)
    return Step("refine", work, memory, "inner products of spline columns")


def edge_test(n: int, d: int, jobs: int, screened: bool = False) -> Step:
    """The edge test of `gp_prune`: additive regressions, then blocks of 1,000 rows."""
    regressions = cam_pruning(n, d, jobs, in_blocks=False, screened=screened)
    work = regressions.work + costs.joint_test(n, d, _SEARCHED if screened else d)
    blocks = costs.joint_memory(min(n, round(1.5 * EDGE_TEST.block_rows)), jobs)
    if n >= SEARCH.rows_to_grow:  # larger blocks of some nodes, in single precision
        wide = min(n, round(1.5 * EDGE_TEST.wide_block_rows))
        blocks = max(blocks, 0.5 * costs.joint_memory(wide, jobs))
    memory = regressions.memory + blocks + FLOAT * n * d * (6 + jobs)
    return Step("prune", work, memory, regressions.largest, in_threads=True)


def estimate_of(
    steps: Iterable[Step | None], n: int, d: int, *, in_blocks: bool
) -> Estimate | None:
    """Put stages together; None if one of them has no estimate."""
    known = [checks(n, d, in_blocks=in_blocks)]
    for step in steps:
        if step is None:
            return None
        known.append(step)
    return Estimate(tuple(known), 0.0 if in_blocks else FLOAT * n * d)


# --- What does not fit

Cost = Callable[[int, int], Estimate | None]  # of rows and columns
Choices = Mapping[str, Cost]  # what a message says of each


def refuse_what_cannot_fit(
    name: str, n: int, d: int, cost: Cost, others: Sequence[Choices]
) -> None:
    """Raise `DataError` if a fit is estimated to take more memory than the budget.

    Parameters
    ----------
    name : str
        The method.
    n, d : int
        Rows and columns.
    cost : callable
        The estimate of the fit for so many rows and columns.
    others : sequence of mapping of str to callable
        Other choices that may fit; those of a group are proposed if none of an earlier one fits.
    """
    estimate, budget = cost(n, d), current_budget()
    if estimate is None or estimate.memory <= budget:
        return
    remedies: list[str] = []
    for group in others:
        instead = {words: other(n, d) for words, other in group.items() if not remedies}
        remedies += [
            f"{words} ({worded_bytes(found.memory)})"
            for words, found in instead.items()
            if found is not None and found.memory <= budget
        ]
    for unit, count, of in (
        ("rows drawn at random", n, lambda k: cost(k, d)),
        ("columns", d, lambda k: cost(n, k)),
    ):
        fitting = _most_that_fit(of, count, budget)
        if fitting >= _FEWEST[unit]:
            remedies.append(f"{fitting:,} {unit}")
    would = f"What would fit: {'; or '.join(remedies)}." if remedies else "Nothing else would fit."
    raise DataError(
        f"{name} needs about {worded_bytes(estimate.memory)} of memory for {n:,} rows and "
        f"{d:,} columns, most of it for {estimate.largest}, and the budget is "
        f"{worded_budget()}. {would}"
    )


# Rows and columns below which an analysis is not worth proposing.
_FEWEST = {"rows drawn at random": 200, "columns": 2}


def _most_that_fit(cost: Callable[[int], Any], most: int, budget: float) -> int:
    """The largest number that fits, rounded down to two digits; 0 if none does."""
    low, high = 0, most  # fits, does not fit
    while high - low > max(1, low // 100):
        middle = (low + high) // 2
        estimate = cost(middle) if middle else None
        low, high = (middle, high) if estimate and estimate.memory <= budget else (low, middle)
    unit = 10 ** max(0, len(str(low)) - 2)
    return low // unit * unit


def shape_of(X: object) -> tuple[int, int] | None:
    """Rows and columns of a table that says so itself.

    Examples
    --------
    >>> import numpy as np
    >>> shape_of(np.zeros((3, 2))), shape_of([[1.0, 2.0]])
    ((3, 2), None)
    """
    shape = getattr(X, "shape", None)
    if not (isinstance(shape, tuple) and len(shape) == 2):
        return None
    if not all(isinstance(k, int) and k > 0 for k in shape):  # a Dask frame does not know its rows
        return None
    return shape[0], shape[1]


def alternatives(score: Any, beginning: str = "", *, in_blocks: bool = False) -> list[Choices]:
    """What may fit where a fit by SCORE with its parameters, or by another method, does not."""
    order, pruning = {"score_estimator": "low_rank"}, {"screen": "forward"}
    exact = score.score_estimator in ("stein", "local")
    all_tested = score.pruner == "cam" and score.screen is None
    one = [*([order] if exact else []), *([pruning] if all_tested else [])]
    both = [order | pruning] if len(one) == 2 else []

    def named(choices: list[dict[str, str]]) -> Choices:
        return {
            beginning
            + " and ".join(f"{name}={value!r}" for name, value in choice.items()): changed(
                score, **choice
            )
            for choice in choices
        }

    blocks: Choices = {}
    if score.pruner == "cam" and not in_blocks:
        streams = "score_estimator='low_rank' with " if exact else ""
        words = f"{beginning}{streams}the table as a Parquet file, read in blocks"
        blocks = {words: partial(_cost_in_blocks, score)}
    return [{**named(one), **blocks}, named(both)]


def changed(estimator: Any, **parameters: Any) -> Cost:
    """The cost of a fit by the same estimator with other parameters."""
    other = type(estimator)(**{**estimator.get_params(deep=False), **parameters})
    return partial(_cost_in_memory, other)


def _cost_in_blocks(estimator: Any, n: int, d: int) -> Estimate | None:
    automatic = {"score_estimator": "low_rank"}
    other = type(estimator)(**{**estimator.get_params(deep=False), **automatic})
    estimate: Estimate | None = other.cost(n, d, in_blocks=True)
    return estimate


def _cost_in_memory(estimator: Any, n: int, d: int) -> Estimate | None:
    estimate: Estimate | None = estimator.cost(n, d)
    return estimate
