"""The journal of a benchmark: nothing lost, nothing twice."""

import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest

from scoredag.bench.journal import Journal, JournalBusy, JournalUnwritable, read_rows, write_rows
from scoredag.exceptions import DataError


def test_rows_come_back(tmp_path):
    with Journal(tmp_path) as journal:
        journal.append({"key": "a", "status": "done", "shd": np.int64(3), "sid": float("nan")})
        journal.append({"key": "b", "status": "error", "reason": "ü\n"})
    with Journal(tmp_path) as journal:
        assert list(journal.rows.values()) == [
            {"key": "a", "status": "done", "shd": 3, "sid": None},
            {"key": "b", "status": "error", "reason": "ü\n"},
        ]


def test_a_folder_with_the_table_alone_begins_with_its_rows(tmp_path):
    done = {"key": "a", "status": "done", "shd": 3, "sid": None}
    write_rows([done, {"key": "b", "status": "skipped", "reason": "not run yet"}], tmp_path)
    with Journal(tmp_path) as journal:
        assert list(journal.rows) == ["a"]
        assert journal.rows["a"]["shd"] == 3
        journal.append({"key": "b", "status": "done", "shd": 5})
    assert {key: row["shd"] for key, row in read_rows(tmp_path).items()} == {"a": 3, "b": 5}
    with Journal(tmp_path) as journal:  # the journal counts from now on, and not the table
        journal.drop(["a"])
    with Journal(tmp_path) as journal:
        assert list(journal.rows) == ["b"]


def test_the_last_row_of_a_key_counts(tmp_path):
    with Journal(tmp_path) as journal:
        journal.append({"key": "a", "status": "done", "shd": 3})
        journal.append({"key": "a", "status": "done", "shd": 4})
    with Journal(tmp_path) as journal:
        assert journal.rows == {"a": {"key": "a", "status": "done", "shd": 4}}


def test_dropped_rows_stay_dropped(tmp_path):
    with Journal(tmp_path) as journal:
        journal.append({"key": "a", "status": "done", "shd": 3})
        journal.append({"key": "b", "status": "done", "shd": 3})
        journal.drop(["a", "never there"])
    with Journal(tmp_path) as journal:
        assert list(journal.rows) == ["b"]
        journal.append({"key": "a", "status": "done", "shd": 4})
    with Journal(tmp_path) as journal:
        assert journal.rows["a"]["shd"] == 4


@pytest.mark.parametrize("torn", [b"{", b'{"key": "c", "shd": 1', b'{"key": "c", "shd": 1}'])
def test_a_torn_last_line_is_cut_off(tmp_path, torn):
    with Journal(tmp_path) as journal:
        journal.append({"key": "a", "status": "done"})
        path = journal.path
    with path.open("ab") as file:
        file.write(torn)
    with Journal(tmp_path) as journal:
        assert list(journal.rows) == ["a"]
        journal.append({"key": "b", "status": "done"})
    assert [json.loads(line)["key"] for line in path.read_text().splitlines()] == ["a", "b"]


@pytest.mark.parametrize(
    "line",
    [
        "[1, 2]",
        "x",
        "",
        '{"key": "b"}',
        '{"status": "done"}',
        '{"key": 5, "status": "done"}',
        '{"key": ["b"], "status": "done"}',
        '{"key": "b", "status": null}',
        '{"key": "b", "status": ["done"]}',
        '{"key": "b", "status": "done", "shd": [1]}',
        '{"key": "b", "status": "done", "shd": ' + "1" * 5000 + "}",
        '{"key": ' + "[" * 100_000,
    ],
)
def test_a_line_that_is_no_row_is_named(tmp_path, line):
    (tmp_path / "runs.jsonl").write_text('{"key": "a", "status": "done"}\n' + line + "\n")
    with pytest.raises(DataError, match="line 2: not a row of a benchmark"):
        Journal(tmp_path)


def test_two_writers_are_one_too_many(tmp_path):
    with Journal(tmp_path), pytest.raises(JournalBusy, match="another benchmark runs"):
        Journal(tmp_path)
    with Journal(tmp_path) as journal:
        journal.append({"key": "a", "status": "done"})


def _append_for_ever(folder):
    with Journal(folder) as journal:
        for number in range(10**6):
            journal.append({"key": str(number), "status": "x" * 5000})


def test_a_killed_writer_leaves_whole_rows_and_no_lock(tmp_path):
    writer = multiprocessing.get_context("spawn").Process(target=_append_for_ever, args=(tmp_path,))
    writer.start()
    path = tmp_path / "runs.jsonl"
    while not path.exists() or path.stat().st_size < 200_000:
        assert writer.is_alive()
    os.kill(writer.pid, signal.SIGKILL)
    writer.join()
    with Journal(tmp_path) as journal:
        assert list(journal.rows) == [str(number) for number in range(len(journal.rows))]
        assert len(journal.rows) >= 39


def _fill(folder, limit):
    """Append rows until there is no room; print the error, and whether it was the last word."""
    code = (
        "import resource, sys; from scoredag.bench.journal import Journal\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
        "with Journal(sys.argv[1]) as journal:\n"
        "    try:\n"
        "        for k in range(100):\n"
        "            journal.append({'key': str(k), 'status': 'x' * 90})\n"
        "    except ValueError as error:\n"
        "        print(type(error).__name__, len(journal.rows), error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout


def test_a_full_disk_loses_nothing_that_was_on_it(tmp_path):
    pytest.importorskip("resource")
    said = _fill(tmp_path, 1000)
    assert said.startswith("JournalUnwritable 8 ")
    assert "cannot be written: File too large. The rows that it has are kept: make room" in said
    lines = (tmp_path / "runs.jsonl").read_bytes()
    assert lines.endswith(b"}\n"), "what was written by halves is cut off at once"
    with Journal(tmp_path) as journal:
        assert list(journal.rows) == [str(k) for k in range(8)]
        journal.append({"key": "new", "status": "done"})
    assert (tmp_path / "runs.jsonl").read_bytes().startswith(lines)


def test_half_a_line_that_cannot_be_cut_off_is_at_the_next_start(tmp_path, monkeypatch):
    written = os.write

    def write_half(file, data):
        if len(data) > 10:
            return written(file, data[:10])
        raise OSError(28, "No space left on device")

    def refuse(*_):
        raise OSError(5, "Input/output error")

    with Journal(tmp_path) as journal:
        journal.append({"key": "a", "status": "done"})
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", write_half)
            patch.setattr(os, "ftruncate", refuse)
            with pytest.raises(JournalUnwritable, match="No space left on device"):
                journal.append({"key": "b", "status": "done"})
        assert list(journal.rows) == ["a"]
    assert not journal.path.read_bytes().endswith(b"\n")
    with Journal(tmp_path) as journal:
        assert list(journal.rows) == ["a"]


@pytest.mark.parametrize("change", [shutil.rmtree, lambda folder: folder.rename(f"{folder}-moved")])
def test_a_folder_that_vanishes(tmp_path, change):
    folder = tmp_path / "out"
    with Journal(folder) as journal:
        journal.append({"key": "a", "status": "done"})
        change(folder)
        with pytest.raises(JournalUnwritable, match=r"runs\.jsonl is no longer there"):
            journal.append({"key": "b", "status": "done"})
    assert not folder.exists()
