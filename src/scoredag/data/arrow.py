"""Arrow reads and writes the files; it comes with the extra ``cli``."""

from __future__ import annotations


def require_arrow() -> None:
    """Raise an `ImportError` that says how to install Arrow, unless it is there."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "files of data need pyarrow, which is not installed: pip install 'scoredag[cli]'"
        ) from error
