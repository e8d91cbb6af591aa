"""Files: which are written, whole, and the same every time."""

import os

import pytest

from scoredag.bench.output import write, write_output

BLOCK = {"title": "d = {d}", "split": ["d"], "columns": ["graph"], "metrics": ["shd"]}


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_tables_and_plots_are_written_and_listed(many_rows, tmp_path):
    pytest.importorskip("matplotlib")
    rows = [row for row in many_rows if row["graph"] == "ER1"]
    paths = write_output(rows, [BLOCK], tmp_path / "new" / "folder", title="T", command="c")
    assert [path.name for path in paths] == [
        "tables.md",
        "tables.html",
        "accuracy-paper-gaussian.svg",
        "d_top-paper.svg",
        "run_time-paper.svg",
    ]
    assert set(contents(tmp_path / "new" / "folder")) == {path.name for path in paths}
    assert "<svg" in paths[1].read_text(encoding="utf-8")


def test_the_same_rows_give_the_same_files(many_rows, tmp_path):
    rows = [row for row in many_rows if row["graph"] == "ER1" and row["d"] < 50]
    for name in ("a", "b"):
        write_output(iter(rows), [BLOCK], tmp_path / name, title="T", command="c")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_without_matplotlib_there_are_tables_that_say_so(many_rows, tmp_path, monkeypatch):
    monkeypatch.setattr(write, "can_plot", lambda: False)
    paths = write_output(many_rows, [BLOCK], tmp_path, title="T")
    assert [path.name for path in paths] == ["tables.md", "tables.html"]
    assert "matplotlib is not installed" in paths[0].read_text(encoding="utf-8")


def test_a_write_that_fails_leaves_the_old_file_and_no_other(make_run, tmp_path, monkeypatch):
    (tmp_path / "tables.md").write_text("old")

    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        write_output([make_run("SCORE", shd=1)], [BLOCK], tmp_path, title="T", plots=False)
    assert contents(tmp_path) == {"tables.md": b"old"}


def test_a_bad_table_is_refused_before_anything_is_written(make_run, tmp_path):
    with pytest.raises(ValueError, match="unknown"):
        write_output([make_run("SCORE")], [{"tilte": "x"}], tmp_path / "new", title="T")
    assert not (tmp_path / "new").exists()
