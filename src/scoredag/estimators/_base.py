"""What all estimators share: input in, fitted attributes out."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from scoredag.arguments import check_between, check_jobs
from scoredag.data import check_columns, warn_about
from scoredag.data.arrays import (
    Frame,
    about_cells,
    frame_of,
    held_instead,
    numbers_of,
    refuse_non_table,
    unmasked,
)
from scoredag.data.checks import about_size, about_values, refuse
from scoredag.data.gaps import about_gaps, in_array
from scoredag.data.names import about_equal_labels, about_missing_names, about_repeated_names
from scoredag.estimators._edges import edge_table
from scoredag.graph import check_adjacency, to_networkx
from scoredag.plugins import accepted, pick
from scoredag.prune import PruneResult

if TYPE_CHECKING:
    import pandas

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
            The observations: NumPy, pandas, polars or Arrow.
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
            if name in parameters:
                check_between(parameters[name], name, 0, bound)
        if not isinstance(parameters.get("reverse", False), bool | np.bool_):
            raise ValueError(f"reverse must be True or False; got {parameters['reverse']!r}")
        check_jobs(parameters.get("n_jobs"))
        progress = parameters.get("progress")
        if progress is not None and not callable(progress):
            raise ValueError(f"progress must be None or a function; got {progress!r}")

    def _read(self, X: Any) -> Floats:
        """Validate the input, and remember its columns' names."""
        refuse_non_table(X)
        frame = frame_of(X)
        if frame is None:
            values = self._read_array(unmasked(X))
            labels: list[Any] = [f"x{j}" for j in range(values.shape[1])]
            whole = [np.asarray(X).dtype.kind in "iu"] * len(labels)
        else:
            refuse(_frame_problems(frame))
            values = numbers_of(frame.columns, len(frame.columns[0]))
            # Sets the names that scikit-learn keeps: those that are text.
            named = all(isinstance(label, str) for label in frame.labels)
            validate_data(self, X if named else values, skip_check_array=True)
            labels, whole = list(frame.labels), list(frame.whole)
        self.node_names_ = labels
        check_columns(values, self._names)
        warn_about(values, self._names, units_matter=self._units_matter, whole=whole)
        return values

    def _read_array(self, X: NDArray[Any]) -> Floats:
        if X.ndim == 2 and X.dtype.kind in "OSUmM":  # scikit-learn has words for the others
            problem = about_cells({f"x{j}": column for j, column in enumerate(X.T)})
            if problem and X.dtype.kind == "O" and not any(isinstance(c, str) for c in X.flat):
                # scikit-learn asks for these words.
                raise TypeError(f"{problem} (an argument must be a string or a real number)")
            refuse([problem])
        # C order, so that the same numbers give the same bits whatever they come in.
        return validate_data(self, X, dtype=np.float64, order="C", ensure_all_finite=False)

    @property
    def _names(self) -> list[str]:
        """The column labels as text, for messages."""
        return [str(label) for label in self.node_names_]

    def _prune(self, X: Floats, candidates: NDArray[np.int_]) -> PruneResult:
        """Prune candidate edges, [i, j] for i -> j, with the ``pruner`` of this estimator."""
        prune = pick(_SHELVES["pruner"], self.pruner, "pruner")
        parameters = self.get_params(deep=False)
        options = {name: parameters[name] for name in _PRUNING_OPTIONS if name in parameters}
        taken = accepted(prune, options | {"progress": self._stage("prune")})
        self._refuse_vain(prune, {k: v for k, v in options.items() if k not in taken})
        return self._checked(prune(X, candidates, **taken), candidates)

    def _checked(self, pruned: Any, candidates: NDArray[np.int_]) -> PruneResult:
        """Return what the pruner found, or raise if that is no subset of the candidates."""
        if not isinstance(pruned, PruneResult):
            raise TypeError(
                "pruner must return a scoredag.prune.PruneResult; got "
                f"{type(pruned).__name__}: see the files in prune/pruners"
            )
        kept = check_adjacency(pruned.adjacency, "adjacency of the pruner's result") != 0
        statistic = np.shape(pruned.statistic)
        if kept.shape != candidates.shape or statistic != candidates.shape:
            raise ValueError(
                f"pruner must return matrices of shape {candidates.shape}; got adjacency of shape "
                f"{kept.shape} and statistic of shape {statistic}"
            )
        strange = np.argwhere(kept & (candidates == 0)).tolist()
        if strange:
            cause, effect = (self._names[node] for node in strange[0])
            raise ValueError(
                f"pruner must keep candidate edges only; it returned {cause} -> {effect}, which is "
                "none"
            )
        return pruned

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
        self._edge_columns = evidence
        return self

    @property
    def edges_(self) -> pandas.DataFrame:
        """The edges as a table: a row an edge, its names, then its evidence.

        Returns
        -------
        pandas.DataFrame
            The columns ``cause`` and ``effect``, then those of the method's evidence, always the
            same ones in the same order, with NaN where an edge has none; the edges with the
            strongest evidence first. Needs pandas.
        """
        check_is_fitted(self)
        return edge_table(self)


def _frame_problems(frame: Frame) -> list[str | None]:
    """Describe all that is wrong with a data frame; nothing more if it holds numbers and names."""
    cells = dict(enumerate(frame.columns))
    numeric = [k for k, column in cells.items() if held_instead(column) is None]
    names = frame.names
    problems = [
        about_missing_names(frame.labels),
        about_repeated_names(names),
        about_equal_labels(frame.labels),
        about_cells({names[k]: column for k, column in cells.items() if k not in numeric}),
    ]
    if frame.columns and not any(problems):
        return []
    rows = len(frame.columns[0]) if frame.columns else 0
    values = numbers_of([frame.columns[k] for k in numeric], rows)
    kept = [names[k] for k in numeric]
    return [
        *problems,
        about_size(rows, len(names)),
        about_gaps(values, kept, in_array),
        *about_values(values, kept),
    ]
