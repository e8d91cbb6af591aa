"""Peers: the registry, the subprocess, the venvs; and each method itself where it is installed."""

import dataclasses
import inspect
import os
import shlex
import shutil
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from scoredag.bench.peers import (
    PeerFailed,
    PeerMissing,
    peer_methods,
    peers_folder,
    run_peer,
)
from scoredag.bench.peers.__main__ import main
from scoredag.bench.peers.libraries.causal_learn import marks
from scoredag.bench.peers.libraries.gcastle import run_corl, run_notears, run_rl
from scoredag.bench.peers.libraries.lingam import run_direct_lingam
from scoredag.bench.peers.process import call
from scoredag.bench.peers.registry import (
    FOLDER_VARIABLE,
    Library,
    build,
    distributions,
    find_peer,
    is_built,
    libraries,
    mark_built,
    python_of,
)
from scoredag.bench.peers.running import _outcome, ask
from scoredag.bench.scoring import compare_marks
from scoredag.graph import full_dag, is_dag
from scoredag.metrics import shd
from scoredag.prune import cam_prune
from scoredag.simulate import paper_dataset

X = np.arange(6.0).reshape(3, 2)

FAKE = """
import os
import sys

LIBRARY = "fake"
MODULES = ("json",)


def run_good(X, options, seed):
    print("noise on stdout")
    print("noise on stderr", file=sys.stderr)
    return {"kind": "dag", "matrix": [[0, 1], [0, 0]], "order": [0, 1], "seen": {
        "X": X.tolist(), "options": options, "seed": seed, "threads": os.environ["OMP_NUM_THREADS"],
        "gpu": os.environ["CUDA_VISIBLE_DEVICES"], "path": sys.path, "group": os.getpgrp(),
        "python_path": os.environ.get("PYTHONPATH"),
    }}


def run_bad(X, options, seed):
    raise RuntimeError("the matrix is singular")


METHODS = {"good": run_good, "bad": run_bad}
"""


@pytest.fixture
def fake(tmp_path):
    """A library with a script and an empty list of requirements."""
    script = tmp_path / "fake.py"
    script.write_text(textwrap.dedent(FAKE))
    requirements = tmp_path / "fake.txt"
    requirements.write_text("# nothing\nnumpy==0\n")
    return Library("fake", script, {"good": None, "bad": None}, {"good": ("alpha",)}, requirements)


@pytest.fixture
def venvs(tmp_path):
    """A folder in which causal-learn's venv is this Python, which has no causal-learn."""
    library = libraries()["causal-learn"]
    program = tmp_path / "causal-learn" / "bin" / "python"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    program.chmod(0o755)
    mark_built(library, tmp_path)
    return tmp_path


def request(method, **options):
    return {"method": method, "options": options, "seed": 3, "distributions": ["numpy"]}


def test_the_methods_of_the_paper_are_there():
    assert set(peer_methods()) >= {
        "causal-learn/PC",
        "causal-learn/FCI",
        "causal-learn/GES",
        "gcastle/NOTEARS",
        "gcastle/RL",
        "gcastle/CORL",
        "gcastle/GraN-DAG",
        "lingam/DirectLiNGAM",
        "lingam/RESIT",
        "mgcv/SCORE",
    }


def test_every_file_is_a_library_with_documented_methods():
    for library in libraries().values():
        assert library.script.is_file()
        assert library.methods
        assert library.options.keys() == library.methods.keys()
        for method in library.methods.values():
            assert list(inspect.signature(method).parameters) == ["X", "options", "seed"]
            assert method.__doc__


def test_requirements_are_pinned():
    for library in libraries().values():
        if library.requirements:
            lines = library.requirements.read_text().splitlines()
            assert all("==" in line or line.startswith("#") for line in lines)
            assert {library.name, "numpy"} <= set(distributions(library))


def test_unknown_peer_is_named():
    with pytest.raises(ValueError, match="got 'causal-learn/PCC'"):
        run_peer("causal-learn/PCC", X)


def test_folder_comes_from_the_environment(monkeypatch):
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    assert peers_folder() == Path(".peers")
    monkeypatch.setenv(FOLDER_VARIABLE, "/somewhere")
    assert peers_folder() == Path("/somewhere")


def test_missing_venv_says_what_to_do(tmp_path):
    with pytest.raises(PeerMissing, match=r"causal-learn is not installed .* run `make peers`"):
        run_peer("causal-learn/PC", X, {}, 0, tmp_path)


def test_unfinished_venv_counts_as_missing(tmp_path):
    (tmp_path / "lingam" / "bin").mkdir(parents=True)
    with pytest.raises(PeerMissing, match=r"unfinished .* run `make peers`"):
        run_peer("lingam/RESIT", X, {}, 0, tmp_path)


def test_venv_for_other_versions_counts_as_missing(venvs, tmp_path):
    library = libraries()["causal-learn"]
    newer = tmp_path / "newer.txt"
    newer.write_text("causal-learn==99\n")
    assert python_of(library, venvs).is_file()
    with pytest.raises(PeerMissing, match="other versions"):
        python_of(dataclasses.replace(library, requirements=newer), venvs)


def test_failing_script_gives_its_last_line(venvs):
    with pytest.raises(PeerFailed, match="ModuleNotFoundError: No module named 'causallearn'"):
        run_peer("causal-learn/PC", X, {}, 0, venvs)


def test_failing_method_gives_its_last_line(fake):
    with pytest.raises(PeerFailed, match=r"^RuntimeError: the matrix is singular$"):
        ask(Path(sys.executable), fake, X, request("bad"))


def test_answer_of_a_script(fake, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/leaks")
    found = ask(Path(sys.executable), fake, X, request("good", alpha=0.1))
    assert found["matrix"] == [[0, 1], [0, 0]]
    assert found["versions"] == {"numpy": np.__version__}
    assert found["seconds"] >= 0
    assert found["cpu_seconds"] >= 0
    seen = found["seen"]
    assert (seen["X"], seen["options"], seen["seed"]) == (X.tolist(), {"alpha": 0.1}, 3)
    assert (seen["threads"], seen["gpu"], seen["python_path"]) == ("1", "", None)
    assert "/leaks" not in seen["path"]


def test_a_peer_stays_in_our_process_group(fake):
    """Who kills the group of a run must reach the peer too."""
    assert ask(Path(sys.executable), fake, X, request("good"))["seen"]["group"] == os.getpgrp()


def test_how_a_silent_program_ended():
    with pytest.raises(PeerFailed, match=r"^exit code 3, and no message$"):
        call(["sh", "-c", "exit 3"])
    with pytest.raises(PeerFailed, match=r"^ended by SIGKILL$"):
        call(["sh", "-c", "echo working; kill -9 $$"])


def test_scripts_of_venvs_do_not_import_scoredag():
    for library in libraries().values():
        if library.requirements:
            assert "import scoredag" not in library.script.read_text()
            assert "from scoredag" not in library.script.read_text()


def test_build_that_fails_does_not_stop_the_next(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    built = []

    def build_all_but_one(library, folder):
        if library.name == "gcastle":
            raise PeerFailed("ERROR: no matching distribution")
        built.append(library.name)
        (folder / library.name).mkdir()
        mark_built(library, folder)

    monkeypatch.setattr("scoredag.bench.peers.__main__.build", build_all_but_one)
    assert main([]) == 1
    assert built == ["causal-learn", "lingam"]
    said = capsys.readouterr().out
    assert "gcastle: failed: ERROR: no matching distribution" in said
    assert said.splitlines()[-1].startswith("Not built: gcastle.")


def test_second_build_has_nothing_to_do(venvs, monkeypatch, capsys):
    monkeypatch.setenv(FOLDER_VARIABLE, str(venvs))
    assert main(["causal-learn"]) == 0
    assert "up to date" in capsys.readouterr().out


def test_build_refuses_a_library_that_is_not_there(capsys):
    assert main(["tigramite"]) == 2
    assert "No library tigramite: there are causal-learn" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.slice
def test_build_of_a_real_venv(fake, tmp_path):
    """Nothing to install, so that it needs no network."""
    fake.requirements.write_text("# nothing\n")
    build(fake, tmp_path / "venvs")
    assert is_built(fake, tmp_path / "venvs")
    assert (tmp_path / "venvs" / ".gitignore").read_text() == "*\n"
    call(
        [
            python_of(fake, tmp_path / "venvs"),
            "-c",
            "import sys; assert sys.prefix != sys.base_prefix",
        ]
    )


@pytest.mark.slow
def test_build_that_pip_refuses_leaves_no_stamp(fake, tmp_path):
    fake.requirements.write_text("/nowhere/no-such-file.whl\n")
    with pytest.raises(PeerFailed, match=r"no-such-file\.whl"):
        build(fake, tmp_path / "venvs")
    assert not is_built(fake, tmp_path / "venvs")


def test_marks_of_causal_learn():
    """0 o-> 1, 1 <-> 2 and 0 - 2, in causal-learn's endpoints (row: at this node)."""
    theirs = [[0, 2, -1], [1, 0, 1], [-1, 1, 0]]
    assert marks(theirs) == [[0, 2, 3], [1, 0, 2], [3, 2, 0]]


@pytest.mark.parametrize(
    ("method", "options"), [(run_rl, {"nb_epoch": 10}), (run_corl, {"iteration": 10})]
)
def test_gcastle_is_not_asked_for_its_first_random_guess(method, options):
    with pytest.raises(ValueError, match="must be at least lambda_iter_num; got 10"):
        method(X, options, 0)


def test_mgcv_without_r_says_what_to_do(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda program: None)
    with pytest.raises(PeerMissing, match="R is not installed"):
        run_peer("mgcv/SCORE", X)


def test_mgcv_refuses_unknown_smoothing():
    with pytest.raises(PeerFailed, match="smoothing must be 'gcv' or 'reml'; got 'aic'"):
        run_peer("mgcv/SCORE", X, {"smoothing": "aic"})


@pytest.mark.parametrize("name", peer_methods())
def test_unknown_options_are_refused_before_anything_runs(name, tmp_path):
    with pytest.raises(ValueError, match=f"options of {name}: alhpa unknown; known: "):
        run_peer(name, X, {"alhpa": 0.1}, 0, tmp_path)


# What takes the options of each peer.
TAKERS = {
    "causal-learn/PC": "causallearn.search.ConstraintBased.PC:pc",
    "causal-learn/FCI": "causallearn.search.ConstraintBased.FCI:fci",
    "causal-learn/GES": "causallearn.search.ScoreBased.GES:ges",
    "gcastle/NOTEARS": "castle.algorithms:Notears",
    "gcastle/NOTEARS-MLP": "castle.algorithms:NotearsNonlinear",
    "gcastle/RL": "castle.algorithms:RL",
    "gcastle/CORL": "castle.algorithms:CORL",
    "gcastle/GraN-DAG": "castle.algorithms:GraNDAG",
    "lingam/DirectLiNGAM": "lingam:DirectLiNGAM",
    "lingam/RESIT": "lingam:RESIT",
}
CHECK = """
import sys, inspect, pkgutil
known = set(inspect.signature(pkgutil.resolve_name(sys.argv[1])).parameters) | {"forest"}
assert known >= set(sys.argv[2:]), set(sys.argv[2:]) - known
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKERS)
def test_options_are_those_of_the_installed_version(name):
    library, method = find_peer(name)
    try:
        python = python_of(library, peers_folder())
    except PeerMissing as missing:
        pytest.skip(str(missing))
    call([python, "-I", "-c", CHECK, TAKERS[name], *library.options[method]])


def collider():
    """Linear, 1 -> 0 <- 3 and 0 -> 2: every direction can be told, and columns are not in order."""
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 1000))
    c = 1.2 * a + b + 0.5 * rng.normal(size=1000)
    e = 1.1 * c + 0.4 * rng.normal(size=1000)
    true = np.zeros((4, 4), dtype=int)
    true[1, 0] = true[3, 0] = true[0, 2] = 1
    return np.column_stack([c, a, e, b]), true


def run_or_skip(name, *arguments):
    try:
        return run_peer(name, *arguments)
    except PeerMissing as missing:
        pytest.skip(str(missing))


@pytest.mark.slow
@pytest.mark.slice
@pytest.mark.parametrize("method", ["PC", "FCI", "GES"])
def test_direction_of_causal_learn(method):
    data, true = collider()
    found = run_or_skip(f"causal-learn/{method}", data)
    assert found.kind == ("pag" if method == "FCI" else "cpdag")
    assert compare_marks(true, found.matrix).shd == 0
    assert "causal-learn" in found.versions


@pytest.mark.slow
def test_direction_of_gcastle():
    data, true = collider()
    found = run_or_skip("gcastle/NOTEARS", data)
    assert found.kind == "dag"
    assert np.array_equal(found.matrix, true)
    assert {"gcastle", "torch"} <= set(found.versions)


@pytest.mark.slow
def test_short_runs_of_reinforcement_learning():
    data, true = collider()
    short = {"iteration": 4, "lambda_iter_num": 2}
    found = run_or_skip("gcastle/CORL", data, short)
    assert is_dag(found.matrix)
    assert shd(true, found.matrix) < shd(true.T, found.matrix)
    graph = run_or_skip("gcastle/RL", data, {"nb_epoch": 4, "lambda_iter_num": 2}).matrix
    assert graph.shape == (4, 4)


@pytest.mark.slow
def test_neural_methods_of_gcastle_find_a_small_graph():
    data = paper_dataset(5, "ER1", seed=0)
    found = run_or_skip("gcastle/NOTEARS-MLP", data.X)
    assert shd(data.adjacency, found.matrix) <= 1
    short = run_or_skip("gcastle/GraN-DAG", data.X, {"iterations": 500})
    assert short.matrix.shape == (5, 5)


@pytest.mark.slow
def test_direction_of_lingam():
    rng = np.random.default_rng(0)
    cause = 0.3 * rng.normal(size=300)
    effect = 2 * np.tanh(2 * cause) + cause**2 + 0.3 * rng.uniform(-1, 1, size=300)
    found = run_or_skip("lingam/RESIT", np.column_stack([effect, cause]))
    assert found.order.tolist() == [1, 0]
    assert found.matrix.tolist() == [[0, 0], [1, 0]]


@pytest.mark.slow
def test_direction_of_direct_lingam():
    cause, noise = np.random.default_rng(0).uniform(-1, 1, size=(2, 500))
    found = run_or_skip("lingam/DirectLiNGAM", np.column_stack([cause + noise, cause]))
    assert found.order.tolist() == [1, 0]
    assert found.matrix.tolist() == [[0, 0], [1, 0]]
    assert found.scores[1, 0] == pytest.approx(1 / np.sqrt(2), abs=0.1)


def test_weights_of_direct_lingam_are_turned_to_our_direction_and_units(monkeypatch):
    """lingam's B[j, i] is i -> j; here 1 -> 0 with weight -2, whose cause has half the spread."""

    class Fitted:
        adjacency_matrix_ = np.array([[0.0, -2.0], [0.0, 0.0]])
        causal_order_ = (1, 0)

        def __init__(self, **options):
            assert options == {"random_state": 3, "measure": "kernel"}

        def fit(self, X):
            return self

    monkeypatch.setitem(sys.modules, "lingam", SimpleNamespace(DirectLiNGAM=Fitted))
    table = np.array([[2.0, 1.0], [-2.0, -1.0]])
    found = run_direct_lingam(table, {"measure": "kernel"}, 3)
    assert found["matrix"] == [[0, 0], [1, 0]]
    assert found["order"] == [1, 0]
    assert found["scores"] == [[0, 0], [1, 0]]


def test_weights_of_notears_rank_its_edges(monkeypatch):
    class Fitted:
        causal_matrix = np.array([[0, 1], [0, 0]])
        weight_causal_matrix = np.array([[0.0, -0.8], [0.1, 0.0]])

        def learn(self, X):
            pass

    castle = SimpleNamespace(algorithms=SimpleNamespace(Notears=Fitted))
    torch = SimpleNamespace(set_num_threads=lambda threads: None)
    for name, module in {
        "castle": castle,
        "castle.algorithms": castle.algorithms,
        "torch": torch,
    }.items():
        monkeypatch.setitem(sys.modules, name, module)
    found = run_notears(X, {}, 0)
    assert found["matrix"] == [[0, 1], [0, 0]]
    assert found["scores"] == [[0, 0.8], [0.1, 0]]


def test_scores_of_a_peer_reach_the_outcome():
    found = {"kind": "dag", "matrix": [[0, 1], [0, 0]], "versions": {}}
    assert _outcome(found).scores is None
    assert _outcome({**found, "scores": [[0, 2], [0, 0]]}).scores.tolist() == [[0.0, 2.0], [0, 0]]


def test_mgcv_prunes_as_our_own_pruning_does():
    data = paper_dataset(5, "ER4", seed=1, n=500)
    candidates = full_dag(data.order)
    found = run_or_skip("mgcv/SCORE", data.X, {"candidates": candidates})
    ours = cam_prune(data.X, candidates, smoothing="gcv")
    assert np.array_equal(found.matrix, ours.adjacency)
    assert found.order is None


def test_mgcv_prunes_the_order_of_score():
    data = paper_dataset(5, "ER1", seed=0, n=400)
    found = run_or_skip("mgcv/SCORE", data.X)
    assert not (found.matrix & ~full_dag(found.order)).any()
    costs = found.costs
    assert costs["seconds"] == pytest.approx(costs["order_seconds"] + costs["prune_seconds"])
    assert set(found.versions) == {"R", "mgcv"}
