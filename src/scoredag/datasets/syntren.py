"""Simulated gene expression: the ten SynTReN sets of the GraN-DAG and SCORE papers."""

from __future__ import annotations

from scoredag.datasets.dataset import Dataset, load_stacked

_DESCRIPTION = """\
Gene expression simulated by SynTReN (Van den Bulcke et al., BMC Bioinformatics 7:43, 2006): 500
samples of 20 genes, 19 to 34 edges with strong hubs; made and published by the authors of GraN-DAG.
Column scales differ by many orders of magnitude: standardise, unless the method does not care.
Sorting by descending R2 nearly gives the causal order.
"""


def load_syntren(number: int = 1) -> Dataset:
    """Load one of the ten SynTReN data sets from the cache (`scoredag.datasets.fill_cache`).

    Parameters
    ----------
    number : int, default=1
        Which, from 1 to 10.

    Returns
    -------
    Dataset
        With ``.X`` (500 x 20, raw), ``.adjacency`` (``A[i, j] = 1`` means i -> j),
        ``.names`` and ``.description``.

    Notes
    -----
    Not for a claim about real genes: the kinetics are the simulator's.

    Examples
    --------
    >>> load_syntren(3).X.shape  # doctest: +SKIP
    (500, 20)
    """
    return load_stacked("syntren/syntren.npz", number, _DESCRIPTION)
