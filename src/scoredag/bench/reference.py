"""Published numbers, to stand beside ours."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

Value = str | int | float | bool | None
_NOT_OPTIONS = frozenset({"table", "method", "metric", "mean", "sd"})
_FOLDER = Path(__file__).parent / "references"


@dataclass(frozen=True)
class Published:
    """One published number: of which table, on which data, of what, and both parts as printed.

    ``sd`` is its standard deviation over runs; None where one run was reported.
    """

    table: str
    setting: Mapping[str, Value]
    method: str
    metric: str
    mean: float
    sd: float | None
    text: str

    def fits(self, setting: Mapping[str, Value]) -> bool:
        """Whether the number was measured on such data: no option that both state differs."""
        return all(setting.get(key) in (None, value) for key, value in self.setting.items())


@dataclass(frozen=True)
class Reference:
    """The numbers of one publication, and what to say about them."""

    name: str
    short: str
    citation: str
    note: str | None
    numbers: tuple[Published, ...]

    def lookup(self, setting: Mapping[str, Value]) -> dict[tuple[str, str], Published]:
        """Find what was published for data of a setting, by (method, metric).

        A number of which the setting leaves open which of several is meant is left out.

        Examples
        --------
        >>> paper = load_reference("score_2022")
        >>> setting = {"data": "paper", "d": 10, "graph": "ER1", "noise": "gaussian", "n": 1000}
        >>> paper.lookup(setting)["SCORE", "shd"].text
        '1.1 ± 0.9'
        >>> paper.lookup({**setting, "n": 300})
        {}
        """
        found: dict[tuple[str, str], list[Published]] = {}
        for number in self.numbers:
            if number.fits(setting):
                found.setdefault((number.method, number.metric), []).append(number)
        return {key: numbers[0] for key, numbers in found.items() if len(numbers) == 1}


def reference_names() -> list[str]:
    """List the references that are bundled."""
    return sorted(path.stem for path in _FOLDER.glob("*.csv"))


def load_reference(name: str) -> Reference:
    """Read the files of a bundled reference; ValueError if there is none of that name."""
    if name not in reference_names():
        raise ValueError(
            f"reference must be one of {', '.join(map(repr, reference_names()))}; got {name!r}"
        )
    about = tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    lines = (_FOLDER / f"{name}.csv").read_text(encoding="utf-8").splitlines()
    numbers = tuple(map(_published, csv.DictReader(lines)))
    return Reference(name, about["short"], about["citation"], about.get("note"), numbers)


def _published(line: Mapping[str, str]) -> Published:
    given = {key: text for key, text in line.items() if key not in _NOT_OPTIONS and text}
    setting = {key: int(text) if text.isdigit() else text for key, text in given.items()}
    mean, sd = line["mean"], line["sd"]
    what = line["table"], setting, line["method"], line["metric"]
    if not sd:
        return Published(*what, float(mean), None, mean)
    return Published(*what, float(mean), float(sd), f"{mean} ± {sd}")
