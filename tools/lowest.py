"""Print constraints for pip: the lowest version that pyproject.toml declares of each dependency.

A package without a declared bound, such as a development tool, keeps its version of the lock.
"""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main() -> None:
    """Print a line for each package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = sum(project["optional-dependencies"].values(), project["dependencies"])
    lowest = dict(requirement.split(">=") for requirement in declared if ">=" in requirement)
    lowest = {name.split("[")[0]: version for name, version in lowest.items()}  # without extras
    for name, version in lowest.items():
        print(f"{name}=={version}")
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if re.split("==|#", line)[0] not in lowest:
            print(line)


if __name__ == "__main__":
    main()
