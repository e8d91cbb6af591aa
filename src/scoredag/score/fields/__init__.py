"""Score estimators: classes with the members of `scoredag.score.ScoreField`.

To add one, put a file ``mine.py`` here that defines a class whose name begins with ``Mine``,
built as ``MineField(X)`` or ``MineField(X, eta=...)``; `scoredag.plugins.shelf` finds it.
"""
