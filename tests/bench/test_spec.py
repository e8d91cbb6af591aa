"""Specs: read, checked, and laid out as runs."""

import pytest

from scoredag.bench import SpecError, read_spec, spec_names

SMALL = """
title = "Small"
metrics = ["shd", "d_top"]
timeout = 7

[[data]]
name = "paper"
d = [5, 6]
graph = "ER1"
seeds = [3, 4]

[[methods]]
name = "SCORE"
options = { alpha = 0.01 }

[[methods]]
name = "CAM"
label = "CAM, small graphs"
only = { d = 5 }
why = "slow"
timeout = 9
"""


@pytest.fixture
def read(tmp_path):
    def read_text(text, **options):
        path = tmp_path / "mine.toml"
        path.write_text(text)
        return read_spec(path, **options)

    return read_text


def test_every_method_meets_every_data_set(read):
    spec = read(SMALL)
    assert (spec.name, spec.title) == ("mine", "Small")
    assert [(run.label, run.data_options["d"], run.seed) for run in spec.runs] == [
        (label, d, seed)
        for label in ("SCORE", "CAM, small graphs")
        for d in (5, 6)
        for seed in (3, 4)
    ]
    assert {run.metrics for run in spec.runs} == {("shd", "d_top")}


def test_limits_of_time(read):
    assert {run.timeout for run in read(SMALL).runs} == {7.0, 9.0}
    assert {run.timeout for run in read(SMALL, timeout=3).runs} == {3.0}


def test_what_is_left_out_says_why(read):
    reasons = {(run.label, run.data_options["d"]): run.not_run for run in read(SMALL).runs}
    assert reasons == {
        ("SCORE", 5): "",
        ("SCORE", 6): "",
        ("CAM, small graphs", 5): "",
        ("CAM, small graphs", 6): "slow",
    }


def test_keys_tell_runs_apart_and_outlive_a_session(read):
    keys = [run.key for run in read(SMALL).runs]
    assert len(set(keys)) == len(keys)
    assert keys == [run.key for run in read(SMALL.replace("timeout = 7", "timeout = 70")).runs]
    assert keys[:4] != [run.key for run in read(SMALL.replace("0.01", "0.02")).runs][:4]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title", "tittle", "tittle unknown"),
        ('"d_top"', '"accuracy"', "accuracy unknown; known: auroc, d_top"),
        ("timeout = 7", "timeout = -7", "timeout must be a positive number"),
        (
            'name = "paper"',
            'name = "papers"',
            "no data named 'papers': there are grandag, models, paper",
        ),
        ("d = [5, 6]", "p = 3", "the options of data paper: p unknown"),
        ("d = [5, 6]", "", "data paper needs d"),
        ("[3, 4]", "0", "seeds of paper must be a count, or a list"),
        ("[3, 4]", "[-1]", "seeds of paper must be a count, or a list"),
        ("[3, 4]", "true", "seeds of paper must be a count, or a list"),
        ('"SCORE"', '"SCOR"', "no method 'SCOR': there are CAM"),
        ("alpha", "alfa", "options of SCORE: alfa unknown; known: alpha, criterion"),
        ("0.01", '"x"', "options of SCORE: alpha must be a number; got 'x'"),
        ("0.01", "true", "options of SCORE: alpha must be a number; got True"),
        ("alpha = 0.01", 'criterion = "x"', "options of SCORE: criterion must be one of"),
        ('"SCORE"\noptions', '"causal-learn/PC"\noptions = { alhpa = 1 }\n#', "PC: alhpa unknown"),
        ('"CAM"', '"CAM"\noptions = { neighbour_selection = "no" }', "of CAM: neighbour_selection"),
        ('"CAM"', '"GraNDAG"\noptions = { max_iter = 0 }', "options of GraNDAG: max_iter must be"),
        ("[5, 6]", "[5, 6.0]", r"data paper: d must be a whole number; got 6\.0"),
        ('"ER1"', "1", "data paper: graph must be text; got 1"),
        ("why", "because", "because unknown"),
        ("[[methods]]", "[[method]]", "method unknown"),
        ('name = "SCORE"\noptions', "options", r"every \[\[methods\]\] block needs a name"),
        ("title = ", "title", "not a TOML file"),
        ('title = "Small"', "title = 5", "title must be text; got 5"),
        ('["shd", "d_top"]', '"shd"', "metrics must be a list of names; got 'shd'"),
        ('["shd", "d_top"]', '[["shd"]]', r"metrics: \['shd'\] unknown"),
        ("timeout = 7", "timeout = inf", "timeout must be a positive number"),
        ("timeout = 7", "timeout = 1e12", "timeout must be a positive number"),
        ("[5, 6]", "[]", r"data paper: d must have at least one value; got \[\]"),
        ("[5, 6]", "[[5]]", r"data paper: d must be a whole number; got \[5\]"),
        ("[5, 6]", "2020-01-01", "data paper: d must be a whole number; got datetime"),
        ("[3, 4]", "[18446744073709551616]", "seeds of paper must be a count, or a list"),
        ('"CAM, small graphs"', "5", "method CAM: label must be text; got 5"),
        ("{ alpha = 0.01 }", "3", "method SCORE: options must be a table of options; got 3"),
        ("only = { d = 5 }", "only = { dd = 5 }", "only of method CAM: dd unknown; known: d, data"),
        ("only = { d = 5 }", "only = 3", "only must be a table of options; got 3"),
        ('"slow"', "7", "why must be text; got 7"),
        ('"Small"', '"Small"\ntables = [{ colums = ["d"] }]', r"\[\[tables\]\]: "),
    ],
)
def test_mistakes_are_named_with_the_file(read, old, new, message):
    assert old in SMALL
    with pytest.raises(SpecError, match=message) as error:
        read(SMALL.replace(old, new, 1) if old != "[[methods]]" else SMALL.replace(old, new))
    assert "mine.toml" in str(error.value)


TABLE = """
[[tables]]
title = "d = {d}"
where = { data = "paper" }
split = ["d"]
columns = ["graph"]
metrics = ["shd", "seconds"]
rows = ["SCORE", { method = "SCORE", metric = "order_seconds" }]
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"graph"', '"grpah"', "grpah unknown; known: d, data, graph"),
        ('data = "paper"', 'dta = "paper"', "dta unknown"),
        ('"seconds"', '"sid"', "metrics of .*: sid unknown; known: cpu_seconds, d_top"),
        ('["SCORE",', '["Score",', "rows of .*: Score unknown; known: CAM, small graphs, SCORE"),
        ('"order_seconds"', '"status"', "status unknown"),
    ],
)
def test_tables_are_checked_before_anything_runs(read, old, new, message):
    assert len(read(SMALL + TABLE).tables) == 1
    assert old in TABLE
    with pytest.raises(SpecError, match=message):
        read(SMALL + TABLE.replace(old, new))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("data", 'data = []\n[[methods]]\nname = "SCORE"'),
        ("methods", 'methods = []\n[[data]]\nname = "sachs"'),
    ],
)
def test_an_empty_benchmark_is_none(read, name, text):
    with pytest.raises(SpecError, match=rf"needs at least one \[\[{name}\]\] block"):
        read(text)


def test_the_same_method_twice_needs_labels(read):
    twice = SMALL + '\n[[methods]]\nname = "SCORE"\noptions = { alpha = 0.01 }\n'
    with pytest.raises(SpecError, match="method 'SCORE' is named twice"):
        read(twice)


def test_an_unknown_spec_lists_those_there_are():
    with pytest.raises(
        SpecError, match="no spec 'papers': give one of grandag, mechanisms, noises, paper"
    ):
        read_spec("papers")


@pytest.mark.parametrize("name", spec_names())
def test_bundled_specs_can_be_read(name):
    spec = read_spec(name)
    assert spec.runs
    assert spec.tables
    assert spec.description.strip()


def test_the_paper_has_24_cells_of_10_data_sets_and_its_real_data():
    runs = [run for run in read_spec("paper").runs if run.label == "SCORE"]
    cells = {tuple(run.data_options.values()) for run in runs if run.data == "paper"}
    assert len(cells) == 24
    assert sum(run.data == "paper" for run in runs) == 240
    assert sum(run.data == "syntren" for run in runs) == 10
    assert sum(run.data == "sachs" for run in runs) == 1
