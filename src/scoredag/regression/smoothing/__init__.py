"""How to choose smoothing parameters: criteria to minimise, one file each.

A criterion takes a `scoredag.regression.penalised.PenalisedSolution` and returns its value, its
gradient and its Hessian in the logarithms of the smoothing parameters, in units of twice a log
likelihood. A new criterion is one new file here that defines a function and
names it as its ``PIECE``.
"""
