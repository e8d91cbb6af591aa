"""Base class of the estimators: reads the table, prunes, and sets the fitted attributes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from scoredag.costs import Estimate
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
from scoredag.data.block_table import STRETCH_ROWS, BlockTable, warn_about_blocks
from scoredag.data.blocks import refuse_unless_blocks
from scoredag.data.checks import about_size, about_values, refuse
from scoredag.data.distinct import without_copies
from scoredag.data.gaps import about_gaps, in_array
from scoredag.data.names import about_equal_labels, about_missing_names, about_repeated_names
from scoredag.data.opening import (
    LOADED_BYTES,
    counted_partitions,
    fits_in_memory,
    in_memory,
    table_in_blocks,
)
from scoredag.data.profile import profile_of
from scoredag.diagnosis.knowledge import knowledge_report
from scoredag.estimators._costs import Choices, refuse_what_cannot_fit, shape_of
from scoredag.estimators._discovery import Discovery
from scoredag.estimators._edges import edge_table
from scoredag.estimators._parameters import COMMON, Check
from scoredag.exceptions import DataError, warn
from scoredag.graph import check_adjacency, to_networkx
from scoredag.knowledge import Constraints, as_constraints
from scoredag.plugins import accepted, pick
from scoredag.prune import PruneResult
from scoredag.prune.required import keep_required

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
Progress = Callable[[str, int, int], None]


class CausalDiscovery(BaseEstimator):
    """Base of the estimators: a subclass finds the graph in `_discover`.

    The fitted attributes are described in `scoredag.SCORE`.
    """

    # Checks of the constructor's parameters, by name.
    _checks: ClassVar[Mapping[str, Check]] = COMMON
    # Whether multiplying a column by a constant can change the result: if so, `fit` warns.
    _units_matter: ClassVar[bool] = True
    # Whether tables that are read in blocks are analysed without loading them.
    _streams: ClassVar[bool] = False
    # Whether copies among the rows of a table in blocks count: not where the method draws rows.
    _keeps_copies: ClassVar[bool] = True
    # Modules of an extra that `fit` imports, beyond what scoredag always needs.
    _requires: ClassVar[tuple[str, ...]] = ()

    def fit(self, X: Any, y: object = None) -> Self:
        """Find the causal graph of the columns of a table.

        Parameters
        ----------
        X : array-like of shape (n, d)
            The observations: NumPy, pandas, polars or Arrow. Rows that are copies of others are
            merged, with a warning: see `scoredag.data.distinct_rows`. Also a Dask array or data
            frame, an Arrow dataset, or what `scoredag.data.open_table` returns: see the notes.
        y : ignored
            For compatibility with scikit-learn.

        Returns
        -------
        self

        Notes
        -----
        `scoredag.SCORE` never loads a table in blocks, and `scoredag.ScoreGP` draws rows from it;
        the other estimators load it if it takes at most 64 MB, and refuse it otherwise. Dask
        collections and Arrow datasets of at most 64 MB are loaded by all. What used how many rows
        is in ``rows_used_``, by step.
        """
        self._check_parameters()
        blocks = self._in_blocks(X)
        if "pruner" in self.get_params(deep=False):
            self._pruning(in_blocks=blocks is not None)  # refuses before any work what cannot be
        table: Floats | BlockTable
        shape = shape_of(X if blocks is None else blocks)
        if shape is not None:  # before anything is read
            self._refuse_what_cannot_fit(*shape, in_blocks=blocks is not None)
        if blocks is None:
            table, labels = self._read(in_memory(X))
            if shape is None:
                self._refuse_what_cannot_fit(*table.shape, in_blocks=False)
        else:
            table, labels = self._read_blocks(blocks), list(blocks.labels)
        constraints = as_constraints(self.knowledge, labels)
        found = self._discover(table, constraints)
        return self._record(table, constraints, found)

    def cost(self, n_rows: int, n_columns: int, *, in_blocks: bool = False) -> Estimate | None:
        """Estimate what a fit takes: CPU time by stage, peak memory, passes over the rows.

        Parameters
        ----------
        n_rows, n_columns : int
            The shape of a table.
        in_blocks : bool, default=False
            Whether the table is read in blocks.

        Returns
        -------
        scoredag.costs.Estimate or None
            None for a method, or a piece of a method, whose costs are not known. Seconds are those
            of the machine of `scoredag.costs.RATES`, memory is without Python and its libraries:
            see ``docs/costs.md``.

        Examples
        --------
        >>> from scoredag import SCORE
        >>> estimate = SCORE(score_estimator="stein").cost(200_000, 20)
        >>> [step.stage for step in estimate.steps], round(estimate.memory / 1e9)
        (['read', 'order', 'prune'], 640)
        """
        return None

    def check_size(self, n_rows: int, n_columns: int, *, in_blocks: bool = False) -> None:
        """Refuse a table of which only the shape is known, as `fit` would: before it is read.

        Parameters
        ----------
        n_rows, n_columns, in_blocks
            As in `cost`.

        Raises
        ------
        DataError
            If the fit is estimated to need more than the memory budget, or the method cannot read
            so large a table in blocks.

        Examples
        --------
        >>> from scoredag import SCORE
        >>> SCORE().check_size(10**9, 20, in_blocks=True)
        """
        self._check_parameters()
        if in_blocks and not self._streams:
            nbytes = 8 * n_rows * n_columns
            if nbytes > LOADED_BYTES:
                raise self._needs_memory(nbytes)
            in_blocks = False
        self._refuse_what_cannot_fit(n_rows, n_columns, in_blocks=in_blocks)

    def _remedies(self, in_blocks: bool) -> list[Choices]:
        """What may fit where a fit by this estimator does not: words and their estimates."""
        return []

    def _refuse_what_cannot_fit(self, n: int, d: int, *, in_blocks: bool) -> None:
        cost = partial(self.cost, in_blocks=in_blocks)
        refuse_what_cannot_fit(type(self).__name__, n, d, cost, self._remedies(in_blocks))

    def _in_blocks(self, X: Any) -> BlockTable | None:
        """The table, if it is to be analysed without loading it."""
        lengths = counted_partitions(X)  # once: that can take a pass over the rows
        if fits_in_memory(X, streams=self._streams, lengths=lengths):
            return None
        table = table_in_blocks(X, lengths)
        if table is not None and not self._streams:
            raise self._needs_memory(table.nbytes)
        return table

    def _needs_memory(self, nbytes: int) -> DataError:
        return DataError(
            f"{type(self).__name__} needs the table in memory, and this one takes "
            f"{nbytes / 2**20:,.0f} MB there: SCORE and ScoreGP take tables that are read in "
            "blocks; or give a sample of the rows, or the table in memory."
        )

    def _read_blocks(self, table: BlockTable) -> BlockTable:
        """Check a table in blocks; with its profile."""
        checked = table.checked(self.n_jobs)
        self.n_features_in_ = checked.shape[1]
        if all(isinstance(label, str) for label in checked.labels) and checked.has_names:
            self.feature_names_in_ = np.array(checked.labels, dtype=object)
        elif hasattr(self, "feature_names_in_"):  # of an earlier fit
            del self.feature_names_in_
        warn_about_blocks(checked, units_matter=self._units_matter, keeps_copies=self._keeps_copies)
        return checked

    def _check_parameters(self) -> None:
        """Refuse parameters that are wrong for any table, before hours of work."""
        for name, check in self._checks.items():
            check(getattr(self, name), name)

    def _discover(self, X: Any, constraints: Constraints) -> Discovery:
        """Find an order, sources first, and the edges that pruning keeps."""
        raise TypeError(f"{type(self).__name__} must define _discover: see scoredag.SCORE")

    def _read(self, X: Any) -> tuple[Floats, list[Any]]:
        """Validate the input; its values without copies of rows, and the labels of its columns."""
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
        names = [str(label) for label in labels]
        check_columns(values, names)
        values = without_copies(values)
        warn_about(values, names, units_matter=self._units_matter, whole=whole)
        return values, labels

    def _read_array(self, X: NDArray[Any]) -> Floats:
        if X.ndim == 2 and X.dtype.kind in "OSUmM":  # scikit-learn raises its own errors for others
            problem = about_cells({f"x{j}": column for j, column in enumerate(X.T)})
            if problem and X.dtype.kind == "O" and not any(isinstance(c, str) for c in X.flat):
                # scikit-learn's estimator checks expect these words.
                raise TypeError(f"{problem} (an argument must be a string or a real number)")
            refuse([problem])
        # C order, so that the same numbers give the same bits whatever the container.
        return validate_data(self, X, dtype=np.float64, order="C", ensure_all_finite=False)

    def _prune(
        self, X: Floats | BlockTable, candidates: NDArray[np.int_], constraints: Constraints
    ) -> PruneResult:
        """Prune candidate edges, [i, j] for i -> j, with the ``pruner`` of this estimator.

        The pruner gets every parameter of the estimator that it has an option for.
        """
        prune, taken = self._pruning(in_blocks=not isinstance(X, np.ndarray))
        taken |= accepted(prune, {"progress": self._stage("prune"), "knowledge": constraints})
        edges = ((candidates != 0) & constraints.allowed) | constraints.required
        pruned = self._checked(prune(X, edges.astype(int), **taken), edges, constraints.labels)
        return keep_required(X, pruned, constraints.required, self.get_params().get("n_jobs"))

    def _pruning(self, *, in_blocks: bool) -> tuple[Callable[..., Any], dict[str, Any]]:
        """The pruner and the options that reach it; refused if an option or the table does not."""
        prune = pick("scoredag.prune.pruners", self.pruner, "pruner")
        if in_blocks:
            refuse_unless_blocks(prune, "pruner", "cam", self.pruner)
        options = self.get_params(deep=False)
        given = [name for name in ("alpha", "smoothing", "screen") if options.get(name) is not None]
        if options.get("alpha") is None:  # the pruner's own level
            options.pop("alpha", None)
        for name in ("progress", "knowledge"):
            options.pop(name, None)
        taken = accepted(prune, options)
        self._refuse_vain(prune, [name for name in given if name not in taken])
        return prune, taken

    def _checked(
        self, pruned: Any, candidates: NDArray[np.bool_], labels: Sequence[Any]
    ) -> PruneResult:
        """Return the pruner's result, or raise if its edges are no subset of the candidates."""
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
        strange = np.argwhere(kept & ~candidates).tolist()
        if strange:
            cause, effect = (labels[node] for node in strange[0])
            raise ValueError(
                f"pruner must keep candidate edges only; it returned {cause} -> {effect}, which is "
                "none"
            )
        return pruned

    def _refuse_vain(self, prune: Callable[..., PruneResult], vain: Sequence[str]) -> None:
        """Raise if a pruning option was set that does not reach the pruner."""
        defaults = inspect.signature(type(self)).parameters
        for name in vain:
            value, default = getattr(self, name), defaults[name].default
            if value != default:
                label = getattr(prune, "__name__", repr(prune))
                raise ValueError(
                    f"{name}={value!r} has no effect: {label} has no such option, or sets it "
                    f"itself. Leave it at its default, {default!r}."
                )

    def _stage(self, stage: str) -> Callable[[int, int], None] | None:
        return None if self.progress is None else partial(self.progress, stage)

    def _record(self, X: Floats | BlockTable, constraints: Constraints, found: Discovery) -> Self:
        """Set all fitted attributes and emit all warnings."""
        pruned = found.pruned
        self.node_names_ = list(constraints.labels)
        analysed = X if found.table is None else found.table
        self.n_rows_ = len(analysed)
        self.rows_used_ = {**_rows_of_checks(X), **(found.rows or {"fit": len(X)})}
        self.causal_order_ = found.order
        self.adjacency_matrix_ = pruned.adjacency
        self.edge_statistic_ = pruned.statistic
        self.effects_ = pruned.effects
        if pruned.statistic_name == "p_value":
            self.p_values_ = pruned.statistic
        elif hasattr(self, "p_values_"):  # of an earlier fit with another pruner
            del self.p_values_
        for name, value in found.attributes.items():
            setattr(self, f"{name}_", value)
        self.knowledge_report_ = knowledge_report(
            analysed, pruned, constraints, found.reversal_gain
        )
        edf = np.full(pruned.adjacency.shape, np.nan)
        for edge, effect in pruned.effects.items():
            edf[edge] = effect.edf
        evidence = {pruned.statistic_name: pruned.statistic, **pruned.details, "edf": edf}
        self._edge_columns = {**evidence, "required": constraints.required}
        if constraints.required.any():  # a number, as every attribute of a graph's edges
            evidence["required"] = constraints.required.astype(float)
        self.graph_ = to_networkx(pruned.adjacency, self.node_names_, evidence)
        for message in (*found.messages, *self.knowledge_report_.messages()):
            warn(message)
        return self

    @property
    def edges_(self) -> pandas.DataFrame:
        """The edges as a table: a row an edge, its names, then its evidence.

        Returns
        -------
        pandas.DataFrame
            The columns ``cause`` and ``effect``, then those of the method's evidence, always the
            same ones in the same order, with NaN where an edge has none; ``required`` says whether
            a rule requires the edge. The edges with the strongest evidence come first. Needs
            pandas.
        """
        check_is_fitted(self)
        return edge_table(self)


def _rows_of_checks(X: Floats | BlockTable) -> dict[str, int]:
    """How many rows the checks of a table have used."""
    n = len(X)
    if isinstance(X, np.ndarray):
        return {"checks": n}
    return {
        "checks": n,
        "checks that need a sort": len(profile_of(X).sample),
        "order of the rows": min(n, STRETCH_ROWS),
    }


def _frame_problems(frame: Frame) -> list[str | None]:
    """Describe all problems of a data frame; none if all columns have names and hold numbers."""
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
