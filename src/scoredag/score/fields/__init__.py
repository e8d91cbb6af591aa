"""Score estimators: classes with the members of `scoredag.score.ScoreField`.

To add one, put a file ``mine.py`` here that defines a class, built as
``MineField(X)`` or ``MineField(X, eta=...)``, and ends with ``PIECE = MineField``;
`scoredag.plugins.shelf` finds the file.
"""
