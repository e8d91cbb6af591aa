"""Data sets of the benchmark: functions of their options and a seed.

To add one, put a file ``mine.py`` here that defines ``mine(..., seed)``, returning an object with
``.X`` and ``.adjacency`` (``A[i, j] = 1`` means i -> j). Its options are what a spec may set.
"""
