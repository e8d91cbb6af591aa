"""Which line a warning should point at: the user's, not ours."""

from __future__ import annotations

import sys

_OURS = ("scoredag", "sklearn")


def stacklevel_of_user() -> int:
    """Find the ``stacklevel`` for `warnings.warn` that points outside this package.

    To be called by the function that warns. scikit-learn is passed over as well: it wraps
    ``fit``.
    """
    frame = sys._getframe(1)
    level = 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in _OURS:
        frame = frame.f_back
        level += 1
    return level
