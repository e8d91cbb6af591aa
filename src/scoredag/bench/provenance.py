"""What made a row: versions, machine, and the sources themselves."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import platform
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

import scoredag

_LIBRARIES = ("numpy", "scipy", "scikit-learn")
# Parts of the benchmark that decide results, too.
_DECIDING = ("measures", "methods.py", "problems", "scoring.py")


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
    r"""Python code without its comments, docstrings and layout.

    Examples
    --------
    >>> without_prose("def f(x):  # the square\n    'Square.'\n    return (x\n        * x)")
    'def f(x):\n    return x * x'
    """
    tree = ast.parse(source)
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for node in ast.walk(tree):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)
