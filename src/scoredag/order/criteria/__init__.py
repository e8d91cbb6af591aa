"""Leaf criteria: functions of a `scoredag.score.ScoreField` that are smallest for a leaf.

To add one, put a file ``mine.py`` here that defines ``mine(field)``, returning one number for
each of ``field.columns``, and ends with ``PIECE = mine``; `scoredag.plugins.shelf` finds the file.
A criterion whose values depend on the units of the columns says so with `scales_with_unit`.
"""

from scoredag.order.criteria._units import scales_with_unit

__all__ = ["scales_with_unit"]
