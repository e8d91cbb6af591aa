"""How often an edge is found when the rows are drawn again: `scoredag.bootstrap`."""

from __future__ import annotations

import hashlib
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
from joblib import delayed
from numpy.typing import NDArray
from sklearn.base import clone

from scoredag.arguments import check_between, check_count, check_jobs
from scoredag.confidence.consensus import consensus_graph
from scoredag.confidence.replicates import Replicate, ReplicateFile
from scoredag.data.arrays import frame_of, numbers_of, refuse_non_table, unmasked
from scoredag.data.checks import check_table
from scoredag.exceptions import DataError, warn
from scoredag.jobs import results_of
from scoredag.knowledge import Constraints, as_constraints

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]

# Share of the rows that a replicate draws without replacement.
_FRACTION = 0.5


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Graphs of replicates, and what they have in common.

    Attributes
    ----------
    adjacency : ndarray of bool, shape (n_replicates, d, d)
        The graphs that were found: [k, i, j] for i -> j in replicate k.
    node_names : list
        The names of the columns.
    failures : dict of str to int
        Why fits failed, and how often. Failed replicates are not among the graphs.
    """

    adjacency: NDArray[np.bool_]
    node_names: list[Any]
    failures: dict[str, int]

    @property
    def edge_probability(self) -> Floats:
        """Share of the replicates with the edge i -> j, at [i, j]."""
        return np.asarray(self.adjacency.mean(axis=0))

    @property
    def standard_error(self) -> Floats:
        """Monte-Carlo error of ``edge_probability``: it falls with the number of replicates."""
        p = self.edge_probability
        return np.asarray(np.sqrt(p * (1 - p) / len(self.adjacency)))

    @property
    def ancestor_probability(self) -> Floats:
        """Share of the replicates with a directed path from i to j, at [i, j]."""
        return np.asarray(np.mean([_reached(graph) for graph in self.adjacency], axis=0))

    @property
    def order_probability(self) -> Floats:
        """Probability that i comes before j, at [i, j]; 1/2 where no path joins them."""
        ancestors = self.ancestor_probability
        before = 0.5 * (1.0 + ancestors - ancestors.T)
        np.fill_diagonal(before, 0.0)
        return before

    def consensus(self, threshold: float = 0.5) -> nx.DiGraph:
        """The DAG of the edges that most replicates have: see `consensus_graph`."""
        return consensus_graph(self.edge_probability, self.node_names, threshold=threshold)


def bootstrap(
    estimator: Any,
    X: Any,
    *,
    n_replicates: int = 100,
    random_state: int = 0,
    n_jobs: int | None = None,
    scheme: str = "subsample",
    fraction: float = _FRACTION,
    path: Any = None,
    progress: Progress | None = None,
) -> Bootstrap:
    """Fit an estimator to rows that are drawn again and again.

    Parameters
    ----------
    estimator : estimator of scoredag
        Not changed; every replicate fits a clone.
    X : array-like of shape (n, d)
        The observations, as for ``fit``; in memory.
    n_replicates : int, default=100
        Number of draws.
    random_state : int, default=0
        Seed of all draws. The first replicates are the same however many there are.
    n_jobs : int, optional
        Replicates side by side, as in joblib: ``joblib.parallel_config`` moves them to processes or
        to a cluster. The result does not depend on it.
    scheme : {"subsample", "bootstrap"}, default="subsample"
        "subsample": a part of the rows without replacement. "bootstrap": as many rows as there are,
        with replacement; the estimators merge copies, which leaves about 63% of the rows.
    fraction : float, default=0.5
        The part of the rows of a subsample.
    path : str or Path, optional
        A file to which replicates are written as they come. The same call goes on where an earlier
        one was stopped, with the same result in bits.
    progress : callable, optional
        Called with the replicates done and their number.

    Returns
    -------
    Bootstrap

    Notes
    -----
    The share of replicates says how much a result depends on the rows that were observed, not
    whether the assumptions of the method hold: a wrong direction can be found every time. Fits to
    fewer rows find fewer edges.

    References
    ----------
    N. Friedman, M. Goldszmidt and A. Wyner. Data analysis with Bayesian networks: a bootstrap
    approach. UAI 1999. N. Meinshausen and P. Bühlmann. Stability selection. JRSS B 72:417, 2010.

    Examples
    --------
    >>> from scoredag import CAM
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=400)
    >>> X = np.column_stack([x, np.sin(2 * x) + 0.3 * rng.normal(size=400)])
    >>> found = bootstrap(CAM(), X, n_replicates=20)
    >>> found.edge_probability
    array([[0., 1.],
           [0., 0.]])
    """
    check_count(n_replicates, "n_replicates", 1)
    check_count(random_state, "random_state", 0)
    check_jobs(n_jobs)
    check_between(fraction, "fraction", 0, 1)
    if scheme not in _SCHEMES:
        raise ValueError(f"scheme must be one of {', '.join(_SCHEMES)}; got {scheme!r}")
    table, labels = _read(X)
    constraints = as_constraints(estimator.knowledge, labels)
    analysis = {
        "estimator": _described(estimator),
        "table": hashlib.sha256(table.tobytes() + repr((table.shape, labels)).encode()).hexdigest(),
        "scheme": scheme,
        "fraction": float(fraction),
        "random_state": int(random_state),
    }
    if path is None:
        found = list(
            _fitted(
                estimator, table, constraints, range(n_replicates), analysis, n_jobs, progress, 0
            )
        )
    else:
        with ReplicateFile(path, analysis) as file:
            known = {each.number: each for each in file.known if each.number < n_replicates}
            left = [number for number in range(n_replicates) if number not in known]
            for each in _fitted(
                estimator, table, constraints, left, analysis, n_jobs, progress, len(known)
            ):
                file.append(each)
                known[each.number] = each
        found = [known[number] for number in range(n_replicates)]
    return _summary(found, len(labels), labels)


def _fitted(
    estimator: Any,
    table: Floats,
    constraints: Constraints,
    numbers: Sequence[int],
    analysis: dict[str, Any],
    n_jobs: int | None,
    progress: Progress | None,
    done: int,
) -> Any:
    """Replicates with these numbers, as they come."""
    draw = _SCHEMES[analysis["scheme"]]
    jobs = (
        delayed(_replicate)(
            estimator,
            table,
            constraints,
            number,
            draw,
            analysis["fraction"],
            analysis["random_state"],
        )
        for number in numbers
    )
    total = done + len(numbers)
    for count, each in enumerate(results_of(jobs, n_jobs), start=done + 1):
        yield each
        if progress is not None:
            progress(count, total)


def _replicate(
    estimator: Any,
    table: Floats,
    constraints: Constraints,
    number: int,
    draw: Callable[[int, float, np.random.Generator], NDArray[np.intp]],
    fraction: float,
    random_state: int,
) -> Replicate:
    """Fit a clone to drawn rows."""
    rng = np.random.default_rng(np.random.SeedSequence(random_state, spawn_key=(number,)))
    rows = draw(len(table), fraction, rng)
    model = clone(estimator)
    own = {"knowledge": constraints, "progress": None, "n_jobs": 1}
    if "random_state" in model.get_params(deep=False):
        own["random_state"] = int(rng.integers(2**31))
    model.set_params(**{k: v for k, v in own.items() if k in model.get_params(deep=False)})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model.fit(np.ascontiguousarray(table[rows]))
        except DataError as error:
            return Replicate(number, (), str(error))
    return Replicate(
        number, tuple((i, j) for i, j in np.argwhere(model.adjacency_matrix_).tolist())
    )


def _subsample(n: int, fraction: float, rng: np.random.Generator) -> NDArray[np.intp]:
    return np.sort(rng.permutation(n)[: max(2, round(fraction * n))])


def _with_replacement(n: int, fraction: float, rng: np.random.Generator) -> NDArray[np.intp]:
    return np.sort(rng.integers(n, size=n))


_SCHEMES = {"subsample": _subsample, "bootstrap": _with_replacement}


def _summary(found: Sequence[Replicate], d: int, labels: Sequence[Any]) -> Bootstrap:
    failures = Counter(each.error for each in found if each.error)
    graphs = [each for each in found if not each.error]
    if not graphs:
        reason, _ = failures.most_common(1)[0]
        raise DataError(f"none of {len(found)} replicates could be fitted: {reason}")
    if failures:
        reason, _ = failures.most_common(1)[0]
        warn(
            f"{failures.total()} of {len(found)} replicates could not be fitted and do not count. "
            f"The most frequent reason: {reason}"
        )
    adjacency = np.zeros((len(graphs), d, d), dtype=bool)
    for k, each in enumerate(graphs):
        for i, j in each.edges:
            adjacency[k, i, j] = True
    return Bootstrap(adjacency, list(labels), dict(failures))


def _read(X: Any) -> tuple[Floats, list[Any]]:
    """The values of a table in memory and the labels of its columns."""
    refuse_non_table(X)
    frame = frame_of(X)
    if frame is None:
        table = check_table(unmasked(X))
        return table, [f"x{j}" for j in range(table.shape[1])]
    return check_table(numbers_of(frame.columns, len(frame.columns[0]))), list(frame.labels)


def _described(estimator: Any) -> str:
    """Class and parameters, the same in every process."""
    values = {
        name: getattr(value, "__qualname__", None) or repr(value)
        for name, value in sorted(estimator.get_params(deep=False).items())
        if name not in ("progress", "n_jobs")
    }
    return f"{type(estimator).__name__}({values})"


def _reached(adjacency: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """[i, j]: a directed path leads from i to j."""
    paths = adjacency.copy()
    for k in range(len(paths)):
        paths |= np.outer(paths[:, k], paths[k])
    return paths
