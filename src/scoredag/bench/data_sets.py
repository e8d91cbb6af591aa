"""The ``[[data]]`` blocks of a spec: every combination of their options is a data set."""

from __future__ import annotations

import inspect
import itertools
import math
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from scoredag.bench.checks import check_grid, refuse_repeated, refuse_unknown
from scoredag.exceptions import SpecError
from scoredag.plugins import names, piece

PROBLEMS = "scoredag.bench.problems"


def as_list(value: Any) -> list[Any]:
    """A value alone stands for a list of one."""
    return value if isinstance(value, list) else [value]


def _grid(block: dict[str, Any]) -> dict[str, list[Any]]:
    return {key: as_list(value) for key, value in block.items() if key not in ("name", "seeds")}


def number_of_sets(block: dict[str, Any]) -> int:
    """Count the data sets of a block without making a list of them."""
    seeds = block.get("seeds", 1)
    number = seeds if _is_seed(seeds) else len(as_list(seeds))
    return math.prod(map(len, _grid(block).values())) * number


def _is_seed(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def data_sets(block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every data set of a block: its name, its options (rows state them all) and its seed."""
    name, grid, seeds = block["name"], _grid(block), block.get("seeds", 1)
    if name not in names(PROBLEMS):
        raise SpecError(f"no data named {name!r:.80}: there are {', '.join(names(PROBLEMS))}.")
    draw = piece(PROBLEMS, name)
    parameters = {k: p for k, p in inspect.signature(draw).parameters.items() if k != "seed"}
    refuse_unknown(grid, parameters, f"the options of data {name}")
    defaults = {key: [p.default] for key, p in parameters.items() if p.default is not p.empty}
    if missing := [key for key in parameters if key not in {**grid, **defaults}]:
        raise SpecError(f"data {name} needs {', '.join(missing)}.")
    listed = list(range(seeds)) if _is_seed(seeds) else seeds
    if not isinstance(listed, list) or not listed or not all(map(_is_seed, listed)):
        raise SpecError(
            f"seeds of {name} must be a count, or a list of whole numbers from 0 to 2^63 - 1; got "
            f"{seeds!r:.80}."
        )
    refuse_repeated(listed, f"seeds of {name}")
    check_grid(draw, grid | {"seed": listed}, f"data {name}")
    # What depends on several options is checked by the data set's file: see `bench.problems`.
    check = getattr(sys.modules[draw.__module__], "check", lambda **_: None)
    options = defaults | grid
    for values in itertools.product(*options.values()):
        chosen = dict(zip(options, values, strict=True))
        for seed in listed:
            try:
                check(**chosen, seed=seed)
            except ValueError as error:
                in_order = {key: chosen[key] for key in parameters}
                raise SpecError(f"data {name}, {_in_words(in_order)}: {error}.") from None
            yield {"data": name, "data_options": chosen, "seed": seed}


def _in_words(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} = {value!r}" for key, value in options.items())


def stated(one: Mapping[str, Any]) -> dict[str, Any]:
    """What rows say of a data set."""
    return {"data": one["data"], **one["data_options"], "seed": one["seed"]}


def known_values(sets: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """List the values of every option that some data set has; refuse a data set listed twice."""
    found: dict[str, dict[str, Any]] = {}
    seen: set[str] = set()
    for one in sets:
        words = f"{one['data']}, {_in_words({**one['data_options'], 'seed': one['seed']})}"
        if words in seen:
            raise SpecError(f"two [[data]] blocks have the same data set: {words}.")
        seen.add(words)
        for option, value in stated(one).items():
            found.setdefault(option, {})[repr(value)] = value
    return {option: list(values.values()) for option, values in found.items()}
