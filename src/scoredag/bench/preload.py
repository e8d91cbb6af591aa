"""Everything that a run may import: imported once, by the server that all runs are forked from.

Runs then start at once, and the memory that they are charged with is their own.
"""

from scoredag.bench.provenance import fingerprint
from scoredag.plugins import shelf

_SHELVES = (
    "scoredag.bench.measures",
    "scoredag.bench.problems",
    "scoredag.estimators",
    "scoredag.order.criteria",
    "scoredag.prune.pruners",
    "scoredag.regression.bases",
    "scoredag.regression.smoothing",
    "scoredag.score.fields",
    "scoredag.screening.screens",
    "scoredag.simulate.graphs",
    "scoredag.simulate.mechanisms",
    "scoredag.simulate.models",
    "scoredag.simulate.noises",
)

for _package in _SHELVES:
    shelf(_package)

# Now, since what was just imported is what runs, whatever becomes of the files meanwhile.
fingerprint()
