"""CAM pruning: additive regression on all candidate parents, keep the significant terms.

Bühlmann, Peters and Ernest. CAM: causal additive models, high-dimensional order search and
penalized regression. Annals of Statistics 42:2526, 2014. The regressions share one Gram matrix
(`scoredag.regression`), so that no pass over the rows is made twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from joblib import delayed
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import check_between, check_jobs
from scoredag.costs import additive_regression, gram
from scoredag.data.blocks import RowBlocks, reads_blocks
from scoredag.data.profile import means_of, profile_of
from scoredag.jobs import results_of
from scoredag.knowledge import Constraints, Knowledge
from scoredag.plugins import pick
from scoredag.progress import Phases, Report
from scoredag.prune.result import (
    Effect,
    Effects,
    Floats,
    PruneResult,
    check_pruning_in_blocks,
    spans_and_marks,
)
from scoredag.regression.additive import AdditiveDesign, AdditiveFit, most_terms
from scoredag.regression.bases.cubic import cubic
from scoredag.regression.basis import basis_size
from scoredag.regression.newton import Criterion
from scoredag.regression.smoothing.reml import reml
from scoredag.screening import strongest_candidates, symmetric_strength
from scoredag.threads import one_blas_thread

# Each smoothing criterion goes with the basis in which it is usual: cubic splines are the
# cheapest, thin-plate splines with GCV are R's defaults and reproduce its decisions.
_BASIS_FOR = {"reml": "cubic", "gcv": "thin_plate"}
# Candidates of a node that a screen may leave: with so many, 1,000 rows still give every term ten
# coefficients.
MOST_SCREENED = 30
# Coefficients of all terms together up to which one Gram matrix serves all nodes: 32 MB, and two or
# three times that while it is made. 200 columns have as many.
_MOST_SHARED_COEFFICIENTS = 2000


@reads_blocks
def cam_prune(
    X: ArrayLike | RowBlocks,
    candidates: ArrayLike,
    alpha: float = 1e-3,
    smoothing: str | Criterion = "reml",
    *,
    basis: str | Callable | None = None,
    screen: str | Callable[[Floats], ArrayLike] | None = None,
    knowledge: Knowledge | Constraints | None = None,
    n_jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> PruneResult:
    """Keep the candidate edges whose smooth term is significant.

    Parameters
    ----------
    X : array-like of shape (n, d), or RowBlocks
        The samples. A table in blocks may be larger than memory: see the notes.
    candidates : array-like of shape (d, d)
        Non-zero ``candidates[i, j]`` means that i -> j may be an edge. Nothing makes the result
        acyclic if the candidates are not.
    alpha : float, default=1e-3
        An edge stays where its p-value is below this; the paper's constant.
    smoothing : {"reml", "gcv"} or callable, default="reml"
        How the smoothing parameters are chosen. "gcv" is what published CAM results used.
    basis : {"cubic", "thin_plate"} or callable, optional
        Spline basis; by default cubic with "reml" and thin-plate with "gcv".
    screen : {"forward", "dependence"} or callable, optional
        Tests only the candidates that this function of the table finds near a node, at most 30, the
        strongest: names are files in ``screening/screens``. For hundreds of columns, where it takes
        a small part of the time and finds more edges; by default all candidates are tested. Of a
        table in blocks it gets a sample of at most 20,000 rows.
    knowledge : Knowledge, optional
        Prior knowledge: forbidden edges are not tested, required ones are kept whatever their
        p-value. See `scoredag.Knowledge`.
    n_jobs : int, optional
        Threads over the nodes, and over blocks of rows, as in joblib. The result does not depend on
        it.
    progress : callable, optional
        Called with the work done and the total, as estimated, in arbitrary units.

    Returns
    -------
    PruneResult
        With ``adjacency``, ``p_values`` (both: [i, j] for i -> j) and an `Effect` for every kept
        edge.

    Notes
    -----
    Every node is regressed on a smooth function of each of its p candidates: 10 coefficients a
    term, or ceil(n / 3p) where there are fewer than 30 rows a candidate, but at least 3. With
    fewer than 4 rows a candidate only the m = n / 4 candidates that explain most alone are
    tested, with their p-values multiplied by p / m to correct for this selection; the others are
    dropped with p-value NaN. The same goes for the m candidates that a screen leaves.

    Wood's p-values are approximate. Kept among independent columns at alpha = 0.001, in percent:
    Gaussian margins 0.1 (1,000 rows), 0.2 (200), 0.2 to 0.4 (50 to 100); exponential 0.1 to 0.3,
    0.4 and 0.6 to 0.8; Student t with 3 degrees of freedom about 1; with 2 degrees, 1 to 2.
    Transform columns with such tails first.

    All regressions are sub-matrices of one Gram matrix of the spline columns, a sum over rows. That
    of a table in blocks takes one pass, in which tasks on a cluster can share: see
    `scoredag.data.blocks.fold`. Knots, and the ranges in which effects are drawn, then come from
    20,000 rows drawn at random (all rows of a smaller table, fewer with more than 400 columns) and
    from the extremes; everything else from all rows.

    An additive model misses parents that act only jointly: on dense graphs with joint mechanisms
    CAM pruning drops half of the edges.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x, z = rng.normal(size=(2, 300))
    >>> y = np.sin(2 * x) + 0.5 * rng.normal(size=300)
    >>> result = cam_prune(np.column_stack([x, y, z]), [[0, 1, 1], [0, 0, 1], [0, 0, 0]])
    >>> result.adjacency
    array([[0, 1, 0],
           [0, 0, 0],
           [0, 0, 0]])
    >>> bool(result.p_values[0, 1] < 1e-10), bool(np.isnan(result.p_values[1, 0]))
    (True, True)
    """
    check_between(alpha, "alpha", 0, 1)
    check_jobs(n_jobs)
    table, edges, required = check_pruning_in_blocks(X, candidates, knowledge, n_jobs)
    criterion = pick("scoredag.regression.smoothing", smoothing, "smoothing")
    if basis is None:
        basis = _BASIS_FOR.get(smoothing, "cubic") if isinstance(smoothing, str) else "cubic"
    make_basis = pick("scoredag.regression.bases", basis, "basis")

    tested = edges
    if screen is not None:
        rows = table if isinstance(table, np.ndarray) else profile_of(table, n_jobs).sample
        tested = screened_candidates(rows, edges, screen) | required

    p_values = np.full(edges.shape, np.nan)
    effects: Effects = {}
    fits = additive_effects(
        table, tested, criterion, make_basis, n_jobs, required, edges.sum(axis=0), progress
    )
    for node, p, effect_of in fits:
        p_values[:, node] = p
        kept = (p < alpha) | required[:, node]
        effects |= {(k, node): effect_of(k) for k in np.flatnonzero(kept).tolist()}
    return PruneResult(((p_values < alpha) | required).astype(int), p_values, "p_value", effects)


def screened_candidates(
    X: Floats, candidates: NDArray[np.bool_], screen: str | Callable[[Floats], ArrayLike]
) -> NDArray[np.bool_]:
    """The candidates that a screen finds near a node, at most 30, the strongest."""
    find = pick("scoredag.screening.screens", screen, "screen")
    strength = symmetric_strength(find(X), len(candidates))
    return strongest_candidates(strength, candidates, MOST_SCREENED)


def additive_effects(
    X: Floats | RowBlocks,
    edges: NDArray[np.bool_],
    criterion: Criterion = reml,
    make_basis: Callable = cubic,
    n_jobs: int | None = None,
    required: NDArray[np.bool_] | None = None,
    n_candidates: NDArray[np.int_] | None = None,
    progress: Report | None = None,
) -> Iterator[tuple[int, Floats, Callable[[int], Effect]]]:
    """Regress every node that has candidates on all of them.

    ``n_candidates`` counts those of each node before any were screened out, for the p-values;
    ``progress`` gets the work done and the total, as estimated.

    Yields the node, the p-values of its candidates (of shape (d,), NaN where not tested), and a
    function that returns the `Effect` of a tested candidate.
    """
    keep = [frozenset[int]()] * len(edges)
    if required is not None:
        keep = [frozenset(np.flatnonzero(column).tolist()) for column in required.T]
    if n_candidates is None:
        n_candidates = edges.sum(axis=0)
    draw = partial(_effect, means_of(X), *spans_and_marks(X))
    groups = _groups(edges, X.shape[0], in_memory=isinstance(X, np.ndarray))
    phases = Phases(progress, [work for group in groups for work in group.works(edges, *X.shape)])
    # The matrices are small: several BLAS threads would be slower than one.
    with one_blas_thread():
        for group in groups:
            size, nodes = group.size, group.nodes
            design_of: Callable[[list[int]], AdditiveDesign] = partial(
                AdditiveDesign.of, X, make_basis=make_basis, size=size, n_jobs=n_jobs
            )
            if not group.separate:
                design_of = partial(
                    _shared,
                    design_of(group.causes, progress=phases.begin()),  # type: ignore[call-arg]
                )
            jobs = (
                delayed(_regress_node)(
                    design_of,
                    j,
                    np.flatnonzero(edges[:, j]).tolist(),
                    criterion,
                    keep[j],
                    int(n_candidates[j]),
                )
                for j in nodes
            )
            regressions = results_of(jobs, n_jobs)
            for node, (design, fit, p) in zip(nodes, regressions, strict=True):
                p_values = np.full(len(edges), np.nan)
                p_values[list(fit.predictors)] = p
                phases.begin()(1, 1)
                yield node, p_values, partial(draw, design, fit, p)


class _Group(NamedTuple):
    """Nodes whose terms have the same number of coefficients.

    They share one design, unless columns are many and candidates few: a design for each node is
    then less work, and does without a Gram matrix of all columns.
    """

    size: int
    nodes: list[int]
    causes: list[int]
    separate: bool

    def works(self, edges: NDArray[np.bool_], n_rows: int, d: int) -> list[float]:
        """Estimated seconds of the common design, if there is one, and then of each node."""
        works = [] if self.separate else [gram(n_rows, d, len(self.causes) * self.size).seconds()]
        for count in edges[:, self.nodes].sum(axis=0).tolist():
            work = additive_regression(min(count, most_terms(n_rows)), self.size - 1)
            if self.separate:
                work += gram(n_rows, d, count * self.size)
            works.append(work.seconds())
        return works


def _groups(edges: NDArray[np.bool_], n_rows: int, *, in_memory: bool) -> list[_Group]:
    """The nodes with candidates in groups, each with all candidates of its nodes."""
    nodes_by_size: dict[int, list[int]] = {}
    for j in np.flatnonzero(edges.any(axis=0)):
        count = min(int(edges[:, j].sum()), most_terms(n_rows))
        nodes_by_size.setdefault(basis_size(n_rows, count), []).append(int(j))
    groups = []
    for size, nodes in nodes_by_size.items():
        causes = np.flatnonzero(edges[:, nodes].any(axis=1)).tolist()
        # Each design of a table in blocks is a pass over the rows: one for all nodes.
        separate = in_memory and designs_are_separate(
            edges[:, nodes].sum(axis=0).tolist(), len(causes), size
        )
        groups.append(_Group(size, nodes, causes, separate))
    return groups


def designs_are_separate(counts: Sequence[int], n_causes: int, size: int) -> bool:
    """Whether designs for each node take less than a design of all candidates.

    Parameters
    ----------
    counts : sequence of int
        Candidates of each node.
    n_causes : int
        Columns that are a candidate of any of them.
    size : int
        Coefficients of a term, the constant included.

    Examples
    --------
    >>> designs_are_separate([3] * 1000, 1000, 10), designs_are_separate([3] * 100, 100, 10)
    (True, False)
    """
    few = sum(count**2 for count in counts) < n_causes**2
    return few and n_causes * size > _MOST_SHARED_COEFFICIENTS


def _shared(design: AdditiveDesign, parents: list[int]) -> AdditiveDesign:
    return design


def _regress_node(
    design_of: Callable[[list[int]], AdditiveDesign],
    node: int,
    parents: list[int],
    criterion: Criterion,
    required: frozenset[int],
    n_candidates: int,
) -> tuple[AdditiveDesign, AdditiveFit, Floats]:
    """The regression on the candidates that the rows allow, and their p-values."""
    design = design_of(parents)
    tested = sorted({*design.strongest(node, parents), *required})
    fit = design.regress(node, tested, criterion)
    return design, fit, np.minimum(fit.p_values() * (n_candidates / len(tested)), 1.0)


def _effect(
    centres: Floats,
    spans: Floats,
    marks: Floats,
    design: AdditiveDesign,
    fit: AdditiveFit,
    p_values: Floats,
    cause: int,
) -> Effect:
    """The fitted smooth of one predictor, to be drawn over the middle 99 percent of its values."""
    position = fit.predictors.index(cause)
    coefficients, covariance = fit.term(position)
    return Effect(
        edf=float(fit.edf[position]),
        p_value=float(p_values[position]),
        # The basis is orthonormal over the sample.
        size=float(np.sqrt(coefficients @ coefficients / design.squares[fit.target])),
        basis=design.basis(cause),
        coefficients=coefficients,
        covariance=covariance,
        centre=float(centres[cause]),
        span=(float(spans[0, cause]), float(spans[1, cause])),
        marks=marks[:, cause],
    )


PIECE = cam_prune
