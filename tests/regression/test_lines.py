import numpy as np
import pytest

from scoredag.data.standardise import standardise
from scoredag.regression.gp_evidence import profiled
from scoredag.regression.linear_evidence import linear_evidence
from scoredag.regression.lines import fit_line, leave_one_out_line


def problem(n=120, p=3, seed=0):
    rng = np.random.default_rng(seed)
    X = standardise(rng.normal(size=(n, p)))
    return X, standardise(X @ np.arange(1, p + 1) + rng.normal(size=n)), rng


def test_evidence_is_that_of_the_edge_test():
    X, y, _ = problem()
    table = np.column_stack([X, y])
    expected, _ = linear_evidence(table.T @ table / len(y), len(y), 3, [0, 1, 2])
    found = profiled([leave_one_out_line(X, y).terms])
    assert found == pytest.approx(expected, abs=1e-4)  # which has a small ridge


@pytest.mark.parametrize("weighted", [False, True])
def test_residuals_equal_regressions_that_leave_a_row_out(weighted):
    X, y, rng = problem(n=30)
    w = rng.normal(size=30) if weighted else np.zeros(30)
    scale = np.exp(-0.5 * w)
    found = leave_one_out_line(X, y, w if weighted else None)
    for row in range(5):
        rest = np.arange(30) != row
        slopes = np.linalg.lstsq(scale[rest, None] * X[rest], scale[rest] * y[rest])[0]
        inverse = np.linalg.inv((scale[rest, None] ** 2 * X[rest]).T @ X[rest])
        spread = np.sqrt(np.exp(w[row]) + X[row] @ inverse @ X[row])  # of the prediction's error
        assert found.residuals[row] == pytest.approx((y[row] - X[row] @ slopes) / spread)
    assert found.share == pytest.approx(27 / 30)


def test_reversing_a_line_leaves_the_evidence_unchanged():
    rng = np.random.default_rng(0)
    x, e = rng.normal(size=(2, 200))
    x, y = standardise(np.column_stack([x, x + e])).T
    there, back = (profiled([leave_one_out_line(a[:, None], b).terms]) for a, b in ((x, y), (y, x)))
    assert there == pytest.approx(back, abs=1e-4)


def test_parents_of_a_line_are_those_with_slopes():
    X, y, rng = problem(n=500, p=2)
    correlation = np.corrcoef(np.column_stack([X, rng.normal(size=500), y]), rowvar=False)
    fit = fit_line(correlation, 500, 3, [0, 1, 2], d=3)
    assert fit.linear
    assert fit.parents == {0, 1}
    assert fit.relevances[1] == pytest.approx(2 * fit.relevances[0], rel=0.2)


def test_without_a_slope_there_is_no_line():
    X, _, rng = problem()
    correlation = np.corrcoef(np.column_stack([X, rng.normal(size=120)]), rowvar=False)
    assert not fit_line(correlation, 120, 3, [0, 1, 2], d=3).parents
