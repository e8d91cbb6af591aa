"""The README's example runs, and its commands and links exist."""

import importlib
import re
import warnings
from pathlib import Path

import numpy as np
from typer.main import get_command

from scoredag.cli.app import app
from scoredag.exceptions import DataWarning

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def python_example():
    return README.split("```python\n")[1].split("```")[0]


def test_the_example_runs(tmp_path, monkeypatch, capsys):
    rng = np.random.default_rng(0)
    age = rng.normal(size=120)
    dose = np.tanh(age) + 0.5 * rng.normal(size=120)
    response = np.sin(2 * dose) + 0.3 * rng.normal(size=120)
    table = np.column_stack([dose, response, age])
    header = "dose,response,age"
    np.savetxt(tmp_path / "table.csv", table, delimiter=",", header=header, comments="")
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings(action="ignore", category=DataWarning):
        exec(compile(python_example(), "README", "exec"), {})
    assert "dose" in capsys.readouterr().out


def test_commands_of_the_readme_have_options_that_exist():
    commands = re.findall(r"^    scoredag (\w+)(.*?)(?:#|$)", README, flags=re.M)
    assert len(commands) >= 5
    known = get_command(app).commands
    for name, rest in commands:
        options = [o for p in known[name].params for o in (*p.opts, *p.secondary_opts)]
        assert all(flag in options for flag in re.findall(r"--[a-z-]+", rest))


def test_links_of_the_readme_lead_somewhere():
    targets = re.findall(r"\]\(([^)]+)\)", README)
    assert len(targets) > 5
    assert all((ROOT / target).exists() for target in targets)


def test_the_readme_names_public_things():
    for package, name in re.findall(r"`(order|prune|metrics|simulate)\.(\w+)`", README):
        assert hasattr(importlib.import_module(f"scoredag.{package}"), name)
