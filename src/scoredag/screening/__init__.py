"""Screening: which columns are close to which, before a search or a test looks at them.

=======================  ==============================================================
`rank_dependence`        dependence of each pair of columns, by polynomials of ranks
`rank_features`          these polynomials
`neighbourhood`          the columns near a column, from what a screen returns
`nearness`               the pairs of columns of which one is near the other
`join_dependent`         the same, and the pairs of the most dependent columns
`strongest_candidates`   the candidate edges between neighbours
=======================  ==============================================================

A new screen is one new file in ``screening/screens``.
"""

from scoredag.screening.neighbourhoods import (
    join_dependent,
    nearness,
    neighbourhood,
    strongest_candidates,
    symmetric_strength,
)
from scoredag.screening.ranks import rank_dependence, rank_features

__all__ = [
    "join_dependent",
    "nearness",
    "neighbourhood",
    "rank_dependence",
    "rank_features",
    "strongest_candidates",
    "symmetric_strength",
]
