"""Modules and tests of what trains networks are skipped, with the reason, without PyTorch."""

from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
NEEDS_PYTORCH = [
    ROOT / "src/scoredag/estimators/grandag",
    ROOT / "src/scoredag/pytorch.py",
    ROOT / "src/scoredag/score/denoising.py",
    ROOT / "src/scoredag/score/fields/amortised.py",
    ROOT / "tests/estimators/grandag",
    ROOT / "tests/reference/naive_networks.py",
    ROOT / "tests/score/test_amortised.py",
    ROOT / "tests/test_pytorch.py",
]


class WithoutPyTorch(pytest.File):
    """A file whose imports or examples would fail."""

    def collect(self):
        """Skip the file."""
        pytest.skip("needs PyTorch: see CONTRIBUTING.md", allow_module_level=True)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path, parent):
    """Replace what would collect the tests and examples of such a file."""
    collectors = yield
    needs_pytorch = any(file_path.is_relative_to(path) for path in NEEDS_PYTORCH)
    if collectors and needs_pytorch and find_spec("torch") is None:
        return [WithoutPyTorch.from_parent(parent, path=file_path)]
    return collectors
