"""Refiners: functions ``name(state, problem, report)`` from a search state to a better one.

A refiner tries all moves of one kind and returns the new state and whether the order has become
better by more than ``problem.min_gain``. `scoredag.order.refine_order` applies refiners in turn and
begins again with the first whenever one succeeds (variable neighbourhood descent). To add one, put
a file ``mine.py`` here that defines ``mine`` and ends with ``PIECE = mine``; the moves are in
`scoredag.order.moves`.
"""
