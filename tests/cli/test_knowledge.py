"""Rules on the command line: --knowledge, --require, --forbid, --root, --sink, --tier."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from scoredag import Knowledge
from scoredag.cli.app import app


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    age, weight = rng.normal(size=(2, 150))
    dose = np.tanh(age) + 0.5 * rng.normal(size=150)
    response = np.sin(2 * dose) + 0.3 * rng.normal(size=150)
    path = tmp_path / "table.csv"
    columns = np.column_stack([age, dose, response, weight])
    np.savetxt(path, columns, delimiter=",", header="age,dose,response,weight", comments="")
    return path


def discover(table, *options, method="score"):
    return CliRunner().invoke(app, ["discover", str(table), "--method", method, *options])


def found(table, *options, method="score"):
    result = discover(table, *options, "--json", method=method)
    assert result.exit_code == 0, result.stderr
    document = json.loads(result.stdout)
    return document, {(edge["cause"], edge["effect"]) for edge in document["edges"]}


@pytest.mark.parametrize("method", ["score", "cam", "varsort", "r2sort", "listen"])
def test_rules_are_obeyed_by_every_method(table, method):
    document, edges = found(
        table,
        *("--require", "response -> weight", "--require", "weight -> age"),
        *("--forbid", "* -> dose"),
        method=method,
    )
    assert {("response", "weight"), ("weight", "age")} <= edges
    assert not any(effect == "dose" for _, effect in edges)
    order = document["order"]
    assert order.index("response") < order.index("weight") < order.index("age")
    required = {(e["cause"], e["effect"]) for e in document["edges"] if e["required"]}
    assert required == {("response", "weight"), ("weight", "age")}


def test_the_flagship_obeys_them(table):
    document, edges = found(
        table, "--require", "response -> dose", "--root", "age", method="scoregp"
    )
    assert ("response", "dose") in edges
    assert not any(effect == "age" for _, effect in edges)
    assert document["knowledge"]["rules"]["roots"] == ["age"]


def test_tiers_come_in_the_order_in_which_they_are_given(table):
    document, edges = found(table, "--tier", "response, weight", "--tier", "dose")
    assert document["order"].index("response") < document["order"].index("dose")
    assert ("dose", "response") not in edges
    assert document["knowledge"]["rules"]["tiers"] == [["response", "weight"], ["dose"]]


def test_sinks_and_tiers_without_edges_within(table):
    _, edges = found(
        table, "--sink", "age", "--tier", "age,dose,response,weight", "--no-edges-within-tiers"
    )
    assert edges == set()


def test_a_file_and_options_go_together(table, tmp_path):
    rules = tmp_path / "rules.toml"
    Knowledge(forbidden=["dose -> response"]).to_file(rules)
    document, edges = found(table, "--knowledge", str(rules), "--require", "weight -> age")
    assert ("weight", "age") in edges
    assert ("dose", "response") not in edges
    (favoured,) = document["knowledge"]["favoured_but_forbidden"]
    assert (favoured["cause"], favoured["effect"]) == ("dose", "response")
    assert favoured["evidence"] > 10
    assert favoured["rule"] == "forbidden: 'dose -> response'"


def test_without_rules_nothing_is_said_of_them(table):
    document, _ = found(table)
    assert "knowledge" not in document
    assert not any("required" in edge for edge in document["edges"])


def test_people_see_rules_too(table, tmp_path):
    page = tmp_path / "report.html"
    result = discover(table, "--require", "weight -> age", "--output", str(page))
    assert "Rules that the graph obeys:" in result.stdout
    assert "required: 'weight' → 'age'" in result.stdout
    html = page.read_text()
    assert "What was known" in html
    assert "<td>required</td>" in html


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--require", "doze -> age"], ["'doze'", "'dose'"]),
        (["--require", "dose"], ["dose"]),
        (["--root", "doze"], ["'doze'", "'dose'"]),
        (["--require", "a => b"], ["a => b"]),
        (["--require", "dose -> age", "--root", "age"], ["root", "age"]),
        (["--require", "dose -> age", "--require", "age -> dose"], ["dose", "age"]),
        (["--require", "dose -> age", "--forbid", "dose -> *"], ["dose", "age"]),
        (["--tier", "age", "--tier", "dose", "--require", "dose -> age"], ["tier"]),
        (["--tier", "age", "--tier", "age"], ["age"]),
        (["--knowledge", "missing.toml"], ["missing.toml"]),
    ],
)
def test_bad_rules_end_in_a_sentence(table, options, words):
    result = discover(table, *options)
    assert result.exit_code == 2
    assert "Traceback" not in result.stderr
    assert all(word in result.stderr for word in words), result.stderr
