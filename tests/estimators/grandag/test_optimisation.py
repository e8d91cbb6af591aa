import numpy as np
import pytest
import torch
from torch.testing import assert_close

from scoredag.estimators.grandag.optimisation import AugmentedLagrangian, RMSprop, has_settled


def test_slope_is_the_derivative_of_cost():
    problem = AugmentedLagrangian(multiplier=0.3, penalty=2.0)
    difference = (problem.cost(0.5 + 1e-6) - problem.cost(0.5 - 1e-6)) / 2e-6
    assert problem.slope(0.5) == pytest.approx(difference)
    assert problem.cost(0.0) == 0


def test_the_penalty_rises_unless_the_constraint_fell_by_a_tenth():
    problem = AugmentedLagrangian()
    for h, penalty in [(1.0, 1e-3), (0.89, 1e-3), (0.85, 1e-2), (0.7, 1e-2), (0.64, 1e-1)]:
        problem.tighten(h)
        assert problem.penalty == pytest.approx(penalty)
    # The multiplier rises by the penalty before it was raised.
    assert problem.multiplier == pytest.approx(1e-3 * (1 + 0.89 + 0.85) + 1e-2 * (0.7 + 0.64))


@pytest.mark.parametrize(
    ("objectives", "settled"),
    [
        ([1.0], False),
        ([1.0, 1.0], False),
        ([1.0, 0.99, 0.98], False),  # falls by 2e-4 a step
        ([1.0, 0.998, 0.996], True),  # by 4e-5
        ([1.0, 1.1, 1.2], True),
        ([1.0, 1.1, 1.0], False),
        ([5.0, 1.0, 1.001, 1.002], True),  # only the last three count
    ],
)
def test_a_problem_is_solved_when_its_objective_no_longer_falls(objectives, settled):
    assert has_settled(objectives, window=100) is settled


def test_steps_are_those_of_pytorch():
    start = torch.from_numpy(np.random.default_rng(0).normal(size=5))
    ours, theirs = start.clone(), start.clone().requires_grad_()
    optimiser = RMSprop(ours, 0.01)
    for _ in range(2):
        reference = torch.optim.RMSprop([theirs], lr=0.01)  # a new one remembers nothing
        optimiser.forget()
        for _ in range(20):
            theirs.grad = 2 * theirs.detach()
            reference.step()
            optimiser.step(2 * ours)
            assert_close(ours, theirs.detach())
