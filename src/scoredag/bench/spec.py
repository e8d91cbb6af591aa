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

    [[tables]]                             # see bench/layout.py
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from scoredag.bench.checks import check_kinds, refuse_repeated, refuse_unknown
from scoredag.bench.data_sets import as_list, data_sets, known_values, number_of_sets, stated
from scoredag.bench.layout import check_tables
from scoredag.bench.methods import check_method
from scoredag.exceptions import SpecError
from scoredag.plugins import names

MEASURES = "scoredag.bench.measures"
_FOLDER = Path(__file__).parent / "specs"
_DEFAULT_TIMEOUT = 3600.0
_LONGEST = 31 * 86400.0
_MOST_RUNS = 100_000
_MOST_BYTES = 2**24
_TOP = {"title", "description", "timeout", "metrics", "data", "methods", "tables"}
_METHOD = {"name", "label", "options", "only", "why", "timeout"}


@dataclass(frozen=True)
class Run:
    """One method on one data set, stopped after ``timeout`` seconds."""

    # A file in bench/problems, its options, and which data set.
    data: str
    data_options: Mapping[str, Any]
    seed: int
    # The name in the tables, the method, and its options.
    label: str
    method: str
    method_options: Mapping[str, Any]
    timeout: float
    metrics: tuple[str, ...]
    # Why the spec leaves it out; empty if it does not.
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
    """A benchmark, read and checked: every method on every data set, method by method.

    ``name`` is the file's without suffix; ``tables`` is what `scoredag.bench.layout` reads.
    """

    name: str
    title: str
    description: str
    runs: list[Run] = field(repr=False)
    tables: list[dict[str, Any]] = field(repr=False)


def spec_names() -> list[str]:
    """List the specs that come with scoredag."""
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
    if not stat.S_ISREG(mode):
        kind = "a directory" if stat.S_ISDIR(mode) else "no regular file"
        raise SpecError(f"{path} is {kind}: {known}.")
    return path


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


def _spec(name: str, content: dict[str, Any], timeout: float | None) -> Spec:
    refuse_unknown(content, _TOP, "the spec")
    check_kinds(content, "the spec")
    metrics = tuple(map(str, content.get("metrics", names(MEASURES))))
    refuse_unknown(metrics, names(MEASURES), "metrics")
    refuse_repeated(metrics, "metrics")
    limit = _seconds(content.get("timeout", _DEFAULT_TIMEOUT))
    data, methods = _blocks(content, "data"), _blocks(content, "methods")
    number = sum(map(number_of_sets, data)) * len(methods)
    if number > _MOST_RUNS:
        raise SpecError(f"asks for {number:,} runs: at most {_MOST_RUNS:,} go into one benchmark.")
    sets = [one for block in data for one in data_sets(block)]
    known = known_values(sets)
    for method in methods:
        _check_method(method, known)
    runs = [
        Run(
            **one,
            label=method.get("label", method["name"]),
            method=method["name"],
            method_options=method.get("options", {}),
            timeout=_seconds(method.get("timeout", limit) if timeout is None else timeout),
            metrics=metrics,
            not_run=_left_out(method, one),
        )
        for method in methods
        for one in sets
    ]
    _refuse_doubles(runs)
    tables = content.get("tables", [])
    check_tables(tables, set(known), {run.label for run in runs}, metrics)
    return Spec(name, content.get("title", name), content.get("description", ""), runs, tables)


def _blocks(content: dict[str, Any], name: str) -> list[dict[str, Any]]:
    blocks = content.get(name)
    if not blocks or not all(isinstance(block, dict) for block in blocks):
        raise SpecError(f"needs at least one [[{name}]] block.")
    if not all(isinstance(block.get("name"), str) for block in blocks):
        raise SpecError(f"every [[{name}]] block needs a name.")
    return blocks


def _seconds(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= _LONGEST:
        return float(value)
    raise SpecError(
        f"timeout must be a positive number of seconds, a month at most; got {value!r}."
    )


def _check_method(block: dict[str, Any], known: Mapping[str, list[Any]]) -> None:
    where = f"method {block['name']:.80}"
    refuse_unknown(block, _METHOD, where)
    check_kinds(block, where)
    check_method(block["name"], block.get("options", {}))
    only = block.get("only", {})
    refuse_unknown(only, known, f"only of {where}")
    for key, allowed in only.items():
        for value in as_list(allowed):
            if value not in known[key]:
                there = ", ".join(map(repr, known[key][:20]))
                raise SpecError(
                    f"only of {where}: no data have {key} = {value!r:.80}; got {there}."
                )


def _left_out(method: dict[str, Any], one: Mapping[str, Any]) -> str:
    """Why a method is not run on a data set; empty if it is."""
    said = stated(one)
    for key, allowed in method.get("only", {}).items():
        if key in said and said[key] not in as_list(allowed):
            return method.get("why", f"the spec runs it for {key} = {allowed} only")
    return ""


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
