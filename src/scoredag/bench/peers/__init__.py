"""Peers: systems that others wrote, each run in a venv of its own.

    run_peer("causal-learn/PC", X)     ->  venv's python + libraries/causal_learn.py  ->  Outcome

``python -m scoredag.bench.peers`` (or ``make peers``) builds the venvs. A new peer is one new file
and its requirements: see `scoredag.bench.peers.libraries`.
"""

from scoredag.bench.peers.process import PeerFailed, PeerMissing
from scoredag.bench.peers.registry import peer_methods, peers_folder
from scoredag.bench.peers.running import run_peer

__all__ = ["PeerFailed", "PeerMissing", "peer_methods", "peers_folder", "run_peer"]
