"""SCORE: the algorithm of Rolland et al. (ICML 2022), with the paper's constants."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from scoredag.arguments import as_generator
from scoredag.costs import Estimate
from scoredag.data.block_table import BlockTable
from scoredag.diagnosis import about_edges_by_units, about_variance_order, edges_by_units
from scoredag.estimators._base import CausalDiscovery, Floats, Progress
from scoredag.estimators._costs import (
    Choices,
    alternatives,
    estimate_of,
    order_step,
    prune_step,
)
from scoredag.estimators._discovery import Discovery
from scoredag.estimators._parameters import (
    COMMON,
    PRUNING,
    Check,
    between,
    on_shelf,
    optional,
)
from scoredag.graph import full_dag
from scoredag.knowledge import Constraints, Knowledge
from scoredag.order.peel import Leaf, order_of, refuse_vain_eta, remove_leaves, score_field
from scoredag.plugins import accepted, pick
from scoredag.prune import PruneResult
from scoredag.score.field import describe_field


class SCORE(CausalDiscovery):
    """Causal discovery by score matching, for nonlinear additive-noise models.

    Finds a causal order by removing, one by one, the variable whose diagonal entry of the score's
    Jacobian varies least (Algorithm 1), with Stein's estimator of that Jacobian (Algorithm 2), and
    prunes the full graph of that order.

    Parameters
    ----------
    eta : float, default=1e-3
        Ridge of the Stein estimators; "amortised" has none, and refuses another value.
    criterion : {"variance", "scale_free", "nogam"} or callable, default="variance"
        Leaf criterion, smallest for a leaf: see `scoredag.order.peel`.
    pruner : {"cam", "das", "gp", "jacobian"} or callable, default="cam"
        Pruner of the full graph of the order: see `scoredag.prune`. Options that are not listed
        here are set by `functools.partial`.
    alpha : float, optional
        Level of the pruning tests; by default that of the pruner: see `scoredag.prune.cam_prune`
        and `scoredag.prune.gp_prune`. "jacobian" has none.
    smoothing : {"reml", "gcv"} or callable, default="reml"
        Choice of the smoothing parameters; CAM pruning only.
    score_estimator : {"auto", "stein", "low_rank", "local", "amortised"} or callable, \
default="auto"
        Estimates the score and its Jacobian: see `scoredag.order.peel`. "auto" is "stein" where
        that is quick and fits into memory and "low_rank" otherwise: see `score_estimator_`.
        "local", with a kernel over the neighbourhood of each column, makes less than half of the
        mistakes of "stein" in the order of 100 and more columns of a sparse graph. "amortised", by
        neural networks that are trained once, needs PyTorch and is slow on small tables: see
        `scoredag.score.fields.amortised`.
    screen : {"forward", "dependence"} or callable, optional
        Pruners "cam" and "gp" only: tests the candidates that this screen finds near a node, by
        default all. For hundreds of columns: see `scoredag.prune.cam_prune`.
    knowledge : Knowledge, optional
        Required and forbidden edges, tiers, roots and sinks: see `scoredag.Knowledge`.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None, default=0
        Draws the landmarks of the low-rank score, and the training of the amortised one; the exact
        estimates draw nothing.
    n_jobs : int, optional
        Threads, as in joblib. The result does not depend on it.
    progress : callable, optional
        Called as ``progress(stage, done, total)`` with stage "order", then "prune"; before them
        "train", for a score estimator that is trained.

    Attributes
    ----------
    causal_order_ : ndarray of int, shape (d,)
        The columns, sources first.
    adjacency_matrix_ : ndarray of int, shape (d, d)
        ``adjacency_matrix_[i, j] == 1`` means i -> j.
    graph_ : networkx.DiGraph
        The same over the column labels; edges carry their evidence.
    edges_ : pandas.DataFrame
        The same as a table: ``cause``, ``effect`` and the evidence, strongest first.
    p_values_ : ndarray of shape (d, d)
        P-value of each candidate edge, [i, j] for i -> j, NaN where not tested; only with a pruner
        that has p-values.
    edge_statistic_ : ndarray of shape (d, d)
        Test statistic of the pruner, [i, j] for i -> j.
    effects_ : dict
        For each edge (i, j) its fitted `scoredag.prune.Effect`.
    knowledge_report_ : scoredag.diagnosis.knowledge.KnowledgeReport
        The required edges with their evidence, and the forbidden ones that the data favour.
    node_names_ : list
        The column labels; x0, x1, ... for a table without names.
    n_rows_ : int
        Number of rows that were used: copies of other rows count once.
    score_estimator_ : str
        What estimated the score from how many rows: says what "auto" has chosen.
    rows_used_ : dict
        What used how many rows: see `CausalDiscovery.fit`.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Their names, if X had any.

    Notes
    -----
    Assumes that every column is a nonlinear function of its parents plus independent noise, and
    that no common cause is hidden. Not for linear data with Gaussian noise, where the order is
    not identifiable; not for discrete columns; and with care where units are arbitrary, since
    both the criterion and the kernel depend on them: `fit` warns about the edges that other units
    would probably reverse. With exact estimates of the score time is O(d n^3) and memory two n x n
    matrices. Low-rank ones, which "auto" takes beyond 10,000 rows or where d n^3 / 3 exceeds 1e12
    (5,300 rows of 20 columns), take time O(d n) and the memory of a few blocks of rows.

    A table in blocks (`scoredag.data.open_table`, Dask) is never loaded: time and passes over the
    rows grow in proportion to n, and memory is bounded by a few blocks a thread.

    References
    ----------
    P. Rolland, V. Cevher, M. Kleindessner, C. Russell, B. Schölkopf, D. Janzing and F.
    Locatello. Score matching enables causal discovery of nonlinear additive noise models.
    ICML 2022.

    Examples
    --------
    >>> from scoredag import SCORE
    >>> from scoredag.simulate import paper_dataset
    >>> data = paper_dataset(d=5, graph="ER1", seed=0, n=300)
    >>> model = SCORE().fit(data.X)
    >>> model.graph_.number_of_nodes()
    5
    """

    _streams: ClassVar[bool] = True
    _checks: ClassVar[Mapping[str, Check]] = {
        **COMMON,
        **PRUNING,
        "eta": between(0, np.inf),
        "criterion": on_shelf("scoredag.order.criteria"),
        "score_estimator": on_shelf("scoredag.score.fields"),
        "screen": optional(on_shelf("scoredag.screening.screens")),
    }

    def __init__(
        self,
        *,
        eta: float = 1e-3,
        criterion: str | Callable[..., Any] = "variance",
        pruner: str | Callable[..., Any] = "cam",
        alpha: float | None = None,
        smoothing: str | Callable[..., Any] = "reml",
        score_estimator: str | Callable[..., Any] = "auto",
        screen: str | Callable[..., Any] | None = None,
        knowledge: Knowledge | None = None,
        random_state: int | np.random.Generator | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.eta = eta
        self.criterion = criterion
        self.pruner = pruner
        self.alpha = alpha
        self.smoothing = smoothing
        self.score_estimator = score_estimator
        self.screen = screen
        self.knowledge = knowledge
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def _check_parameters(self) -> None:
        super()._check_parameters()
        prune = pick("scoredag.prune.pruners", self.pruner, "pruner")
        # A pruner that estimates a score of its own may have a use for the ridge.
        if accepted(prune, {"eta": 0, "score_estimator": 0}).keys() != {"eta"}:
            refuse_vain_eta(self.score_estimator, self.eta)

    def cost(self, n_rows: int, n_columns: int, *, in_blocks: bool = False) -> Estimate | None:
        """Estimate what a fit takes: see `CausalDiscovery.cost`."""
        steps = [
            order_step(
                self.score_estimator, n_rows, n_columns, in_blocks=in_blocks, n_jobs=self.n_jobs
            ),
            prune_step(
                self.pruner,
                self.screen,
                n_rows,
                n_columns,
                in_blocks=in_blocks,
                n_jobs=self.n_jobs,
            ),
        ]
        return estimate_of(steps, n_rows, n_columns, in_blocks=in_blocks)

    def _remedies(self, in_blocks: bool) -> list[Choices]:
        return alternatives(self, in_blocks=in_blocks)

    def _discover(self, X: Floats | BlockTable, constraints: Constraints) -> Discovery:
        rng = as_generator(self.random_state, "random_state")
        scores = score_field(
            X,
            self.score_estimator,
            eta=self.eta,
            rng=rng,
            n_jobs=self.n_jobs,
            progress=self._stage("train"),
        )
        estimates = describe_field(scores)
        leaves = remove_leaves(scores, self.criterion, constraints, self._stage("order"))
        del scores  # up to two n x n matrices
        order = order_of(leaves)
        pruned = self._prune(X, full_dag(order), constraints)
        messages = self._messages(X, leaves, pruned, constraints)
        n = X.shape[0]
        return Discovery(
            order,
            pruned,
            attributes={"score_estimator": estimates},
            messages=messages,
            rows={"order": n, "pruning": n},
        )

    def _messages(
        self,
        X: Floats | BlockTable,
        leaves: Sequence[Leaf],
        pruned: PruneResult,
        constraints: Constraints,
    ) -> tuple[str, ...]:
        """Name the edges that may depend on units, except those that prior knowledge directs."""
        names = [str(label) for label in constraints.labels]
        free = (pruned.adjacency == 1) & constraints.allowed.T
        messages = [about_variance_order(X, free, names)]
        criterion = pick("scoredag.order.criteria", self.criterion, "criterion")
        if hasattr(criterion, "unit_exponent"):  # depends on units, by a declared power
            by_units = edges_by_units(leaves, pruned.adjacency, X, criterion.unit_exponent)
            by_units &= constraints.allowed.T
            messages.append(about_edges_by_units(by_units, pruned.adjacency == 1, names))
        return tuple(message for message in messages if message)


PIECE = SCORE
