import json
import re

import networkx as nx
import numpy as np
import pytest

from scoredag.graph import to_networkx, write_graph


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


@pytest.fixture
def chain(tmp_path):
    """a -> b -> c, and d alone, in every notation that we take."""
    graph = to_networkx(np.eye(4, k=1) * [[1], [1], [0], [0]], list("abcd"))
    for suffix in ("csv", "dot", "gml", "json"):
        write_graph(graph, tmp_path / f"graph.{suffix}")
    nx.to_pandas_adjacency(graph).to_csv(tmp_path / "matrix.csv")
    edges = [{"cause": i, "effect": j, "open": i == "a"} for i, j in graph.edges]
    document = {"columns": list("abcd"), "order": list("dabc"), "edges": edges}
    (tmp_path / "document.json").write_text(json.dumps(document))
    (tmp_path / "edges.json").write_text(json.dumps(edges))
    return tmp_path


FILES = ["csv", "dot", "gml", "json"]


@pytest.mark.parametrize(
    "name", [*(f"graph.{suffix}" for suffix in FILES), "document.json", "edges.json"]
)
def test_our_own_files(run, chain, name):
    for pair in ((name, "graph.gml"), ("graph.gml", name)):
        result = run("evaluate", *(chain / part for part in pair), "--json")
        assert result.exit_code == 0, result.output
        assert json.loads(result.stdout)["shd"] == 0
        assert "matrix" not in result.stderr


def test_a_matrix_is_announced_with_its_direction(run, chain):
    path = chain / "matrix.csv"
    result = run("evaluate", path, chain / "graph.gml", "--json")
    assert json.loads(result.stdout)["shd"] == 0
    assert result.stderr == (
        f"{path} was read as a matrix: an entry in row a and column b means a -> b.\n"
    )


def test_what_discover_prints_can_be_evaluated(run, table, tmp_path):
    found = run("discover", table, "--json", "--method", "varsort").stdout
    (tmp_path / "found.json").write_text(found)
    edges = json.loads(found)["edges"]
    (tmp_path / "edges.json").write_text(json.dumps(edges))
    result = run("evaluate", tmp_path / "edges.json", tmp_path / "found.json", "--json")
    assert json.loads(result.stdout)["shd"] == 0
    assert json.loads(result.stdout)["nodes"] == 3


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("deep.json", b"[" * 100_000, "nested too deeply to be a graph"),
        ("deep.gml", b"graph [ " * 10_000, "nested too deeply to be a graph"),
        ("deep.dot", b"digraph " + b"{" * 10_000, "nested too deeply to be a graph"),
        ("wide.csv", "cause,effect\na,b\n".encode("utf-16"), "UTF-16: save it as UTF-8"),
        ("back.dot", b"digraph { a -> b [dir=back] }", "dir=back"),
        ("bare.csv", b"0,1\n0,0\n", "names of its nodes in the first line"),
    ],
)
def test_hostile_files(run, graphs, tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    result = run("evaluate", graphs[0], tmp_path / name)
    assert result.exit_code == 2, result.output
    assert words in result.stderr


def test_links_in_a_circle(run, graphs, tmp_path):
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    result = run("evaluate", graphs[0], tmp_path / "loop.csv")
    assert result.exit_code == 2
    assert "loop.csv cannot be read: Too many levels of symbolic links." in result.stderr


def test_a_file_that_may_not_be_read(run, graphs, monkeypatch):
    def refuse(path, *_):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("scoredag.graph.files._text", refuse)
    result = run("evaluate", *graphs)
    assert result.exit_code == 2
    assert "true.csv cannot be read: Permission denied." in result.stderr


def test_discover_takes_the_same_files_as_its_truth(run, table, tmp_path):
    matrix, drawn = tmp_path / "matrix.csv", tmp_path / "truth.dot"
    matrix.write_text("other,dose,effect\n0,0,0\n0,0,1\n0,0,0\n")
    drawn.write_text("digraph { dose -> effect; other }")
    results = [
        run("discover", table, "--json", "-m", "varsort", "--truth", path)
        for path in (matrix, drawn)
    ]
    first, second = (json.loads(result.stdout)["comparison"] for result in results)
    assert first == second
    assert "was read as a matrix: an entry in row a and column b means a -> b." in results[0].stderr
    assert "matrix" not in results[1].stderr
