"""The edges of a fitted estimator as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas


def edge_table(estimator: Any) -> pandas.DataFrame:
    """Put the edges and what is known about them into a table, strongest evidence first.

    Parameters
    ----------
    estimator : CausalDiscovery
        Fitted.

    Returns
    -------
    pandas.DataFrame
        ``cause``, ``effect``, the statistics of the method, whether a rule has ``required`` the
        edge, the ``size`` of the fitted effect, and ``undirected`` and ``undirected_reason``
        for methods that say which directions the data do not identify; the reason is "" for an
        edge that has a direction.

    Raises
    ------
    ImportError
        If pandas is not installed.
    """
    try:
        import pandas
    except ImportError as error:
        raise ImportError(
            "edges_ is a table of pandas, which is not installed: pip install pandas; graph_ has "
            "the same edges"
        ) from error
    labels, columns = estimator.node_names_, estimator._edge_columns
    causes, effects = np.nonzero(estimator.adjacency_matrix_)
    ends = list(zip(causes.tolist(), effects.tolist(), strict=True))
    kind = None if ends else object  # of labels, also where there are none
    table: dict[str, Any] = {
        "cause": pandas.Series([labels[i] for i, _ in ends], dtype=kind),
        "effect": pandas.Series([labels[j] for _, j in ends], dtype=kind),
    }
    table |= {name: np.asarray(values)[causes, effects] for name, values in columns.items()}
    sizes = [getattr(estimator.effects_.get(edge), "size", np.nan) for edge in ends]
    table["size"] = np.array(sizes, dtype=float)
    if hasattr(estimator, "undirected_edges_"):
        table["undirected"] = estimator.undirected_edges_[causes, effects]
    if hasattr(estimator, "undirected_reasons_"):
        table["undirected_reason"] = estimator.undirected_reasons_[causes, effects]
    # p-values are often 0 in double precision: then the size of the effect decides.
    keys = {"p_value": 1, "evidence": -1, "size": -1}
    ranked = [sign * table[name] for name, sign in keys.items() if name in table]
    order = np.lexsort([effects, causes, *reversed(ranked)])
    return pandas.DataFrame(table).iloc[order].reset_index(drop=True)
