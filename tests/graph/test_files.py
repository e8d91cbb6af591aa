import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoredag.exceptions import GraphError
from scoredag.graph import format_graph, read_graph, to_networkx, write_graph
from scoredag.graph.files import readable_suffixes
from scoredag.graph.formats._format import ReadableFormat
from scoredag.plugins import shelf

HOSTILE = [
    'quo"te',
    "line\nbreak",
    "carriage\rreturn",
    "both\r\n",
    "unicode é∑\U0001f600\u2028\x85",
    "</script><!--",
    "=1+2",
    "",
    " ",
    "&amp;",
    "&#65;",
    "tab\t",
    "[",
    "()",
    "[]",
    "nul\0",
    "back\\",
    "\\N",
    "%x",
    "1",
    "1.0",
    "nan",
    "a,b",
    "a;b->c",
    "#comment",
    "_networkx_list_start",
    "node",
    "edge",
    "Graph",
    "digraph",
    "strict",
    "subgraph",
    "->",
    "--",
    "{",
    "<b>",
    "/* no comment */",
    "// neither",
    "\\\n",
    '\\"',
    "\ufeff",
]
FORMATS = shelf("scoredag.graph.formats")
READABLE = sorted(name for name, known in FORMATS.items() if issubclass(known, ReadableFormat))
finite = st.floats(allow_nan=False, allow_infinity=False)


def same(first, second):
    return (
        list(first.nodes) == list(second.nodes)
        and all(type(node) is str for node in first.nodes)
        and sorted(first.edges(data=True), key=lambda edge: edge[:2])
        == sorted(second.edges(data=True), key=lambda edge: edge[:2])
    )


words = (
    st.text(max_size=6) | st.text('"\\\\\n\r <>{}->ab#/*+', max_size=6) | st.sampled_from(HOSTILE)
)


@st.composite
def named_graphs(draw):
    names = draw(st.lists(words, unique=True, max_size=5))
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    for i, cause in enumerate(names):
        for effect in names[i + 1 :]:
            if draw(st.booleans()):
                known = draw(st.dictionaries(st.sampled_from(["p_value", "edf"]), finite))
                graph.add_edges_from([(cause, effect, known)])
    return graph


def test_the_shelf():
    assert sorted(FORMATS) == ["csv", "dot", "gml", "json"]
    assert READABLE == ["csv", "dot", "gml", "json"]
    assert readable_suffixes() == [".csv", ".dot", ".gml", ".json"]


@pytest.mark.parametrize("suffix", READABLE)
def test_hostile_names_come_back(suffix, tmp_path):
    names = [name for name in HOSTILE if suffix != "dot" or "\0" not in name]
    d = len(names)
    graph = to_networkx(np.eye(d, k=1), names, {"p_value": np.full((d, d), 1.25e-300)})
    path = tmp_path / f"graph.{suffix}"
    write_graph(graph, path)
    assert same(read_graph(path), graph)


@pytest.mark.parametrize("suffix", READABLE)
@settings(deadline=None)
@given(graph=named_graphs())
def test_any_graph_comes_back(suffix, graph, tmp_path_factory):
    assume(suffix != "dot" or not any("\0" in name for name in graph))
    path = tmp_path_factory.getbasetemp() / f"graph.{suffix}"
    write_graph(graph, path)
    assert same(read_graph(path, nodes=graph.nodes), graph)


@pytest.mark.parametrize("suffix", ["dot", "gml", "json"])
def test_isolated_nodes_need_no_list(suffix, tmp_path):
    graph = to_networkx(np.zeros((3, 3)), list("bca"))
    write_graph(graph, tmp_path / f"graph.{suffix}")
    assert list(read_graph(tmp_path / f"graph.{suffix}").nodes) == ["b", "c", "a"]


def test_nodes_set_the_order_and_must_cover_the_file(tmp_path):
    path = tmp_path / "graph.csv"
    write_graph(nx.DiGraph([("b", "a")]), path)
    assert list(read_graph(path).nodes) == ["b", "a"]
    assert list(read_graph(path, nodes=["a", "b", "c"]).nodes) == ["a", "b", "c"]
    with pytest.raises(GraphError, match=r"nodes must hold every node of .* also has 'a'"):
        read_graph(path, nodes=["b"])


def test_suffix_in_capitals(tmp_path):
    write_graph(nx.DiGraph([("a", "b")]), tmp_path / "graph.GML")
    assert list(read_graph(tmp_path / "graph.GML").edges) == [("a", "b")]


@pytest.mark.parametrize("path", ["graph", "graph.txt", "csv", ".csv.bak"])
def test_unknown_suffix_lists_the_known_ones(path, tmp_path):
    with pytest.raises(GraphError, match=r"path must end in one of \.csv, \.dot, \.gml, \.json;"):
        write_graph(nx.DiGraph(), tmp_path / path)
    assert not (tmp_path / path).exists()


def test_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_graph(tmp_path / "absent.gml")


def test_unknown_format_name():
    with pytest.raises(GraphError, match="format_name must be one of 'csv', 'dot', 'gml', 'json'"):
        format_graph(nx.DiGraph(), "xml")


def test_error_names_the_file(tmp_path):
    path = tmp_path / "broken.json"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(GraphError, match=r"cannot read the graph in .*broken\.json"):
        read_graph(path)


@pytest.mark.parametrize("name", sorted(FORMATS))
class TestWhatIsWritten:
    def test_other_nodes_become_text(self, name):
        text = format_graph(nx.DiGraph([(1, 2)]), name)
        assert text == format_graph(nx.DiGraph([("1", "2")]), name)

    def test_only_finite_numbers_are_kept(self, name):
        graph = nx.DiGraph()
        graph.add_edge("a", "b", p_value=np.float32(0.5), edf=np.nan, note="weak", stable=True)
        plain = nx.DiGraph()
        plain.add_edge("a", "b", p_value=0.5)
        assert format_graph(graph, name) == format_graph(plain, name)

    def test_too_large_an_integer_is_left_out(self, name):
        graph = nx.DiGraph()
        graph.add_edge("a", "b", count=10**400)
        assert format_graph(graph, name) == format_graph(nx.DiGraph([("a", "b")]), name)

    @pytest.mark.parametrize("key", ["cause", "source", "label", "p value", "", 'x"]'])
    def test_attribute_names_that_would_break_a_format(self, name, key):
        graph = nx.DiGraph([("a", "b", {key: 1.0})])
        with pytest.raises(GraphError, match="an edge attribute's name must be"):
            format_graph(graph, name)

    @pytest.mark.parametrize("kind", [nx.Graph, nx.MultiDiGraph])
    def test_must_be_a_digraph(self, name, kind):
        with pytest.raises(GraphError, match=f"got an? (undirected )?{kind.__name__}"):
            format_graph(kind([("a", "b")]), name)


class TestWrittenWholeOrNotAtAll:
    def test_a_disk_without_room(self, tmp_path):
        """In a process of its own, since a limit on files cannot be lifted again."""
        pytest.importorskip("resource")
        path = tmp_path / "graph.csv"
        write_graph(nx.DiGraph([("a", "b")]), path)
        before = path.read_bytes()
        code = (
            "import resource, sys, networkx as nx; from scoredag.graph import write_graph\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
            "try:\n"
            "    write_graph(nx.path_graph(1000, nx.DiGraph), sys.argv[1])\n"
            "except OSError as error:\n"
            "    print(error.strerror)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, path], capture_output=True, text=True, check=True
        )
        assert done.stdout == "File too large\n"
        assert [entry.name for entry in tmp_path.iterdir()] == ["graph.csv"]
        assert path.read_bytes() == before

    def test_a_graph_that_cannot_be_written(self, tmp_path):
        path = tmp_path / "graph.dot"
        path.write_text("old")
        with pytest.raises(GraphError, match="NUL"):
            write_graph(nx.DiGraph([("a\0", "b")]), path)
        assert path.read_text() == "old"

    def test_a_folder_that_is_not_there(self, tmp_path):
        with pytest.raises(FileNotFoundError, match="the folder does not exist, create it first"):
            write_graph(nx.DiGraph(), tmp_path / "absent" / "graph.csv")
        assert not list(tmp_path.iterdir())

    def test_what_is_no_graph(self, tmp_path):
        for graph in (None, [[0, 1], [0, 0]], np.eye(2), "a -> b", 7):
            with pytest.raises(GraphError, match=r"graph must be a networkx\.DiGraph, whose edges"):
                write_graph(graph, tmp_path / "graph.csv")
        assert not list(tmp_path.iterdir())
        for path in (None, 7, b"graph.csv"):
            with pytest.raises(GraphError, match="path must be the path of a file; got"):
                write_graph(nx.DiGraph(), path)


class TestUnreadable:
    @pytest.mark.parametrize("suffix", READABLE)
    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", "it is empty"),
            (b" \n\t\n", "it is empty"),
            (b"\xef\xbb\xbf", "it is empty"),
            ("cause,effect".encode("utf-16"), "it is text in UTF-16: save it as UTF-8"),
            (b"cause,effect\n\xe9,b\n", "it is no text in UTF-8, from byte 13 on"),
            (b"\x00" * 100, r"cannot read the graph in"),
            (b"\x89PNG\r\n\x1a\n", "it is no text in UTF-8, from byte 0 on"),
            (b"x" * 5_000_000, "cannot read the graph in"),
            (b"[" * 100_000, "cannot read the graph in"),
            (b'{"a":' * 100_000, "cannot read the graph in"),
        ],
    )
    def test_content(self, suffix, content, message, tmp_path):
        path = tmp_path / f"graph.{suffix}"
        path.write_bytes(content)
        with pytest.raises(GraphError, match=message):
            read_graph(path)

    @pytest.mark.parametrize("content", ["[" * 100_000, '{"edges":' * 100_000])
    def test_deep_json(self, content, tmp_path):
        path = tmp_path / "graph.json"
        path.write_text(content)
        with pytest.raises(GraphError, match="it is nested too deeply to be a graph"):
            read_graph(path)

    def test_too_large(self, tmp_path, monkeypatch):
        monkeypatch.setattr("scoredag.graph.files._MOST_BYTES", 2**20)
        path = tmp_path / "graph.csv"
        path.write_bytes(b"x" * (2**20 + 1))
        with pytest.raises(GraphError, match="it has more than 1 MB, too many for a graph"):
            read_graph(path)

    @pytest.mark.parametrize("path", [None, 7, b"graph.csv", ["graph.csv"]])
    def test_no_path(self, path):
        with pytest.raises(GraphError, match="path must be the path of a file; got"):
            read_graph(path)

    def test_links_in_a_circle(self, tmp_path):
        (tmp_path / "graph.csv").symlink_to("graph.csv")
        with pytest.raises(OSError, match="symbolic links"):
            read_graph(tmp_path / "graph.csv")


def test_integer_labels_are_text_in_files(tmp_path):
    graph = to_networkx([[0, 1], [0, 0]], [10, 2])
    for name in FORMATS:
        write_graph(graph, tmp_path / f"graph.{name}")
        assert list(read_graph(tmp_path / f"graph.{name}").edges) == [("10", "2")]


@pytest.mark.parametrize("format_name", [None, ["csv"], 7])
def test_no_format_name(format_name):
    with pytest.raises(GraphError, match="format_name must be one of"):
        format_graph(nx.DiGraph(), format_name)
