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
import math
import os
import stat
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from scoredag.bench.methods import check_method
from scoredag.bench.option_checks import check_grid, refuse_repeated, refuse_unknown
from scoredag.bench.spec_checks import check_kinds, check_tables
from scoredag.exceptions import SpecError
from scoredag.plugins import names, piece

PROBLEMS = "scoredag.bench.problems"
MEASURES = "scoredag.bench.measures"
_FOLDER = Path(__file__).parent / "specs"
_DEFAULT_TIMEOUT = 3600.0
_LONGEST = 31 * 86400.0
_MOST_RUNS = 100_000
_MOST_BYTES = 2**24
_TOP = {"title", "description", "timeout", "metrics", "data", "methods", "tables"}
_METHOD = {"name", "label", "options", "only", "why", "timeout"}

# A data set: its name, its options and its seed.
Problem = tuple[str, dict[str, Any], int]


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
        What the output shows: see `scoredag.bench.layout`.
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
    if timeout is not None:
        _seconds(timeout)
    path = _located(source)
    try:
        return _spec(path.stem, _content(path), timeout)
    except SpecError as error:
        raise SpecError(f"{path}: {error}") from None


def _content(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise SpecError(f"cannot be read: {error.strerror or error}.") from None
    if len(content) > _MOST_BYTES:
        raise SpecError(f"more than {_MOST_BYTES // 2**20} MB are no spec.")
    try:
        return tomllib.loads(content.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        raise SpecError(f"not a TOML file: no text in UTF-8, from byte {error.start} on.") from None
    except RecursionError:
        raise SpecError("nested too deeply to be a spec.") from None
    except tomllib.TOMLDecodeError as error:
        raise SpecError(f"not a TOML file: {error}.") from None
    except ValueError:  # Python reads no integers of thousands of digits
        raise SpecError("a number in it has too many digits.") from None


def _located(source: str | Path) -> Path:
    if not isinstance(source, str | os.PathLike):
        raise SpecError(f"source must be the name of a spec or a path; got {source!r:.60}.")
    if str(source) in spec_names():
        return _FOLDER / f"{source}.toml"
    known = f"give one of {', '.join(spec_names())}, or a TOML file"
    path = Path(source)
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        absent = isinstance(error, FileNotFoundError | NotADirectoryError | ValueError)
        reason = "" if absent else f" ({getattr(error, 'strerror', error)})"
        raise SpecError(f"no spec {str(source)!r:.200}{reason}: {known} that is there.") from None
    if stat.S_ISDIR(mode):
        raise SpecError(f"{path} is a directory: {known}.")
    if not stat.S_ISREG(mode):
        raise SpecError(f"{path} is no regular file: {known}.")
    return path


def _spec(name: str, content: dict[str, Any], timeout: float | None) -> Spec:
    refuse_unknown(content, _TOP, "the spec")
    check_kinds(content, "the spec")
    metrics = tuple(map(str, content.get("metrics", names(MEASURES))))
    refuse_unknown(metrics, names(MEASURES), "metrics")
    refuse_repeated(metrics, "metrics")
    limit = _seconds(content.get("timeout", _DEFAULT_TIMEOUT))
    data, methods = _blocks(content, "data"), _blocks(content, "methods")
    _refuse_too_many(sum(map(_number_of_sets, data)) * len(methods))
    problems = [problem for block in data for problem in _problems(block)]
    _refuse_repeated_data(problems)
    known = _values(problems)
    for method in methods:
        _check_method(method, known)
    runs = [
        _run(problem, method, metrics, limit, timeout) for method in methods for problem in problems
    ]
    _refuse_doubles(runs)
    tables = content.get("tables", [])
    check_tables(tables, set(known), {run.label for run in runs}, metrics)
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


def _grid(block: dict[str, Any]) -> dict[str, list[Any]]:
    """The values of each option that a block gives; a value alone stands for a list of one."""
    given = {key: value for key, value in block.items() if key not in ("name", "seeds")}
    return {key: value if isinstance(value, list) else [value] for key, value in given.items()}


def _number_of_sets(block: dict[str, Any]) -> int:
    """Count the data sets of a block without making a list of them."""
    seeds = block.get("seeds", 1)
    number = seeds if _is_seed(seeds) else len(seeds) if isinstance(seeds, list) else 1
    return math.prod(map(len, _grid(block).values())) * number


def _refuse_too_many(runs: int) -> None:
    if runs > _MOST_RUNS:
        raise SpecError(f"asks for {runs:,} runs: at most {_MOST_RUNS:,} go into one benchmark.")


def _problems(block: dict[str, Any]) -> Iterator[Problem]:
    """Every data set of a block: name, options, seed."""
    name, grid = block["name"], _grid(block)
    where = f"data {name}"
    options = {key: [value] for key, value in _defaults(name, grid).items()} | grid
    draw, seeds = piece(PROBLEMS, name), _seeds(block)
    check_grid(draw, grid, where)
    check_grid(draw, {"seed": seeds}, where)
    for values in itertools.product(*options.values()):
        chosen = dict(zip(options, values, strict=True))
        for seed in seeds:
            _check_together(draw, chosen, seed, where)
            yield name, chosen, seed


def _check_together(
    draw: Callable[..., Any], options: dict[str, Any], seed: int, where: str
) -> None:
    """Ask the file of a data set for what depends on several options: see `bench.problems`."""
    check = getattr(sys.modules[draw.__module__], "check", None)
    if check is None:
        return
    try:
        check(**options, seed=seed)
    except ValueError as error:
        in_order = {
            key: options[key] for key in inspect.signature(draw).parameters if key in options
        }
        raise SpecError(f"{where}, {_in_words(in_order)}: {error}.") from None


def _in_words(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} = {value!r}" for key, value in options.items())


def _refuse_repeated_data(problems: list[Problem]) -> None:
    seen: set[str] = set()
    for name, options, seed in problems:
        key = json.dumps([name, options, seed], sort_keys=True, default=str)
        if key in seen:
            words = _in_words({**options, "seed": seed})
            raise SpecError(f"two [[data]] blocks have the same data set: {name}, {words}.")
        seen.add(key)


def _values(problems: list[Problem]) -> dict[str, list[Any]]:
    """The values of every option that some data set has, of its name and its seed too."""
    found: dict[str, dict[str, Any]] = {}
    for name, options, seed in problems:
        for key, value in {"data": name, "seed": seed, **options}.items():
            found.setdefault(key, {})[repr(value)] = value
    return {key: list(values.values()) for key, values in found.items()}


def _seeds(block: dict[str, Any]) -> list[int]:
    seeds = block.get("seeds", 1)
    listed = list(range(seeds)) if _is_seed(seeds) else seeds
    if not isinstance(listed, list) or not listed or not all(_is_seed(seed) for seed in listed):
        raise SpecError(
            f"seeds of {block['name']} must be a count, or a list of whole numbers from 0 to "
            f"2^63 - 1; got {seeds!r:.80}."
        )
    refuse_repeated(listed, f"seeds of {block['name']}")
    return listed


def _is_seed(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def _defaults(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Check the options of a data set, and say what the others are: rows state them all."""
    if name not in names(PROBLEMS):
        raise SpecError(f"no data named {name!r:.80}: there are {', '.join(names(PROBLEMS))}.")
    parameters = dict(inspect.signature(piece(PROBLEMS, name)).parameters)
    del parameters["seed"]
    refuse_unknown(options, set(parameters), f"the options of data {name}")
    defaults = {key: p.default for key, p in parameters.items() if p.default is not p.empty}
    missing = [key for key in parameters if key not in options and key not in defaults]
    if missing:
        raise SpecError(f"data {name} needs {', '.join(missing)}.")
    return defaults


def _check_method(block: dict[str, Any], known: Mapping[str, list[Any]]) -> None:
    where = f"method {block['name']:.80}"
    refuse_unknown(block, _METHOD, where)
    check_kinds(block, where)
    check_method(block["name"], block.get("options", {}))
    only = block.get("only", {})
    refuse_unknown(only, known, f"only of {where}")
    for key, allowed in only.items():
        for value in allowed if isinstance(allowed, list) else [allowed]:
            if value not in known[key]:
                there = ", ".join(map(repr, known[key][:20]))
                raise SpecError(
                    f"only of {where}: no data have {key} = {value!r:.80}; got {there}."
                )


def _run(
    problem: Problem,
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
        timeout=_seconds(method.get("timeout", limit) if timeout is None else timeout),
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
    """Refuse two methods that tables could not tell apart: they need labels."""
    seen: set[str] = set()
    for run in runs:
        data = json.dumps([run.data, run.data_options, run.seed], sort_keys=True, default=str)
        # A label may be used again where the spec leaves the other method out.
        keys = {run.key} if run.not_run else {run.key, f"{run.label} {data}"}
        if keys & seen:
            raise SpecError(
                f"method {run.label!r} is named twice for the same data ({run.data}); give each a "
                "label of its own."
            )
        seen |= keys
