"""Sensors: nearly exact functions of independent uniform inputs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from scoredag.simulate.mechanisms.linear import linear
from scoredag.simulate.mechanisms.polynomial import polynomial
from scoredag.simulate.sem import FloatArray, Function, Node, Progress, sample_sem

# Thirteen inputs, and seven sensors of three to seven inputs each.
USUAL_SETTING = (20, "BIPARTITE5")


def sample_sensors(
    adjacency: ArrayLike,
    n: int,
    *,
    noise_share: tuple[float, float] = (0.01, 0.05),
    rng: np.random.Generator | int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Draw n rows of uniform inputs and of sensors that read them with little noise.

    Parameters
    ----------
    adjacency : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j; acyclic. Nodes without parents are the inputs. Usually drawn
        by ``random_dag(20, 5, kind="bipartite")``.
    n : int
        Number of rows.
    noise_share : (float, float), default=(0.01, 0.05)
        Bounds of the uniform distribution from which the standard deviation of each sensor's
        normal noise is drawn, as a share of the spread of its function.
    rng, progress
        As in `sample_anm`.

    Returns
    -------
    ndarray of shape (n, d)
        Columns in the order of `adjacency`; inputs have variance 0.4 to 0.8, sensors about 1.

    Notes
    -----
    Each sensor is, with equal chances, linear or quadratic in its inputs: a draw of the mechanisms
    `linear` or `polynomial`. Sums of uniform inputs look normal, and with so little noise an input
    is also nearly a function of a sensor and the other inputs: directions show in the shapes of the
    distributions alone. The light tunnel of Gamella et al. is a real system of the kind.

    References
    ----------
    J. L. Gamella, J. Peters, P. Bühlmann, "Causal chambers as a real-world physical testbed for AI
    methodology", Nature Machine Intelligence 7:107-118, 2025.

    Examples
    --------
    >>> sample_sensors([[0, 0, 1], [0, 0, 1], [0, 0, 0]], 100, rng=0).shape
    (100, 3)
    """
    lowest, highest = _bounds(noise_share)

    def equation(node: Node, function: Function) -> FloatArray:
        if node.is_root:
            return node.noise
        draw = linear if node.rng.random() < 1 / 2 else polynomial
        reading = draw(node.parents, node.rng)
        return reading + node.rng.normal(0.0, node.rng.uniform(lowest, highest), size=len(reading))

    return sample_sem(adjacency, n, equation, noise="uniform", rng=rng, progress=progress)


def _bounds(noise_share: tuple[float, float]) -> tuple[float, float]:
    given = np.asarray(noise_share)
    if given.dtype.kind not in "iuf" or given.shape != (2,) or not 0 < given[0] <= given[1] < 1:
        raise ValueError(
            f"noise_share must be (lowest, highest), both between 0 and 1; got {noise_share!r}"
        )
    return float(given[0]), float(given[1])


PIECE = sample_sensors
