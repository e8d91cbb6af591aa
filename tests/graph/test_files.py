import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
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


@st.composite
def named_graphs(draw):
    names = draw(st.lists(st.text(max_size=6), unique=True, max_size=5))
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
    assert READABLE == ["csv", "gml", "json"]
    assert readable_suffixes() == [".csv", ".gml", ".json"]


@pytest.mark.parametrize("suffix", READABLE)
def test_hostile_names_come_back(suffix, tmp_path):
    d = len(HOSTILE)
    graph = to_networkx(np.eye(d, k=1), HOSTILE, {"p_value": np.full((d, d), 1.25e-300)})
    path = tmp_path / f"graph.{suffix}"
    write_graph(graph, path)
    assert same(read_graph(path), graph)


@pytest.mark.parametrize("suffix", READABLE)
@settings(deadline=None)
@given(graph=named_graphs())
def test_any_graph_comes_back(suffix, graph, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / f"graph.{suffix}"
    write_graph(graph, path)
    assert same(read_graph(path, nodes=graph.nodes), graph)


@pytest.mark.parametrize("suffix", ["gml", "json"])
def test_isolated_nodes_need_no_list(suffix, tmp_path):
    graph = to_networkx(np.zeros((3, 3)), "bca")
    write_graph(graph, tmp_path / f"graph.{suffix}")
    assert list(read_graph(tmp_path / f"graph.{suffix}").nodes) == ["b", "c", "a"]


def test_nodes_set_the_order_and_must_cover_the_file(tmp_path):
    path = tmp_path / "graph.csv"
    write_graph(nx.DiGraph([("b", "a")]), path)
    assert list(read_graph(path).nodes) == ["b", "a"]
    assert list(read_graph(path, nodes=["a", "b", "c"]).nodes) == ["a", "b", "c"]
    with pytest.raises(GraphError, match=r"nodes must hold every node of .* also has \['a'\]"):
        read_graph(path, nodes=["b"])


def test_suffix_in_capitals(tmp_path):
    write_graph(nx.DiGraph([("a", "b")]), tmp_path / "graph.GML")
    assert list(read_graph(tmp_path / "graph.GML").edges) == [("a", "b")]


@pytest.mark.parametrize("path", ["graph", "graph.txt", "csv", ".csv.bak"])
def test_unknown_suffix_lists_the_known_ones(path, tmp_path):
    with pytest.raises(GraphError, match=r"path must end in one of \.csv, \.dot, \.gml, \.json;"):
        write_graph(nx.DiGraph(), tmp_path / path)
    assert not (tmp_path / path).exists()


def test_dot_is_not_read(tmp_path):
    with pytest.raises(GraphError, match=r"path must end in one of \.csv, \.gml, \.json;"):
        read_graph(tmp_path / "graph.dot")


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
        with pytest.raises(GraphError, match=f"got {kind.__name__}"):
            format_graph(kind([("a", "b")]), name)
