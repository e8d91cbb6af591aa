"""Runs made up around the paper's numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scoredag.bench.reference import load_reference

Rows = list[dict[str, Any]]


def run(method: str, seed: int = 0, status: str = "done", **more: Any) -> dict[str, Any]:
    """Make the row of a run on d = 10, ER1 unless it says otherwise."""
    return {
        "data": "paper",
        "d": 10,
        "graph": "ER1",
        "noise": "gaussian",
        "seed": seed,
        "method": method,
        "status": status,
        "reason": "",
        **more,
    }


@pytest.fixture
def make_run() -> Callable[..., dict[str, Any]]:
    return run


@pytest.fixture
def many_rows() -> Rows:
    """Three methods on three sizes and two graphs, three runs each."""
    rng = np.random.default_rng(0)
    reference = load_reference("score_2022")
    rows = []
    for method in ("SCORE", "CAM", "VarSort"):
        for d in (10, 20, 50):
            for graph in ("ER1", "ER4"):
                setting = {"data": "paper", "d": d, "graph": graph, "noise": "gaussian"}
                published = reference.lookup(setting)
                for seed in range(3):
                    found = {
                        metric: int(max(0, round(rng.normal(number.mean, number.sd or 0))))
                        for (of, metric), number in published.items()
                        if of == method and metric in ("shd", "sid", "d_top")
                    }
                    seconds = {"seconds": d / 10, "cpu_seconds": d / 11, "order_seconds": d / 40}
                    rows.append(run(method, seed, d=d, graph=graph, **found, **seconds))
    return rows
