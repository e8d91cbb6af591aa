"""Models of data over a given graph, one a file: the shelf behind `simulated_dataset`.

A model is ``f(adjacency, n, *, rng, progress, ...)``: it returns n rows of the columns of
`adjacency` (``A[i, j] != 0`` means i -> j), in that order. Every further option has a default;
``mechanism`` and ``noise`` are names on their shelves or callables. Most models are one structural
equation, which `scoredag.simulate.sem.sample_sem` applies to each node after its parents.

A model that belongs to another setting than ten nodes and ER4 names it in its module:
``USUAL_SETTING = (20, "BIPARTITE5")``.
"""
