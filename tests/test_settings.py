"""Tuned numbers: frozen, documented, and obeyed where they are passed."""

import inspect
import io
import tokenize
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

from scoredag.order import refine_order
from scoredag.order.local_scores.gp import GaussianProcessScore
from scoredag.order.refine import check_rows
from scoredag.prune import gp_prune
from scoredag.prune.edge_data import EdgeTest
from scoredag.prune.edge_test import NodeModel, decide_node
from scoredag.settings import EDGE_TEST, SEARCH, EdgeTestSettings, SearchSettings
from tests.order.table_score import TableScore, table

SETTINGS = [SearchSettings, EdgeTestSettings]

# Fields that stand beside a documented one, without a word of their own.


def undocumented(settings):
    """Fields without a comment on their lines or above them; one above a pair is for both."""
    source = inspect.getsource(settings)
    comments = {
        token.start[0]
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    lines = source.splitlines()
    own_line = {k for k in comments if lines[k - 1].lstrip().startswith("#")}
    starts = {field.name: _line_of(field.name, lines) for field in fields(settings)}
    ends = dict(zip(starts, [*list(starts.values())[1:], len(lines) + 1], strict=True))
    missing = set()
    above = False  # whether a block of comments describes this field and the one before it
    for name, start in starts.items():
        beside = any(k in comments - own_line for k in range(start, ends[name]))
        directly_above = start - 1 in own_line
        if not (beside or directly_above or above):
            missing.add(name)
        above = directly_above and not beside
    return missing


def _line_of(name, lines):
    return next(k for k, line in enumerate(lines, 1) if line.strip().startswith(f"{name}:"))


def test_every_field_is_documented():
    assert set().union(*map(undocumented, SETTINGS)) == set()


@pytest.mark.parametrize("settings", SETTINGS)
def test_settings_are_frozen_values_that_are_named(settings):
    assert settings() == settings()
    assert hash(settings()) == hash(settings())
    for field in fields(settings):
        with pytest.raises(FrozenInstanceError):
            setattr(settings(), field.name, 1.0)
    with pytest.raises(TypeError):
        settings(1.0)


@pytest.mark.parametrize("settings", SETTINGS)
def test_numbers_are_finite_and_of_the_annotated_kind(settings):
    for field in fields(settings):
        value = getattr(settings(), field.name)
        assert np.isfinite(value).all()
        if field.type in ("int", "float"):
            assert type(value).__name__ == field.type


def test_the_defaults_are_the_shared_objects():
    assert SearchSettings() == SEARCH
    assert EdgeTestSettings() == EDGE_TEST
    assert inspect.signature(refine_order).parameters["settings"].default is SEARCH
    assert inspect.signature(gp_prune).parameters["settings"].default is EDGE_TEST


def test_the_error_of_negentropy_grows_with_the_root_of_the_rows():
    assert SEARCH.negentropy_error(4000) == 2 * SEARCH.negentropy_error(1000)
    assert SearchSettings(negentropy_error_at_1000=7.0).negentropy_error(1000) == 7


# --- Messages and results follow what is passed


def test_the_message_about_rows_follows_the_settings():
    X = np.random.default_rng(0).normal(size=(60, 2))
    options = {"local_score": TableScore({}), "settings": SearchSettings(fewest_rows=20)}
    assert sorted(refine_order(X, [0, 1], rows=25, **options).order) == [0, 1]
    with pytest.raises(ValueError, match="final_rows must be a whole number, at least 20"):
        refine_order(X, [0, 1], final_rows=19, **options)
    with pytest.raises(ValueError, match="at least 50"):
        check_rows(25, "rows")


@pytest.mark.parametrize(("most_sweeps", "order"), [(1, [0, 1]), (0, [1, 0])])
def test_the_search_follows_the_settings(most_sweeps, order):
    X = np.random.default_rng(0).normal(size=(60, 2))
    score = TableScore(table({(1, 0): -20, (0, 1): -12}))
    settings = SearchSettings(most_sweeps=most_sweeps)
    result = refine_order(X, [1, 0], local_score=score, settings=settings)
    assert result.order.tolist() == order


def test_fits_follow_the_settings():
    rng = np.random.default_rng(0)
    x = rng.normal(size=150)
    X = np.column_stack([x, np.sin(2 * x) + 0.5 * rng.normal(size=150)])
    cheap, dear = (GaussianProcessScore(X, settings=SearchSettings(parent_cost=c)) for c in (2, 9))
    for score in (cheap, dear):
        score.explore(1, {0})
    assert dear.best(1, {0}).loss == pytest.approx(cheap.best(1, {0}).loss + 7)


def test_the_edge_test_follows_the_settings_of_the_search():
    """Where parents are dear, a model without any is the best."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=150)
    X = np.column_stack([x, np.sin(2 * x) + 0.5 * rng.normal(size=150)])
    candidates, required = np.array([[False, True], [False, False]]), np.zeros((2, 2), dtype=bool)

    def parents(cost):
        search = SearchSettings(parent_cost=cost)
        test = EdgeTest.of(X, candidates, required, 0.03, rng, search=search)
        return decide_node(test, 1).parents.keys()

    assert parents(2.0) == {0}
    assert parents(1000.0) == set()
    assert NodeModel({0: 9.0, 1: 9.0}, -20.0).penalised_loss(3.0) == -14


@pytest.mark.parametrize(("min_gain", "order"), [(5.0, [0, 1]), (9.0, [1, 0])])
def test_the_least_gain_is_that_of_the_settings_unless_it_is_passed(min_gain, order):
    """The reversal gains 8 nats."""
    X = np.random.default_rng(0).normal(size=(60, 2))
    losses = table({(1, 0): -20, (0, 1): -12})
    for options in (
        {"settings": SearchSettings(min_gain=min_gain)},
        {"settings": SearchSettings(min_gain=7.0), "min_gain": min_gain},
    ):
        result = refine_order(X, [1, 0], local_score=TableScore(losses), **options)
        assert result.order.tolist() == order


@pytest.mark.parametrize("options", [{}, {"rows": 51, "final_rows": 53}])
def test_rows_are_those_of_the_settings_unless_they_are_passed(options):
    seen = {}

    def build(X, rows):
        seen.update(rows=rows, final_rows=len(X))
        return TableScore({})

    X = np.random.default_rng(0).normal(size=(60, 2))
    settings = SearchSettings(rows=52, final_rows=55)
    refine_order(X, [0, 1], local_score=build, settings=settings, **options)
    assert seen == (options or {"rows": 52, "final_rows": 55})


def test_the_level_of_the_edge_test_is_that_of_the_settings_unless_it_is_passed():
    rng = np.random.default_rng(0)
    x = rng.normal(size=100)
    X = np.column_stack([x, np.sin(2 * x) + 0.8 * rng.normal(size=100)])
    candidates, strict = [[0, 1], [0, 0]], EdgeTestSettings(alpha=1e-30)
    assert gp_prune(X, candidates).adjacency[0, 1] == 1
    assert gp_prune(X, candidates, settings=strict).adjacency[0, 1] == 0
    assert gp_prune(X, candidates, EDGE_TEST.alpha, settings=strict).adjacency[0, 1] == 1
