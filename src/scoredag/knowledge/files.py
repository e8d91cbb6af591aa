"""Knowledge as files: TOML for people, JSON for programs, by the suffix."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scoredag.data.wording import quoted
from scoredag.exceptions import KnowledgeError
from scoredag.knowledge.parsing import ARROW, Column, Edge, edge_from_text
from scoredag.replacing import replacing

# No file of rules that anybody wrote has more; a device has no end.
_MOST_BYTES = 2**26
# What TOML has to escape in text, beside all that is a control character.
_ESCAPES = MappingProxyType({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_DELETE = "\x7f"


@contextmanager
def naming(path: object, what: str) -> Iterator[None]:
    """Say of which file an error speaks."""
    try:
        yield
    except KnowledgeError as error:
        raise KnowledgeError(f"{what} {str(path)!r:.200}: {error}", error.problems) from error


def read_rules(path: str | PathLike[str]) -> dict[str, Any]:
    """Read the keywords of `scoredag.Knowledge` from a TOML or JSON file.

    Parameters
    ----------
    path : path-like
        Ends in .toml or .json. An empty file holds no rules.

    Raises
    ------
    KnowledgeError
        If it cannot be read, or holds something else. Values are checked by `scoredag.Knowledge`.
    """
    parse = _by_suffix(path, {".toml": tomllib.loads, ".json": _load_json})
    text = _text(path)
    if not text.strip():
        return {}
    try:
        content = parse(text)
    except RecursionError:
        raise KnowledgeError("it is nested too deeply to hold rules") from None
    except (tomllib.TOMLDecodeError, json.JSONDecodeError) as error:
        raise KnowledgeError(f"it is no {Path(path).suffix[1:].upper()}: {error}") from None
    except KnowledgeError:
        raise
    except ValueError:  # Python reads no integers of thousands of digits
        raise KnowledgeError("a number in it has too many digits") from None
    if not isinstance(content, dict):
        raise KnowledgeError(
            "it must hold an object with keys such as 'required'; it holds a "
            f"{type(content).__name__}"
        )
    return content


def write_rules(rules: Mapping[str, Any], path: str | PathLike[str]) -> None:
    """Write the keywords of `scoredag.Knowledge` to a TOML or JSON file, whole or not at all.

    Parameters
    ----------
    rules : mapping
        Values for all keywords.
    path : path-like
        Ends in .toml or .json; its folder must be there.
    """
    to_text = _by_suffix(path, {".toml": _to_toml, ".json": _to_json})
    edges = {name: list(map(_plain_edge, rules[name])) for name in ("required", "forbidden")}
    content = to_text(
        {k: value for k, value in (dict(rules) | edges).items() if value not in ((), [])}
    )
    try:
        encoded = content.encode("utf-8")
    except UnicodeEncodeError as error:
        around = content[max(0, error.start - 20) : error.end + 20]
        raise KnowledgeError(
            f"half of a pair of surrogates is no text for a file: {around!a}"
        ) from None
    with replacing(Path(path), make_folder=False) as partial:
        partial.write_bytes(encoded)


def _plain_edge(edge: Edge) -> str | list[Column]:
    """An edge as ``"a -> b"`` if that reads back as the same edge, else as a list."""
    text = f"{edge[0]} {ARROW} {edge[1]}"
    try:
        same = edge_from_text(text, "") == edge
    except KnowledgeError:
        same = False
    return text if same else list(edge)


def _by_suffix(path: str | PathLike[str], known: dict[str, Callable[..., Any]]) -> Any:
    if not isinstance(path, str | PathLike) or isinstance(fspath(path), bytes):
        raise KnowledgeError(f"path must be the path of a file; got {path!r:.80}")
    if "\0" in str(path):
        raise KnowledgeError("a path cannot hold the NUL character")
    suffix = Path(path).suffix.lower()
    if suffix not in known:
        raise KnowledgeError(f"its name must end in {' or '.join(known)}; it ends in {suffix!r}")
    return known[suffix]


def _text(path: str | PathLike[str]) -> str:
    try:
        with open(path, "rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        raise KnowledgeError("there is no such file") from None
    except IsADirectoryError:
        raise KnowledgeError("it is a folder, not a file") from None
    except OSError as error:
        raise KnowledgeError(f"it cannot be read: {error.strerror or error}") from error
    if len(content) > _MOST_BYTES:
        raise KnowledgeError(f"it has more than {_MOST_BYTES // 2**20} MB, too many for rules")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise KnowledgeError("it is text in UTF-16: save it as UTF-8")
    try:
        # Editors put a byte order mark first.
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise KnowledgeError(f"it is no text in UTF-8, from byte {error.start} on") from None


def _load_json(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_without_repeats)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """TOML refuses a key that is there twice; JSON would drop the first of them."""
    keys = [key for key, _ in pairs]
    repeated = next((key for key in keys if keys.count(key) > 1), None)
    if repeated is not None:
        raise KnowledgeError(
            f"it has the key {quoted(repeated)} twice: write its rules in one list"
        )
    return dict(pairs)


def _to_json(rules: Mapping[str, Any]) -> str:
    return json.dumps(rules, indent=1, ensure_ascii=False) + "\n"


def _to_toml(rules: Mapping[str, Any]) -> str:
    return "".join(f"{key} = {_toml(value, top=True)}\n" for key, value in rules.items())


def _toml(value: Any, *, top: bool = False) -> str:
    """A value in TOML; the entries of a list at the top on a line each."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return f'"{"".join(map(_escaped, value))}"'
    entries = [_toml(entry) for entry in value]
    if top and entries:
        return "\n".join(["[", *(f"    {entry}," for entry in entries), "]"])
    return f"[{', '.join(entries)}]"


def _escaped(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    return f"\\u{ord(letter):04x}" if letter < " " or letter == _DELETE else letter
