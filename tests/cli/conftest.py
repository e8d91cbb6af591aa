"""Run the command in this process, and tables to run it on."""

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from scoredag.cli.app import app
from scoredag.cli.wording import in_flags


@pytest.fixture
def run():
    def invoke(*arguments, **options):
        result = CliRunner().invoke(app, [str(argument) for argument in arguments], **options)
        # Nothing that is printed names an argument of the library that has a flag.
        assert in_flags(result.stderr) == result.stderr
        return result

    return invoke


@pytest.fixture
def frame():
    """Dose causes effect, by a bent line; the third column is alone."""
    rng = np.random.default_rng(0)
    dose, noise, other = rng.normal(size=(3, 150))
    return pd.DataFrame({"dose": dose, "effect": 3 * np.tanh(dose) + 0.5 * noise, "other": other})


@pytest.fixture
def table(frame, tmp_path):
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    return path
