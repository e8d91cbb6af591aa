"""Rows become tables in the layout asked for."""

import pytest

from scoredag.bench.output import make_tables

BLOCK = {
    "title": "d = {d}, {noise} noise",
    "where": {"data": "paper", "graph": ["ER1", "ER4"]},
    "split": ["noise", "d"],
    "columns": ["graph"],
    "metrics": ["shd", "d_top"],
    "reference": "score_2022",
}


def cells_of(table, method):
    return next(row.cells for row in table.rows if row.label == method)


def test_one_table_for_each_combination_with_groups_in_the_order_of_where(many_rows):
    block = {**BLOCK, "where": {"graph": ["ER1", "ER4"], "d": [10, 20, 50]}}
    tables = make_tables(reversed(many_rows), [block])
    assert [table.title for table in tables] == [f"d = {d}, Gaussian noise" for d in (10, 20, 50)]
    assert all([group.label for group in table.groups] == ["ER1", "ER4"] for table in tables)
    assert [row.label for row in tables[0].rows] == ["VarSort", "CAM", "SCORE"]


def test_values_that_where_does_not_order_come_as_the_rows_have_them(many_rows):
    tables = make_tables(many_rows[::-1], [BLOCK])
    assert [table.title[:6] for table in tables] == ["d = 50", "d = 20", "d = 10"]


def test_cells_have_ours_and_the_papers(make_run):
    rows = [make_run("SCORE", seed, shd=seed, d_top=9) for seed in range(3)]
    shd, d_top = cells_of(make_tables(rows, [BLOCK])[0], "SCORE")
    assert (shd.text, shd.published.text, shd.reproduced) == ("1.0 ± 0.8", "1.1 ± 0.9", True)
    assert (d_top.text, d_top.published.text, d_top.reproduced) == ("9.0 ± 0.0", "0.4 ± 0.6", False)


def test_means_that_print_alike_are_all_best(make_run):
    rows = [
        *(make_run("SCORE", seed, shd=value) for seed, value in enumerate([1.0, 1.0])),
        *(make_run("CAM", seed, shd=value) for seed, value in enumerate([1.0, 1.04])),
        *(make_run("VarSort", seed, shd=value) for seed, value in enumerate([1.0, 1.2])),
    ]
    (table,) = make_tables(rows, [{**BLOCK, "metrics": ["shd"]}])
    assert [row.cells[0].best for row in table.rows] == [True, True, False]


def test_the_largest_recall_is_best(make_run):
    rows = [make_run("SCORE", recall=0.5), make_run("CAM", recall=0.9)]
    (table,) = make_tables(rows, [{**BLOCK, "metrics": ["recall"]}])
    assert [row.cells[0].best for row in table.rows] == [False, True]


@pytest.mark.parametrize("metric", ["right_doubted", "wrong_doubted"])
def test_nobody_is_best_at_doubt(make_run, metric):
    rows = [make_run(method, **{metric: value}) for method, value in (("SCORE", 2), ("CAM", 3))]
    (table,) = make_tables(rows, [{**BLOCK, "metrics": [metric]}])
    assert [row.cells[0].text for row in table.rows] == ["2", "3"]
    assert not any(row.cells[0].best for row in table.rows)


def test_a_mean_of_survivors_does_not_compete(make_run):
    rows = [
        *(make_run("SCORE", seed, shd=5) for seed in range(2)),
        *(make_run("CAM", seed, shd=6) for seed in range(2)),
        make_run("GES", 0, shd=1),
        make_run("GES", 1, status="timeout", reason="600 s"),
    ]
    (table,) = make_tables(rows, [{**BLOCK, "metrics": ["shd"]}])
    assert [row.cells[0].best for row in table.rows] == [True, False, False]
    assert table.rows[2].cells[0].runs_text == "1/2"
    assert [table.notes[i - 1] for i in table.rows[2].cells[0].notes] == ["timeout: 600 s"]


def test_the_papers_best_is_among_all_of_the_papers_methods(make_run):
    rows = [make_run("CAM", shd=1, d=10), make_run("CAM", shd=1, d=50)]
    first, second = make_tables(rows, [{**BLOCK, "metrics": ["shd"]}])
    # d = 10: SCORE 1.1 beats CAM 1.7, though SCORE has no row here; d = 50: CAM 8.3 beats 10.4.
    assert not first.rows[0].cells[0].published_best
    assert second.rows[0].cells[0].published_best


def test_rows_of_the_spec_may_be_absent_or_have_a_metric_of_their_own(make_run):
    order = {"label": "SCORE order", "method": "SCORE", "metric": "order_seconds"}
    block = {**BLOCK, "metrics": ["seconds"], "rows": [order, "SCORE", "GraN-DAG"]}
    (table,) = make_tables([make_run("SCORE", seconds=9.0, order_seconds=2.0)], [block])
    texts = [(row.label, row.cells[0].text, row.cells[0].published.text) for row in table.rows]
    assert texts == [
        ("SCORE order", "2", "3.3 ± 0.1"),
        ("SCORE", "9", "6.3 ± 0.2"),
        ("GraN-DAG", "not run", "185 ± 26"),
    ]
    assert [row.cells[0].reproduced for row in table.rows] == [True, False, None]


def test_runs_that_a_table_does_not_tell_apart_are_owned_up_to(make_run):
    rows = [make_run("SCORE", 0, shd=1, n=n) for n in (300, 1000)]
    (table,) = make_tables(rows, [BLOCK])
    assert table.notes == ("means are over runs that differ in n",)
    assert table.rows[0].notes == (1,)
    assert table.rows[0].cells[0].published is None


def test_values_that_where_lists_but_no_column_has_are_owned_up_to(make_run):
    rows = [make_run("SCORE", 0, shd=1, graph=graph) for graph in ("ER1", "ER4")]
    (table,) = make_tables(rows, [{**BLOCK, "columns": []}])
    assert table.notes == ("means are over runs that differ in graph",)


def test_rows_from_a_file_with_nan_for_none_and_floats_for_integers(make_run):
    row = make_run("SCORE", shd=1.0, d=10.0, d_top=float("nan"), scale=float("nan"))
    (table,) = make_tables([row], [BLOCK])
    assert table.title == "d = 10, Gaussian noise"
    assert [cell.text for cell in table.rows[0].cells] == ["1", "–"]


def test_a_table_without_runs_is_there_and_empty(make_run):
    (table,) = make_tables([make_run("SCORE", shd=1)], [{**BLOCK, "where": {"data": "sachs"}}])
    assert (table.groups, table.rows) == ((), ())


def test_a_method_with_fewer_runs_than_others_says_so(make_run):
    rows = [*(make_run("CAM", seed, shd=1) for seed in range(3)), make_run("SCORE", shd=1)]
    (table,) = make_tables(rows, [BLOCK])
    assert [row.cells[0].runs_text for row in table.rows] == ["", "1 run"]


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ({"metrics": ["shd"]}, "title"),
        ({"title": "x"}, "metrics"),
        ({"title": "x", "metrics": "shd"}, "list of names"),
        ({"title": "x", "metrics": ["shd"], "column": ["d"]}, "column unknown"),
        ({"title": "{d}", "metrics": ["shd"]}, "must be in split"),
        ({"title": "x", "metrics": ["shd"], "rows": [{"label": "a"}]}, "name its method"),
        ({"title": "x", "metrics": ["shd"], "rows": [{"method": "a", "b": 1}]}, "b unknown"),
        ({"title": "x", "metrics": ["shd"], "where": "d"}, "where"),
        ({"title": "x", "metrics": ["shd"], "reference": "none"}, "score_2022"),
    ],
)
def test_a_block_that_is_not_understood_is_refused(block, message):
    with pytest.raises(ValueError, match=message):
        make_tables([], [block])
