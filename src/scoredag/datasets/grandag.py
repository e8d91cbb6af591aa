"""The public Gaussian-process data of the GraN-DAG paper."""

from __future__ import annotations

from scoredag.datasets.cache import CHECKSUMS
from scoredag.datasets.dataset import Dataset, load_stacked

_FOLDER, _SUFFIX = "grandag/", ".npz"
_DESCRIPTION = """\
GraN-DAG's public "GP" data, 1000 rows: every function is one draw of a Gaussian process over all
parents, roots have variance 1 to 2, and the noise of the rest is small, of variance about 0.05.
In the sparse sets causes have the larger variance, so that sorting by descending variance does
well. er_p20_e80_standin is drawn by the same recipe and is not the authors' file.
"""


def grandag_names() -> list[str]:
    """Names of the collections: p nodes, e edges on average, ten data sets each.

    Examples
    --------
    >>> grandag_names()
    ['er_p10_e10', 'er_p10_e40', 'er_p20_e20', 'er_p20_e80_standin']
    """
    return [
        name.removeprefix(_FOLDER).removesuffix(_SUFFIX)
        for name in CHECKSUMS
        if name.startswith(_FOLDER)
    ]


def load_grandag(name: str = "er_p10_e10", number: int = 1) -> Dataset:
    """Load one of GraN-DAG's data sets from the cache (`scoredag.datasets.fill_cache`).

    Parameters
    ----------
    name : str, default="er_p10_e10"
        The collection: one of `grandag_names`.
    number : int, default=1
        Which, from 1 to 10.

    Returns
    -------
    Dataset
        With ``.X``, ``.adjacency`` (``A[i, j] = 1`` means i -> j), ``.names`` and
        ``.description``.

    References
    ----------
    S. Lachapelle, P. Brouillard, T. Deleu and S. Lacoste-Julien. Gradient-based neural DAG
    learning. ICLR 2020.

    Examples
    --------
    >>> load_grandag("er_p20_e20", 2).X.shape  # doctest: +SKIP
    (1000, 20)
    """
    if name not in grandag_names():
        known = ", ".join(map(repr, grandag_names()))
        raise ValueError(f"name must be one of {known}; got {name!r}")
    return load_stacked(f"{_FOLDER}{name}{_SUFFIX}", number, _DESCRIPTION)
