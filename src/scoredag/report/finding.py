"""What was found, collected from a fitted estimator: the one input of every kind of report."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.diagnosis.knowledge import KnowledgeReport
from scoredag.graph.notes import edge_attribute_names
from scoredag.plugins import pick

FloatArray = NDArray[np.float64]

_REQUIRED = "required"  # attribute of the edges of a graph that rules require
_MARKS = ("scale_only", "post_nonlinear", "weak")  # 1 for few edges, and for most tables for none


@dataclass(frozen=True)
class Curve:
    """The fitted effect of one cause: ``y`` with its standard error on a grid ``x``.

    Attributes
    ----------
    x, y, standard_error : ndarray of float, shape (m,)
        ``y`` is centred: the part of the effect that this cause moves.
    rug : ndarray of float
        Quantiles of the cause's values, which show where the curve rests on data.
    low, high : ndarray of float, shape (m,), or None
        For a cause that acts jointly with others: where most curves lie as these differ.
    """

    x: FloatArray
    y: FloatArray
    standard_error: FloatArray
    rug: FloatArray
    low: FloatArray | None = None
    high: FloatArray | None = None


@dataclass(frozen=True)
class Edge:
    """One edge, cause -> effect, with what speaks for it.

    Attributes
    ----------
    cause, effect : int
        Positions of the columns.
    evidence : mapping of str to float
        The method's own statistics, such as ``p_value`` and ``edf``.
    size : float or None
        Standard deviation of the fitted effect over that of the effect's column.
    curve : Curve or None
    undirected : bool or None
        Whether the data do not identify its direction; None for methods that do not say.
    required : bool
        Whether a rule of the user requires the edge.
    """

    cause: int
    effect: int
    evidence: Mapping[str, float] = field(default_factory=dict)
    size: float | None = None
    curve: Curve | None = None
    undirected: bool | None = None
    required: bool = False

    @property
    def sign(self) -> str:
        """What to write between its ends: an arrow, or a dash where the edge is undirected."""
        return "—" if self.undirected else "→"

    @property
    def p_value(self) -> float | None:
        """The p-value, for the methods that have one."""
        return self.evidence.get("p_value")


@dataclass(frozen=True)
class Finding:
    """A fitted graph and what it was fitted to.

    Attributes
    ----------
    source : str
        What was analysed, as the heading calls it.
    n_rows : int
        Rows that the fit used: copies of other rows count once.
    names : tuple of str
        The d column names.
    method : str
    parameters : mapping of str to object
        What the method was run with.
    order : tuple of int
        Positions of the columns, sources first.
    edges : tuple of Edge
        Strongest evidence first.
    warnings : tuple of str
        What the reader should be careful with.
    truth : ndarray of int, shape (d, d), or None
        A graph to compare with; ``truth[i, j] != 0`` means i -> j.
    by_rank : frozenset of int
        Positions of the columns that curves have by the normal quantiles of their ranks.
    statistics : tuple of str
        What the method says of its edges, in the order in which tables show it.
    knowledge : KnowledgeReport or None
        What the user's rules did; None where there were none.
    rows_used : mapping of str to int
        For each step how many rows it used; empty if that is not known.
    score_estimator : str or None
        What estimated the score, where the method has estimated one.
    """

    source: str
    n_rows: int
    names: tuple[str, ...]
    method: str
    parameters: Mapping[str, object]
    order: tuple[int, ...]
    edges: tuple[Edge, ...]
    warnings: tuple[str, ...] = ()
    truth: NDArray[np.int64] | None = None
    by_rank: frozenset[int] = frozenset()
    statistics: tuple[str, ...] = ()
    knowledge: KnowledgeReport | None = None
    rows_used: Mapping[str, int] = field(default_factory=dict)
    score_estimator: str | None = None

    @property
    def shown_statistics(self) -> list[str]:
        """Those of the statistics that some edge has, in the same order for every table.

        Of marks, which are 1 or 0, those that are 1 for some edge.
        """
        met = dict.fromkeys(
            key
            for edge in self.edges
            for key, value in edge.evidence.items()
            if value or key not in _MARKS
        )
        return [key for key in dict.fromkeys([*self.statistics, *met]) if key in met]

    @property
    def has_required(self) -> bool:
        """Whether rules of the user require any edge."""
        return any(edge.required for edge in self.edges)

    @property
    def adjacency(self) -> NDArray[np.int64]:
        """The graph as a d x d matrix of 0 and 1; ``[i, j] = 1`` means i -> j."""
        matrix = np.zeros((len(self.names), len(self.names)), dtype=np.int64)
        for edge in self.edges:
            matrix[edge.cause, edge.effect] = 1
        return matrix


def summarise(
    estimator: Any,
    X: Any,
    *,
    source: str,
    names: Sequence[str],
    warnings: Sequence[str] = (),
    truth: ArrayLike | None = None,
) -> Finding:
    """Collect what a fitted estimator found.

    Parameters
    ----------
    estimator : object
        Fitted; has ``causal_order_``, ``adjacency_matrix_`` (``[i, j] != 0`` means i -> j) and
        ``graph_``, and may have ``effects_``, like `scoredag.prune.Effect`, ``n_rows_``,
        ``by_rank_``, ``undirected_edges_`` and ``knowledge_report_``.
    X : array_like, shape (n, d), or BlockTable
        The table that it was fitted to.
    source : str
        What to call the table.
    names : sequence of str
        The d column names.
    warnings : sequence of str
        Messages that were raised on the way.
    truth : array_like, shape (d, d), optional
        A graph to compare with; ``truth[i, j] != 0`` means i -> j.
    """
    pairs = np.argwhere(np.asarray(estimator.adjacency_matrix_) != 0).tolist()
    edges = [_edge(estimator, cause, effect) for cause, effect in pairs]
    report = getattr(estimator, "knowledge_report_", None)
    return Finding(
        source=source,
        n_rows=int(estimator.n_rows_ if hasattr(estimator, "n_rows_") else np.shape(X)[0]),
        names=tuple(names),
        method=type(estimator).__name__,
        parameters=_plain_parameters(estimator),
        order=tuple(int(node) for node in estimator.causal_order_),
        edges=tuple(sorted(edges, key=_strength)),
        warnings=tuple(warnings),
        truth=None if truth is None else (np.asarray(truth) != 0).astype(np.int64),
        by_rank=frozenset(np.flatnonzero(getattr(estimator, "by_rank_", ())).tolist()),
        statistics=tuple(
            name for name in edge_attribute_names(estimator.graph_) if name != _REQUIRED
        ),
        knowledge=report if report is not None and report.rules is not None else None,
        rows_used=dict(getattr(estimator, "rows_used_", {})),
        score_estimator=getattr(estimator, "score_estimator_", None),
    )


def _strength(edge: Edge) -> tuple[float, float, float, int, int]:
    """Sort by p-value or evidence; p-values are often 0 in double precision, so then by size."""
    p_value = 1.0 if edge.p_value is None else edge.p_value
    nats = edge.evidence.get("evidence", 0.0)
    return p_value, -nats, -(edge.size or 0.0), edge.cause, edge.effect


def _plain_parameters(estimator: Any) -> dict[str, object]:
    """Keep the parameters that can be printed; rules have a section of their own."""
    parameters = estimator.get_params(deep=False)
    if "alpha" in parameters and parameters["alpha"] is None:  # then it is the pruner's own
        prune = pick("scoredag.prune.pruners", estimator.pruner, "pruner")
        parameters["alpha"] = _level_of(prune)
    return {
        name: getattr(value, "__name__", value)
        for name, value in parameters.items()
        if name not in ("progress", "n_jobs", "knowledge") and value is not None
    }


def _level_of(prune: Callable[..., Any]) -> object:
    """The level at which a pruner tests by default: its own, or that of its settings."""
    defaults = {name: p.default for name, p in inspect.signature(prune).parameters.items()}
    own = defaults.get("alpha")
    return getattr(defaults.get("settings"), "alpha", None) if own is None else own


def _edge(estimator: Any, cause: int, effect: int) -> Edge:
    nodes = list(estimator.graph_)
    attributes = estimator.graph_.edges[nodes[cause], nodes[effect]]
    evidence = {
        str(key): float(value)
        for key, value in attributes.items()
        if isinstance(value, Real) and math.isfinite(value)
    }
    required = bool(evidence.pop(_REQUIRED, 0.0))
    doubts = getattr(estimator, "undirected_edges_", None)
    undirected = None if doubts is None else bool(doubts[cause, effect])
    fitted = getattr(estimator, "effects_", {}).get((cause, effect))
    if fitted is None:
        return Edge(cause, effect, evidence, undirected=undirected, required=required)
    curve = Curve(
        x=fitted.x,
        y=fitted.y,
        standard_error=fitted.standard_error,
        rug=fitted.marks,
        low=getattr(fitted, "low", None),
        high=getattr(fitted, "high", None),
    )
    return Edge(cause, effect, evidence, fitted.size, curve, undirected, required)
