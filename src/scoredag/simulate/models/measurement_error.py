"""Measurement error: columns are noisy readings of the variables of the graph."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from scoredag.arguments import as_generator, check_between, is_number
from scoredag.simulate.models.additive import sample_anm
from scoredag.simulate.sem import FloatArray, Mechanism, Noise, Progress


def sample_measurement_error(
    adjacency: ArrayLike,
    n: int,
    *,
    mechanism: str | Mechanism = "gp",
    noise: str | Noise = "gaussian",
    noise_variance: float | tuple[float, float] = (0.4, 0.8),
    error_share: float = 0.2,
    affected: float = 1.0,
    rng: np.random.Generator | int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Draw n rows of an additive-noise model, and add errors that no other column sees.

    Parameters
    ----------
    adjacency : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j; acyclic. The graph of the variables without error.
    n : int
        Number of rows.
    mechanism, noise, noise_variance, rng, progress
        As in `sample_anm`.
    error_share, affected
        As in `add_measurement_error`.

    Returns
    -------
    ndarray of shape (n, d)
        Columns in the order of `adjacency`.

    Notes
    -----
    Two columns that are independent given the variables between them are dependent given their
    readings, so that even perfect tests find edges that are not in the graph.

    References
    ----------
    R. Scheines, J. Ramsey, "Measurement error and causal discovery", CEUR Workshop Proceedings
    1792:1-7, 2016.

    Examples
    --------
    >>> sample_measurement_error([[0, 1], [0, 0]], 100, error_share=0.5, rng=0).shape
    (100, 2)
    """
    _check(error_share, affected)
    generator = as_generator(rng)
    X = sample_anm(adjacency, n, mechanism, noise, noise_variance, rng=generator, progress=progress)
    return add_measurement_error(X, error_share, affected, rng=generator.spawn(1)[0])


def add_measurement_error(
    X: ArrayLike,
    error_share: float = 0.2,
    affected: float = 1.0,
    rng: np.random.Generator | int | None = None,
) -> FloatArray:
    """Add independent normal errors to columns.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The exact values.
    error_share : float, default=0.2
        Share of the variance of an affected column that is error, between 0 and 1.
    affected : float, default=1.0
        Share of the columns that have errors, from 0 to 1; which ones is random.
    rng : numpy.random.Generator, int or None
        Source of randomness, or a seed for one.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(10_000, 1))
    >>> add_measurement_error(X, error_share=0.5, rng=1).var().round(1)
    np.float64(2.0)
    """
    _check(error_share, affected)
    values = np.asarray(X, dtype=float)
    generator = as_generator(rng)
    d = values.shape[1]
    chosen = np.isin(np.arange(d), generator.permutation(d)[: round(affected * d)])
    # The share s of the total: var(error) = s (var(x) + var(error)).
    spread = values.std(axis=0) * np.sqrt(error_share / (1 - error_share))
    return values + np.where(chosen, spread, 0.0) * generator.standard_normal(values.shape)


def _check(error_share: float, affected: float) -> None:
    check_between(error_share, "error_share", 0, 1)
    if not is_number(affected) or not 0 <= affected <= 1:
        raise ValueError(f"affected must be a share of the columns, from 0 to 1; got {affected!r}")


PIECE = sample_measurement_error
