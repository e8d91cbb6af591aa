"""Settings for all tests."""

import signal
from pathlib import Path

import pytest
from hypothesis import settings

# Shared machines are slow at times, and a failure must be there again on the next run.
settings.register_profile("scoredag", deadline=None, derandomize=True)
settings.load_profile("scoredag")


# A job in the background of a script ignores Ctrl-C, and so would what tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def public_data():
    """Folder with the data sets that cannot be bundled, beside the checkout where it is there."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not (folder / "syntren" / "syntren.npz").is_file():
        pytest.skip("SynTReN and GraN-DAG's data are not beside the checkout (../shared/data)")
    return folder
