import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from scoredag.exceptions import GraphError
from scoredag.graph import (
    check_dag,
    check_order,
    find_cycle,
    full_dag,
    is_dag,
    topological_order,
)

orders = st.integers(0, 8).flatmap(lambda d: st.permutations(range(d)))
# Any directed graph, loops and cycles included.
graphs = st.integers(0, 7).flatmap(lambda d: hnp.arrays(np.int64, (d, d), elements=st.booleans()))


def reachability(A):
    """Transitive closure by repeated squaring: an independent way to see a cycle."""
    d = len(A)
    closure = A != 0
    for _ in range(d):
        closure = closure | (closure @ closure)
    return closure


def test_check_dag_returns_the_clean_matrix_or_names_the_cycle():
    assert check_dag([[0, 0.5], [0, 0]]).tolist() == [[0, 1], [0, 0]]
    with pytest.raises(GraphError, match="pred must be acyclic; it has the cycle 0 -> 2 -> 1 -> 0"):
        check_dag([[0, 0, 1], [1, 0, 0], [0, 1, 0]], "pred")


class TestFullDag:
    def test_worked_example(self):
        assert full_dag([1, 2, 0]).tolist() == [[0, 0, 0], [1, 0, 1], [1, 0, 0]]

    @given(orders)
    def test_holds_every_pair_once_and_only_forwards(self, order):
        A = full_dag(order)
        d = len(order)
        assert A.sum() == d * (d - 1) // 2
        assert all(A[order[a], order[b]] == 1 for a in range(d) for b in range(a + 1, d))

    @given(orders)
    def test_its_only_topological_order_is_the_order(self, order):
        assert topological_order(full_dag(order)).tolist() == list(order)

    @pytest.mark.parametrize("order", [[0, 0], [1, 2], [0.0, 1.0], [[0, 1]], [True, False], ["0"]])
    def test_not_a_permutation(self, order):
        with pytest.raises(GraphError, match="order must list each of 0 to"):
            full_dag(order)


def test_check_order_against_a_number_of_nodes():
    assert check_order([1, 0], d=2).tolist() == [1, 0]
    with pytest.raises(GraphError, match=r"ranking must list each of 0 to 2 once; got \[1, 0\]"):
        check_order([1, 0], "ranking", d=3)


class TestCycles:
    @given(graphs)
    def test_is_dag_agrees_with_the_transitive_closure(self, A):
        assert is_dag(A) == (not np.diagonal(reachability(A)).any())

    @given(graphs)
    def test_found_cycle_is_a_cycle_from_its_smallest_node(self, A):
        cycle = find_cycle(A)
        assert (cycle is None) == is_dag(A)
        if cycle is not None:
            assert all(A[i, j] for i, j in zip(cycle, cycle[1:] + cycle[:1], strict=True)), (
                "every step is an edge"
            )
            assert len(set(cycle)) == len(cycle)
            assert cycle[0] == min(cycle)

    def test_a_loop_is_a_cycle(self):
        A = np.zeros((3, 3))
        A[1, 1] = 1
        assert find_cycle(A) == [1]
        assert not is_dag(A)
        with pytest.raises(GraphError, match="the cycle 1 -> 1"):
            topological_order(A)

    def test_a_tail_into_or_out_of_the_cycle_is_left_out(self):
        A = np.zeros((5, 5))
        for i, j in [(0, 3), (3, 4), (4, 3), (4, 1), (1, 2)]:
            A[i, j] = 1
        assert find_cycle(A) == [3, 4]


class TestTopologicalOrder:
    @given(orders, st.randoms(use_true_random=False))
    def test_every_edge_points_forwards(self, order, random):
        A = full_dag(order) * np.array(
            [[random.random() < 0.4 for _ in order] for _ in order]
        ).reshape(len(order), len(order))
        rank = np.argsort(topological_order(A))
        causes, effects = np.nonzero(A)
        assert (rank[causes] < rank[effects]).all()

    def test_smallest_index_first(self):
        assert topological_order(np.zeros((4, 4))).tolist() == [0, 1, 2, 3]
        A = np.zeros((4, 4))
        A[3, 0] = 1  # 0 becomes ready last, after 1, 2 and 3
        assert topological_order(A).tolist() == [1, 2, 3, 0]
        A[0, 1] = 1
        assert topological_order(A).tolist() == [2, 3, 0, 1]
