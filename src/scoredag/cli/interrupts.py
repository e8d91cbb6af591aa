"""Ctrl-C gives the prompt back at once, whatever the process is doing."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from types import FrameType

INTERRUPTED = 130
# Seconds to end in good order before the process is ended: imports may swallow an interrupt, and
# threads are waited for.
PATIENCE = 1.0
_SHOW_CURSOR = "\x1b[?25h"
_came = threading.Event()


def end_promptly() -> None:
    """Let the first Ctrl-C interrupt the work, and end the process soon after in any case."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)


def interrupted() -> bool:
    """Whether Ctrl-C has come: what failed since then failed because of it."""
    return _came.is_set()


def _interrupt(number: int, frame: FrameType | None) -> None:
    _came.set()
    signal.signal(signal.SIGINT, lambda *_: leave())  # a second one waits for nothing
    timer = threading.Timer(PATIENCE, leave)
    timer.daemon = True
    timer.start()
    raise KeyboardInterrupt


def leave() -> None:
    """End the process without waiting for threads; the cursor is shown again."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        if sys.stderr.isatty():
            sys.stderr.write(_SHOW_CURSOR)
        sys.stderr.flush()
    os._exit(INTERRUPTED)
