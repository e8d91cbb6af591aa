"""Models of the noise by name, and the local score of each."""

from __future__ import annotations

from typing import Any

# Names of local scores, files in ``order/local_scores``.
LOCAL_SCORES = {"free": "free", "normal": "gp"}


def check_noise(value: Any, name: str) -> None:
    """Raise ValueError unless an argument names a model of the noise."""
    if value not in tuple(LOCAL_SCORES):
        known = " or ".join(repr(noise) for noise in LOCAL_SCORES)
        raise ValueError(f"{name} must be {known}; got {value!r}")
