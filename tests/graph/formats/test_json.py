import json

import networkx as nx
import pytest

from scoredag.exceptions import GraphError
from scoredag.graph import format_graph, read_graph


def read(content, tmp_path):
    path = tmp_path / "graph.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return read_graph(path)


def test_networkx_reads_what_we_write():
    graph = nx.DiGraph()
    graph.add_edge("dose", "effect", p_value=1e-12)
    graph.add_node("alone")
    seen = nx.node_link_graph(json.loads(format_graph(graph, "json")), edges="edges")
    assert isinstance(seen, nx.DiGraph)
    assert list(seen.nodes) == ["dose", "effect", "alone"]
    assert list(seen.edges(data=True)) == [("dose", "effect", {"p_value": 1e-12})]


def test_may_stand_inside_a_script_element():
    graph = nx.DiGraph([("</script>", "<!--\u2028")])
    text = format_graph(graph, "json")
    assert "<" not in text
    assert text.isascii()
    assert json.loads(text)["edges"] == [{"source": "</script>", "target": "<!--\u2028"}]


def test_older_networkx_files(tmp_path):
    content = nx.node_link_data(nx.DiGraph([(1, 2)]), edges="links")
    assert list(read(content, tmp_path).edges) == [("1", "2")]


def test_attributes_that_are_no_finite_numbers_are_left_out(tmp_path):
    text = (
        '{"nodes": [{"id": "a"}, {"id": "b"}], '
        '"edges": [{"source": "a", "target": "b", "p_value": NaN, "edf": 2, "note": "weak"}]}'
    )
    assert read(text, tmp_path).edges["a", "b"] == {"edf": 2.0}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not valid JSON: Expecting property name .* in line 1, column 2"),
        ("7", 'the JSON document must be .*"cause".*; got 7'),
        ("null", "got null"),
        ({"nodes": []}, "the JSON document must be .*; it lacks 'links'"),
        ({"nodes": ["a"], "edges": []}, "each of the nodes must have 'id'; got 'a'"),
        ({"nodes": {"a": 1}, "edges": []}, "'nodes' of the JSON document must be a list"),
        ({"nodes": [{"id": ["a"]}], "edges": []}, "a node's name must be text or a number"),
        ({"nodes": [{"id": None}], "edges": []}, "a node's name must be text or a number"),
        ({"nodes": [{"id": True}], "edges": []}, "a node's name must be text or a number"),
        ({"edges": [{"cause": "a"}]}, "each of the edges must have 'effect'; got {'cause'"),
        ({"edges": [{"source": "a", "target": "b"}]}, "each of the edges must have 'cause'"),
        ({"columns": ["a"], "edges": [{"cause": "a", "effect": "b"}]}, "needs the node 'b'"),
        ({"columns": "ab", "edges": []}, "'columns' of the JSON document must be a list"),
        ('{"nodes": [{"id": "\\ud800"}], "edges": []}', "is no text that can be written"),
        ({"nodes": [{"id": 1}, {"id": "1"}], "edges": []}, "names must be distinct"),
        ({"nodes": [], "edges": [], "directed": False}, "undirected"),
        (
            {"nodes": [{"id": "a"}], "edges": [{"source": "a", "target": "b"}]},
            "the edge 'a' -> 'b' needs the node 'b'",
        ),
    ],
)
def test_errors(content, message, tmp_path):
    with pytest.raises(GraphError, match=message):
        read(content, tmp_path)


def test_the_document_of_discover(tmp_path):
    edges = [{"cause": "b", "effect": "a", "p_value": 0.5, "open": True}]
    document = {"columns": ["a", "b", "alone"], "order": ["b", "a", "alone"], "edges": edges}
    graph = read(document, tmp_path)
    assert list(graph) == ["a", "b", "alone"]
    assert dict(graph.edges) == {("b", "a"): {"p_value": 0.5}}


@pytest.mark.parametrize("wrap", [lambda edges: edges, lambda edges: {"edges": edges}])
def test_edges_alone(tmp_path, wrap):
    graph = read(wrap([{"cause": "b", "effect": "a"}, {"cause": 1, "effect": "b"}]), tmp_path)
    assert list(graph.edges) == [("b", "a"), ("1", "b")]


def test_numbers_beyond_all_measure(tmp_path):
    digits = "1" * 5000
    text = f'{{"nodes": [{{"id": {digits}}}, {{"id": 2}}], "edges": [{{"source": 2, "target": '
    graph = read(text + f'{digits}, "p_value": {digits}}}]}}', tmp_path)
    assert list(graph) == [digits, "2"]
    assert graph.edges["2", digits] == {}
