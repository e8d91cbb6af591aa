"""Cholesky factorisation in steps, so that an interrupt need not wait for a large matrix.

Python sees Ctrl-C between two calls of LAPACK only, and one factorisation of 20,000 rows takes a
minute. Left-looking by blocks: with L_a the columns that are done,

    A[a:, a:b] -= L[a:, :a] L[a:b, :a]'      L[a:b, a:b] = chol(A[a:b, a:b])
    L[b:, a:b] = A[b:, a:b] L[a:b, a:b]^-T

(Golub and Van Loan, Matrix Computations, 4th edition, section 4.2.6).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

# A step multiplies at most 1,024 x n by n x 512 numbers.
_COLUMNS, _ROWS = 512, 1024


def factorise_lower(A: NDArray[np.float64]) -> bool:
    """Overwrite the lower triangle of a symmetric matrix by its Cholesky factor.

    Parameters
    ----------
    A : ndarray of shape (n, n)
        Only the lower triangle is read and written.

    Returns
    -------
    bool
        False if the matrix is not positive definite; it is then partly overwritten.

    Examples
    --------
    >>> A = np.array([[4.0, np.nan], [2.0, 5.0]])
    >>> factorise_lower(A), np.tril(A).tolist()
    (True, [[2.0, 0.0], [1.0, 2.0]])
    """
    n = len(A)
    for start, stop in pairwise([*range(0, n, _COLUMNS), n]):
        done = A[start:stop, :start]
        for top, bottom in pairwise([*range(start, n, _ROWS), n]):
            A[top:bottom, start:stop] -= A[top:bottom, :start] @ done.T
        try:
            corner = np.linalg.cholesky(A[start:stop, start:stop])  # reads the lower triangle
        except np.linalg.LinAlgError:
            return False
        A[start:stop, start:stop] = corner
        for top, bottom in pairwise([*range(stop, n, _ROWS), n]):
            panel = A[top:bottom, start:stop]
            panel[:] = solve_triangular(corner, panel.T, lower=True, check_finite=False).T
    return True
