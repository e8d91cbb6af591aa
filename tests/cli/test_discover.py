"""``scoredag discover``: results, documents and files."""

import json
import re

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from scoredag import SCORE, ScoreGP, VarSort
from scoredag.graph import read_graph


def document(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_what_people_see(run, table):
    result = run("discover", table, "--method", "varsort")
    assert result.exit_code == 0
    assert "150 rows, 3 columns" in result.stdout
    assert "Causal order, sources first:" in result.stdout
    assert re.search(r"dose\s+→\s+effect\s+\S+", result.stdout)
    assert "--output report.html" in result.stdout


def test_json_is_the_fit(run, table, frame):
    found = document(run("discover", table, "--json", "--method", "score"))
    fitted = SCORE().fit(frame)
    assert found["order"] == [frame.columns[k] for k in fitted.causal_order_]
    edges = {(edge["cause"], edge["effect"]): edge for edge in found["edges"]}
    assert set(edges) == set(fitted.graph_.edges)
    for cause, effect, known in fitted.graph_.edges(data=True):
        assert edges[cause, effect]["p_value"] == known["p_value"]
    assert found["columns"] == ["dose", "effect", "other"]
    assert found["rows"] == 150
    assert found["parameters"]["alpha"] == 1e-3


def test_the_default_is_scoregp(run, table, frame):
    found = document(run("discover", table, "--json"))
    fitted = ScoreGP().fit(frame)
    assert found["method"] == "ScoreGP"
    ((cause, effect, known),) = fitted.graph_.edges(data=True)
    (edge,) = found["edges"]
    assert (edge["cause"], edge["effect"]) == (cause, effect) == ("dose", "effect")
    assert edge["evidence"] == known["evidence"] > 10
    assert edge["direction"] == known["direction"]
    assert edge["undirected"] is False
    assert found["by_rank"] == []


def test_options_of_scoregp(run, table):
    given = {
        "alpha": 0.2,
        "noise": "normal",
        "margins": "rank",
        "random_state": 7,
        "rows": 50,
        "final_rows": 90,
    }
    options = [f"--{name.replace('_', '-')}={value}" for name, value in given.items()]
    found = document(run("discover", table, "--json", *options))
    assert given.items() <= found["parameters"].items()
    assert found["by_rank"] == found["columns"]


def test_undirected_edges_are_shown(run, tmp_path):
    rng = np.random.default_rng(0)
    x, noise = rng.normal(size=(2, 150))
    path = tmp_path / "line.csv"
    pd.DataFrame({"x": x, "y": x + noise}).to_csv(path, index=False)
    (edge,) = document(run("discover", path, "--json"))["edges"]
    assert edge["undirected"] is True
    shown = run("discover", path).stdout
    assert re.search(rf"{edge['cause']}\s+—\s+{edge['effect']}\s", shown)
    assert "— instead of →" in shown


@pytest.mark.parametrize("option", ["--rows", "--final-rows"])
def test_too_few_rows_for_the_search(run, table, option):
    result = run("discover", table, option, 49)
    assert result.exit_code == 2
    assert option in result.stderr
    assert "50" in result.stderr


def test_options_reach_the_estimator(run, table):
    found = document(
        run(
            *("discover", table, "--json", "--criterion", "scale_free", "--alpha", 0.01),
            *("--smoothing", "gcv", "--eta", 0.01, "--jobs", 2, "--method", "score"),
            *("--score-estimator", "local", "--screen", "forward"),
        )
    )
    assert found["parameters"] == {
        "eta": 0.01,
        "criterion": "scale_free",
        "pruner": "cam",
        "alpha": 0.01,
        "smoothing": "gcv",
        "score_estimator": "local",
        "screen": "forward",
        "random_state": 0,
    }


@pytest.mark.parametrize("method", ["scoregp", "score"])
def test_no_screen_can_be_said(run, table, method):
    result = run("discover", table, "--json", "--method", method, "--screen", "none")
    assert "screen" not in document(result)["parameters"]  # which has no parameter that is None


def test_without_a_word_scoregp_decides_on_a_screen(run, table):
    assert document(run("discover", table, "--json"))["parameters"]["screen"] == "auto"


def test_alpha_decides(run, table, frame):
    edges = [
        len(document(run("discover", table, "--json", "-m", "varsort", "--alpha", alpha))["edges"])
        for alpha in (1e-5, 0.99)
    ]
    assert edges[0] < edges[1] == 3


def test_reverse_turns_the_order_round(run, table, frame):
    orders = [
        document(run("discover", table, "--json", "-m", "varsort", *more))["order"]
        for more in ((), ("--reverse",))
    ]
    assert (
        orders[0]
        == orders[1][::-1]
        == [frame.columns[k] for k in VarSort().fit(frame).causal_order_]
    )


def test_select_and_drop(run, table):
    found = document(run("discover", table, "--json", "--select", "effect,dose"))
    assert found["columns"] == ["effect", "dose"]
    found = document(run("discover", table, "--json", "-s", "effect", "-s", "dose"))
    assert found["columns"] == ["effect", "dose"]
    assert document(run("discover", table, "--json", "-d", "other"))["columns"] == [
        "dose",
        "effect",
    ]


def test_standardize_takes_the_units_away(run, table, frame, tmp_path):
    other_units = tmp_path / "units.csv"
    (frame * [1000, 0.01, 1] + 5).to_csv(other_units, index=False)
    options = ("--json", "--standardize", "--method", "score")
    first = run("discover", table, *options)
    second = run("discover", other_units, *options)
    assert document(first)["order"] == document(second)["order"]
    assert [edge["p_value"] for edge in document(first)["edges"]] == pytest.approx(
        [edge["p_value"] for edge in document(second)["edges"]], rel=1e-6
    )
    assert "scales differ" not in second.stderr
    assert document(second)["source"].endswith("units.csv, columns standardised")


def test_standard_input(run, table):
    piped = run("discover", "-", "--json", input=table.read_bytes())
    assert document(piped)["source"] == "standard input"
    assert document(piped)["edges"] == document(run("discover", table, "--json"))["edges"]


@pytest.mark.parametrize("name", ["table.parquet", "table.feather", "table.tsv"])
def test_other_formats_give_the_same(run, table, frame, tmp_path, name):
    path = tmp_path / name
    if name.endswith("tsv"):
        frame.to_csv(path, sep="\t", index=False)
    else:
        getattr(frame, f"to_{path.suffix[1:]}")(path)
    expected = document(run("discover", table, "--json"))["edges"]
    assert document(run("discover", path, "--json"))["edges"] == expected


def test_decimal_and_header_options(run, frame, tmp_path):
    path = tmp_path / "european.csv"
    frame.to_csv(path, sep=";", decimal=",", index=False, header=False)
    found = document(run("discover", path, "--json", "--decimal", ",", "--no-header"))
    assert found["columns"] == ["x0", "x1", "x2"]
    assert found["rows"] == 150


def test_every_kind_of_output(run, table, tmp_path):
    paths = [tmp_path / f"graph.{suffix}" for suffix in ("json", "csv", "gml", "dot", "html")]
    options = [part for path in paths for part in ("--output", path)]
    found = document(run("discover", table, "--json", "-m", "varsort", *options))
    edges = {(edge["cause"], edge["effect"]) for edge in found["edges"]}
    assert edges
    for path in paths[:3]:
        assert set(read_graph(path).edges) == edges
    assert set(nx.read_gml(paths[2]).edges) == edges
    assert paths[3].read_text().startswith("digraph")
    assert paths[4].read_text().startswith("<!doctype html>")


def test_output_is_named_at_the_end(run, table, tmp_path):
    result = run("discover", table, "-o", tmp_path / "graph.json")
    assert "Wrote" in result.stdout
    assert "graph.json" in result.stdout


def test_warnings_go_to_standard_error_and_into_the_document(run, frame, tmp_path):
    path = tmp_path / "rounded.csv"
    frame.round({"other": 0}).to_csv(path, index=False)
    result = run("discover", path, "--json")
    assert "Warning: columns of whole numbers or with many ties: 'other'" in result.stderr
    (told,) = [text for text in document(result)["warnings"] if "ties" in text]
    assert told in result.stderr


def test_missing_header_warns_and_is_kept_in_the_document(run, frame, tmp_path):
    path = tmp_path / "bare.csv"
    frame.to_csv(path, index=False, header=False)
    result = run("discover", path, "--json")
    assert "holds only numbers" in result.stderr
    assert any("holds only numbers" in text for text in document(result)["warnings"])


def test_truth_adds_a_comparison(run, table, tmp_path):
    truth = tmp_path / "truth.csv"
    truth.write_text("cause,effect\ndose,effect\n")
    result = run("discover", table, "--json", "-m", "varsort", "--truth", truth)
    assert document(result)["comparison"]["recall"] == 1.0
    seen = run("discover", table, "-m", "varsort", "--truth", truth).stdout
    assert "SHD" in seen
    assert "in both graphs" in seen


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cause,effect\ndose,weight\n", "truth.csv has nodes that are no columns of"),
        ("cause,effect\ndose,Effect\n", "'Effect' (did you mean 'effect'?)"),
        ("cause,effect\ndose,effect\neffect,dose\n", "the cycle 'dose' -> 'effect' -> 'dose'"),
        ("cause,effect\ndose,dose\n", "truth.csv: 'dose' has an edge to itself"),
        ("nonsense", "truth.csv"),
    ],
)
def test_bad_truth(run, table, tmp_path, text, words):
    truth = tmp_path / "truth.csv"
    truth.write_text(text)
    result = run("discover", table, "--truth", truth)
    assert result.exit_code == 2
    assert words in result.stderr


def test_missing_truth(run, table):
    result = run("discover", table, "--truth", "no.csv")
    assert result.exit_code == 2
    assert "no.csv cannot be read: No such file" in result.stderr


def test_jacobian_pruner_has_its_own_statistic(run, table):
    found = document(run("discover", table, "--json", "-m", "score", "--pruner", "jacobian"))
    assert found["parameters"]["pruner"] == "jacobian"
    assert all("p_value" not in edge for edge in found["edges"])
    assert run("discover", table, "-m", "score", "--pruner", "jacobian").exit_code == 0


def test_names_cannot_control_the_terminal(run, frame, tmp_path):
    path = tmp_path / "odd.csv"
    frame.columns = ["[red]dose[/red]", "eff\x1b[31mect", "<b>"]
    frame.to_csv(path, index=False)
    result = run("discover", path, "-m", "varsort", "-o", tmp_path / "page.html")
    assert result.exit_code == 0
    assert "[red]dose[/red]" in result.stdout
    assert "\x1b[31m" not in result.stdout
    assert r"eff\x1b[31mect" in result.stdout


def test_no_edges_are_reported_as_such(run, tmp_path):
    path = tmp_path / "noise.csv"
    noise = np.random.default_rng(1).normal(size=(100, 3))
    pd.DataFrame(noise, columns=list("abc")).to_csv(path, index=False)
    result = run("discover", path, "-o", tmp_path / "page.html")
    assert result.exit_code == 0
    assert "No edge was found." in result.stdout


def test_long_names_are_not_folded_in_a_pipe(run, frame, tmp_path):
    path = tmp_path / "long.csv"
    frame.columns = ["d" * 90, "e" * 90, "other"]
    frame.to_csv(path, index=False)
    shown = run("discover", path, "-m", "varsort").stdout
    assert re.search(f"{'d' * 90} +→ +{'e' * 90} +[0-9]", shown)


def test_numbered_first_line_is_warned_about(run, tmp_path):
    path = tmp_path / "bare.csv"
    values = np.random.default_rng(0).normal(size=(30, 2))
    path.write_text("0,1\n" + "".join(f"{a},{b}\n" for a, b in values))
    result = run("discover", path, "-m", "varsort")
    assert "so it was read as names. If it is data, pass --no-header" in result.stderr


def test_copies_of_rows_count_once(run, frame, tmp_path):
    path = tmp_path / "twice.csv"
    pd.concat([frame, frame]).to_csv(path, index=False)
    shown = run("discover", path, "--method", "varsort")
    assert "150 rows, 3 columns" in shown.stdout
    assert "150 of 300 rows are copies of other rows." in re.sub(r"\s+", " ", shown.stderr)
    found = document(run("discover", path, "--json", "--method", "varsort"))
    assert found["rows"] == 150
    assert any("copies" in told for told in found["warnings"])


def test_a_time_series_is_named(run, frame, tmp_path):
    path = tmp_path / "series.csv"
    frame.cumsum().to_csv(path, index=False)
    found = document(run("discover", path, "--json", "--method", "varsort"))
    assert any("as in a time series" in told for told in found["warnings"])
