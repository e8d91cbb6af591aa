"""Local scores: classes with the members of `scoredag.order.local_score.LocalScore`.

To add one, put a file ``mine.py`` here that defines a class, built as ``MineScore(X)`` from a table
of shape (n, d), and ends with ``PIECE = MineScore``; `scoredag.plugins.shelf` finds the file.
Options of the name ``rows`` and ``settings`` are passed on by `scoredag.order.refine_order`. A
score may also have the members of `Sharpens`, `HasResiduals` and `HasNoise`. `ScoreGP` takes "free"
or "gp" by its ``noise``; other scores serve `scoredag.order.refine_order`.
"""
