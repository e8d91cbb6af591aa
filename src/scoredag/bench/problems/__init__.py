"""Data sets of the benchmark: functions of their options and a seed.

To add one, put a file ``mine.py`` here that defines ``mine(..., seed)`` and names it as its
``PIECE``. It returns an object with ``.X`` and ``.adjacency`` (``A[i, j] = 1`` means i -> j).
Its options are what a spec may set.

What they may be is said in the annotations, ``d: Annotated[int, between(2, 100)]`` (see
`scoredag.bench.checks`), the seed's included. What depends on several of them goes into a function
``check(...)`` beside it, which is called with all options and raises ValueError. So a spec that
cannot run is refused when it is read.
"""
