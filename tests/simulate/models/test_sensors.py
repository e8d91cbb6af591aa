import numpy as np
import pytest
from scipy import stats

from scoredag.simulate import sample_sensors, simulated_dataset


def quadratic_share(inputs, sensor):
    """Share of a sensor's variance that no quadratic function of its inputs explains."""
    i, j = np.triu_indices(inputs.shape[1])
    design = np.hstack([np.ones((len(inputs), 1)), inputs, inputs[:, i] * inputs[:, j]])
    residual = sensor - design @ np.linalg.lstsq(design, sensor, rcond=None)[0]
    return residual.var() / sensor.var()


def linear_share(inputs, sensor):
    design = np.hstack([np.ones((len(inputs), 1)), inputs])
    residual = sensor - design @ np.linalg.lstsq(design, sensor, rcond=None)[0]
    return residual.var() / sensor.var()


def test_sensors_are_nearly_exact_linear_or_quadratic_functions():
    kinds = set()
    for seed in range(4):
        data = simulated_dataset("sensors", n=2000, seed=seed)
        for node in np.flatnonzero(data.adjacency.any(axis=0)):
            inputs = data.X[:, data.adjacency[:, node] == 1]
            assert 3 <= inputs.shape[1] <= 7
            assert 0.008 < np.sqrt(quadratic_share(inputs, data.X[:, node])) < 0.053
            kinds.add(linear_share(inputs, data.X[:, node]) < 0.01)
    assert kinds == {True, False}


def test_inputs_are_uniform_and_independent():
    data = simulated_dataset("sensors", n=5000, seed=1)
    inputs = data.X[:, ~data.adjacency.any(axis=0)]
    assert inputs.shape[1] == 13
    correlations = np.corrcoef(inputs.T)[np.triu_indices(13, 1)]
    assert np.abs(correlations).max() < 0.06
    for column in inputs.T:
        low, high = column.min(), column.max()
        assert stats.kstest(column, stats.uniform(low, high - low).cdf).pvalue > 1e-3


@pytest.mark.parametrize("share", [0.02, (0.05, 0.01), (0, 0.1), (0.1, 1), "x"])
def test_errors(share):
    with pytest.raises(ValueError, match="noise_share must be"):
        sample_sensors([[0, 1], [0, 0]], 5, noise_share=share)
