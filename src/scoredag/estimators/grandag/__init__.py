"""GraN-DAG: one network a column, all trained at once under an acyclicity constraint.

    selection -> networks -> acyclicity -> training -> estimator
    optimisation serves training

Networks, acyclicity, optimisation and training need PyTorch, which is optional: only ``fit``
imports them.
"""

from scoredag.estimators.grandag.estimator import GraNDAG

__all__ = ["GraNDAG"]

PIECE = GraNDAG
