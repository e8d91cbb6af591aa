"""CAM pruning against R's mgcv, decision by decision and second by second, ordering, and DAS."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.figure import Figure, cpu_seconds
from scoredag.graph import full_dag
from scoredag.metrics import shd
from scoredag.order import peel
from scoredag.prune import cam_prune, das_prune
from scoredag.simulate import paper_dataset
from tests.reference import oracle

# Decisions on all terms, decisions on clear ones, and the median gap of log10 p.
TARGETS = {"reml": (0.985, 0.995, None), "gcv": (0.993, 0.998, 0.03)}


def figures() -> Iterator[Figure]:
    sets = oracle.load_all()
    theirs = np.concatenate([data.p_values for data in sets])
    for smoothing, (every, clear, gap) in TARGETS.items():
        results = [cam_prune(s.X, full_dag(s.order), smoothing=smoothing) for s in sets]
        ours = np.concatenate(
            [r.p_values[tuple(s.terms.T)] for s, r in zip(sets, results, strict=True)]
        )
        found = oracle.agreement(ours, theirs)
        label = f"{smoothing}: share of {len(ours)} decisions equal to mgcv's"
        yield Figure(label, found.all_terms, every, at_least=True)
        label = f"{smoothing}: the same, p outside [0.0005, 0.002]"
        yield Figure(label, found.clear_terms, clear, at_least=True)
        label = f"{smoothing}: median |log10 p - log10 mgcv's p|, p > 1e-12"
        yield Figure(label, found.median_log10_gap, gap)

    ours = sum(cpu_seconds(lambda s=s: cam_prune(s.X, full_dag(s.order)), 9) for s in sets)
    ratio = sum(s.cpu_seconds for s in sets) / ours
    yield Figure("reml: times less CPU than recorded for R", ratio, 60, at_least=True)

    X = paper_dataset(50, "ER4").X
    order = peel(X)
    seconds = cpu_seconds(lambda: cam_prune(X, full_dag(order)), 3)
    yield Figure("prune, n=1000 d=50: CPU seconds", seconds)
    share = seconds / cpu_seconds(lambda: peel(X), 3)
    yield Figure("prune, n=1000 d=50: times the CPU of ordering", share, 1.0)

    # What preselection saves, and what it costs.
    data = paper_dataset(50, "ER1")
    candidates = full_dag(data.order)
    for smoothing in TARGETS:
        for prune in (cam_prune, das_prune):
            label = f"{prune.__name__}, {smoothing}, n=1000 d=50 ER1, true order"
            fit = partial(prune, data.X, candidates, smoothing=smoothing)
            yield Figure(f"{label}: CPU seconds", cpu_seconds(fit, 3))
            yield Figure(f"{label}: SHD", shd(data.adjacency, fit().adjacency))
