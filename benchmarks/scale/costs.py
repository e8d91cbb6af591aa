"""What a fit costs, measured against what `scoredag.costs` predicts; and rates fitted to it.

Every fit has a process of its own, with one BLAS thread, for its peak memory. The rows go to
``benchmarks/results/scale/costs.jsonl``. The rates that would fit the measurements best are printed
in the end: `scoredag.costs.Rates` and `scoredag.costs.JointRates` are the only places to put them.
"""

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import nnls

from benchmarks.figure import Figure
from benchmarks.scale.journal import Journal, Row
from scoredag import CAM, SCORE, ScoreGP, costs
from scoredag.costs import Estimate, Rates, Step
from scoredag.estimators._base import CausalDiscovery

ESTIMATORS: dict[str, type[CausalDiscovery]] = {"SCORE": SCORE, "CAM": CAM, "ScoreGP": ScoreGP}
# A fit that takes less is dominated by what the formulas round off; it is recorded all the same.
SHORTEST = 0.1  # CPU seconds
SMALLEST = 50.0  # MB
# The bar's time left, from the first twentieth of a fit on.
LEFT_FROM = 0.05
HOLD = 0.2  # relative change of a rate that costs as much as an error of all predictions by that


class Case(NamedTuple):
    """A fit to be measured."""

    label: str
    method: str
    options: dict[str, Any]
    n: int
    d: int

    @property
    def estimator(self) -> CausalDiscovery:
        """The estimator, not fitted."""
        return ESTIMATORS[self.method](**self.options)


def cases() -> Iterator[Case]:
    """The grid: about ten minutes of one core."""
    exact, low = {"score_estimator": "stein"}, {"score_estimator": "low_rank"}
    local = {"score_estimator": "local", "screen": "forward"}
    for n in (500, 1000, 2000, 4000):
        for d in (10, 20, 50):
            yield Case("exact", "SCORE", exact, n, d)
    for n in (500, 1000):
        yield Case("exact", "SCORE", exact, n, 200)
        yield Case("exact, screened", "SCORE", {**exact, "screen": "forward"}, n, 200)
    yield Case("exact, screened", "SCORE", {**exact, "screen": "forward"}, 1000, 1000)
    for n, widths in ((10_000, (10, 20, 50)), (100_000, (10, 20))):
        for d in widths:
            yield Case("low rank", "SCORE", low, n, d)
    for n, d in ((500, 50), (1000, 50), (500, 200), (1000, 200)):
        yield Case("local", "SCORE", local, n, d)
    for n, d in ((1000, 50), (1000, 100), (20_000, 20), (20_000, 100)):
        yield Case("CAM", "CAM", {}, n, d)
    for n, widths in (
        (500, (5, 10, 20)),
        (1000, (5, 10, 20, 50)),
        (4000, (5, 10)),
        (20_000, (5, 10)),
    ):
        for d in widths:
            yield Case("ScoreGP", "ScoreGP", {}, n, d)


FIT = """
import json, sys, time, warnings
from pathlib import Path
from benchmarks.scale.costs import Case, table
warnings.simplefilter("ignore")
case = Case(*json.loads(sys.argv[1]))
case._replace(n=60, d=3).estimator.fit(table(60, 3))  # imports and caches
X = table(case.n, case.d)

def megabytes(field):
    return int(Path("/proc/self/status").read_text().split(field + ":")[1].split()[0]) / 1024

reports = []
def progress(stage, done, total):
    reports.append((stage, done / total, time.process_time() - start))

Path("/proc/self/clear_refs").write_text("5")  # the peak of the simulation does not count
before, start = megabytes("VmRSS"), time.process_time()
case.estimator.set_params(progress=progress).fit(X)
cpu = time.process_time() - start
peak = megabytes("VmHWM") - before + X.nbytes / 2**20
print(json.dumps({"cpu_s": cpu, "peak_mb": peak, "reports": reports}))
"""


def table(n: int, d: int, seed: int = 1000) -> np.ndarray:
    """Joint functions of the parents in a sparse graph, and normal noise."""
    from benchmarks.scale.waves import Waves
    from scoredag.graph.dag import topological_order
    from scoredag.simulate.dags import random_dag

    rng = np.random.default_rng(seed)
    adjacency = random_dag(d, 1, kind="er", rng=rng)
    X = rng.standard_normal((n, d)) * np.sqrt(rng.uniform(0.4, 0.8, d))
    for j in topological_order(adjacency):
        parents = np.flatnonzero(adjacency[:, j])
        if len(parents):
            X[:, j] += Waves.draw(len(parents), rng)(X[:, parents])
    return X


def measured(case: Case) -> Row:
    """CPU seconds, peak memory and reports of progress of a fit in a process of its own."""
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", FIT, json.dumps(case)],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return json.loads(done.stdout)


def stage_ends(reports: list[tuple[str, float, float]]) -> dict[str, float]:
    """CPU time of the last report of each stage."""
    return {stage: at for stage, _, at in reports}


def worst_left(estimate: Estimate, reports: list[tuple[str, float, float]], cpu: float) -> float:
    """Largest factor between the time left as shown and as it was, in a fit's middle nine tenths.

    Before `LEFT_FROM` of the time the estimate alone speaks; in the end seconds are rounded anyway.
    """
    from scoredag.cli.progress import planned_time_left

    plan = {step.stage: step.seconds() for step in estimate.steps}
    worst = 1.0
    for stage, share, at in reports:
        if not LEFT_FROM * cpu <= at <= (1 - LEFT_FROM) * cpu:
            continue
        shown, left = planned_time_left(plan, stage, share, at), cpu - at
        worst = max(worst, shown / left, left / max(shown, 1e-9))
    return worst


def compared(case: Case) -> Row:
    """What a fit takes beside what is predicted."""
    before, found = costs.calibrate(), measured(case)
    factor = (before + costs.calibrate()) / 2  # the same moods of the machine
    estimate = case.estimator.cost(case.n, case.d)
    assert estimate is not None
    return {
        "machine_factor": factor,
        "cpu_s": found["cpu_s"],
        "predicted_s": factor * estimate.seconds(),
        "peak_mb": found["peak_mb"],
        "predicted_mb": estimate.memory / 2**20,
        "stage_ends_s": stage_ends(found["reports"]),
        "worst_time_left": worst_left(estimate, found["reports"], found["cpu_s"]),
    }


def results(cases: Iterable[Case]) -> Iterator[Row]:
    """Rows of some cases, from the journal where these sources have made them."""
    journal = Journal("costs")
    for case in cases:
        yield journal.row(case._asdict(), partial(compared, case))


def figures() -> Iterator[Figure]:
    rows = []
    for case, row in zip(cases(), results(cases()), strict=True):
        rows.append(row)
        name = f"{case.label}, n={case.n:,} d={case.d}"
        yield Figure(f"{name}: CPU seconds", row["cpu_s"])
        yield Figure(f"{name}: predicted / measured", row["predicted_s"] / row["cpu_s"])
        yield Figure(f"{name}: peak MB", row["peak_mb"])
        yield Figure(f"{name}: predicted / measured", row["predicted_mb"] / row["peak_mb"])
        if row["cpu_s"] > 1:
            yield Figure(f"{name}: time left, worst factor", row["worst_time_left"])
    yield from summary(rows)
    print_fitted(rows)


def summary(rows: list[Row]) -> Iterator[Figure]:
    """How far predictions are off, by kind of fit."""
    for label in dict.fromkeys(row["label"] for row in rows):
        for what, least in (("s", SHORTEST), ("mb", SMALLEST)):
            of = "cpu_s" if what == "s" else "peak_mb"
            ratios = [
                row[f"predicted_{what}"] / row[of]
                for row in rows
                if row["label"] == label and row[of] >= least
            ]
            if ratios:
                yield Figure(f"{label}: predicted / measured {of}, least", min(ratios))
                yield Figure(f"{label}: predicted / measured {of}, most", max(ratios))


def stage_seconds(row: Row, steps: tuple[Step, ...]) -> Iterator[tuple[Step, float]]:
    """Each stage with its CPU seconds; what comes before its first report belongs to it."""
    ends, before = row["stage_ends_s"], 0.0
    for step in steps[1:]:
        end = row["cpu_s"] if step is steps[-1] else ends.get(step.stage, before)
        yield step, end - before
        before = end


def fitted(rows: list[Row]) -> Rates:
    """Rates that predict all stages but those of Gaussian processes best, by relative error."""
    kinds = [kind for kind in costs.KINDS if kind != "joint"]
    design, weights = [], []
    for row in rows:
        estimate = ESTIMATORS[row["method"]](**row["options"]).cost(row["n"], row["d"])
        assert estimate is not None
        for step, seconds in stage_seconds(row, estimate.steps):
            if step.work.joint or seconds < 0.02:
                continue
            per_second = row["machine_factor"] / seconds
            design.append([getattr(step.work, kind) * per_second for kind in kinds])
            weights.append(1.0)
    # In units of the present rates, which many measurements hardly tell apart: they hold those.
    present = np.array([getattr(costs.RATES, kind) for kind in kinds])
    hold = HOLD * math.sqrt(len(design)) * np.eye(len(kinds))
    matrix = np.vstack([np.array(design) * present, hold])
    solution, _ = nnls(matrix, np.concatenate([weights, hold.sum(axis=1)]))
    return Rates(**dict(zip(kinds, (solution * present).tolist(), strict=True)))


def fitted_joint(rows: list[Row], rates: Rates) -> dict[str, float]:
    """Constants of ScoreGP's search and edge test."""
    search, test, grown = [], [], []
    for row in rows:
        if row["method"] != "ScoreGP":
            continue
        n, d = row["n"], row["d"]
        estimate = ScoreGP().cost(n, d)
        assert estimate is not None
        for step, seconds in stage_seconds(row, estimate.steps):
            here = seconds / row["machine_factor"]
            if step.stage == "refine" and n <= 1000:
                search.append((math.log(n / 1000), d, here))
            elif step.stage == "refine":
                grown.append((d, here))
            elif step.stage == "prune" and n <= 1000:
                rest = asdict(step.work) | {"joint": 0.0}
                test.append((n / 1000, d, here - costs.Work(**rest).seconds(rates)))
    at_1000 = [(d, s) for log_n, d, s in search if log_n == 0]
    ds, seconds = np.array(at_1000).T
    (a, b), _ = nnls(np.column_stack([ds, ds**2]) / seconds[:, None], np.ones(len(ds)))
    powers = [math.log(s / (a * d + b * d * d)) / log_n for log_n, d, s in search if log_n]
    shares = [s / (a * d + b * d * d) - 1 for d, s in grown]
    ns, ds, seconds = np.array(test).T
    design = np.column_stack([ns * ds, ns * ds**2])
    (c, e), _ = nnls(design / seconds[:, None], np.ones(len(ds)))
    return {
        "search": a,
        "search_pairs": b,
        "search_power": float(np.mean(powers)),
        "GROWN_SEARCH": float(np.median(shares)),
        "test": c,
        "test_pairs": e,
    }


def print_fitted(rows: list[Row]) -> None:
    """The constants that would fit these measurements best."""
    rates = fitted(rows)
    print(
        "  fitted Rates:",
        ", ".join(f"{f.name}={getattr(rates, f.name):.3g}" for f in fields(rates)),
    )
    joint = fitted_joint(rows, rates)
    print("  fitted JointRates:", ", ".join(f"{name}={value:.3g}" for name, value in joint.items()))
