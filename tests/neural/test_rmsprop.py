import numpy as np
import torch
from torch.testing import assert_close

from scoredag.neural.rmsprop import RMSprop


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
