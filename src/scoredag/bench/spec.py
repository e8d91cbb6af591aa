"""Specs: which data sets, methods and metrics a benchmark consists of, in TOML.

.. code-block:: toml

    title = "Which method finds small graphs?"
    metrics = ["shd", "sid", "d_top"]      # files in bench/measures; all of them by default
    timeout = 600                          # seconds for one run

    [[data]]
    name = "paper"                         # a file in bench/problems; the rest are its options,
    d = [10, 20]                           # and a list stands for each of its values
    graph = ["ER1", "ER4"]
    seeds = 10                             # 0 to 9, or a list

    [[methods]]
    name = "SCORE"                         # an estimator, or a peer such as "causal-learn/PC"
    label = "SCORE, raw"                   # its name in the tables; by default its name
    options = { alpha = 0.01 }
    only = { d = 10 }                      # of the data that have a d; other rows say `why` not
    why = "takes an hour at d = 20"

    [[tables]]                             # see bench/output
"""

from __future__ import annotations

import hashlib
import inspect
import itertools
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from scoredag.bench.methods import check_method
from scoredag.bench.option_checks import check_grid, refuse_unknown
from scoredag.bench.spec_checks import check_kinds, check_tables
from scoredag.exceptions import SpecError
from scoredag.plugins import names, piece

PROBLEMS = "scoredag.bench.problems"
MEASURES = "scoredag.bench.measures"
_FOLDER = Path(__file__).parent / "specs"
_DEFAULT_TIMEOUT = 3600.0
_LONGEST = 31 * 86400.0
_TOP = {"title", "description", "timeout", "metrics", "data", "methods", "tables"}
_METHOD = {"name", "label", "options", "only", "why", "timeout"}


@dataclass(frozen=True)
class Run:
    """One method on one data set.

    Attributes
    ----------
    data, data_options, seed
        A file in ``bench/problems``, its options, and which data set.
    label, method, method_options
        The name in the tables, the method, and its options.
    timeout : float
        Seconds after which it is stopped.
    not_run : str
        Why the spec leaves it out; empty if it does not.
    """

    data: str
    data_options: Mapping[str, Any]
    seed: int
    label: str
    method: str
    method_options: Mapping[str, Any]
    timeout: float
    metrics: tuple[str, ...]
    not_run: str = ""

    @cached_property
    def key(self) -> str:
        """A name for what is run, the same in every session; limits of time are no part of it."""
        parts = [self.data, self.data_options, self.seed, self.method, self.method_options]
        text = json.dumps([*parts, self.label, self.metrics], sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def identity(self) -> dict[str, Any]:
        """The columns of its row that say what it is."""
        return {
            "key": self.key,
            "data": self.data,
            **self.data_options,
            "seed": self.seed,
            "method": self.label,
            "estimator": self.method,
            "options": json.dumps(self.method_options, sort_keys=True),
        }


@dataclass(frozen=True)
class Spec:
    """A benchmark, read and checked.

    Attributes
    ----------
    name, title, description : str
        The file's name without suffix; what the output says on top.
    runs : list of Run
        Every method on every data set, method by method.
    tables : list of dict
        What the output shows: see `scoredag.bench.output.layout`.
    """

    name: str
    title: str
    description: str
    runs: list[Run] = field(repr=False)
    tables: list[dict[str, Any]] = field(repr=False)


def spec_names() -> list[str]:
    """List the specs that come with scoredag.

    Examples
    --------
    >>> "quick" in spec_names()
    True
    """
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def read_spec(source: str | Path, timeout: float | None = None) -> Spec:
    """Read and check a spec, before anything runs.

    Parameters
    ----------
    source : str or path
        The name of a spec that comes with scoredag, or a TOML file.
    timeout : float, optional
        Seconds for one run, in place of the spec's.

    Raises
    ------
    SpecError
        If there is no such spec, or something in it is unknown or missing.

    Examples
    --------
    >>> read_spec("quick").name
    'quick'
    """
    path = _located(source)
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpecError(f"{path}: not a TOML file: {error}.") from None
    try:
        return _spec(path.stem, content, timeout)
    except SpecError as error:
        raise SpecError(f"{path}: {error}") from None


def _located(source: str | Path) -> Path:
    bundled = _FOLDER / f"{source}.toml"
    if str(source) in spec_names():
        return bundled
    path = Path(source)
    if path.is_file():
        return path
    known = ", ".join(spec_names())
    raise SpecError(f"no spec {str(source)!r}: give one of {known}, or a TOML file that is there.")


def _spec(name: str, content: dict[str, Any], timeout: float | None) -> Spec:
    refuse_unknown(content, _TOP, "the spec")
    check_kinds(content, "the spec")
    metrics = tuple(map(str, content.get("metrics", names(MEASURES))))
    refuse_unknown(metrics, names(MEASURES), "metrics")
    limit = _seconds(content.get("timeout", _DEFAULT_TIMEOUT))
    problems = [problem for block in _blocks(content, "data") for problem in _problems(block)]
    options = {"data", "seed"}.union(*(data_options for _, data_options, _ in problems))
    methods = [_method(block, options) for block in _blocks(content, "methods")]
    runs = [
        _run(problem, method, metrics, limit, timeout) for method in methods for problem in problems
    ]
    _refuse_doubles(runs)
    tables = content.get("tables", [])
    check_tables(tables, options, {run.label for run in runs}, metrics)
    return Spec(
        name=name,
        title=content.get("title", name),
        description=content.get("description", ""),
        runs=runs,
        tables=tables,
    )


def _blocks(content: dict[str, Any], name: str) -> list[dict[str, Any]]:
    blocks = content.get(name)
    if not blocks or not all(isinstance(block, dict) for block in blocks):
        raise SpecError(f"needs at least one [[{name}]] block.")
    for block in blocks:
        if not isinstance(block.get("name"), str):
            raise SpecError(f"every [[{name}]] block needs a name.")
    return blocks


def _problems(block: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], int]]:
    """Every data set of a block: name, options, seed."""
    given = {key: value for key, value in block.items() if key not in ("name", "seeds")}
    defaults = {key: [value] for key, value in _defaults(block["name"], given).items()}
    grid = {key: value if isinstance(value, list) else [value] for key, value in given.items()}
    check_grid(piece(PROBLEMS, block["name"]), grid, f"data {block['name']}")
    options = defaults | grid
    for values in itertools.product(*options.values()):
        for seed in _seeds(block):
            yield block["name"], dict(zip(options, values, strict=True)), seed


def _seeds(block: dict[str, Any]) -> list[int]:
    seeds = block.get("seeds", 1)
    listed = list(range(seeds)) if _is_seed(seeds) else seeds
    if not isinstance(listed, list) or not listed or not all(_is_seed(seed) for seed in listed):
        raise SpecError(f"seeds of {block['name']} must be a count or a list; got {seeds!r}.")
    return listed


def _is_seed(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def _defaults(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Check the options of a data set, and say what the others are: rows state them all."""
    if name not in names(PROBLEMS):
        raise SpecError(f"no data named {name!r}: there are {', '.join(names(PROBLEMS))}.")
    parameters = dict(inspect.signature(piece(PROBLEMS, name)).parameters)
    del parameters["seed"]
    refuse_unknown(options, set(parameters), f"the options of data {name}")
    defaults = {key: p.default for key, p in parameters.items() if p.default is not p.empty}
    missing = [key for key in parameters if key not in options and key not in defaults]
    if missing:
        raise SpecError(f"data {name} needs {', '.join(missing)}.")
    return defaults


def _method(block: dict[str, Any], data_options: set[str]) -> dict[str, Any]:
    where = f"method {block['name']}"
    refuse_unknown(block, _METHOD, where)
    check_kinds(block, where)
    refuse_unknown(block.get("only", {}), data_options, f"only of {where}")
    check_method(block["name"], block.get("options", {}))
    return block


def _run(
    problem: tuple[str, dict[str, Any], int],
    method: dict[str, Any],
    metrics: tuple[str, ...],
    limit: float,
    timeout: float | None,
) -> Run:
    data, data_options, seed = problem
    return Run(
        data=data,
        data_options=data_options,
        seed=seed,
        label=method.get("label", method["name"]),
        method=method["name"],
        method_options=method.get("options", {}),
        timeout=_seconds(timeout or method.get("timeout", limit)),
        metrics=metrics,
        not_run=_left_out(method, {"data": data, **data_options, "seed": seed}),
    )


def _left_out(method: dict[str, Any], what: dict[str, Any]) -> str:
    """Why a method is not run on a data set; empty if it is."""
    for key, allowed in method.get("only", {}).items():
        values = allowed if isinstance(allowed, list) else [allowed]
        if key in what and what[key] not in values:
            return method.get("why", f"the spec runs it for {key} = {allowed} only")
    return ""


def _seconds(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= _LONGEST:
        return float(value)
    raise SpecError(
        f"timeout must be a positive number of seconds, a month at most; got {value!r}."
    )


def _refuse_doubles(runs: list[Run]) -> None:
    seen: set[str] = set()
    for run in runs:
        if run.key in seen:
            raise SpecError(
                f"{run.label} is named twice for the same data ({run.data}); give each a label."
            )
        seen.add(run.key)
