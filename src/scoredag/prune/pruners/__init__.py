"""Pruners: ``name_prune(X, candidates, ...)`` returns a `scoredag.prune.PruneResult`.

To add one, put a file ``mine.py`` here that defines ``mine_prune`` and ends with
``PIECE = mine_prune``; `scoredag.plugins.shelf` finds the file. Options of the name ``alpha``,
``smoothing``, ``eta``, ``knowledge``, ``n_jobs`` and ``progress`` are passed on by the estimators.
"""
