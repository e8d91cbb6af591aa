"""Run parts of the benchmark of scale."""

import argparse
import sys

from threadpoolctl import threadpool_limits

from benchmarks import scale


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=scale.__doc__)
    parser.add_argument("--parts", nargs="+", default=scale.PARTS, choices=scale.PARTS)
    missed = 0
    with threadpool_limits(limits=1):
        for figure in scale.figures(parser.parse_args().parts):
            print(f"  {figure}", flush=True)
            missed += not figure.met
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
