"""Estimators on tables that are read in blocks."""

import warnings

import numpy as np
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from pyarrow import dataset

from scoredag import CAM, SCORE, Knowledge, ScoreGP, VarSort
from scoredag.data.block_table import BlockTable
from scoredag.data.blocks import ArrayBlocks
from scoredag.exceptions import DataError, DataWarning
from scoredag.order import peel
from scoredag.simulate import paper_dataset

pytestmark = pytest.mark.filterwarnings("ignore::scoredag.exceptions.DataWarning")


@pytest.fixture(scope="module")
def data():
    return paper_dataset(6, "ER1", seed=1001, n=600)


def blocks(X, **options):
    return BlockTable(ArrayBlocks(X, 100), tuple("abcdefgh"[: X.shape[1]]), **options)


def told(estimator, X):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimator.fit(X)
    return [str(entry.message) for entry in caught if entry.category is DataWarning]


def test_score_in_blocks_is_low_rank_score_in_memory(data):
    in_memory = SCORE(score_estimator="low_rank").fit(data.X)
    in_blocks = SCORE().fit(blocks(data.X))
    assert_array_equal(in_blocks.causal_order_, in_memory.causal_order_)
    assert_array_equal(in_blocks.adjacency_matrix_, in_memory.adjacency_matrix_)
    assert_allclose(in_blocks.p_values_, in_memory.p_values_, rtol=1e-5, atol=1e-30)
    assert in_blocks.effects_.keys() == in_memory.effects_.keys()


def test_names_are_those_of_the_table(data):
    model = SCORE().fit(blocks(data.X))
    assert model.node_names_ == list("abcdef")
    assert list(model.feature_names_in_) == list("abcdef")
    model.fit(ArrayBlocks(data.X, 100))
    assert model.n_features_in_ == 6
    assert not hasattr(model, "feature_names_in_")
    assert model.node_names_ == [f"x{j}" for j in range(6)]


def test_what_used_how_many_rows(data, monkeypatch):
    monkeypatch.setattr("scoredag.data.profile.SAMPLE_ROWS", 150)
    monkeypatch.setattr("scoredag.data.block_table.STRETCH_ROWS", 200)
    monkeypatch.setattr("scoredag.estimators._base.STRETCH_ROWS", 200)
    assert SCORE().fit(blocks(data.X)).rows_used_ == {
        "checks": 600,
        "checks that need a sort": 150,
        "order of the rows": 200,
        "order": 600,
        "pruning": 600,
    }
    assert SCORE().fit(data.X).rows_used_ == {"checks": 600, "order": 600, "pruning": 600}
    assert VarSort().fit(data.X).rows_used_ == {"checks": 600, "fit": 600}


def test_same_warnings_as_in_memory(data):
    X = data.X * [1, 5000, 1, 1, 1, 1]
    X[:, 2], X[5, 3] = np.round(X[:, 2]), -999.0
    X[:, 4] = X[:, 5] + 1e-3 * X[:, 4]
    in_memory = told(SCORE(score_estimator="low_rank"), X)
    assert len(in_memory) >= 4
    assert told(SCORE(), ArrayBlocks(X, 100)) == in_memory


def test_warnings_from_a_sample_say_so(data, monkeypatch):
    monkeypatch.setattr("scoredag.data.profile.SAMPLE_ROWS", 150)
    monkeypatch.setattr("scoredag.data.block_table.STRETCH_ROWS", 200)
    X = np.column_stack([data.X, np.arange(600.0)])
    X[:, 2] = np.round(X[:, 2])
    found = told(SCORE(), blocks(X))
    (ties,) = (message for message in found if "many ties" in message)
    assert ties.endswith(" Seen in 150 rows drawn from 600.")
    (stamps,) = (message for message in found if "by the same step" in message)
    assert stamps.endswith(" Seen in 200 neighbouring rows of 600.")


def test_copies_of_rows_are_named_and_stay(data):
    X = np.vstack([data.X, data.X[:100]])
    (copies,) = (m for m in told(SCORE(), blocks(X)) if "copies" in m)
    assert copies.startswith("100 of 700 rows are copies of other rows")
    assert "read in blocks keeps its copies" in copies
    assert SCORE().fit(blocks(X)).n_rows_ == 700
    assert SCORE().fit(X).n_rows_ == 600


def test_scoregp_merges_the_copies_of_a_table_in_blocks_and_says_so_once(data):
    X = np.vstack([data.X[:200, :3], data.X[:40, :3]])
    model = ScoreGP(rows=100, final_rows=120)
    in_blocks = [message for message in told(model, blocks(X)) if "copies" in message]
    assert model.n_rows_ == model.rows_used_["edge test"] == 200
    assert in_blocks == [message for message in told(model, X) if "copies" in message]
    assert "40 of 240 rows are copies" in in_blocks[0]
    assert len(in_blocks) == 1


def test_rules_hold_and_are_weighed(data):
    i, j = np.argwhere(data.adjacency)[0]
    names = "abcdef"
    model = SCORE(knowledge=Knowledge(forbidden=[(names[i], names[j])])).fit(blocks(data.X))
    assert not model.adjacency_matrix_[i, j]
    assert (names[i], names[j]) in {(e.cause, e.effect) for e in model.knowledge_report_.forbidden}


def test_scoregp_takes_all_rows_of_a_small_table(data):
    X = data.X[:200, :4]
    options = {"rows": 100, "final_rows": 120}
    in_memory, in_blocks = (ScoreGP(**options).fit(table) for table in (X, blocks(X)))
    assert_array_equal(in_blocks.edge_statistic_, in_memory.edge_statistic_)
    assert_array_equal(in_blocks.direction_evidence_, in_memory.direction_evidence_)


def test_scoregp_draws_rows_of_a_large_one(data, monkeypatch):
    monkeypatch.setattr("scoredag.estimators.scoregp.STREAMED_ROWS", 150)
    model = ScoreGP(rows=80, final_rows=100)
    (message,) = (m for m in told(model, blocks(data.X[:, :3])) if "drawn at random" in m)
    assert message.startswith("ScoreGP uses 150 of 600 rows")
    assert model.n_rows_ == 150
    assert model.rows_used_["checks"] == 600
    again = ScoreGP(rows=80, final_rows=100).fit(blocks(data.X[:, :3]))
    assert_array_equal(again.edge_statistic_, model.edge_statistic_)
    other = ScoreGP(rows=80, final_rows=100, random_state=1).fit(blocks(data.X[:, :3]))
    assert (other.edge_statistic_ != model.edge_statistic_).any()


@pytest.mark.parametrize("container", ["blocks", "dataset"])
def test_others_load_what_is_small(data, container, monkeypatch):
    expected = CAM().fit(data.X)
    table = {
        "blocks": blocks(data.X),
        "dataset": dataset.dataset(pa.table(dict(zip("abcdef", data.X.T, strict=True)))),
    }[container]
    found = CAM().fit(table)
    assert found.node_names_ == list("abcdef")
    assert_array_equal(found.p_values_, expected.p_values_)
    monkeypatch.setattr("scoredag.data.opening.LOADED_BYTES", 1000)
    with pytest.raises(DataError, match="CAM needs the table in memory"):
        CAM().fit(table)


def test_small_dataset_is_analysed_as_in_memory(data):
    table = dataset.dataset(pa.table(dict(zip("abcdef", data.X.T, strict=True))))
    assert_array_equal(SCORE().fit(table).p_values_, SCORE().fit(data.X).p_values_)


def test_bad_tables_are_refused(data):
    X = data.X.copy()
    X[:, 1], X[7, 2] = 3.0, np.nan
    with pytest.raises(DataError, match="2 problems") as caught:
        SCORE().fit(blocks(X))
    with pytest.raises(DataError) as expected:
        SCORE().fit(X)
    assert str(caught.value) == str(expected.value).replace("'x1'", "'b'").replace("'x2'", "'c'")


def test_pieces_that_need_the_table_say_so(data):
    with pytest.raises(DataError, match="score_estimator: 'stein' needs the table in memory"):
        peel(blocks(data.X), score_estimator="stein")
    begun = []
    with pytest.raises(DataError, match="pruner: 'jacobian' needs the table in memory"):
        SCORE(pruner="jacobian", progress=lambda *done: begun.append(done)).fit(blocks(data.X))
    assert not begun  # what is known beforehand is refused before any work


def test_rows_that_blocks_do_not_have_are_missed(data):
    class Short(ArrayBlocks):
        shape = (700, 6)

    with pytest.raises(DataError, match="hold 600 rows, and their shape says 700"):
        SCORE().fit(Short(data.X, 100))
