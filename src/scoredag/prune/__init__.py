"""Pruning: which of the candidate edges are supported by the data?

Works on its own on any candidate matrix, such as `scoredag.graph.full_dag` of an order that
another method found. A new pruner is one new file in ``prune/pruners``.
"""

from scoredag.prune.joint_effect import JointEffect
from scoredag.prune.pruners.cam import cam_prune
from scoredag.prune.pruners.das import das_prune
from scoredag.prune.pruners.gp import gp_prune
from scoredag.prune.pruners.jacobian import jacobian_prune
from scoredag.prune.result import Effect, PruneResult

__all__ = [
    "Effect",
    "JointEffect",
    "PruneResult",
    "cam_prune",
    "das_prune",
    "gp_prune",
    "jacobian_prune",
]
