"""Estimators: thin scikit-learn classes that read like the algorithm boxes of their papers.

To add one, put a file here that defines a class and ends with ``PIECE = TheClass``;
`scoredag.plugins.shelf` finds the file, and so do the command line's ``--method`` and the
benchmarks.
"""

from scoredag.estimators._score_gp import score_gp
from scoredag.estimators._score_gp_result import ScoreGPResult
from scoredag.estimators.cam import CAM
from scoredag.estimators.grandag import GraNDAG
from scoredag.estimators.listen import LISTEN
from scoredag.estimators.r2sort import R2Sort
from scoredag.estimators.score import SCORE
from scoredag.estimators.scoregp import ScoreGP
from scoredag.estimators.varsort import VarSort

__all__ = [
    "CAM",
    "LISTEN",
    "SCORE",
    "GraNDAG",
    "R2Sort",
    "ScoreGP",
    "ScoreGPResult",
    "VarSort",
    "score_gp",
]
