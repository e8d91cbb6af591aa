"""LAPACK and BLAS on parts of matrices, in place, while other threads run Python.

SciPy's wrappers hold the global interpreter lock during a call, so that threads factorise one after
the other, and they copy parts of matrices. The same routines, from the same library, are called
here through the addresses that SciPy offers to Cython; ctypes releases the lock.

Matrices are ordered by columns, of float32 or float64; only lower triangles are read and written.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cython_blas, cython_lapack

_CHAR, _INT, _ARRAY = ctypes.c_char_p, ctypes.POINTER(ctypes.c_int), ctypes.c_void_p
_LOWER, _LEFT, _RIGHT, _AS_IS, _GENERAL = b"L", b"L", b"R", b"N", b"N"
# Rows below which one call of LAPACK inverts as quickly as halves do; halves begin at multiples of
# 16, for aligned memory.
_FEW_ROWS, _ALIGNED_ROWS = 128, 16


class Routines:
    """The routines of one precision.

    Parameters
    ----------
    dtype : dtype
        float32 or float64.

    Examples
    --------
    >>> M = np.array([[4.0, 0.0], [2.0, 5.0]], order="F")
    >>> routines = Routines(M.dtype)
    >>> routines.factorise(M), np.tril(M).tolist()
    (True, [[2.0, 0.0], [1.0, 2.0]])
    >>> routines.invert_from_factor(M)
    >>> np.tril(M).tolist()
    [[0.3125, 0.0], [-0.125, 0.25]]
    """

    def __init__(self, dtype: Any) -> None:
        self.dtype = np.dtype(dtype)
        single = self.dtype == np.float32
        self._letter = "s" if single else "d"
        self._real = ctypes.c_float if single else ctypes.c_double
        number = ctypes.POINTER(self._real)
        lapack, blas = cython_lapack.__pyx_capi__, cython_blas.__pyx_capi__
        self._potrf = self._routine(lapack, "potrf", _CHAR, _INT, _ARRAY, _INT, _INT)
        self._lauum = self._routine(lapack, "lauum", _CHAR, _INT, _ARRAY, _INT, _INT)
        self._trtri = self._routine(lapack, "trtri", _CHAR, _CHAR, _INT, _ARRAY, _INT, _INT)
        self._trsv = self._routine(
            blas, "trsv", _CHAR, _CHAR, _CHAR, _INT, _ARRAY, _INT, _ARRAY, _INT
        )
        self._trmm = self._routine(
            blas, "trmm", _CHAR, _CHAR, _CHAR, _CHAR, _INT, _INT, number, _ARRAY, _INT, _ARRAY, _INT
        )
        self._syr = self._routine(blas, "syr", _CHAR, _INT, number, _ARRAY, _INT, _ARRAY, _INT)
        self._symm = self._routine(
            blas,
            "symm",
            _CHAR,
            _CHAR,
            _INT,
            _INT,
            number,
            _ARRAY,
            _INT,
            _ARRAY,
            _INT,
            number,
            _ARRAY,
            _INT,
        )

    def factorise(self, M: NDArray[Any]) -> bool:
        """Overwrite M by its Cholesky factor L, M = L L'; False if M is not positive definite."""
        info = ctypes.c_int(0)
        self._potrf(_LOWER, _int(len(M)), M.ctypes.data, self._step(M), info)
        return info.value == 0

    def invert_from_factor(self, L: NDArray[Any]) -> None:
        """Overwrite the factor L of M by M^-1 = L^-T L^-1."""
        self._invert(L)
        self._lauum(_LOWER, _int(len(L)), L.ctypes.data, self._step(L), ctypes.c_int(0))

    def inverse_diagonal(self, L: NDArray[Any]) -> NDArray[np.float64]:
        """Diagonal of M^-1 = L^-T L^-1, from the factor L of M, which is overwritten by L^-1."""
        self._invert(L)
        diagonal = np.empty(len(L))
        for start in range(0, len(L), _FEW_ROWS):
            columns = L[start:, start : start + _FEW_ROWS]
            corner, below = np.tril(columns[:_FEW_ROWS]), columns[_FEW_ROWS:]
            squares = np.einsum("ij,ij->j", corner, corner) + np.einsum("ij,ij->j", below, below)
            diagonal[start : start + _FEW_ROWS] = squares
        return diagonal

    def solve_factor(self, L: NDArray[Any], b: NDArray[Any], transposed: bool = False) -> None:
        """Overwrite b by L^-1 b, or by L^-T b."""
        self._trsv(
            _LOWER, b"T" if transposed else _AS_IS, _GENERAL, _int(len(L)), L.ctypes.data,
            self._step(L), b.ctypes.data, _int(1),
        )  # fmt: skip

    def add_outer(self, M: NDArray[Any], scale: float, b: NDArray[Any]) -> None:
        """Add scale b b' to M."""
        self._syr(
            _LOWER, _int(len(M)), self._real(scale), b.ctypes.data, _int(1), M.ctypes.data,
            self._step(M),
        )  # fmt: skip

    def times(self, M: NDArray[Any], B: NDArray[Any]) -> NDArray[Any]:
        """M B for a symmetric M."""
        product = np.empty_like(B, order="F")
        self._symm(
            _LEFT, _LOWER, _int(B.shape[0]), _int(B.shape[1]), self._real(1.0), M.ctypes.data,
            self._step(M), B.ctypes.data, self._step(B), self._real(0.0), product.ctypes.data,
            self._step(product),
        )  # fmt: skip
        return product

    def _invert(self, L: NDArray[Any]) -> None:
        """Overwrite L by its inverse, by halves.

        trtri, as OpenBLAS has it, takes four times as long as a factorisation of 400 rows, though
        both need n^3 / 3 operations. By halves the work is products of matrices:

            [A 0]^-1     [ A^-1           0   ]
            [B C]     =  [-C^-1 B A^-1   C^-1 ]
        """
        n = len(L)
        if n <= _FEW_ROWS:
            self._trtri(_LOWER, _GENERAL, _int(n), L.ctypes.data, self._step(L), ctypes.c_int(0))
            return
        half = (n // 2 + _ALIGNED_ROWS - 1) // _ALIGNED_ROWS * _ALIGNED_ROWS
        A, B, C = L[:half, :half], L[half:, :half], L[half:, half:]
        self._invert(A)
        self._invert(C)
        rows, columns = _int(n - half), _int(half)
        for side, factor, scale in ((_LEFT, C, -1.0), (_RIGHT, A, 1.0)):
            self._trmm(
                side, _LOWER, _AS_IS, _GENERAL, rows, columns, self._real(scale),
                factor.ctypes.data, self._step(factor), B.ctypes.data, self._step(B),
            )  # fmt: skip

    def _step(self, M: NDArray[Any]) -> ctypes.c_int:
        """The leading dimension: the distance of columns in memory."""
        return ctypes.c_int(max(M.strides[1] // self.dtype.itemsize, len(M), 1))

    def _routine(self, table: dict[str, Any], name: str, *types: Any) -> Any:
        return ctypes.CFUNCTYPE(None, *types)(_address(table[self._letter + name]))


@cache
def routines(dtype: Any) -> Routines:
    """The routines of one precision, made once."""
    return Routines(dtype)


def _int(value: int) -> ctypes.c_int:
    return ctypes.c_int(value)


def _address(capsule: Any) -> int:
    python = ctypes.pythonapi
    python.PyCapsule_GetName.restype, python.PyCapsule_GetName.argtypes = _CHAR, [ctypes.py_object]
    python.PyCapsule_GetPointer.restype = ctypes.c_void_p
    python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, _CHAR]
    return int(python.PyCapsule_GetPointer(capsule, python.PyCapsule_GetName(capsule)))
