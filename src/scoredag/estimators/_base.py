"""What all estimators share: input in, fitted attributes out."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from scoredag.data import check_columns, warn_about
from scoredag.data.columns import refuse_repeated_names
from scoredag.data.wording import name_list
from scoredag.exceptions import DataError
from scoredag.graph import to_networkx
from scoredag.plugins import accepted, pick
from scoredag.prune import PruneResult

Floats = NDArray[np.float64]
Progress = Callable[[str, int, int], None]

# Parameters that name a piece, and the shelves of these.
_SHELVES = {
    "criterion": "scoredag.order.criteria",
    "pruner": "scoredag.prune.pruners",
    "score_estimator": "scoredag.score.fields",
    "smoothing": "scoredag.regression.smoothing",
}
# Parameters that are positive numbers below a bound.
_BELOW = {"alpha": 1.0, "level": 1.0, "eta": np.inf}
# Parameters of an estimator that are handed on to a pruner which has them.
_PRUNING_OPTIONS = ("alpha", "smoothing", "eta", "score_estimator", "n_jobs")


class CausalDiscovery(BaseEstimator):
    """Base of the estimators: a subclass says in `_discover` how the graph is found.

    The fitted attributes are described in `scoredag.SCORE`.
    """

    # Whether multiplying a column by a constant can change the result: if so, `fit` warns.
    _units_matter: ClassVar[bool] = True
    # Modules of an extra that `fit` imports, beyond what scoredag always needs.
    _requires: ClassVar[tuple[str, ...]] = ()

    def fit(self, X: Any, y: object = None) -> Self:
        """Find the causal graph of the columns of a table.

        Parameters
        ----------
        X : array-like of shape (n, d)
            The observations: NumPy, pandas or polars.
        y : ignored
            For scikit-learn's sake.

        Returns
        -------
        self
        """
        self._check_parameters()
        X = self._read(X)
        return self._record(*self._discover(X))

    def _discover(self, X: Floats) -> tuple[NDArray[np.intp], PruneResult]:
        """Find an order, sources first, and the edges that remain of those it allows."""
        raise TypeError(f"{type(self).__name__} must define _discover: see scoredag.SCORE")

    def _check_parameters(self) -> None:
        """Refuse what is wrong for any table, before hours of work; a subclass may add to it."""
        parameters = self.get_params(deep=False)
        for name, shelf in _SHELVES.items():
            if name in parameters:
                pick(shelf, parameters[name], name)
        for name, bound in _BELOW.items():
            value = parameters.get(name)
            if name in parameters and not (
                isinstance(value, int | float | np.number) and 0 < value < bound
            ):
                between = "above 0" if bound == np.inf else f"between 0 and {bound:g}"
                raise ValueError(f"{name} must be a number {between}; got {value!r}")
        n_jobs, progress = parameters.get("n_jobs"), parameters.get("progress")
        if n_jobs is not None and not (isinstance(n_jobs, int | np.integer) and n_jobs != 0):
            raise ValueError(
                "n_jobs must be None, or a whole number other than 0, -1 for all cores; "
                f"got {n_jobs!r}"
            )
        if progress is not None and not callable(progress):
            raise ValueError(f"progress must be None or a function; got {progress!r}")

    def _read(self, X: Any) -> Floats:
        """Validate the input, and remember its columns' names."""
        self.node_names_ = _column_names(X)
        refuse_repeated_names(self.node_names_)
        text = _columns_without_numbers(X, self.node_names_)
        if text:
            raise DataError(
                f"columns that do not hold numbers: {name_list(text)}. Leave them out, or encode "
                "them as numbers if their values have a natural order and spacing."
            )
        # C order, so that the same numbers give the same bits whatever they come in.
        values = validate_data(self, X, dtype=np.float64, order="C", ensure_all_finite=False)
        if not self.node_names_:
            self.node_names_ = [f"x{j}" for j in range(values.shape[1])]
        check_columns(values, self.node_names_)
        warn_about(values, self.node_names_, units_matter=self._units_matter)
        return values

    def _prune(self, X: Floats, candidates: NDArray[np.int_]) -> PruneResult:
        """Prune candidate edges, [i, j] for i -> j, with the ``pruner`` of this estimator."""
        prune = pick(_SHELVES["pruner"], self.pruner, "pruner")
        parameters = self.get_params(deep=False)
        options = {name: parameters[name] for name in _PRUNING_OPTIONS if name in parameters}
        taken = accepted(prune, options | {"progress": self._stage("prune")})
        self._refuse_vain(prune, {k: v for k, v in options.items() if k not in taken})
        return prune(X, candidates, **taken)

    def _refuse_vain(self, prune: Callable[..., PruneResult], vain: dict[str, Any]) -> None:
        """Raise if an option of pruning alone was set but does not reach the pruner."""
        defaults = inspect.signature(type(self)).parameters
        for name in ("alpha", "smoothing"):
            if name in vain and vain[name] != defaults[name].default:
                label = getattr(prune, "__name__", repr(prune))
                raise ValueError(
                    f"{name}={vain[name]!r} has no effect: {label} has no such option, or sets "
                    f"it itself. Leave it at its default, {defaults[name].default!r}."
                )

    def _stage(self, stage: str) -> Callable[[int, int], None] | None:
        return None if self.progress is None else partial(self.progress, stage)

    def _record(self, order: NDArray[np.intp], pruned: PruneResult) -> Self:
        """Set the fitted attributes."""
        self.causal_order_ = order
        self.adjacency_matrix_ = pruned.adjacency
        self.p_values_ = pruned.p_values
        self.edge_statistic_ = pruned.statistic
        self.effects_ = pruned.effects
        edf = np.full(pruned.adjacency.shape, np.nan)
        for edge, effect in pruned.effects.items():
            edf[edge] = effect.edf
        evidence = {pruned.statistic_name: pruned.statistic, **pruned.details, "edf": edf}
        self.graph_ = to_networkx(pruned.adjacency, self.node_names_, evidence)
        return self


def _column_names(X: Any) -> list[str]:
    """Names of a data frame's columns as text; empty where there are none."""
    columns = getattr(X, "column_names", getattr(X, "columns", None))  # Arrow has the former
    return [] if columns is None else [str(name) for name in columns]


def _columns_without_numbers(X: Any, names: list[str]) -> list[str]:
    """Columns of a data frame that hold text, dates or anything else but numbers."""
    if not names or not hasattr(X, "__getitem__"):
        return []
    labels = getattr(X, "column_names", X.columns)
    return [name for name, key in zip(names, labels, strict=True) if not _is_numeric(X[key])]


def _is_numeric(column: Any) -> bool:
    values = np.asarray(column)
    if values.dtype.kind in "biuf":
        return True
    try:
        values.astype(np.float64)
    except (TypeError, ValueError):
        return False
    return values.dtype.kind == "O"  # text and dates may convert, but are no measurements


def generator_of(random_state: Any) -> np.random.Generator:
    """Turn what scikit-learn calls a random state into a generator."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise ValueError(
            "random_state must be None, a whole number from 0, or a generator of NumPy's; "
            f"got {random_state!r}"
        ) from error
