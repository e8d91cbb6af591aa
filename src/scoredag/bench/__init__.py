"""The benchmark: data sets, methods and metrics, one tidy row a run.

    spec -> runs -> one process each -> journal -> rows -> tables and plots

A *spec* (`scoredag.bench.spec`, TOML) names data sets, methods and metrics; every combination is
a run. A run (`scoredag.bench.work`) happens in a process of its own (`scoredag.bench.isolation`),
so that one that raises, hangs or eats the memory spoils its own row only; its row goes into a
journal (`scoredag.bench.journal`) that survives any end. New data sets are files in
``bench/problems``, new metrics files in ``bench/measures``; methods are the estimators, and peers
in ``bench/peers``.
"""

from scoredag.bench.session import Session, run_benchmark
from scoredag.bench.spec import Run, Spec, read_spec, spec_names
from scoredag.exceptions import SpecError

__all__ = ["Run", "Session", "Spec", "SpecError", "read_spec", "run_benchmark", "spec_names"]
