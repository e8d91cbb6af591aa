"""Where fits of a Gaussian process start: relevances and the logarithm of an amplitude."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoredag.regression.gp_fit import GPFit
from scoredag.settings import SearchSettings

Floats = NDArray[np.float64]


class Start(NamedTuple):
    """A starting point; without an amplitude the fit takes the likeliest of a few."""

    log_amplitude: float | None
    relevances: Floats  # of shape (d,)


def equal_start(candidates: frozenset[int], d: int, settings: SearchSettings) -> Start:
    """Equal relevances, so small that the joint kernel still correlates the whole sample."""
    relevances = np.zeros(d)
    relevances[sorted(candidates)] = min(
        settings.proposed_relevance, np.sqrt(settings.equal_relevance_squares / len(candidates))
    )
    return Start(None, relevances)


def screened_start(
    candidates: frozenset[int], proposed: frozenset[int], d: int, settings: SearchSettings
) -> Start:
    """Large relevances where an additive regression proposes a parent, small ones elsewhere."""
    relevances = np.zeros(d)
    relevances[sorted(candidates)] = settings.other_relevance
    relevances[sorted(proposed)] = settings.proposed_relevance
    return Start(None, relevances)


def warm_start(known: GPFit, candidates: frozenset[int], settings: SearchSettings) -> Start:
    """A known fit, with every other candidate switched on, parents of the scale included."""
    if not known.mean_parents:
        return equal_start(candidates, len(known.relevances), settings)
    new = sorted(candidates - known.mean_parents)
    relevances = known.relevances.copy()
    relevances[new] = max(
        settings.least_new_relevance, settings.new_relevance / np.sqrt(max(len(new) / 2, 1.0))
    )
    return Start(known.log_amplitude, relevances)


def fast_starts(
    known: GPFit, new: Sequence[int], relevances: Sequence[float], settings: SearchSettings
) -> list[Start]:
    """A known fit, joined by columns along which the function oscillates this fast."""
    return [
        Start(log_amplitude, _joined(known, log_amplitude, new, relevance, settings))
        for relevance in relevances
        for log_amplitude in settings.fast_log_amplitudes
    ]


def _joined(
    known: GPFit,
    log_amplitude: float,
    new: Sequence[int],
    relevance: float,
    settings: SearchSettings,
) -> Floats:
    """Relevances of a known fit at another amplitude, and of the columns that join.

    A linear function has a small relevance and a vast amplitude. At the other amplitude its
    relevance changes so that the slope stays the same, up to the relevance of a proposed parent.
    """
    largest = settings.proposed_relevance
    slopes = np.exp(0.5 * (known.log_amplitude - log_amplitude)) * known.relevances
    relevances = np.where(known.relevances > largest, known.relevances, np.minimum(slopes, largest))
    relevances[list(new)] = relevance
    return relevances
