"""What made a row: versions, machine, and the sources themselves."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import platform
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import CodeType

import scoredag

_LIBRARIES = ("numpy", "scipy", "scikit-learn")
# Parts of the benchmark that decide results, too.
_DECIDING = ("measures", "methods.py", "problems", "scoring.py")
_FIRST_LINE = ast.Pass(lineno=1, end_lineno=1, col_offset=0, end_col_offset=0)


def versions(others: Mapping[str, str]) -> dict[str, str]:
    """Columns of a row that say on what it was computed."""
    libraries = {name: version(name) for name in _LIBRARIES} | dict(others)
    return {
        "scoredag": scoredag.__version__,
        "code": fingerprint(),
        "python": platform.python_version(),
        "libraries": json.dumps(libraries, sort_keys=True),
        "machine": machine(),
    }


@cache
def machine() -> str:
    """The processor, its cores, and the system, in a few words."""
    processor = platform.processor() or platform.machine()
    with suppress(OSError):
        facts = Path("/proc/cpuinfo").read_text()
        models = re.findall(r"^model name\s*: *(.*?) *$", facts, flags=re.MULTILINE)
        processor = models[0] if models else platform.machine()
    return f"{processor}, {os.cpu_count()} cores, {platform.system()}"


@cache
def fingerprint() -> str:
    """A name for the sources that decide results, as they are at the first call.

    What only runs, keeps and shows results is left out: the harness, the command line, reports.
    So are comments and docstrings, which decide nothing. Releases of Python write some code
    differently: a name is good for one release.
    """
    folder = Path(scoredag.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        top, *rest = path.relative_to(folder).parts
        harness = top == "bench" and rest[0] not in _DECIDING
        if not harness and top not in ("cli", "report"):
            code = without_prose(path.read_text(encoding="utf-8"))
            digest.update(f"{path.relative_to(folder).as_posix()}\n{code}\n".encode())
    return digest.hexdigest()[:12]


def without_prose(source: str) -> str:
    r"""What Python runs of some source: no comments, docstrings or layout, and no assertions.

    A new docstring can count where there was none. Byte code is compared instead of syntax trees,
    which Python 3.11 does not build safely in several threads.

    Examples
    --------
    >>> square = without_prose("def f(x):\n    return x * x")
    >>> without_prose("def f(x):  # the square\n    return (x\n    * x)") == square
    True
    >>> without_prose("def f(x):\n    return x + x") == square
    False
    """
    code: str | ast.Module = source
    if sys.version_info >= (3, 13):  # whose byte code depends on where lines break
        code = ast.parse(source)
        for node in ast.walk(code):
            if hasattr(node, "lineno"):
                ast.copy_location(node, _FIRST_LINE)
    return _described(compile(code, "", "exec", dont_inherit=True, optimize=2))


def _described(constant: object) -> str:
    """A constant of byte code in words that depend on no line numbers, addresses or hashes."""
    if isinstance(constant, CodeType):
        parts = (
            constant.co_code,
            constant.co_names,
            constant.co_varnames,
            constant.co_freevars,
            constant.co_exceptiontable,
        )
        return f"{parts} [{' '.join(_described(each) for each in constant.co_consts)}]"
    if isinstance(constant, tuple):
        return f"({' '.join(_described(each) for each in constant)})"
    if isinstance(constant, frozenset):
        return f"{{{' '.join(sorted(_described(each) for each in constant))}}}"
    return repr(constant)
