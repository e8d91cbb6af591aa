import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoredag.exceptions import GraphError
from scoredag.graph import full_dag, to_networkx, topological_order
from scoredag.metrics import order_divergence, shd
from scoredag.simulate import random_dag


@st.composite
def graphs_with_orders(draw):
    d = draw(st.integers(1, 8))
    A = random_dag(d, draw(st.floats(0, 3)), rng=draw(st.integers(0, 2**32)))
    return A, draw(st.permutations(range(d)))


@pytest.mark.parametrize(
    ("order", "divergence"),
    [([0, 1, 2], 0), ([0, 2, 1], 1), ([1, 0, 2], 1), ([1, 2, 0], 2), ([2, 1, 0], 3)],
)
def test_worked_example(order, divergence):
    assert order_divergence(full_dag([0, 1, 2]), order) == divergence


@given(graphs_with_orders())
def test_zero_exactly_for_valid_orders(case):
    A, order = case
    edges_fit = np.array_equal(A * full_dag(order), A)
    assert (order_divergence(A, order) == 0) == edges_fit
    assert order_divergence(A, topological_order(A)) == 0


@given(graphs_with_orders())
def test_an_order_and_its_reverse_split_the_edges(case):
    A, order = case
    assert order_divergence(A, order) + order_divergence(A, order[::-1]) == A.sum()


@given(graphs_with_orders())
def test_bounds_the_shd_of_the_best_graph_from_the_order(case):
    A, order = case
    best = A * full_dag(order)
    assert shd(A, best) == order_divergence(A, order)


@pytest.mark.parametrize("order", [[0], [0, 0], [0, 1, 2]])
def test_the_order_must_fit_the_graph(order):
    with pytest.raises(GraphError, match="order must list each of 0 to 1 once"):
        order_divergence(np.zeros((2, 2)), order)


def test_names_instead_of_positions():
    chain = [("a", "b"), ("b", "c")]
    assert order_divergence(chain, ["b", "a", "c"]) == 1
    assert order_divergence(iter(chain), ["b", "a", "c"]) == 1
    assert order_divergence(chain, ["d", "b", "a", "c"]) == 1, "d is a node without edges"
    assert order_divergence(to_networkx(full_dag([0, 1, 2]), ["a", "b", "c"]), [2, 1, 0]) == 3


@pytest.mark.parametrize(
    ("true", "order", "message"),
    [
        (np.zeros((2, 2)), ["a", "b"], "order must be positions, since true has no names"),
        ([("a", "b")], ["a"], "true has 'b', which order lacks"),
        ([("a", "b")], ["a", "b", "a"], "order must be distinct as text; 'a'"),
        ([("a", "b")], [0, 1], "order has no names, and true is a graph over 'a' and 'b'"),
        (np.zeros((2, 2)), [0, [1]], "order must be a list of whole numbers"),
        (np.zeros((2, 2)), {0, 1}, "order must list each of 0 to 1 once; got {0, 1}"),
        (np.zeros((2, 2)), {0: 1, 1: 0}, "order must list each of 0 to 1 once; got {0: 1, 1: 0}"),
        (np.zeros((2, 2)), None, "order must list each of 0 to 1 once; got None"),
    ],
)
def test_orders_that_do_not_fit(true, order, message):
    with pytest.raises(GraphError, match=message):
        order_divergence(true, order)
