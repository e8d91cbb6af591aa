"""Score estimators: grad log p(x) and its Jacobian at the samples.

========================  =====================================================
`stein_score`             Stein gradient estimator, eq. (3.4) of the SCORE paper
`stein_hessian_diagonal`  diagonal of the score's Jacobian, eq. (4.7), Algorithm 2
`stein_jacobian_row`      one row of the Jacobian, for Lemma 1 (ii)
`SteinField`              the three above on a shrinking set of columns
`ScoreField`              what an estimator must offer to be used by the search
========================  =====================================================

A new score estimator is one new file in ``score/fields``.
"""

from scoredag.score.field import ScoreField, check_field
from scoredag.score.fields.stein import SteinField
from scoredag.score.stein import stein_hessian_diagonal, stein_jacobian_row, stein_score

__all__ = [
    "ScoreField",
    "SteinField",
    "check_field",
    "stein_hessian_diagonal",
    "stein_jacobian_row",
    "stein_score",
]
