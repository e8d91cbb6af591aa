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
        ("{", "not a graph in node-link JSON"),
        ([], "not a graph in node-link JSON"),
        ({"nodes": []}, "not a graph in node-link JSON.*links"),
        ({"nodes": ["a"], "edges": []}, "not a graph in node-link JSON"),
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
