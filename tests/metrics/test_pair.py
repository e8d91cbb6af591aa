"""What the metrics take, and how they lay it over the same nodes."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from scoredag.exceptions import DataWarning, GraphError
from scoredag.graph import to_networkx, write_graph
from scoredag.metrics import edge_report, shd, sid

CHAIN = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
NAMES = ["a", "b", "c"]
OURS = to_networkx(CHAIN, NAMES)
FRAME = pd.DataFrame(CHAIN, index=NAMES, columns=NAMES)
FOREIGN = nx.DiGraph([("b", "c"), ("a", "b")])
PAIRS = [("b", "c"), ("a", "b")]
SHUFFLED = FRAME.loc[["c", "a", "b"], ["c", "a", "b"]]


@pytest.mark.parametrize("metric", [shd, sid])
@pytest.mark.parametrize(
    ("true", "pred"),
    [
        (CHAIN, OURS),
        (OURS, FRAME),
        (FOREIGN, SHUFFLED),
        (PAIRS, OURS),
        (SHUFFLED, OURS),
        (FOREIGN, PAIRS),
        (CHAIN, FRAME),
    ],
)
def test_equal_graphs_of_any_kind(metric, true, pred):
    assert metric(true, pred) == metric(pred, true) == 0


def test_a_file_beside_a_matrix_of_the_data(tmp_path):
    write_graph(OURS, tmp_path / "graph.gml")
    assert shd(tmp_path / "graph.gml", OURS) == 0
    with pytest.raises(GraphError, match="which of these is column 0 is not known"):
        shd(tmp_path / "graph.gml", CHAIN)


def test_integer_columns_and_their_text():
    assert shd(to_networkx(CHAIN, [7, 9, 8]), to_networkx(CHAIN, ["7", "9", "8"])) == 0


def test_isolated_nodes_that_an_edge_list_lacks():
    alone = to_networkx(np.zeros((3, 3)), NAMES)
    assert shd([("a", "b")], alone) == 1
    assert shd([], alone) == 0
    assert sid([("a", "b")], alone) == 1


def test_the_report_says_what_its_numbers_mean():
    report = edge_report(PAIRS, [("b", "a"), ("c", "a")])
    assert report.names == ("b", "c", "a")
    assert (report.missing, report.extra, report.reversed) == (((0, 1),), ((1, 2),), ((2, 0),))
    assert edge_report(CHAIN, CHAIN).names is None


@pytest.mark.parametrize(
    ("true", "pred", "message"),
    [
        (OURS, [("a", "B")], "pred has 'B', which true lacks: it has 'a', 'b' and 'c'"),
        ([("a", "B")], FRAME, "true has 'B', which pred lacks"),
        (FRAME, FRAME.iloc[:2, :2], "true has 'c', which pred lacks: it has 'a' and 'b'"),
        (FOREIGN, [("A", "B")], "nodes in common; got 'b', 'c' and 'a' and 'A' and 'B'"),
        (FOREIGN, CHAIN, "pred has no names, and true is a graph over 'b', 'c' and 'a'"),
    ],
)
def test_names_that_cannot_be_right(true, pred, message):
    with pytest.raises(GraphError, match=message):
        shd(true, pred)


def test_a_cycle_is_named():
    with pytest.raises(
        GraphError, match="pred must be acyclic; it has the cycle 'a' -> 'b' -> 'a'"
    ):
        sid([("a", "b")], [("a", "b"), ("b", "a")])


def test_masked_rows_and_text_are_no_matrix():
    A = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    with pytest.raises(GraphError, match="no masked entries"):
        shd(A, [np.ma.masked_equal(row, 1) for row in A])
    with pytest.raises(GraphError, match="got text"):
        shd(A, pd.DataFrame(A.astype(str).astype(object)))


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(np.eye(3, k=1)[::-1], index=[2, 1, 0]),
        pd.DataFrame(np.eye(3, k=1), columns=[1, 2, 0]),
        pd.DataFrame(np.eye(3, k=1), index=[1, 2, 0], columns=[0, 1, 2]),
    ],
)
def test_numbered_rows_in_another_order_are_refused(frame):
    with pytest.raises(GraphError, match="must have its rows and columns in the same order"):
        shd(nx.DiGraph([(0, 1), (1, 2)]), frame)


def test_numbered_rows_and_columns_in_the_same_order():
    frame = pd.DataFrame(np.eye(3, k=1)[::-1, ::-1], index=[2, 1, 0], columns=[2, 1, 0])
    assert shd(nx.DiGraph([(0, 1), (1, 2)]), frame) == 0


def test_nodes_of_another_spelling_are_named():
    with pytest.warns(DataWarning, match="nodes only in true: 'a'; only in pred: 'A'"):
        assert shd(nx.DiGraph([("a", "b"), ("b", "c")]), nx.DiGraph([("A", "b"), ("b", "c")])) == 2
