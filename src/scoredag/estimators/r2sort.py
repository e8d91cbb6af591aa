"""R2Sort: the baseline that sorts by explained variance."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from scoredag.estimators._base import Floats
from scoredag.estimators._sorting import SortingBaseline
from scoredag.order import sort_by_r2


class R2Sort(SortingBaseline):
    """Order the columns by increasing R^2 on all others, then prune: a baseline to compare with.

    Unlike `scoredag.VarSort`, R2Sort does not depend on units. Both show how much of a simulated
    graph sorting alone recovers. Not a method for real data.

    Parameters
    ----------
    reverse : bool, default=False
        Sort by decreasing R^2.
    pruner, alpha, smoothing, knowledge, n_jobs, progress
        As in `scoredag.SCORE`. There is no stage "order".

    Attributes
    ----------
    causal_order_, adjacency_matrix_, graph_, p_values_, edge_statistic_, effects_, node_names_,
    knowledge_report_
        As in `scoredag.SCORE`; ``adjacency_matrix_[i, j] == 1`` means i -> j.

    References
    ----------
    A. Reisach, M. Tami, C. Seiler, A. Chambaz and S. Weichwald. A scale-invariant sorting
    criterion to find a causal order in additive noise models. NeurIPS 2023.

    Examples
    --------
    >>> import numpy as np
    >>> from scoredag import R2Sort
    >>> a, b, c = np.random.default_rng(0).normal(size=(3, 100))
    >>> R2Sort().fit(np.column_stack([a + b, a + c, a])).causal_order_
    array([1, 0, 2])
    """

    _units_matter: ClassVar[bool] = False

    def _sort(self, X: Floats) -> NDArray[np.intp]:
        return sort_by_r2(X, reverse=self.reverse)


PIECE = R2Sort
