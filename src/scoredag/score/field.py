"""What the search asks of a score estimator."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class ScoreField(Protocol):
    """The score s = grad log p of a sample, on a set of columns that the search makes smaller.

    The search builds one from the table, asks a leaf criterion for its opinion, and calls
    `remove`. To plug in another estimator (low rank, linear, neural) write a class with these
    members, in a file of its own in ``score/fields``.

    An estimator is built by ``estimator(X, eta=..., rng=..., n_jobs=..., progress=...)`` and gets
    those of these options that it takes. An optional property ``description`` says in a few words,
    for results, what is estimated from how many rows. Two optional methods make the progress bar
    even:
    ``leaf_work(left, asked)``, an estimate of the work of the criterion of ``asked`` columns when
    ``left`` are left, in any unit, and ``report_to(progress)``, which gets a function that the next
    `diagonal_moments` calls with the work done and its total.

    Attributes
    ----------
    columns : ndarray of int
        The columns that are left, in the numbering of the table that the field was built on.
    """

    columns: NDArray[np.intp]

    @property
    def X(self) -> NDArray[np.float64]:
        """The samples in these columns, n x m; a constant may have been added to a column.

        For criteria that regress columns on each other. An estimator that streams over rows need
        not have it: a criterion that asks for it is then refused by name.
        """
        ...

    def score(self) -> NDArray[np.float64]:
        """S at the samples: n x m, one column for each of `columns`."""
        ...

    def jacobian_diagonal(self) -> NDArray[np.float64]:
        """The derivatives d s_j / d x_j at the samples: n x m."""
        ...

    def jacobian_row(self, column: int) -> NDArray[np.float64]:
        """The derivatives d s_l / d x_j at the samples for l = ``column``: n x m."""
        ...

    def diagonal_moments(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean and variance over the samples of `jacobian_diagonal`, each of length m.

        All that the usual leaf criteria need, and all that an estimator which streams over
        rows should have to keep. An estimator that can give them for some columns at less cost
        takes an optional argument ``columns``, and the search with many columns makes use of it.
        """
        ...

    def remove(self, column: int) -> None:
        """Go on without ``column``: the score is then that of the remaining columns' marginal."""
        ...


def moments_of(
    field: ScoreField, columns: NDArray[np.intp] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and variance of d s_j / d x_j in all columns, or in some where the field offers that.

    Examples
    --------
    >>> from scoredag.score import SteinField
    >>> field = SteinField(np.random.default_rng(0).normal(size=(50, 3)))
    >>> moments_of(field, np.array([2]))[1].shape
    (1,)
    """
    if columns is None:
        return field.diagonal_moments()
    return field.diagonal_moments(columns)  # type: ignore[call-arg]


def describe_field(field: ScoreField) -> str:
    """The estimates in a few words: what the field says of itself, or the name of its class.

    Examples
    --------
    >>> from scoredag.score import SteinField
    >>> describe_field(SteinField(np.random.default_rng(0).normal(size=(50, 3))))
    'exact Stein estimates: 50 rows'
    """
    return str(getattr(field, "description", type(field).__name__))


def leaf_work(field: ScoreField, left: int, asked: int) -> float:
    """Estimated work of one step of the search, in the field's unit; 1 if the field has none.

    Examples
    --------
    >>> from scoredag.score import SteinField
    >>> field = SteinField(np.random.default_rng(0).normal(size=(50, 3)))
    >>> leaf_work(field, 3, 3) > leaf_work(field, 2, 2) > 0
    True
    """
    estimate = getattr(field, "leaf_work", None)
    return 1.0 if estimate is None else float(estimate(left, asked))


def check_field(field: Any, d: int) -> ScoreField:
    """Return what a score estimator has made, or raise if no search could use it.

    Parameters
    ----------
    field : object
        It must have ``columns``, 0 to d - 1, and ``remove``; which of the other members are needed
        depends on the leaf criterion and the pruner.
    d : int
        The number of columns of the table.

    Examples
    --------
    >>> check_field(3.0, 2)
    Traceback (most recent call last):
        ...
    TypeError: score_estimator must return an object with the members of \
scoredag.score.ScoreField; float lacks columns and remove
    """
    lacking = [name for name in ("columns", "remove") if not hasattr(field, name)]
    if lacking:
        raise TypeError(
            "score_estimator must return an object with the members of scoredag.score.ScoreField; "
            f"{type(field).__name__} lacks {' and '.join(lacking)}"
        )
    if not np.array_equal(field.columns, np.arange(d)):
        raise ValueError(
            f"score_estimator must begin with all columns, 0 to {d - 1}, in `columns`; got "
            f"{field.columns!r}"
        )
    return field
