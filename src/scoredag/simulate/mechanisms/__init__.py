"""Mechanisms, one a file: the shelf behind ``sample_anm(mechanism=...)``.

A mechanism is ``f(parents, rng)``: it draws a random function and returns its values at the rows of
`parents`, an (n, p) array with p >= 1, as an (n,) array. Values have a variance of about 1, so that
noise of variance 0.4 to 0.8 neither drowns nor vanishes, however long the chain.
"""
