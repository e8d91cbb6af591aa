"""Penalised additive regression from inner products, which serves order and prune.

===================  =================================================================
``bases/``           spline bases, one file each: ``cubic``, ``thin_plate``
``basis``            a basis rotated so that its columns are orthonormal and its penalty diagonal
``additive``         one Gram matrix for a table; every regression is a part of it
``penalised``        the solution for given smoothing parameters
``smoothing/``       how these are chosen, one file each: ``reml``, ``gcv``
``newton``           the minimiser that both use
``significance``     Wood's p-value for "this term is zero"
===================  =================================================================
"""

from scoredag.regression.additive import AdditiveDesign, AdditiveFit

__all__ = ["AdditiveDesign", "AdditiveFit"]
