"""Metrics of the benchmark: functions of the true graph and of an `Outcome`, None if undefined.

To add one, put a file ``mine.py`` here that defines ``mine(true, outcome)`` and names
it as its ``PIECE``; ``true[i, j] = 1``
means i -> j. How output that is not a DAG is scored is in `scoredag.bench.scoring`.
"""
