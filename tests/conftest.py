"""Settings for all tests."""

from hypothesis import settings

# Shared machines are slow at times, and a failure must be there again on the next run.
settings.register_profile("scoredag", deadline=None, derandomize=True)
settings.load_profile("scoredag")
