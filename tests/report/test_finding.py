"""`summarise` on real estimators."""

import copy
import re
import warnings
from functools import partial

import numpy as np
import pytest

from scoredag import ScoreGP, VarSort
from scoredag.exceptions import DataWarning
from scoredag.graph import to_networkx
from scoredag.prune import gp_prune
from scoredag.report import render_page, summarise
from scoredag.report.effects import BOTTOM, HEIGHT, TOP
from scoredag.settings import EDGE_TEST, EdgeTestSettings

NAMES = ("x", "y", "z")


@pytest.fixture(scope="module")
def X():
    rng = np.random.default_rng(0)
    x, noise, z = rng.normal(size=(3, 300))
    return np.column_stack([x, 3 * np.sin(2 * x) + noise, z])


@pytest.fixture(scope="module")
def fitted(X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return VarSort(alpha=1e-4).fit(X)


@pytest.mark.parametrize(
    ("pruner", "alpha"),
    [
        ("cam", 1e-3),
        ("gp", EDGE_TEST.alpha),
        (partial(gp_prune, settings=EdgeTestSettings(alpha=1e-9)), 1e-9),
    ],
)
@pytest.mark.filterwarnings("ignore::scoredag.exceptions.DataWarning")
def test_the_level_is_that_of_the_pruner_or_of_its_settings(X, pruner, alpha):
    model = VarSort(pruner=pruner).fit(X[:60])
    finding = summarise(model, X[:60], source="t.csv", names=NAMES)
    assert finding.parameters["alpha"] == alpha


def test_what_is_collected(fitted, X):
    finding = summarise(fitted, X, source="t.csv", names=NAMES, warnings=["care"])
    assert np.array_equal(finding.adjacency, fitted.adjacency_matrix_)
    assert finding.order == tuple(fitted.causal_order_)
    assert finding.method == "VarSort"
    assert finding.parameters["alpha"] == 1e-4
    assert "progress" not in finding.parameters
    assert (finding.n_rows, finding.names, finding.warnings) == (300, NAMES, ("care",))
    edge = next(edge for edge in finding.edges if (edge.cause, edge.effect) == (0, 1))
    assert edge.p_value == fitted.p_values_[0, 1]
    assert edge.evidence["edf"] > 2


def test_size_is_the_share_of_the_spread_that_the_cause_moves(fitted, X):
    edge = next(e for e in summarise(fitted, X, source="", names=NAMES).edges if e.effect == 1)
    moved = 3 * np.sin(2 * X[:, 0])
    assert edge.size == pytest.approx(moved.std() / X[:, 1].std(), rel=0.05)


def test_edges_are_sorted_by_evidence(X):
    rng = np.random.default_rng(1)
    table = np.column_stack([X[:, 0], X[:, 1] + rng.normal(size=300), X[:, 0] + 0.1 * X[:, 2]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        finding = summarise(VarSort().fit(table), table, source="", names=NAMES)
    p_values = [edge.p_value for edge in finding.edges]
    assert len(p_values) >= 2
    assert p_values == sorted(p_values)


def test_the_page_of_a_real_fit(fitted, X):
    page = render_page(summarise(fitted, X, source="t.csv", names=NAMES, truth=np.eye(3, k=1)))
    assert "x → y" in page
    assert "nan" not in page.lower().replace("finance", "")


@pytest.fixture(scope="module")
def jointly(X):
    """0 and 2 act together on the second column, in units far from 1."""
    rng = np.random.default_rng(1)
    y = X[:, 0] * X[:, 2] + 0.3 * rng.normal(size=300)
    table = np.column_stack([500 + 100 * X[:, 0], 1000 * y, X[:, 2]])
    return ScoreGP().fit(table), table


def test_joint_causes_are_drawn_in_the_units_of_the_table(jointly):
    estimator, table = jointly
    finding = summarise(estimator, table, source="", names=NAMES)
    assert {(edge.cause, edge.effect) for edge in finding.edges} == {(0, 1), (2, 1)}
    edge = next(edge for edge in finding.edges if edge.cause == 0)
    assert 100 < edge.curve.x.min() < edge.curve.x.max() < 900
    assert 100 < edge.curve.rug.min() < edge.curve.rug.max() < 900
    assert 0.5 < edge.size < 1.2
    assert edge.curve.high.max() > 300
    nats = [edge.evidence["evidence"] for edge in finding.edges]
    assert nats == sorted(nats, reverse=True)


def test_what_went_by_rank_is_drawn_so(fitted, X):
    assert summarise(fitted, X, source="", names=NAMES).by_rank == frozenset()
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    table = np.column_stack([x, np.exp(2 * np.sin(2 * x) + rng.normal(size=200))])
    with pytest.warns(DataWarning, match="heavy tails"):
        estimator = ScoreGP().fit(table)
    finding = summarise(estimator, table, source="", names=("calm", "wild"))
    assert finding.by_rank == {1}
    assert ">change in wild (by rank)</text>" in render_page(finding)


def test_which_edges_are_undirected(fitted, X):
    """A curve tells its direction, and a straight line with normal noise does not."""
    assert {edge.undirected for edge in summarise(fitted, X, source="", names=NAMES).edges} == {
        None
    }
    rng = np.random.default_rng(0)
    x, noise, more_noise = rng.normal(size=(3, 300))
    y = x + noise
    table = np.column_stack([x, y, np.sin(2 * x) + 0.3 * more_noise])
    with pytest.warns(DataWarning, match="do not tell the direction of 1 of 2"):
        estimator = ScoreGP().fit(table)
    edges = summarise(estimator, table, source="", names=("x", "line", "curve")).edges
    assert {frozenset({edge.cause, edge.effect}): edge.undirected for edge in edges} == {
        frozenset({0, 1}): True,
        frozenset({0, 2}): False,
    }


def heights(page, name):
    """Of the points of all lines of a class."""
    lines = re.findall(rf'<path d="M([^"]*)" class="{name}"', page)
    return np.array([float(point.split()[1]) for line in lines for point in line.split("L")])


def test_the_page_shows_how_curves_differ(jointly, fitted, X):
    page = render_page(summarise(*jointly, source="", names=NAMES))
    assert page.count('class="limit"') == 4
    assert heights(page, "limit").min() >= TOP - 0.1
    assert heights(page, "limit").max() <= HEIGHT - BOTTOM + 0.1
    assert "dashed lines" in page
    page = render_page(summarise(fitted, X, source="", names=NAMES))
    assert 'class="limit"' not in page
    assert "dashed lines" not in page


def test_statistics_stand_in_the_order_of_the_graph(fitted, X):
    finding = summarise(fitted, X, source="", names=NAMES)
    assert finding.statistics == ("p_value", "edf")
    assert finding.shown_statistics == ["p_value", "edf"]


def test_labels_of_the_graph_may_be_numbers(fitted, X):
    """As for a table whose columns are called 7, 3 and 5."""
    numbered = copy.copy(fitted)
    matrix = fitted.adjacency_matrix_
    numbered.graph_ = to_networkx(matrix, [7, 3, 5], {"p_value": fitted.p_values_})
    finding = summarise(numbered, X, source="", names=NAMES)
    assert np.array_equal(finding.adjacency, matrix)
    assert all(edge.p_value == fitted.p_values_[edge.cause, edge.effect] for edge in finding.edges)
