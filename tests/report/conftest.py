"""A finding that needs no fit, for every kind of report."""

import numpy as np
import pytest

from scoredag.report import Curve, Edge, Finding


def _make(names=("a", "b", "c", "d"), **changes):
    x = np.linspace(0.0, 4.0, 20)
    curve = Curve(x, np.sin(x), np.full(20, 0.1), np.linspace(-1.0, 5.0, 41))
    edges = (
        Edge(0, 1, {"p_value": 1e-30, "edf": 3.5}, 0.8, curve),
        Edge(1, 2, {"p_value": 1e-6, "edf": 1.0}, 0.2, curve),
        Edge(0, 2, {"p_value": 1e-4, "edf": 2.0}, 0.1, curve),
    )
    content = {
        "source": "table.csv",
        "n_rows": 200,
        "names": names,
        "method": "SCORE",
        "parameters": {"eta": 0.001, "pruner": "cam"},
        "order": (3, 0, 1, 2),
        "edges": edges,
    }
    return Finding(**(content | changes))


@pytest.fixture(scope="session")
def make_finding():
    return _make


@pytest.fixture
def finding():
    return _make()


@pytest.fixture
def truth():
    """a -> b is right, b -> c turned round, a -> c too many, c -> d missed."""
    matrix = np.zeros((4, 4), dtype=int)
    matrix[0, 1] = matrix[2, 1] = matrix[2, 3] = 1
    return matrix
