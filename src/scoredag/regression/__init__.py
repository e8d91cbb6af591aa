"""Additive regressions and Gaussian processes for one column, which serve order and prune.

=====================  ===========================================================================
``bases/``             spline bases, one file each: ``cubic``, ``line``, ``thin_plate``
``basis``              a basis rotated to orthonormal columns and a diagonal penalty
``additive``           one Gram matrix for a table; every regression is a part of it
``penalised``          the solution for given smoothing parameters
``smoothing/``         choice of smoothing parameters, one file each: ``reml``, ``gcv``
``newton``             the minimiser of both smoothing criteria
``significance``       Wood's p-value of the hypothesis that a term is zero
``forward``            one additive regression that grows term by term
``gp_evidence``        evidence of a Gaussian process, and its gradient
``gp_fit``             relevances that maximise the penalised evidence
``free_noise``         scale and density of the noise under a Gaussian process
``log_scale``          scale of the noise as a function of the parents
``log_density``        density of standardised residuals
``ties``               equal values spread over the interval that is rounded to them
``additive_evidence``  evidence of a sum of smooth functions
``linear_evidence``    evidence of a linear regression
``negentropy``         negentropy of residuals
``independence``       p-values of independence (HSIC)
``oscillation``        von Neumann's ratio of residuals along a column
``kernel_ridge``       leave-one-out errors of kernel ridge regression
``threads``            one BLAS thread for small matrices
=====================  ===========================================================================
"""

from scoredag.regression.additive import AdditiveDesign, AdditiveFit

__all__ = ["AdditiveDesign", "AdditiveFit"]
