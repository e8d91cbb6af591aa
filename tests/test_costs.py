"""Formulas against what is counted in the code, limiting cases, and refusals in words."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoredag import CAM, LISTEN, SCORE, R2Sort, ScoreGP, VarSort, costs
from scoredag.costs import Rates, Work
from scoredag.data.blocks import ArrayBlocks
from scoredag.data.budget import memory_budget
from scoredag.exceptions import DataError
from scoredag.knowledge import Knowledge
from scoredag.order import peel
from scoredag.order.peel import remove_leaves
from scoredag.regression.additive import AdditiveDesign
from scoredag.regression.bases.cubic import cubic
from scoredag.regression.penalised import PenalisedProblem
from scoredag.score import SteinField
from scoredag.score.fields.local import LocalField
from scoredag.score.fields.low_rank import LowRankField
from scoredag.score.kernel import GaussianKernel
from scoredag.simulate import paper_dataset

GB = 2**30
ESTIMATORS = [
    SCORE(),
    SCORE(score_estimator="stein"),
    SCORE(score_estimator="low_rank"),
    SCORE(score_estimator="local", screen="forward"),
    SCORE(score_estimator="stein", pruner="gp"),
    ScoreGP(screen=None),  # with "auto" more than 100 columns cost less
    CAM(),
    VarSort(),
    R2Sort(),
]


def huge(n, d):
    """A table that takes no memory."""
    return np.lib.stride_tricks.as_strided(np.zeros(1), (n, d), (0, 0))


# --- Formulas against counts


def test_flops_of_an_exact_leaf(monkeypatch):
    n, d, flops = 60, 7, {"factor": 0.0, "product": 0.0}
    multiply, solve = GaussianKernel.multiply, GaussianKernel.solve

    def counted_multiply(self, B):
        flops["product"] += 2 * n**2 * B.shape[1]
        return multiply(self, B)

    def counted_solve(self, B, ridge):
        flops["factor"] += n**3 / 3
        flops["product"] += 2 * n**2 * B.shape[1]
        return solve(self, B, ridge)

    monkeypatch.setattr(GaussianKernel, "multiply", counted_multiply)
    monkeypatch.setattr(GaussianKernel, "solve", counted_solve)
    SteinField(np.random.default_rng(0).normal(size=(n, d))).diagonal_moments()
    work = costs.exact_leaf(n, d)
    assert work.factor == flops["factor"]
    assert work.product == flops["product"] - 2 * n**2  # the column of ones is left out


class CountedBlocks(ArrayBlocks):
    passes = 0

    def __iter__(self):
        self.passes += 1
        return super().__iter__()


def test_passes_of_the_low_rank_order():
    X = np.random.default_rng(0).normal(size=(300, 5))
    blocks = CountedBlocks(X, rows=100)
    peel(blocks, score_estimator="low_rank")
    order = SCORE(score_estimator="low_rank").cost(300, 5).steps[1]
    assert blocks.passes == order.passes + 1  # the sample


def test_solutions_of_a_regression(monkeypatch):
    counts = []
    solve = PenalisedProblem.solve

    def counted(self, log_lambda):
        counts.append(len(self.starts))
        return solve(self, log_lambda)

    monkeypatch.setattr(PenalisedProblem, "solve", counted)
    data = paper_dataset(10, "ER1", n=500)
    VarSort().fit(data.X)
    for terms in range(1, 10):
        assert counts.count(terms) == pytest.approx(costs.newton_solutions(terms), rel=0.7)


def test_exact_memory_is_that_of_two_kernel_matrices():
    kernel = GaussianKernel(np.random.default_rng(0).normal(size=(50, 2)))
    held = kernel._distances.nbytes + kernel._kernel.nbytes
    assert costs.exact_memory(50, 0) == held


def test_messages_of_tasks_are_the_sums_of_a_block():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 3))
    design = AdditiveDesign.of(X, range(3), cubic, 5)
    raw = 3 * 5
    assert costs.gram_message(3, raw) == 8 * (raw**2 + raw * 3)
    assert design.gram.nbytes < costs.gram_message(3, raw)
    assert costs.low_rank_message(20, 3) == 8 * (20**2 + 20 * 7)


# --- Limiting cases


@pytest.mark.parametrize("estimator", ESTIMATORS[1:], ids=str)  # the first one changes its mind
@settings(max_examples=10)
@given(n=st.integers(50, 10**6), d=st.integers(2, 80))
def test_more_rows_and_columns_cost_more(estimator, n, d):
    one, rows, columns = (estimator.cost(*shape) for shape in ((n, d), (2 * n, d), (n, 2 * d)))
    assert 0 < one.seconds() < min(rows.seconds(), columns.seconds())
    assert one.memory < min(rows.memory, columns.memory)


def test_growth_in_rows():
    """Cubic for the exact score, linear in blocks, bounded memory in blocks."""
    exact = [SCORE(score_estimator="stein").cost(n, 10).steps[1] for n in (10**4, 10**5)]
    assert exact[1].seconds() / exact[0].seconds() == pytest.approx(1000, rel=0.1)
    low = [SCORE().cost(n, 10, in_blocks=True) for n in (10**7, 10**8)]
    assert low[1].seconds() / low[0].seconds() == pytest.approx(10, rel=0.01)
    assert low[0].memory == low[1].memory
    search = [ScoreGP().cost(n, 10).steps[2].seconds() for n in (2 * 10**4, 10**6)]
    assert search[0] == search[1]


def test_lazy_leaves_make_many_columns_cheaper():
    n, d = 1000, 1000
    lazy = SCORE(score_estimator="stein").cost(n, d).steps[1].work
    full = costs.total(costs.exact_leaf(n, left) for left in range(d, 1, -1))
    assert lazy.product < full.product / 5
    assert lazy.factor == pytest.approx(full.factor)


def test_threads_divide_what_is_done_in_threads():
    estimate = SCORE(score_estimator="low_rank").cost(10**6, 20)
    read, order, prune = (step.seconds() for step in estimate.steps)
    assert estimate.seconds(4) == pytest.approx(read + (order + prune) / 4)
    assert costs.workers(None) == 1
    assert costs.workers(-1) >= 1


def test_work_adds_up():
    a, b = Work(factor=1.0, call=2.0), Work(factor=3.0, joint=4.0)
    rates = Rates(factor=10.0, call=1.0, joint=0.5)
    assert (a + b).seconds(rates) == a.seconds(rates) + b.seconds(rates) == 44
    assert (2 * a).seconds(rates) == 2 * a.seconds(rates)
    assert costs.total([]) == Work()


def test_pieces_from_elsewhere_have_no_estimate():
    assert SCORE(score_estimator=SteinField).cost(100, 3) is None
    assert SCORE(pruner="das").cost(100, 3) is None
    assert LISTEN().cost(100, 3) is None


# --- Refusals


def refusal(estimator, n, d):
    with pytest.raises(DataError) as caught:
        estimator.fit(huge(n, d))
    return str(caught.value)


def test_exact_score_of_many_rows_is_refused():
    with memory_budget(16 * GB):
        message = refusal(SCORE(score_estimator="stein"), 200_000, 20)
    assert re.sub(r"\d+ MB", "# MB", message) == (
        "SCORE needs about 596 GB of memory for 200,000 rows and 20 columns, most of it for two "
        "matrices of rows by rows, and the budget is 16 GB. What would fit: "
        "score_estimator='low_rank' (# MB); or score_estimator='low_rank' with the "
        "table as a Parquet file, read in blocks "
        "(# MB); or 32,000 rows drawn at random."
    )


@pytest.mark.parametrize(
    ("estimator", "n", "d", "proposed"),
    [
        (SCORE(), 1_000, 10_000, "screen='forward'"),
        (ScoreGP(), 2_000, 2_000, "SCORE with screen='forward'"),
        (CAM(), 1_000, 5_000, "SCORE with screen='forward'"),
        (SCORE(), 10**8, 20, "What would fit: the table as a Parquet file, read in blocks"),
        (SCORE(score_estimator="local"), 50_000, 20, "score_estimator='low_rank'"),
        (VarSort(), 10**8, 20, "rows drawn at random"),
    ],
    ids=str,
)
def test_what_is_refused_comes_with_what_would_fit(estimator, n, d, proposed):
    with memory_budget(8 * GB):
        assert proposed in refusal(estimator, n, d)


def test_proposed_rows_fit_and_few_more_do_not():
    estimator = SCORE(score_estimator="stein")
    with memory_budget(8 * GB):
        message = refusal(estimator, 10**6, 5)
        rows = int(re.search(r"([\d,]+) rows drawn", message)[1].replace(",", ""))
    assert estimator.cost(rows, 5).memory <= 8 * GB < estimator.cost(round(1.1 * rows), 5).memory


def test_both_are_proposed_where_one_does_not_do():
    with memory_budget(13 * GB // 2):
        message = refusal(SCORE(score_estimator="stein"), 40_000, 2_000)
    assert "What would fit: score_estimator='low_rank' and screen='forward'" in message


def test_the_budget_decides_and_a_small_table_always_fits():
    X = paper_dataset(4, "ER1", n=100).X
    with memory_budget(1):
        SCORE().fit(X)
    with memory_budget(GB), pytest.raises(DataError, match=r"budget is 1\.0 GB"):
        SCORE(score_estimator="stein").fit(huge(9_000, 3))


def test_a_field_refuses_too():
    with memory_budget(GB), pytest.raises(DataError, match=r"exact score of 9,000 rows.* 1\.2 GB"):
        SteinField(np.ones((9_000, 1)))


# --- Progress


def shares(field, criterion="variance"):
    """The share of the work that is reported after each leaf."""
    seen = []
    d = len(field.columns)
    rules = Knowledge().resolve([f"x{j}" for j in range(d)])
    remove_leaves(field, criterion, rules, lambda done, total: seen.append(done / total))
    return seen


def test_progress_is_in_units_of_work():
    X = np.random.default_rng(0).normal(size=(300, 6))
    seen = shares(SteinField(X))
    work = [costs.exact_leaf(300, m).seconds() for m in range(6, 1, -1)]
    np.testing.assert_allclose(seen, np.cumsum(work) / sum(work), atol=2e-4)


def test_progress_within_a_pass_and_within_the_first_leaf():
    X = np.random.default_rng(0).normal(size=(400, 4))
    low = shares(LowRankField(ArrayBlocks(X, rows=100)))
    assert low == sorted(low)
    assert len(low) == 3 * (4 + 4 + 1)  # two passes of four blocks for each leaf
    local = shares(LocalField(X))
    assert local == sorted(local)
    assert local[3] == pytest.approx(4 / (4 + 3 + 2), abs=1e-3)  # all columns, then 4 left / d
