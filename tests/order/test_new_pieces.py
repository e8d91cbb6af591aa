"""A local score or a refiner is one new file: in a copy of the package with such a file added."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import scoredag

LOCAL_SCORE = '''
"""Linear regressions by Schwarz's criterion, from the correlation matrix."""

from itertools import chain, combinations
from typing import NamedTuple

import numpy as np

from scoredag.order.local_score import FitCache
from scoredag.regression.linear_evidence import linear_evidence


class LinearFit(NamedTuple):
    parents: frozenset
    loss: float


class LinearScore:
    """All subsets of the candidates: for few columns."""

    def __init__(self, X):
        self._correlation, self._n = np.corrcoef(X, rowvar=False), len(X)
        self._cache = FitCache([LinearFit(frozenset(), 0.0)] * X.shape[1])

    def best(self, node, available):
        return self._cache.best(node, available)

    def explore(self, node, candidates):
        columns = frozenset(candidates)
        sizes = range(len(columns) + 1)
        subsets = chain.from_iterable(combinations(sorted(columns), size) for size in sizes)
        fits = [
            LinearFit(frozenset(p), linear_evidence(self._correlation, self._n, node, p)[0])
            for p in subsets
        ]
        self._cache.add(node, columns, min(fits, key=lambda fit: fit.loss))


PIECE = LinearScore
'''

REFINER = '''
"""Reverse the whole order, once, if that gains."""

from scoredag.order.search import explore_predecessors, reorder


def backwards(state, problem, report=None):
    turned = explore_predecessors(reorder(state, problem, state.order[::-1]), problem, report)
    if problem.loss(turned.order) < problem.loss(state.order) - problem.min_gain:
        return turned, True
    return state, False


PIECE = backwards
'''

# A collider, which lines tell from all other graphs, from an order that makes it dense.
PROGRAM = """
import numpy as np
from scoredag.order import refine_order
from scoredag.plugins import names

rng = np.random.default_rng(0)
x, z = rng.normal(size=(2, 300))
X = np.column_stack([x + z + 0.5 * rng.normal(size=300), x, z])
print(names("scoredag.order.local_scores"), names("scoredag.order.refiners"))
for refiners in (["reversals", "relocations"], ["backwards"]):
    result = refine_order(X, [0, 1, 2], local_score="mine", refiners=refiners)
    print(result.order[-1], sorted(result.fits[0].parents), result.noise)
"""


@pytest.fixture
def package(tmp_path):
    """A folder with a copy of the package and two more files."""
    copy = shutil.copytree(Path(scoredag.__file__).parent, tmp_path / "scoredag")
    order = copy / "order"
    (order / "local_scores" / "mine.py").write_text(LOCAL_SCORE)
    (order / "refiners" / "backwards.py").write_text(REFINER)
    return tmp_path


def test_a_piece_is_found_by_the_name_of_its_file(package):
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": str(package)},
        cwd=package,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stderr == ""
    named, *found = run.stdout.splitlines()
    assert named == (
        "['additive', 'free', 'gp', 'mine'] ['backwards', 'relocations', 'reversals', 'sequences']"
    )
    assert found == ["0 [1, 2] None"] * 2
