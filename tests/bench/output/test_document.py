"""Reproduced cells are counted, each once."""

from scoredag.bench.output import count_reproduced, make_tables

BLOCK = {
    "title": "{d}",
    "split": ["d"],
    "columns": ["graph"],
    "metrics": ["shd"],
    "reference": "score_2022",
}


def counted(rows, blocks):
    counts = count_reproduced(make_tables(rows, blocks))
    return {(*key, metric): text for metric in counts for key, text in counts[metric].items()}


def test_cells_are_counted_by_data_method_and_metric(make_run):
    rows = [make_run("SCORE", shd=1), make_run("SCORE", shd=99, graph="ER4")]
    sachs = {"data": "sachs", "d": None, "graph": None, "noise": None, "scale": "raw"}
    rows.append(make_run("SCORE", shd=12, **sachs))
    assert counted(rows, [BLOCK]) == {
        ("synthetic", "SCORE", "shd"): "1 of 2",
        ("Sachs, raw", "SCORE", "shd"): "1 of 1",
    }


def test_a_cell_in_two_tables_counts_once(make_run):
    other = {**BLOCK, "title": "all", "split": [], "columns": ["d"], "where": {"graph": "ER1"}}
    found = counted([make_run("SCORE", shd=1)], [BLOCK, other])
    assert found == {("synthetic", "SCORE", "shd"): "1 of 1"}


def test_cells_without_a_result_and_partial_ones_are_told(make_run):
    rows = [
        make_run("CAM", 0, shd=1),
        make_run("CAM", 1, status="timeout"),
        make_run("CAM", 0, status="skipped", graph="ER4"),
    ]
    assert counted(rows, [BLOCK]) == {
        ("synthetic", "CAM", "shd"): "1 of 1, 1 from part of the runs, 1 without a result"
    }


def test_methods_that_were_not_published_are_not_counted(make_run):
    assert counted([make_run("R2Sort", shd=1)], [BLOCK]) == {}
