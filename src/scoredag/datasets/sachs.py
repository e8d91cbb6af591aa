"""The protein-signalling data of Sachs et al. (2005), bundled."""

from __future__ import annotations

from collections.abc import Callable
from csv import reader
from importlib.resources import files
from types import MappingProxyType
from typing import Literal

import networkx as nx
import numpy as np

from scoredag.datasets.dataset import Dataset
from scoredag.graph import from_networkx

_DESCRIPTION = """\
Protein-signalling network of human T cells (Sachs et al., Science 308:523, 2005): 853 cells under
general stimulation (anti-CD3/CD28) without further intervention, 11 phosphorylated proteins and
phospholipids, flow cytometry, intensities that are positive and strongly right-skewed.

The graph is the 17-edge consensus network that GraN-DAG, SCORE and bnlearn compare with. Other
versions have 18 edges with a cycle, or 20. It was put together from the literature, several of
its edges show next to no association in these cells, and real signalling has feedback: read a
distance to it as agreement with the textbook, not as an error count.
"""

_SCALES: MappingProxyType[str, Callable[[np.ndarray], np.ndarray]] = MappingProxyType(
    {"raw": np.array, "log": np.log}
)


def load_sachs(scale: Literal["raw", "log"] = "raw") -> Dataset:
    """Load the observational part of the Sachs data and its consensus graph.

    Parameters
    ----------
    scale : {"raw", "log"}, default="raw"
        Intensities as measured, which is what the SCORE paper's table uses, or their natural
        logarithms, on which they are far less skewed.

    Returns
    -------
    Dataset
        With ``.X`` (853 x 11), ``.names``, ``.adjacency`` (17 edges, ``A[i, j] = 1`` means i -> j)
        and ``.description``. Each call returns new arrays.

    Notes
    -----
    Not enough to rank methods: it is one graph, and not a certain one.

    References
    ----------
    K. Sachs, O. Perez, D. Pe'er, D. A. Lauffenburger, G. P. Nolan, "Causal protein-signaling
    networks derived from multiparameter single-cell data", Science 308:523-529, 2005.

    Examples
    --------
    >>> sachs = load_sachs()
    >>> sachs.X.shape, sachs.adjacency.sum()
    ((853, 11), np.int64(17))
    >>> sachs.names[:3]
    ('Raf', 'Mek', 'Plcg')
    """
    if scale not in _SCALES:
        raise ValueError(f"scale must be one of {', '.join(map(repr, _SCALES))}; got {scale!r}")
    header, *rows = _rows("sachs.csv")
    names = tuple(header)
    return Dataset(
        X=_SCALES[scale](np.array(rows, dtype=float)),
        names=names,
        adjacency=from_networkx(nx.DiGraph(_rows("sachs_consensus.csv")[1:]), names),
        description=_DESCRIPTION,
    )


def _rows(file_name: str) -> list[list[str]]:
    text = (files("scoredag.datasets") / "files" / file_name).read_text(encoding="utf-8")
    return list(reader(text.splitlines()))
