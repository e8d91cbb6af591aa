import hashlib
from importlib.resources import files

import numpy as np
import pytest

from scoredag.datasets import load_sachs
from scoredag.graph import is_dag

# Of the files as bundled; their origin is in src/scoredag/datasets/files/README.md.
CHECKSUMS = {
    "sachs.csv": "c6f109d1d98550e2f8ee57ee021b30713c08ba6cfe626b3e23805568c54cec8e",
    "sachs_consensus.csv": "472844968992768fba50eb55c23bc7d81fa57247dd8fcc5b0681012e484f59aa",
}


@pytest.mark.parametrize("name", sorted(CHECKSUMS))
def test_file_is_the_one_described(name):
    content = (files("scoredag.datasets") / "files" / name).read_bytes()
    assert hashlib.sha256(content).hexdigest() == CHECKSUMS[name]


def test_data():
    sachs = load_sachs()
    assert sachs.X.shape == (853, 11)
    assert sachs.X.dtype == np.float64
    assert (sachs.X > 0).all()
    assert sachs.names == (
        "Raf", "Mek", "Plcg", "PIP2", "PIP3", "Erk", "Akt", "PKA", "PKC", "P38", "Jnk",
    )  # fmt: skip
    assert sachs.X[0].tolist() == [
        26.4,
        13.2,
        8.82,
        18.3,
        58.8,
        6.61,
        17.0,
        414.0,
        17.0,
        44.9,
        40.0,
    ]
    assert sachs.X[:, 6].max() == 3555.0  # Akt, as the original supplement has it


def test_graph_is_the_acyclic_consensus_of_17_edges():
    sachs = load_sachs()
    assert sachs.adjacency.shape == (11, 11)
    assert sachs.adjacency.sum() == 17
    assert is_dag(sachs.adjacency)
    index = {name: i for i, name in enumerate(sachs.names)}
    assert sachs.adjacency[index["Raf"], index["Mek"]] == 1
    assert sachs.adjacency[index["Mek"], index["Raf"]] == 0
    # the edge whose direction closes a cycle in another version
    assert sachs.adjacency[index["PIP3"], index["PIP2"]] == 1
    assert sachs.adjacency[index["PKC"]].sum() == 5
    assert sachs.adjacency[index["PKA"]].sum() == 6


def test_log_scale():
    log_scale = load_sachs(scale="log")
    assert np.exp(log_scale.X) == pytest.approx(load_sachs().X)
    with pytest.raises(ValueError, match="scale must be one of 'raw', 'log'; got 'standard'"):
        load_sachs(scale="standard")


def test_each_call_returns_its_own_arrays():
    load_sachs().X[:] = 0
    assert load_sachs().X.min() > 0


def test_description_names_the_source_and_the_graph():
    description = load_sachs().description
    assert "Science 308:523" in description
    assert "17-edge" in description
