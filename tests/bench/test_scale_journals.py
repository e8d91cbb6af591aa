"""Parts of the benchmark of scale keep their rows in the shared journal."""

import json

import pytest

from benchmarks.scale import amortised, costs
from benchmarks.scale.journal import RESULTS, Journal

CASES = {
    "amortised": amortised.Case("gp", 10, "ER1", 1000, 0, "stein"),
    "costs": next(costs.cases()),
}


@pytest.mark.parametrize("part", CASES)
def test_committed_rows_are_replaced_once_for_new_sources(part, monkeypatch, tmp_path):
    """Rows of other sources, or of none that are known, stay readable until measured anew."""
    lines = (RESULTS / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    (tmp_path / f"{part}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.setattr("benchmarks.scale.journal.RESULTS", tmp_path)
    monkeypatch.setattr("benchmarks.scale.journal.fingerprint", lambda: "of new sources")
    key, measured = CASES[part]._asdict(), []

    def measure(case):
        measured.append(case)
        return {"cpu_s": 1.0, "d_top": 0}

    monkeypatch.setattr(amortised, "run", measure)
    monkeypatch.setattr(costs, "compared", measure)
    row_of = {"amortised": amortised.results, "costs": costs.results}[part]
    (old,) = (row for row in map(json.loads, lines) if key.items() <= row.items())
    for _ in range(2):
        (row,) = row_of([CASES[part]])
        assert key.items() <= row.items()
        assert row["sources"] == "of new sources"
    assert measured == [CASES[part]]
    rows = Journal(part).rows()
    assert len(rows) == len(lines)
    assert old not in rows
