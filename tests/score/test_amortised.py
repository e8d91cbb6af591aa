"""The amortised field: normal densities, where all is known, derivatives, units, seeds, errors."""

import subprocess
import sys
from functools import partial

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal

from scoredag import SCORE
from scoredag.data.blocks import ArrayBlocks
from scoredag.exceptions import DataError
from scoredag.metrics import order_divergence
from scoredag.order import peel
from scoredag.score.fields.amortised import (
    AmortisedField,
    default_members,
    default_sigma,
    default_steps,
)
from scoredag.simulate import paper_dataset

SIGMA = 0.3


def table(n=200, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X[:, 1:] += np.sin(2 * X[:, :-1])
    return X


def short(X, **options):
    return AmortisedField(X, **{"members": 2, "width": 16, "max_steps": 120} | options)


def normal_score(X, columns):
    """Score of a normal density of the covariance of a table, blurred as the field's."""
    blurred = np.cov(X.T, bias=True)
    blurred[np.diag_indices(len(blurred))] *= 1 + SIGMA**2
    part = np.ix_(columns, columns)
    return -(X - X.mean(axis=0))[:, columns] @ np.linalg.inv(blurred[part])


def test_the_score_of_a_normal_density_and_of_its_marginals():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 3)) @ [[1.0, 1.0, 0.0], [0.0, 2.0, 1.0], [0.0, 0.0, 2.0]] + 7
    field = AmortisedField(X, sigma=SIGMA, max_steps=1000, members=1)
    for left in ([0, 1, 2], [0, 2], [2]):
        for column in set(field.columns.tolist()) - set(left):
            field.remove(column)
        exact = normal_score(X, left)
        error = np.sqrt(((field.score() - exact) ** 2).mean(axis=0))
        assert (error < 0.2 * exact.std(axis=0)).all()
        mean, variance = field.diagonal_moments()
        assert (np.sqrt(variance) < 0.3 * abs(mean)).all()


@pytest.mark.slow
@pytest.mark.slice
def test_the_variance_of_the_jacobian_tells_effects_from_causes():
    """Of x -> y -> z, a removal shows that the score left is that of the marginal."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=1000)
    y = np.sin(2 * x) + 0.6 * rng.normal(size=1000)
    z = np.cos(2 * y) + 0.6 * rng.normal(size=1000)
    quick = partial(AmortisedField, members=1, width=64, max_steps=500)
    assert_array_equal(peel(np.column_stack([z, x, y]), score_estimator=quick), [1, 2, 0])


@pytest.mark.slow
def test_orders_of_the_papers_data():
    """The bound leaves a margin on the means of decision 10, "Amortised score"."""
    mistakes = [
        order_divergence(data.adjacency, peel(data.X, score_estimator="amortised"))
        for data in (paper_dataset(10, "ER1", seed=seed) for seed in range(1000, 1004))
    ]
    assert np.mean(mistakes) <= 1.5


def test_the_score_after_a_removal_does_not_depend_on_what_was_removed():
    X = table()
    field = short(X)
    field.remove(1)
    before = field.score()
    field._rows[:, 1] = 1e3  # what a network that looked at it would show
    assert_array_equal(field.score(), before)


def test_the_jacobian_is_the_derivative_of_the_score():
    X = table()
    field = short(X)
    field.remove(2)
    points, step = X[:, [0, 1, 3]], 1e-2
    diagonal = field.jacobian_diagonal()
    for place, column in enumerate([0, 1, 3]):
        shift = step * np.eye(3)[place]
        difference = (field.score_at(points + shift) - field.score_at(points - shift)) / (2 * step)
        assert_allclose(diagonal[:, place], difference[:, place], atol=2e-3)
        row = field.jacobian_row(column)
        assert_allclose(row[:, place], diagonal[:, place], atol=1e-5)
        # The diagonal aside, a network's Jacobian need not be symmetric: a row is that of s_l.
        for other in range(3):
            shift = step * np.eye(3)[other]
            ahead, behind = (field.score_at(points + sign * shift)[:, place] for sign in (1, -1))
            assert_allclose(row[:, other], (ahead - behind) / (2 * step), atol=2e-3)


def test_the_score_at_the_samples_is_that_at_points():
    X = table()
    field = short(X)
    field.remove(0)
    assert_allclose(field.score_at(X[:, 1:]), field.score(), atol=1e-5)
    with pytest.raises(ValueError, match="3 columns that are left"):
        field.score_at(X)


def test_moments_are_those_of_the_diagonal():
    field = short(table())
    J = field.jacobian_diagonal()
    mean, variance = field.diagonal_moments()
    assert_allclose(mean, J.mean(axis=0))
    assert_allclose(variance, J.var(axis=0))


def test_units_and_shifts_scale_the_score_and_the_jacobian():
    X, units = table(), np.array([1.0, 8.0, 0.25, 2.0])  # powers of two: same bits
    plain, scaled = short(X), short(X * units)
    assert_allclose(scaled.score() * units, plain.score(), rtol=1e-6)
    assert_allclose(scaled.jacobian_diagonal() * units**2, plain.jacobian_diagonal(), rtol=1e-6)
    row = scaled.jacobian_row(1) * units[1] * units
    assert_allclose(row, plain.jacobian_row(1), rtol=1e-6)
    assert_allclose(short(X + 1e4).score(), plain.score(), atol=1e-3)


def test_the_same_seed_gives_the_same_bits_whatever_pytorchs_state():
    X, before = table(), torch.get_num_threads()
    first = short(X, rng=np.random.default_rng(3)).jacobian_diagonal()
    try:
        torch.set_num_threads(2)
        state = torch.manual_seed(5).get_state()
        second = short(X, rng=np.random.default_rng(3)).jacobian_diagonal()
        assert torch.get_num_threads() == 2
        assert torch.equal(torch.random.get_rng_state(), state)
    finally:
        torch.set_num_threads(before)
    assert_array_equal(first, second)
    assert not np.array_equal(first, short(X, rng=4).jacobian_diagonal())


def test_progress_moves_during_training_and_ends():
    seen = []
    short(table(), max_steps=250, progress=lambda *state: seen.append(state))
    assert seen == sorted(seen)
    assert seen[-1] == (500, 500)
    assert {100, 200, 350, 450} <= {done for done, _ in seen}


def test_score_reports_training_as_a_stage_of_its_own(monkeypatch):
    seen = []

    def quick(X, rng=None, progress=None):
        return short(X, rng=rng, progress=progress)

    model = SCORE(score_estimator=quick, progress=lambda *state: seen.append(state))
    model.fit(table())
    assert list(dict.fromkeys(stage for stage, *_ in seen)) == ["train", "order", "prune"]
    assert model.score_estimator_ == "amortised score: 2 networks, 240 steps, 200 rows"


def test_training_stops_early_where_nothing_more_is_learnt():
    field = short(np.random.default_rng(0).normal(size=(60, 3)), max_steps=5000, members=1)
    assert field._denoiser.steps < 3000


def test_rows_in_blocks_are_refused():
    with pytest.raises(DataError, match="'amortised' needs the table in memory"):
        peel(ArrayBlocks(table()), score_estimator="amortised")


def test_defaults_follow_the_number_of_rows():
    assert [default_members(n) for n in (100, 10_000, 10_001)] == [3, 3, 1]
    assert [default_steps(n) for n in (50, 1000, 4000, 10**6)] == [1000, 1000, 2000, 4000]
    assert default_sigma(50) == default_sigma(1000) == SIGMA
    assert default_sigma(64_000) == pytest.approx(SIGMA / 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sigma": 0}, "sigma must be a number between 0 and 1"),
        ({"members": 0}, "members must be a whole number"),
        ({"width": 2.5}, "width must be a whole number"),
        ({"max_steps": -1}, "max_steps must be a whole number"),
        ({"rng": "seed"}, "rng must be"),
    ],
)
def test_wrong_arguments_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        AmortisedField(table(), **options)


def test_few_rows_and_constant_columns_are_refused():
    with pytest.raises(ValueError, match="at least 20 rows"):
        AmortisedField(table(19))
    X = table()
    X[:, 2] = 0.1
    with pytest.raises(DataError, match=r"columns \[2\] are constant"):
        AmortisedField(X)


def test_the_last_column_stays():
    field = short(table(d=2), max_steps=1)
    field.remove(0)
    with pytest.raises(ValueError, match="last one"):
        field.remove(1)
    with pytest.raises(ValueError, match="not among"):
        field.remove(0)
    with pytest.raises(ValueError, match="not among"):
        field.jacobian_row(0)


WITHOUT_PYTORCH = """
import sys
class Hidden:
    def find_spec(self, name, *_):
        if name == "torch":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Hidden())
import scoredag
from scoredag.plugins import shelf
assert "amortised" in shelf("scoredag.score.fields")
try:
    scoredag.SCORE(score_estimator="amortised").fit(
        scoredag.simulate.paper_dataset(3, "ER1", n=50).X
    )
except ImportError as error:
    print(error)
"""


def test_only_the_field_fails_without_pytorch():
    shown = subprocess.run([sys.executable, "-c", WITHOUT_PYTORCH], capture_output=True, text=True)
    assert shown.stdout.endswith("pip install 'scoredag[torch]'\n"), shown.stderr
