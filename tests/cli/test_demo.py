import json

import pytest


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    from typer.testing import CliRunner

    from scoredag.cli.app import app

    page = tmp_path_factory.mktemp("demo") / "page.html"
    result = CliRunner().invoke(app, ["demo", "--output", str(page), "--json"])
    return result, page


def test_the_paper_s_figures_on_sachs(shown):
    """SHD 12 and SID 45 on the raw scale: Table 7 of Rolland et al. (2022)."""
    result, _ = shown
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["comparison"]["shd"] == 12
    assert found["comparison"]["sid"] == 45
    assert sorted(found["order"]) == sorted(found["columns"])
    assert all(edge["p_value"] < 1e-3 for edge in found["edges"])


def test_the_page(shown):
    result, page = shown
    text = page.read_text(encoding="utf-8")
    assert "PKC → P38" in text
    assert "SHD" in text
    for told in json.loads(result.stdout)["warnings"]:
        assert told[:20].split(" ")[0] in text


def test_the_page_needs_a_page_s_name(run):
    result = run("demo", "--output", "graph.json")
    assert result.exit_code == 2
    assert "must end in .html." in result.stderr


def test_a_report_that_is_there_stays(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.html").write_text("mine")
    result = run("demo")
    assert result.exit_code == 0
    assert "report.html is there already and stays as it is." in result.stderr
    assert "Wrote report-2.html." in result.stdout
    assert (tmp_path / "report.html").read_text() == "mine"
    assert "PKC" in (tmp_path / "report-2.html").read_text(encoding="utf-8")


def test_a_named_report_is_replaced(run, tmp_path):
    page = tmp_path / "report.html"
    page.write_text("old")
    assert run("demo", "--output", page).exit_code == 0
    assert "PKC" in page.read_text(encoding="utf-8")
