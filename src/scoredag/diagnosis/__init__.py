"""Diagnoses of a fitted graph: undirected edges, computed columns, units, noise, prior knowledge.

Each function is pure: it returns a finding, such as the undirected edges, or a message about the
finding, None where there is nothing to report. The estimators turn messages into warnings.

``[i, j]`` of a matrix stands for the edge i -> j.
"""

from scoredag.diagnosis.computed import about_products, exact_relations, related
from scoredag.diagnosis.copula import evidence_beside_copulas
from scoredag.diagnosis.directions import (
    Reason,
    about_undirected_edges,
    about_weak_edges,
    in_mixed_units,
    undirected_reasons,
    weak_edges,
)
from scoredag.diagnosis.noise import about_dependent_noise, about_missing_noise, dependent_noise
from scoredag.diagnosis.units import about_edges_by_units, edges_by_units
from scoredag.diagnosis.variance_order import about_variance_order

__all__ = [
    "Reason",
    "about_dependent_noise",
    "about_edges_by_units",
    "about_missing_noise",
    "about_products",
    "about_undirected_edges",
    "about_variance_order",
    "about_weak_edges",
    "dependent_noise",
    "edges_by_units",
    "evidence_beside_copulas",
    "exact_relations",
    "in_mixed_units",
    "related",
    "undirected_reasons",
    "weak_edges",
]
