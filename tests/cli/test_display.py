"""What is left of the table of edges on terminals of every width."""

import io
import re
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from scoredag.cli.display import show_finding
from scoredag.cli.present import finding_document
from scoredag.report import Edge, Finding

NAMES = ("temperature", "pressure", "c")


@pytest.fixture
def finding():
    evidence = {"p_value": 1e-20, "edf": 3.4}
    edges = (Edge(0, 1, evidence, 0.5), Edge(2, 1, evidence, 0.5))
    return Finding("t.csv", 200, NAMES, "SCORE", {}, (0, 2, 1), edges, truth=np.eye(3, k=1))


def shown(finding, width):
    screen = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)
    show_finding(finding, screen)
    return screen.file.getvalue()


@pytest.mark.parametrize(
    ("width", "headings", "left_out"),
    [
        (30, ["Cause", "Effect"], 4),
        (40, ["Cause", "Effect", "p-value", "edf"], 2),
        (60, ["Cause", "Effect", "p-value", "edf", "size", "reference"], 0),
        (100, ["Cause", "Effect", "p-value", "edf", "size", "against", "the", "reference"], 0),
    ],
)
def test_names_stay_whole_and_other_columns_go_first(finding, width, headings, left_out):
    lines = shown(finding, width).splitlines()
    (header,) = [line for line in lines if line.startswith("Cause ")]
    assert header.split() == headings
    assert any(line.split()[:3] == ["temperature", "→", "pressure"] for line in lines)
    assert (f"a wider terminal shows {left_out} more columns" in shown(finding, width)) == (
        left_out > 0
    )


def test_long_names_are_folded_last(finding):
    long = replace(finding, names=("temperature_outside", *NAMES[1:]))
    lines = shown(long, 60).splitlines()
    (first,) = [line for line in lines if re.match(r"temperature_outs? ", line)]
    assert first.split()[1:] == ["→", "pressure", "1.0e-20", "3.4", "0.50", "in", "both"]


def test_no_name_vanishes_on_a_tiny_terminal(finding):
    """Folded, each over lines of its own column."""
    lines = shown(finding, 20).splitlines()
    start = next(k for k, line in enumerate(lines) if line.split() == ["Cause", "Effect"])
    first, second = lines[start + 1 : start + 3]
    assert "".join([first.split()[0], second.split()[0]]) == "temperature"
    assert "".join([first.split()[2], second.split()[1]]) == "pressure"


def test_columns_stand_in_the_order_of_the_method(finding):
    """Whichever edge comes first, and whichever of them it has."""
    edges = (
        Edge(0, 1, {"evidence": 9.0, "edf": 2.0}),
        Edge(2, 1, {"evidence": 8.0, "linear": 1.0}),
    )
    statistics = ("evidence", "direction", "linear", "edf")
    for ordered in (edges, edges[::-1]):
        changed = replace(finding, edges=ordered, statistics=statistics, truth=None)
        (header,) = [x for x in shown(changed, 100).splitlines() if x.startswith("Cause ")]
        assert header.split() == ["Cause", "Effect", "evidence", "linear", "edf"]
        document = finding_document(changed)
        assert {tuple(edge) for edge in document["edges"]} == {
            ("cause", "effect", "evidence", "edf"),
            ("cause", "effect", "evidence", "linear"),
        }
