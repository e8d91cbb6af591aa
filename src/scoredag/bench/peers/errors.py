"""Why a peer gave no result."""

from __future__ import annotations


class PeerMissing(RuntimeError):
    """A peer is not installed; the message says what to do."""


class PeerFailed(RuntimeError):
    """A peer ran and ended without a result; the message is the last thing it said."""
