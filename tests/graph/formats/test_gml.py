import networkx as nx
import pytest

from scoredag.exceptions import GraphError
from scoredag.graph import format_graph, read_graph


def read(text, tmp_path):
    path = tmp_path / "graph.gml"
    path.write_text(text, encoding="utf-8")
    return read_graph(path)


def test_networkx_reads_what_we_write():
    graph = nx.DiGraph()
    graph.add_edge("dose", "é", p_value=1e-12)
    graph.add_node("alone")
    seen = nx.parse_gml(format_graph(graph, "gml"))
    assert list(seen.nodes) == ["dose", "é", "alone"]
    assert list(seen.edges(data=True)) == [("dose", "é", {"p_value": 1e-12})]


def test_labels_that_look_like_numbers_stay_text(tmp_path):
    nodes = "node [ id 10 label 7 ] node [ id 11 label 2.5 ]"
    text = f"graph [ directed 1 {nodes} edge [ source 11 target 10 ] ]"
    assert list(read(text, tmp_path).edges) == [("2.5", "7")]


def test_nodes_without_labels_are_named_by_id(tmp_path):
    text = "graph [ directed 1 node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]"
    assert list(read(text, tmp_path).edges) == [("0", "1")]


def test_unescaped_unicode(tmp_path):
    assert list(read('graph [ directed 1 node [ id 0 label "é" ] ]', tmp_path)) == ["é"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "not a GML graph"),
        ("graph [ node [ id 0 ] ]", "undirected"),
        (
            'graph [ directed 1 node [ id 0 label "a" ] node [ id 1 label "a" ] ]',
            "names must be distinct as text; 'a'",
        ),
        ("graph [ directed 1 multigraph 1 node [ id 0 ] ]", "parallel edges"),
        ("graph [ directed 1 node [ id 0 label [ a 1 ] ] ]", "label must be text or a number"),
        (
            'graph [ directed 1 node [ id 0 label "a" label "b" ] ]',
            "label must be text or a number",
        ),
        ("graph [ directed 1 node [ id 0 ] node [ id 0 ] ]", "not a GML graph: node id 0 is dupl"),
        ("graph [ directed 1 node [ id [ a 1 ] ] ]", "not a GML graph"),
        ("graph [ directed 1 node [ label 1 ] ]", "not a GML graph"),
        ("graph 5", "not a GML graph"),
        ("graph [ directed 1 node 5 ]", "not a GML graph"),
        ("graph [ directed 1 edge 5 ]", "not a GML graph"),
        ("graph [ directed 1 node [ id 0 ] ", "not a GML graph"),
        (f"graph [ directed 1 node [ id {'1' * 5000} ] ]", "a number of a thousand digits"),
        ("graph [ " * 5000, "nested too deeply to be a graph"),
        ("graph [ directed 1 edge [ source 0 target 1 ] ]", "not a GML graph: .*undefined source"),
    ],
)
def test_errors(text, message, tmp_path):
    with pytest.raises(GraphError, match=message):
        read(text, tmp_path)
