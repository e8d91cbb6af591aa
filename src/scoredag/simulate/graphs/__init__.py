"""Graph models, one a file: the shelf behind `random_dag`.

A graph model is ``f(d, edges_per_node, rng)`` and returns a strictly upper triangular 0/1 matrix
(``A[i, j] = 1`` means i -> j), its nodes in causal order; `random_dag` shuffles the labels.
If there is not a graph of every size, a function ``check_size(d, edges_per_node)`` beside it raises
ValueError.
"""
