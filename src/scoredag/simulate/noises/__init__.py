"""Noise distributions, one a file: the shelf behind ``sample_anm(noise=...)``.

A noise is ``f(n, variance, rng)`` and returns n independent draws with mean 0 and that variance,
both of the distribution and not of the sample.
"""
