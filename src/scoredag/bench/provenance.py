"""What made a row: versions, machine, and the sources themselves."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path

import scoredag

_LIBRARIES = ("numpy", "scipy", "scikit-learn")


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
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


@cache
def fingerprint() -> str:
    """A name for the sources that decide results, as they are at the first call.

    What only runs, keeps and shows results is left out: the harness, the command line, reports.
    """
    folder = Path(scoredag.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        part = path.relative_to(folder)
        if _decides_results(part):
            digest.update(str(part).encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def _decides_results(part: Path) -> bool:
    if part.parts[0] == "bench":
        return part.parts[1] in ("measures", "methods.py", "problems", "scoring.py")
    return part.parts[0] not in ("cli", "report")
