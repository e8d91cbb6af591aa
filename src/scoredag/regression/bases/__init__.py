"""Spline bases of one variable: ``name(x, size)`` returns a `scoredag.regression.basis.RawBasis`.

A new basis is one new file here that defines a function and names it as its ``PIECE``.
"""
