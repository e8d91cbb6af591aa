"""Screens: functions of a table that say which columns are close to which.

To add one, put a file ``mine.py`` here that defines ``mine(X)``, returning a d x d matrix of
strengths, zero for pairs that are no neighbours, and ends with ``PIECE = mine``;
`scoredag.plugins.shelf` finds the file. The matrix need not be symmetric: two columns are
neighbours if either entry is positive. `scoredag.order.boosted_neighbours` is such a function too.
"""
