"""Random graphs and data from nonlinear additive-noise models whose truth is known.

Mechanisms, noises and graph models are shelves: a new one is one new file in ``mechanisms/``,
``noises/`` or ``graphs/``. Adjacency matrices have ``A[i, j] != 0`` for i -> j.
"""

from scoredag.simulate.anm import sample_anm
from scoredag.simulate.dags import random_dag
from scoredag.simulate.paper import SimulatedDataset, paper_dataset

__all__ = ["SimulatedDataset", "paper_dataset", "random_dag", "sample_anm"]
