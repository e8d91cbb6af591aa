"""Specs that cannot run are refused when they are read, in words, and at once."""

import os
import time

import pytest

from scoredag.bench import SpecError, read_spec
from scoredag.bench.data_sets import PROBLEMS
from scoredag.plugins import shelf

METHOD = '\n[[methods]]\nname = "VarSort"\n'
PAPER = '[[data]]\nname = "paper"\nd = 5\ngraph = "ER1"\n'
SIMULATED = '[[data]]\nname = "simulated"\nd = 5\ngraph = "ER1"\nmechanism = "gp"\n'

MODELS = '[[data]]\nname = "models"\nd = 5\ngraph = "ER1"\nmodel = "poisson"\n'


@pytest.fixture
def read(tmp_path):
    def read_text(text, **options):
        path = tmp_path / "mine.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_spec(path, **options)

    return read_text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (PAPER.replace("5", "-1"), "data paper: d must be from 2 to 10,000; got -1"),
        (PAPER.replace("5", "[5, 1]"), "data paper: d must be from 2 to 10,000; got 1"),
        (PAPER.replace("5", "1000000000"), "data paper: d must be from 2 to 10,000"),
        (PAPER.replace("5", "9" * 5000), "a number in it has too many digits"),
        (PAPER + "n = 0", "data paper: n must be from 10 to 10,000,000; got 0"),
        (PAPER + "n = 9", "data paper: n must be from 10 to"),
        (PAPER + "n = nan", "data paper: n must be a whole number; got nan"),
        (
            PAPER.replace("ER1", "XY1"),
            "data paper: graph must be one of .*, ER, SF and .*; got 'XY1'",
        ),
        (PAPER.replace("ER1", "er1"), "data paper: graph must be one of BIPARTITE, ER, SF"),
        (PAPER.replace("ER1", "ER"), "data paper: graph must be one of BIPARTITE, ER, SF"),
        (PAPER.replace("ER1", "ER-1"), "data paper: graph must be one of BIPARTITE, ER, SF"),
        (PAPER.replace("ER1", "ER1.5"), "data paper: graph must be one of BIPARTITE, ER, SF"),
        (
            PAPER.replace("ER1", "ER" + "9" * 5000),
            "data paper: graph must be one of BIPARTITE, ER, SF",
        ),
        (PAPER.replace("ER1", ""), "data paper: graph must be one of BIPARTITE, ER, SF"),
        (PAPER.replace("ER1", "SF5"), "data paper, d = 5, graph = 'SF5'.*: edges_per_node must be"),
        (PAPER.replace("ER1", "SF0"), "data paper, d = 5, graph = 'SF0'.*got 0 with d = 5"),
        (PAPER + 'noise = "cauchy"', "data paper: noise must be one of 'exponential', 'gauss"),
        (SIMULATED.replace("gp", "gpp"), "data simulated: mechanism must be one of 'additive_gp'"),
        (MODELS.replace("poisson", "poison"), "data models: model must be one of 'additive', "),
        (MODELS + 'mechanism = "x"', "data models: mechanism must be one of 'additive_gp'"),
        (MODELS.replace("ER1", "BIPARTITE0"), "data models, .*: edges_per_node must be a whole"),
        (
            MODELS.replace("poisson", "sensors") + 'noise = "laplace"',
            "data models, .*: 'noise' is no option of model 'sensors'",
        ),
        (SIMULATED + 'noise = "x"', "data simulated: noise must be one of"),
        (SIMULATED + 'scale = "log"', "data simulated: scale must be one of 'raw', 'standardised'"),
        (SIMULATED.replace("ER1", "SF7"), "data simulated, d = 5, graph = 'SF7'"),
        (
            '[[data]]\nname = "sachs"\nscale = "big"',
            "data sachs: scale must be one of 'log', 'raw'",
        ),
        ('[[data]]\nname = "sachs"\nseeds = 2', "data sachs: seed must be 0 .there is one Sachs"),
        ('[[data]]\nname = "sachs"\nseeds = [1]', "data sachs: seed must be 0 .*; got 1"),
        ('[[data]]\nname = "syntren"\nseeds = 11', "data syntren: seed must be from 0 to 9 .*10"),
        ('[[data]]\nname = "grandag"\ncollection = "er"', "collection must be one of 'er_p10_e10'"),
        (
            '[[data]]\nname = "grandag"\ncollection = "er_p10_e10"\nseeds = [10]',
            "data grandag: seed must be from 0 to 9 .there are ten data sets.; got 10",
        ),
        ('[[data]]\nname = "../sachs"', r"no data named '\.\./sachs'"),
        ('[[data]]\nname = "_scales"', "no data named '_scales'"),
        ('[[data]]\nname = "sa\\u0007chs"', r"no data named 'sa\\x07chs'"),
        ("[[data]]\nname = 5", r"every \[\[data\]\] block needs a name"),
        ("[data]\nname = 5", r"data must be \[\[data\]\] blocks"),
        ("data = [1, 2]", r"needs at least one \[\[data\]\] block"),
        (PAPER + "seed = 3", "options of data paper: seed unknown"),
        (PAPER + "seeds = [0, 0]", "seeds of paper: 0 is listed twice"),
        (PAPER + "seeds = [[0]]", "seeds of paper must be a count, or a list"),
        (PAPER + "seeds = []", "seeds of paper must be a count, or a list"),
        (PAPER + "seeds = 1.0", "seeds of paper must be a count, or a list"),
        (PAPER + "seeds = inf", "seeds of paper must be a count, or a list"),
        (PAPER + "seeds = 1000000000", "asks for 1,000,000,000 runs: at most 100,000"),
        (PAPER + "seeds = 9000000000000000000", "at most 100,000 go into one benchmark"),
        (PAPER.replace("5", "[5, 6, 5]"), "data paper: d: 5 is listed twice"),
        (PAPER.replace('"ER1"', '["ER1", "ER1"]'), "data paper: graph: 'ER1' is listed twice"),
        (PAPER + PAPER, "two .*data.* blocks have the same data set: paper, .*d = 5.*seed = 0"),
        (PAPER + "seeds = 2\n" + PAPER + "seeds = [1]", "same data set: paper.*seed = 1"),
        (PAPER.replace("5", "{ a = 5 }"), "data paper: d must be a whole number"),
        (PAPER + "n = 2020-01-01T00:00:00", "data paper: n must be a whole number; got datetime"),
    ],
)
def test_data_sets_that_there_cannot_be(read, data, message):
    with pytest.raises(SpecError, match=message) as error:
        read(data + METHOD)
    assert "mine.toml" in str(error.value)


def test_a_grid_that_would_fill_the_memory(read):
    numbers = list(range(2, 1002))
    data = f'[[data]]\nname = "simulated"\nd = {numbers}\nn = {[n + 10 for n in numbers]}\n'
    data += f'graph = {[f"ER{k}" for k in range(1000)]}\nmechanism = "gp"\n'
    start = time.monotonic()
    with pytest.raises(SpecError, match="asks for 1,000,000,000 runs"):
        read(data + METHOD)
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        (METHOD * 2, "method 'VarSort' is named twice for the same data"),
        (METHOD + METHOD + "options = { alpha = 0.5 }", "method 'VarSort' is named twice"),
        (
            METHOD + METHOD.replace("VarSort", "CAM") + 'label = "VarSort"',
            "'VarSort' is named twice",
        ),
        (METHOD + 'label = "a"' + METHOD + 'label = "a"', "method 'a' is named twice"),
        (METHOD + 'label = ""', "method VarSort: label must be one line of text; got ''"),
        (METHOD + 'label = "a\\nb"', "method VarSort: label must be one line of text"),
        (METHOD + 'label = "a\\u001b[31m"', "method VarSort: label must be one line of text"),
        (METHOD + "only = { d = 6 }", "only of method VarSort: no data have d = 6; got 5"),
        (METHOD + "only = { d = [5, 7] }", "only of method VarSort: no data have d = 7"),
        (METHOD + 'only = { data = "sachs" }', "no data have data = 'sachs'; got 'paper'"),
        (METHOD + "only = { seed = 3 }", "only of method VarSort: no data have seed = 3; got 0"),
        (METHOD + "timeout = nan", "timeout must be a positive number"),
        (METHOD + "timeout = true", "timeout must be a positive number"),
        (METHOD + "options = { alpha = nan }", "options of VarSort: alpha must be"),
        (METHOD + "options = { alpha = 1e400 }", "options of VarSort: alpha must be"),
        (METHOD + "options = { alpha = [0.1] }", "options of VarSort: alpha must be a number"),
        (METHOD + "options = { progress = 1 }", "options of VarSort: progress must be"),
        (METHOD + "options = { n_jobs = 0 }", "options of VarSort: n_jobs must be"),
        (METHOD + 'options = { pruner = "x" }', "options of VarSort: pruner must be one of"),
        (
            '\n[[methods]]\nname = "ScoreGP"\noptions = { random_state = -1 }',
            "options of ScoreGP: random_state must be None, a whole number from 0",
        ),
        (
            '\n[[methods]]\nname = "causal-learn/PC"\noptions = { alpha = 2020-01-01 }',
            "options of causal-learn/PC must be numbers, text or lists; got a date",
        ),
        ('\n[[methods]]\nname = "/"', "no method '/'"),
        ('\n[[methods]]\nname = "estimators._base"', "no method 'estimators._base'"),
        ('\n[[methods]]\nname = "varsort"', "no method 'varsort'"),
        ("\n[[methods]]\nname = []", r"every \[\[methods\]\] block needs a name"),
        (f'\n[[methods]]\nname = "{"x" * 10_000}"', "no method 'xxx"),
    ],
)
def test_methods_that_there_cannot_be(read, rest, message):
    with pytest.raises(SpecError, match=message) as error:
        read(PAPER + rest)
    assert len(str(error.value)) < 1000


@pytest.mark.parametrize(
    ("top", "message"),
    [
        ('metrics = ["shd", "shd"]\n', "metrics: 'shd' is listed twice"),
        ("metrics = [1]\n", "metrics: 1 unknown"),
        ('title = ""\n', "title must be one line of text"),
        ('title = "a\\u0000b"\n', "title must be one line of text"),
        ('tables = ["x"]\n', "must be blocks; got 'x'"),
        ('tables = [{ title = "a", metrics = ["shd"], rows = 5 }]\n', r"\[\[tables\]\]: rows of"),
        ('tables = [{ title = "a", metrics = ["shd"], rows = [5] }]\n', r"\[\[tables\]\]: a row"),
        (
            'tables = [{ title = "a", metrics = ["shd"], rows = [{ method = 5 }] }]\n',
            r"\[\[tables\]\]: a row",
        ),
        (
            'tables = [{ title = "a", metrics = ["shd"], reference = "../x" }]\n',
            r"\[\[tables\]\]: ",
        ),
        ('tables = [{ title = "a", metrics = ["shd"], reference = 5 }]\n', r"\[\[tables\]\]: "),
        ('tables = [{ title = "a", metrics = ["shd"], where = 5 }]\n', "where of a table must be"),
        ('tables = [{ title = "{d", metrics = ["shd"] }]\n', None),
    ],
)
def test_other_keys(read, top, message):
    if message is None:
        assert read(top + PAPER + METHOD).runs
        return
    with pytest.raises(SpecError, match=message):
        read(top + PAPER + METHOD)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"needs at least one \[\[data\]\] block"),
        (b"\x00\x01\x02", "not a TOML file"),
        (b"\x89PNG\r\n", "not a TOML file: no text in UTF-8, from byte 0 on"),
        (PAPER.encode("utf-16"), "not a TOML file: no text in UTF-8"),
        ("a = " + "[" * 100_000, "nested too deeply to be a spec"),
        ("a = " + "{ b = " * 100_000, "nested too deeply to be a spec"),
        ("a = " + "1" * 5000, "a number in it has too many digits"),
        ("a = 2020-13-45", "not a TOML file"),
        (".".join("a" * 500) + " = 1", "the spec: a unknown"),
        ("x" * 5_000_000, "not a TOML file"),
        (b"#" * (2**24 + 1), "more than 16 MB are no spec"),
        (PAPER, r"needs at least one \[\[methods\]\] block"),
    ],
)
def test_files_that_are_no_spec(read, content, message):
    with pytest.raises(SpecError, match=message) as error:
        read(content)
    assert len(str(error.value)) < 2000


def test_paths_that_are_no_spec(tmp_path):
    (tmp_path / "loop.toml").symlink_to("loop.toml")
    (tmp_path / "dangling.toml").symlink_to("absent.toml")
    os.mkfifo(tmp_path / "pipe.toml")
    cases = {
        tmp_path: "is a directory: give one of grandag",
        tmp_path / "loop.toml": "Too many levels of symbolic links",
        tmp_path / "dangling.toml": "no spec .*dangling",
        tmp_path / "pipe.toml": "is no regular file",
        tmp_path / "absent" / "x.toml": "no spec",
        "": "is a directory|no spec ''",
        "a\0b": "no spec",
        "x" * 5000: "no spec",
        None: "source must be the name of a spec or a path; got None",
        7: "source must be the name of a spec or a path; got 7",
        "../specs/quick": "no spec",
    }
    for path, message in cases.items():
        with pytest.raises(SpecError, match=message):
            read_spec(path)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), "3", True])
def test_limits_of_time_from_outside(timeout):
    with pytest.raises(SpecError, match="timeout must be a positive number of seconds"):
        read_spec("quick", timeout=timeout)


def test_a_byte_order_mark_and_other_line_ends(read):
    assert read(("\ufeff" + PAPER + METHOD).replace("\n", "\r\n")).runs


def test_a_label_may_be_used_again_where_the_other_is_left_out(read):
    two = METHOD + "only = { d = 5 }" + METHOD + "options = { alpha = 0.5 }\nonly = { d = 6 }"
    runs = read(PAPER.replace("5", "[5, 6]") + two).runs
    assert [run.data_options["d"] for run in runs if not run.not_run] == [5, 6]


def test_every_data_set_says_what_its_options_may_be():
    for name, draw in shelf(PROBLEMS).items():
        bare = [key for key, hint in draw.__annotations__.items() if hint in ("str", "float")]
        assert not bare, f"{name}: annotate {bare} with scoredag.bench.checks"
