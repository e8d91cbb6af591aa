"""Rules on the command line: --knowledge, --require, --forbid, --root, --sink, --tier."""

import json
import re

import numpy as np
import pytest
from typer.testing import CliRunner

from scoredag import Knowledge
from scoredag.cli.app import app

# What the library calls rules, and nobody typed.
LIBRARY_WORDS = re.compile(
    r"(?:required|forbidden|roots|sinks|tiers)(?:\[|:| must)|in roots|in sinks|\btier \d|"
    "write a pair|edges_within_tiers|knowledge contradicts|both sides"
)


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
        (["--require", "doze -> age"], ["'doze' (near: 'dose'), in --require 'doze -> age'"]),
        (["--forbid", "doze->age"], ["'doze' (near: 'dose'), in --forbid 'doze->age'"]),
        (["--root", "doze"], ["'doze' (near: 'dose'), in --root doze"]),
        (["--sink", "x*"], ["no column matches 'x*', in --sink 'x*'"]),
        (["--tier", "age", "--tier", "doze,dose"], ["'doze' (near: 'dose'), in --tier doze,dose"]),
        (["--require", "dose"], ["--require must read", "got 'dose'", "no '->'"]),
        (["--require", "dose", "--require", "age"], ["--require must read", "got 'dose'"]),
        (["--forbid", "a => b"], ["--forbid must read", "got 'a => b'"]),
        (["--require", ""], ["--require must read", "got ''"]),
        (["--require", "a -> b -> c"], ["got 'a -> b -> c'", "goes into a file: see --knowledge"]),
        (["--root", "0"], ["'0' (options take names", "--knowledge), in --root 0"]),
        (["--root", ""], ["--root names no column"]),
        (["--sink", " "], ["--sink names no column"]),
        (["--tier", ","], ["--tier names no column"]),
        (["--require", "dose -> dose"], ["--require 'dose -> dose' makes 'dose' its own cause"]),
        (
            ["--require", "dose -> age", "--root", "age"],
            ["--require 'dose -> age' gives a cause to --root age"],
        ),
        (
            ["--require", "dose -> age", "--sink", "dose"],
            ["--require 'dose -> age' gives an effect to --sink dose"],
        ),
        (
            ["--require", "dose -> age", "--require", "age -> dose"],
            ["by --require 'dose -> age' and --require 'age -> dose'"],
        ),
        (
            ["--require", "dose -> age", "--forbid", "dose -> *"],
            ["--require 'dose -> age' and --forbid 'dose -> *' both"],
        ),
        (
            ["--tier", "age", "--tier", "dose", "--require", "dose -> age"],
            ["--require 'dose -> age'", "'age' is in --tier age, 'dose' in --tier dose"],
        ),
        (["--tier", "age", "--tier", "age,dose"], ["'age' is in --tier age and --tier age,dose"]),
        (
            ["--tier", "age,dose", "--no-edges-within-tiers", "--require", "age -> dose"],
            ["both in --tier age,dose, with --no-edges-within-tiers"],
        ),
        (["--knowledge", "missing.toml"], ["missing.toml"]),
    ],
)
def test_bad_rules_end_in_a_sentence_about_what_was_typed(table, options, words):
    result = discover(table, *options)
    assert result.exit_code == 2
    assert "Traceback" not in result.stderr
    assert all(word in result.stderr for word in words), result.stderr
    assert not LIBRARY_WORDS.search(result.stderr), result.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--root", "doze"], ["'doze' (near: 'dose'), in --root doze"]),
        (["--forbid", "dose -> *"], ["and the options", "required: 'dose -> weight' and --forbid"]),
        (["--require", "dose -> age"], ["--require 'dose -> age' leads", "'dose' in tier 2"]),
        (
            ["--tier", "age", "--tier", "dose", "--tier", "weight", "--require", "weight -> age"],
            ["--require 'weight -> age' leads", "'weight' in --tier weight"],
        ),
        (["--tier", "dose,age"], []),
        (["--tier", "dose", "--tier", "age"], ["and the options", "both have tiers"]),
    ],
)
def test_rules_of_a_file_are_not_called_options(table, tmp_path, options, words):
    rules = tmp_path / "rules.toml"
    Knowledge(required=["dose -> weight"], tiers=["age", "dose"]).to_file(rules)
    result = discover(table, "--knowledge", str(rules), *options)
    assert result.exit_code == (2 if words else 0)
    assert all(word in result.stderr for word in words), result.stderr


def test_a_file_that_does_not_fit_the_table_is_named(table, tmp_path):
    rules = tmp_path / "rules.toml"
    Knowledge(required=["0 -> age"]).to_file(rules)
    result = discover(table, "--knowledge", str(rules), "--root", "dose")
    assert result.exit_code == 2
    assert "rules.toml" in result.stderr
    assert "write a pair such as [0, 1]" in result.stderr
