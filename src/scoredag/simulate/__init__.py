"""Random graphs and data from structural equation models whose truth is known.

Models, mechanisms, noises and graph models are shelves: a new one is one new file in ``models/``,
``mechanisms/``, ``noises/`` or ``graphs/``. Adjacency matrices have ``A[i, j] != 0`` for i -> j.
"""

from scoredag.simulate.dags import random_dag
from scoredag.simulate.dataset import SimulatedDataset, simulated_dataset
from scoredag.simulate.models.additive import sample_anm
from scoredag.simulate.models.hidden_cause import sample_hidden_cause
from scoredag.simulate.models.location_scale import sample_location_scale
from scoredag.simulate.models.measurement_error import (
    add_measurement_error,
    sample_measurement_error,
)
from scoredag.simulate.models.multiplicative import sample_multiplicative
from scoredag.simulate.models.poisson import sample_poisson
from scoredag.simulate.models.post_nonlinear import sample_post_nonlinear
from scoredag.simulate.models.rounded import round_columns, sample_rounded
from scoredag.simulate.models.sensors import sample_sensors
from scoredag.simulate.models.two_way_noise import sample_two_way_noise
from scoredag.simulate.paper import paper_dataset
from scoredag.simulate.sem import sample_sem

__all__ = [
    "SimulatedDataset",
    "add_measurement_error",
    "paper_dataset",
    "random_dag",
    "round_columns",
    "sample_anm",
    "sample_hidden_cause",
    "sample_location_scale",
    "sample_measurement_error",
    "sample_multiplicative",
    "sample_poisson",
    "sample_post_nonlinear",
    "sample_rounded",
    "sample_sem",
    "sample_sensors",
    "sample_two_way_noise",
    "simulated_dataset",
]
