"""Settings for all tests."""

from pathlib import Path

import pytest
from hypothesis import settings

# Shared machines are slow at times, and a failure must be there again on the next run.
settings.register_profile("scoredag", deadline=None, derandomize=True)
settings.load_profile("scoredag")


@pytest.fixture
def public_data():
    """Folder with the data sets that cannot be bundled, beside the checkout where it is there."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not (folder / "syntren" / "syntren.npz").is_file():
        pytest.skip("SynTReN and GraN-DAG's data are not beside the checkout (../shared/data)")
    return folder
