import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoredag.graph import is_dag
from scoredag.simulate import random_dag
from scoredag.simulate.dags import check_graph, parse_graph

seeds = st.integers(0, 2**32)


class TestErdosRenyi:
    @given(st.integers(1, 12), st.floats(0, 5), seeds)
    def test_exact_number_of_edges_capped_at_the_full_graph(self, d, per_node, seed):
        A = random_dag(d, per_node, rng=seed)
        assert A.shape == (d, d)
        assert set(np.unique(A)) <= {0, 1}
        assert A.sum() == min(round(d * per_node), d * (d - 1) // 2)
        assert is_dag(A)

    @pytest.mark.parametrize(("d", "edges"), [(4, 6), (10, 40), (20, 80), (50, 200)])
    def test_er4_of_the_paper(self, d, edges):
        assert random_dag(d, 4, rng=0).sum() == edges

    def test_column_order_carries_nothing(self):
        """Each ordered pair is as likely as any other: 20 cells of expected 500, chi-square."""
        rng = np.random.default_rng(0)
        counts = sum(random_dag(5, 1, rng=rng) for _ in range(2000))
        off_diagonal = counts[~np.eye(5, dtype=bool)]
        statistic = np.sum((off_diagonal - 500) ** 2 / 500)
        assert statistic < 45  # 0.9993 quantile with 19 degrees of freedom


class TestScaleFree:
    @given(st.integers(1, 4), st.integers(1, 12), seeds)
    def test_structure(self, m, more, seed):
        d = m + more
        A = random_dag(d, m, kind="sf", rng=seed)
        assert is_dag(A)
        assert A.sum() == m * (d - m) + m * (m - 1) // 2
        assert sorted(A.sum(axis=0)) == [*range(m), *[m] * (d - m)]

    def test_hubs_are_sources(self):
        """The most connected node stands early: far more children than parents."""
        rng = np.random.default_rng(1)
        graphs = [random_dag(50, 2, kind="sf", rng=rng) for _ in range(20)]
        hubs = [np.argmax(A.sum(axis=0) + A.sum(axis=1)) for A in graphs]
        children = [A[hub].sum() for A, hub in zip(graphs, hubs, strict=True)]
        parents = [A[:, hub].sum() for A, hub in zip(graphs, hubs, strict=True)]
        assert np.mean(children) > 10
        assert max(parents) <= 2

    def test_degrees_are_distributed_as_in_networkx(self):
        """The share of nodes with the lowest degree and the mean largest degree agree."""
        rng = np.random.default_rng(2)
        degree = np.array(
            [(A + A.T).sum(axis=0) for A in (random_dag(60, 2, "sf", rng) for _ in range(120))]
        )
        reference = np.array(
            [
                list(dict(nx.barabasi_albert_graph(60, 2, seed=k).degree).values())
                for k in range(120)
            ]
        )
        assert (degree == 2).mean() == pytest.approx((reference == 2).mean(), abs=0.02)
        assert degree.max(axis=1).mean() == pytest.approx(reference.max(axis=1).mean(), rel=0.07)

    @pytest.mark.parametrize("per_node", [0, 1.5, 3, 4])
    def test_number_of_edges_must_fit(self, per_node):
        with pytest.raises(
            ValueError, match="edges_per_node must be a whole number from 1 to d - 1"
        ):
            random_dag(3, per_node, kind="sf", rng=0)


@pytest.mark.parametrize("kind", ["bipartite", "er", "sf"])
def test_seed_decides(kind):
    assert (random_dag(9, 2, kind, rng=7) == random_dag(9, 2, kind, np.random.default_rng(7))).all()
    assert (random_dag(9, 2, kind, rng=7) != random_dag(9, 2, kind, rng=8)).any()


def test_own_graph_model():
    A = random_dag(4, 0, kind=lambda d, per_node, rng: np.eye(d, k=1, dtype=int), rng=0)
    assert sorted(A.sum(axis=0)) == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"d": 0, "edges_per_node": 1}, "d must be a whole number of nodes"),
        ({"d": 2.5, "edges_per_node": 1}, "d must be a whole number of nodes"),
        ({"d": 3, "edges_per_node": -1}, "edges_per_node must be finite and at least 0; got -1"),
        ({"d": 3, "edges_per_node": np.inf}, "edges_per_node must be finite"),
        ({"d": 3, "edges_per_node": np.nan}, "edges_per_node must be finite"),
        (
            {"d": 3, "edges_per_node": 1, "kind": "ba"},
            "kind must be one of 'bipartite', 'er', 'sf'",
        ),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(ValueError, match=message):
        random_dag(**arguments)


class TestBipartite:
    @given(st.integers(2, 30), st.integers(1, 8), seeds)
    def test_structure(self, d, m, seed):
        """A third of the nodes have m - 2 to m + 2 parents, and no node has both kinds of edge."""
        A = random_dag(d, m, kind="bipartite", rng=seed)
        numbers = A.sum(axis=0)[A.any(axis=0)]
        inputs = d - round(d / 3)
        assert len(numbers) == round(d / 3)
        assert not (A.any(axis=0) & A.any(axis=1)).any()
        assert (numbers >= min(max(m - 2, 1), inputs)).all()
        assert (numbers <= min(m + 2, inputs)).all()

    def test_about_35_edges_on_20_nodes(self):
        edges = [random_dag(20, 5, kind="bipartite", rng=seed).sum() for seed in range(200)]
        assert np.mean(edges) == pytest.approx(35, abs=1)


@pytest.mark.parametrize("graph", ["ER0", "ER4", "SF1", "BIPARTITE5"])
def test_check_graph_lets_through_what_can_be_drawn(graph):
    check_graph(10, graph)
    kind, edges_per_node = parse_graph(graph)
    assert random_dag(10, edges_per_node, kind=kind, rng=0).shape == (10, 10)


@pytest.mark.parametrize("graph", ["SF0", "SF10", "BIPARTITE0"])
def test_check_graph_refuses_what_cannot_be_drawn(graph):
    kind, edges_per_node = parse_graph(graph)
    with pytest.raises(ValueError, match="edges_per_node must be") as said:
        check_graph(10, graph)
    with pytest.raises(ValueError, match="edges_per_node must be") as drawn:
        random_dag(10, edges_per_node, kind=kind, rng=0)
    assert str(said.value) == str(drawn.value)
