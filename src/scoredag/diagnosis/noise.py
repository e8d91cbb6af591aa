"""Noise that contradicts the model: dependent on a parent, or absent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoredag.data.wording import edge_list, name_list, quoted
from scoredag.settings import EDGE_TEST, EdgeTestSettings

Floats = NDArray[np.float64]


def dependent_noise(p_values: Floats, settings: EdgeTestSettings = EDGE_TEST) -> NDArray[np.bool_]:
    """Find the edges i -> j, at [i, j], with noise of j that depends on i: p-values too small.

    The level is for all tests together (Bonferroni): `EdgeTestSettings.dependent_noise_level` over
    the number of p-values. NaN stands for an edge that was not tested.

    Examples
    --------
    >>> dependent_noise(np.array([[np.nan, 4e-4], [6e-4, np.nan]]))
    array([[False,  True],
           [False, False]])
    """
    tested = np.isfinite(p_values).sum()
    return p_values < settings.dependent_noise_level / max(tested, 1)


def about_dependent_noise(
    p_values: Floats, names: Sequence[str], settings: EdgeTestSettings = EDGE_TEST
) -> str | None:
    """Name the edges of `dependent_noise`.

    Examples
    --------
    >>> about_dependent_noise(np.array([[np.nan, 0.2], [np.nan, np.nan]]), ["a", "b"])
    """
    dependent = dependent_noise(p_values, settings)
    if not dependent.any():
        return None
    tested = np.isfinite(p_values).sum()
    return (
        f"the noise depends on the cause in {dependent.sum()} of {tested} edges that were "
        f"tested: {edge_list(dependent, names)}. The model does not hold there, and these edges "
        "can be wrong, or the wrong way round, whatever their evidence: the noise may grow "
        "with the cause (do logarithms help?), a common cause may be missing, or a cause may "
        "be measured with errors."
    )


def about_missing_noise(
    share: Floats,
    edges: NDArray[np.bool_],
    names: Sequence[str],
    settings: EdgeTestSettings = EDGE_TEST,
) -> list[str]:
    """Name each column with a negligible share of noise in its variance, with its parents.

    Examples
    --------
    >>> edges = np.array([[False, True], [False, False]])
    >>> about_missing_noise(np.array([1.0, 1e-9]), edges, ["km", "miles"])[0][:37]
    "'miles' can be computed from 'km': it"
    """
    messages = []
    for column in np.flatnonzero((share < settings.no_noise_share) & edges.any(axis=0)).tolist():
        causes = name_list(names[k] for k in np.flatnonzero(edges[:, column]).tolist())
        messages.append(
            f"{quoted(names[column])} can be computed from {causes}: it has no noise of its own. "
            "Which of these columns is computed from the others cannot be told from the table, "
            "and their edges may be wrong. Leave out what is computed."
        )
    return messages
