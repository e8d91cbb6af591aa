"""Run benchmarks: all but the long ones, or those named. Exit code 1 if a target is missed."""

import argparse
import importlib
import pkgutil
import sys
from pathlib import Path

from threadpoolctl import threadpool_limits

SUBJECTS = sorted(
    module.name
    for module in pkgutil.iter_modules([str(Path(__file__).parent)])
    if module.name not in ("__main__", "figure")
)
# From ten minutes to three hours of one core: only if they are named.
LONG = (
    "amortised",
    "draws",
    "free_noise",
    "knowledge",
    "many_columns",
    "nogam",
    "scale",
    "unchanged",
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("subjects", nargs="*", metavar="subject", help=", ".join(SUBJECTS))
    subjects = parser.parse_args().subjects or [name for name in SUBJECTS if name not in LONG]
    unknown = sorted(set(subjects) - set(SUBJECTS))
    if unknown:
        parser.error(f"no benchmark named {', '.join(unknown)}; there are {', '.join(SUBJECTS)}")
    missed = 0
    with threadpool_limits(limits=1):
        for subject in subjects:
            print(f"\n{subject}", flush=True)
            for figure in importlib.import_module(f"benchmarks.{subject}").figures():
                print(f"  {figure}", flush=True)
                missed += not figure.met
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
