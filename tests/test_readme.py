"""The README shows what the commands print, and its examples run."""

import re
from pathlib import Path

from numpy.testing import assert_allclose

from scoredag import ScoreGP
from scoredag.graph import full_dag
from scoredag.metrics import shd
from scoredag.order import peel
from scoredag.prune import cam_prune
from scoredag.simulate import paper_dataset

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


NUMBER = re.compile(r"\d[\d.]*(?:e-\d+)?")


def masked(text):
    """Words and layout without the numbers."""
    return [NUMBER.sub("#", line.rstrip()) for line in text.strip().splitlines()]


def numbers(text):
    return [float(number.rstrip(".")) for number in NUMBER.findall(text)]


def test_demo_prints_what_the_readme_shows(tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from scoredag.cli.app import app

    monkeypatch.chdir(tmp_path)
    printed = CliRunner().invoke(app, ["demo", "--output", "report.html"]).stdout
    shown = README.split("```text\n")[1].split("```")[0]
    shown = shown[shown.index("SCORE on the Sachs") :]  # the warning goes to standard error
    assert masked(printed) == masked(shown)
    # The last digits depend on the machine's rounding.
    assert_allclose(numbers(printed), numbers(shown), rtol=0.1)
    assert (tmp_path / "report.html").exists()


def test_the_example_of_the_pieces():
    data = paper_dataset(d=10, graph="ER4", seed=0)
    pruned = cam_prune(data.X, full_dag(peel(data.X)), alpha=0.01)
    assert 0 < shd(data.adjacency, pruned.adjacency) < 30
    model = ScoreGP().fit(data.X[:150, :4])
    assert all(hasattr(model, name) for name in re.findall(r"model\.(\w+_)\b", README))
