"""Peak memory of a whole fit, above an interpreter that has done its imports; Linux only."""

import subprocess
import sys
from collections.abc import Iterator

from benchmarks.figure import Figure

FIT = """
import warnings
from pathlib import Path
from scoredag import SCORE
from scoredag.simulate import paper_dataset
warnings.simplefilter("ignore")
SCORE().fit(paper_dataset(5, "ER1", n=100).X)  # imports and caches
data = __import__("numpy").random.default_rng(0).normal(size=(2000, 100))

def kilobytes(field):
    return int(Path("/proc/self/status").read_text().split(field + ":")[1].split()[0])

before = kilobytes("VmRSS")
SCORE().fit(data)
print((kilobytes("VmHWM") - before) / 1024)
"""


def figures() -> Iterator[Figure]:
    done = subprocess.run([sys.executable, "-c", FIT], capture_output=True, text=True, check=True)
    yield Figure("fit, n=2000 d=100: peak MB above imports", float(done.stdout), 400)
