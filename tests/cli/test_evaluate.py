import json
import re

import pytest


@pytest.fixture
def graphs(tmp_path):
    true, pred = tmp_path / "true.csv", tmp_path / "pred.csv"
    true.write_text("cause,effect\na,b\nb,c\nc,d\n")
    pred.write_text("cause,effect\na,b\nc,b\nb,d\n")
    return true, pred


def test_document(run, graphs):
    result = run("evaluate", *graphs, "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["shd"] == 3
    assert found["sid"] > 0
    assert found["precision"] == pytest.approx(1 / 3)
    assert found["missing"] == [{"cause": "c", "effect": "d"}]
    assert found["extra"] == [{"cause": "b", "effect": "d"}]
    assert found["reversed"] == [{"cause": "b", "effect": "c"}]


def test_what_people_see(run, graphs):
    shown = run("evaluate", *graphs).stdout
    for words in ("SHD", "SID", "Precision", "Recall", "Missing: c → d", "Reversed: b → c"):
        assert words in shown


def test_equal_graphs(run, graphs):
    found = json.loads(run("evaluate", graphs[0], graphs[0], "--json").stdout)
    assert (found["shd"], found["sid"], found["f1"]) == (0, 0, 1.0)
    assert "Missing" not in run("evaluate", graphs[0], graphs[0]).stdout


def test_a_cycle_has_no_sid(run, graphs, tmp_path):
    cyclic = tmp_path / "cyclic.csv"
    cyclic.write_text("cause,effect\na,b\nb,a\n")
    found = json.loads(run("evaluate", graphs[0], cyclic, "--json").stdout)
    assert found["sid"] is None
    shown = run("evaluate", graphs[0], cyclic).stdout
    assert re.search("SID +– +not defined: the graph that was found has a cycle", shown)


def test_names_without_a_counterpart(run, graphs, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("cause,effect\nA, b\n")
    result = run("evaluate", graphs[0], other, "--json")
    assert "true.csv: 'a', 'c' and 'd'; only in" in result.stderr
    assert "other.csv: 'A'. They count as nodes without edges" in result.stderr
    found = json.loads(result.stdout)
    assert (found["only_in_true"], found["only_in_pred"]) == (["a", "c", "d"], ["A"])
    assert run("evaluate", *graphs).stderr == ""


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("missing.csv", None, "cannot be read: No such file"),
        ("graph.xyz", b"", "must end in one of"),
        ("graph.csv", b"from,to\na,b\n", "graph.csv"),
        ("graph.csv", b"", "graph.csv"),
        ("graph.csv", b"cause,effect\na,a\n", "graph.csv: 'a' has an edge to itself"),
        ("graph.json", b"[1, 2", "graph.json"),
        ("graph.gml", b"\x00\xff\xfe", "graph.gml"),
    ],
)
def test_bad_graphs(run, graphs, tmp_path, name, content, words):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    result = run("evaluate", graphs[0], path)
    assert result.exit_code == 2, result.output
    assert words in result.stderr
    assert "Traceback" not in result.stderr


def test_a_directory_is_no_graph(run, graphs, tmp_path):
    folder = tmp_path / "folder.csv"
    folder.mkdir()
    result = run("evaluate", folder, graphs[0])
    assert result.exit_code == 2
    assert "Is a directory" in result.stderr
