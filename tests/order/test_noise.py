"""Negentropy and independence of residuals, with lines instead of Gaussian processes."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scoredag import Knowledge
from scoredag.data.standardise import standardise
from scoredag.knowledge import Constraints
from scoredag.order.noise import noise_report, reverse_by_noise
from scoredag.order.residual_diagnostics import ResidualDiagnostics
from scoredag.order.search import explore_predecessors, initial_state
from scoredag.regression.negentropy import negentropy
from scoredag.settings import SearchSettings
from tests.order.table_score import NULL, LinearScore, contents, problem_of


def lines(n=400, d=3, seed=0):
    """A chain 0 -> 1 -> ... of lines with uniform noise."""
    X = np.random.default_rng(seed).uniform(-1, 1, size=(n, d))
    for j in range(1, d):
        X[:, j] = X[:, j - 1] + 0.6 * X[:, j]
    return standardise(X)


def prepared(X, order, knowledge=None, **options):
    """A problem with straight lines, the state of an order, and the diagnostics."""
    d = X.shape[1]
    constraints = Constraints.none(d) if knowledge is None else knowledge.resolve(range(d))
    score = LinearScore(X)
    problem = problem_of(score, d, constraints.allowed, constraints.precedes, **options)
    state = explore_predecessors(initial_state(problem, order), problem)
    return problem, state, ResidualDiagnostics(score)


def test_lines_are_reversed_by_their_noise():
    problem, state, diagnostics = prepared(lines(), (2, 1, 0))
    before = contents(state)
    after = reverse_by_noise(state, problem, diagnostics)
    assert after.order == (0, 1, 2)
    assert after.parents == (frozenset(), {0}, {1})
    assert contents(state) == before


def test_right_directions_stay():
    problem, state, diagnostics = prepared(lines(), (0, 1, 2))
    assert reverse_by_noise(state, problem, diagnostics).order == (0, 1, 2)


def test_noise_does_not_override_knowledge():
    """2 is before 1 by a rule; 0 may stand anywhere."""
    problem, state, diagnostics = prepared(lines(), (2, 1, 0), Knowledge(required=[(2, 1)]))
    order = reverse_by_noise(state, problem, diagnostics).order
    assert order.index(2) < order.index(1)


def test_an_infinite_error_reverses_nothing():
    deaf = SearchSettings(negentropy_error_at_1000=np.inf)
    problem, state, diagnostics = prepared(lines(), (2, 1, 0), settings=deaf)
    assert reverse_by_noise(state, problem, diagnostics).order == (2, 1, 0)


def test_negentropy_is_that_in_all_rows_where_it_matters():
    rng = np.random.default_rng(0)
    x = rng.normal(size=800)
    X = standardise(np.column_stack([x, x + rng.normal(size=800)]))
    problem, state, diagnostics = prepared(X, (0, 1))
    state = reverse_by_noise(state, problem, diagnostics)
    one, two = ((a, b) if state.order == (0, 1) else (b, a) for a, b in [(0, 1), (1, 0)])

    def total(first, second):
        of_first = diagnostics.negentropy(first, problem.best(first, []))
        return of_first + diagnostics.negentropy(second, problem.best(second, [first]))

    assert state.negentropy_gain[one] == pytest.approx(total(*one) - total(*two))
    assert state.negentropy_gain[two] == -state.negentropy_gain[one]


def test_equal_values_have_no_density_and_reverse_nothing():
    X = standardise(np.random.default_rng(0).integers(0, 2, size=(200, 2)).astype(float))
    X[:, 1] = standardise(X[:, 0] + 0.1 * np.random.default_rng(1).integers(0, 2, size=200))
    problem, state, diagnostics = prepared(X, (0, 1))
    after = reverse_by_noise(state, problem, diagnostics)
    assert np.isfinite(after.negentropy_gain).all()


def test_the_report_has_a_p_value_for_each_edge_and_a_share_for_each_column():
    problem, state, diagnostics = prepared(lines(), (0, 1, 2))
    report = noise_report(state, problem, diagnostics)
    assert_array_equal(np.argwhere(np.isfinite(report.independence)), [[0, 1], [1, 2]])
    assert np.nanmin(report.independence) > 0.01
    assert report.share[0] == pytest.approx(1)
    residuals = problem.score.residuals(1, problem.best(1, [0]), problem.settings.diagnostic_rows)
    assert report.share[1] == pytest.approx(residuals.var())


def test_residuals_of_the_wrong_direction_depend_on_the_parent():
    problem, state, diagnostics = prepared(lines(n=800, d=2), (1, 0))
    assert noise_report(state, problem, diagnostics).independence[1, 0] < 1e-4


# --- Diagnostics


def test_negentropy_of_few_rows_stands_for_all():
    X = lines()
    diagnostics = ResidualDiagnostics(LinearScore(X))
    assert diagnostics.n_rows == 400
    assert diagnostics.negentropy(0, NULL) == pytest.approx(400 * negentropy(X[:, 0]))
    assert diagnostics.negentropy(0, NULL, 100) == pytest.approx(400 * negentropy(X[:100, 0]))
    assert diagnostics.negentropy(0, NULL, 9999) == diagnostics.negentropy(0, NULL)


def test_negentropies_are_computed_once():
    class Counting(LinearScore):
        asked = 0

        def residuals(self, node, fit, rows=None):
            self.asked += 1
            return super().residuals(node, fit, rows)

    score = Counting(lines())
    diagnostics, score.asked = ResidualDiagnostics(score), 0
    first = diagnostics.negentropy(1, NULL)
    assert (diagnostics.negentropy(1, NULL), score.asked) == (first, 1)
    diagnostics.negentropy(2, NULL)
    diagnostics.negentropy(1, NULL, 100)
    assert score.asked == 3
