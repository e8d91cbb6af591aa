"""Wrong options: exit code 2, a reason, and a way out."""

import os

import pytest

from scoredag import __version__
from scoredag.cli.options import GRAPH_FORMATS, MECHANISMS, METHODS, NOISES, PRUNERS
from scoredag.cli.outputs import graph_suffixes
from scoredag.plugins import names, shelf


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--method", "scor"), "Did you mean 'score'"),
        (("--criterion", "nothing"), "'nogam', 'scale_free', 'variance'"),
        (("--pruner", "x"), "'cam', 'das', 'gp', 'jacobian'"),
        (("--alpha", "1"), "between 0 and 1"),
        (("--noise", "x"), "'free', 'normal'"),
        (("--margins", "x"), "'auto', 'rank', 'raw'"),
        (("--eta", "0.1"), "--method scoregp has no option --eta; score has it"),
        (("--smoothing", "x"), "'gcv', 'reml'"),
        (("--alpha", "0"), "between 0 and 1"),
        (("--alpha", "nan"), "between 0 and 1"),
        (("--alpha", "many"), "--alpha"),
        (("--eta", "-1"), "above 0"),
        (("--jobs", "0"), "must not be 0"),
        (("--jobs", "100000"), "100,000 is more than 1,000; -1 takes all"),
        (("--output", "a.json", "--output", "./a.json"), "a.json is to be written twice"),
        (("--method", "varsort", "--eta", "0.1"), "--method varsort has no option --eta"),
        (("--method", "varsort", "--criterion", "variance"), "has no option --criterion"),
        (("--reverse",), "--method scoregp has no option --reverse; r2sort and varsort have"),
        (
            ("-m", "score", "--pruner", "jacobian", "--alpha", "0.1"),
            "--pruner jacobian has no option --alpha; cam, das and gp have it",
        ),
        (
            ("-m", "score", "--pruner", "jacobian", "--smoothing", "gcv"),
            "has no option --smoothing",
        ),
        (("--score-estimator", "x"), "'local'"),
        (
            ("-m", "score", "--score-estimator", "amortised", "--eta", "0.1"),
            "--score-estimator amortised has no option --eta; auto, local, low_rank and stein have",
        ),
        (("--screen", "forwards"), "Did you mean 'forward'"),
        (
            ("-m", "varsort", "--screen", "forward"),
            "--method varsort has no option --screen; score and scoregp have it",
        ),
        (
            ("-m", "varsort", "--screen", "none"),
            "--method varsort has no option --screen; score and scoregp have it",
        ),
        (
            ("-m", "score", "--pruner", "das", "--screen", "forward"),
            "--pruner das has no option --screen; cam and gp have it",
        ),
        (("--decimal", "x"), "decimal must be '.' or ','"),
        (("--output", "no/such/folder/x.json"), "the folder no/such/folder does not exist"),
        (("--output", "graph.xls"), "must end in one of .csv, .dot, .gml, .json, .html"),
        (("--nonsense",), "--nonsense"),
    ],
)
def test_wrong_options(run, table, options, words):
    result = run("discover", table, *options, env={"COLUMNS": "300"})
    assert result.exit_code == 2
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_output_that_is_a_directory(run, table, tmp_path):
    folder = tmp_path / "folder.json"
    folder.mkdir()
    result = run("discover", table, "-o", folder)
    assert result.exit_code == 2
    assert "is a directory" in result.stderr


def test_output_that_may_not_be_written(run, table, monkeypatch, tmp_path):
    monkeypatch.setattr("os.access", lambda path, mode: False)
    result = run("discover", table, "-o", tmp_path / "graph.json")
    assert result.exit_code == 2
    assert "permission denied" in result.stderr


def test_output_over_the_input(run, table):
    before = table.read_bytes()
    result = run("discover", table, "-o", table)
    assert result.exit_code == 2
    assert "is the table to read" in result.stderr
    assert table.read_bytes() == before


def test_output_over_the_truth(run, table, tmp_path):
    truth = tmp_path / "truth.csv"
    truth.write_text("cause,effect\ndose,effect\n")
    result = run("discover", table, "--truth", truth, "-o", truth)
    assert result.exit_code == 2
    assert "truth.csv is the graph to compare with" in result.stderr


def test_outputs_are_checked_before_the_work(run, table, monkeypatch):
    monkeypatch.setattr("scoredag.SCORE.fit", lambda self, X: pytest.fail("the work started"))
    assert run("discover", table, "-o", "no/folder/x.json").exit_code == 2


def test_version(run):
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout == f"scoredag {__version__}\n"


def test_help_lists_what_is_on_the_shelves(run):
    wide = {"COLUMNS": "300"}
    text = run("discover", "--help", env=wide).stdout
    for name in [*shelf(METHODS), *shelf(PRUNERS)]:
        assert name in text
    text = run("simulate", "--help", env=wide).stdout
    for name in [*shelf(MECHANISMS), *shelf(NOISES)]:
        assert name in text


def test_graph_suffixes_are_those_of_the_formats():
    assert graph_suffixes() == sorted(known.suffix for known in shelf(GRAPH_FORMATS).values())


@pytest.mark.parametrize("package", [METHODS, PRUNERS, MECHANISMS, NOISES])
def test_names_are_those_on_the_shelf(package):
    assert names(package) == sorted(shelf(package))


def test_no_arguments_show_help(run):
    result = run()
    assert "discover" in result.output
    assert "demo" in result.output


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_output_through_links(run, table, tmp_path):
    dangling, loop = tmp_path / "dangling.gml", tmp_path / "loop.gml"
    dangling.symlink_to(tmp_path / "gone" / "graph.gml")
    loop.symlink_to(loop)
    for path, words in ((dangling, "gone does not exist"), (loop, "leads in a circle")):
        result = run("discover", table, "-m", "varsort", "-o", path)
        assert result.exit_code == 2
        assert words in result.stderr
        assert "Causal order" not in result.stdout
