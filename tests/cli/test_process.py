"""What only a real process shows: exit codes, signals, pipes, imports and missing extras."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}


def start(*arguments, code=None, **options):
    command = [sys.executable, *(["-c", code] if code else ["-m", "scoredag"])]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": ENVIRONMENT} | options
    return subprocess.Popen([*command, *map(str, arguments)], text=True, **options)


def finish(*arguments, code=None, **options):
    process = start(*arguments, code=code, **options)
    stdout, stderr = process.communicate(timeout=120)
    return process.returncode, stdout, stderr


def test_json_on_standard_output_alone(table):
    code, stdout, _ = finish("discover", table, "--json")
    assert code == 0
    assert json.loads(stdout)["rows"] == 150


def test_bad_input_and_bad_usage():
    code, stdout, stderr = finish("discover", "no.csv")
    assert (code, stdout) == (2, "")
    assert stderr == "Error: no.csv does not exist.\n"
    assert finish("discover")[0] == 2


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGPIPE")
@pytest.mark.parametrize("arguments", [("discover",), ("discover", "--json"), ("--help",)])
def test_a_pipe_that_is_closed_early(table, arguments):
    files = [table] if "discover" in arguments else []
    with start(*arguments, *files) as process:
        process.stdout.close()
        stderr = process.stderr.read()
    # Shells report it as 141.
    assert process.returncode == -signal.SIGPIPE
    assert "Traceback" not in stderr


def test_a_closed_pipe_without_the_signal(table):
    code = "from scoredag.cli.app import app; app()"
    with start("discover", table, "--json", code=code) as process:
        process.stdout.close()
        stderr = process.stderr.read()
    assert process.returncode == 141
    assert "Broken pipe" not in stderr
    assert "Exception ignored" not in stderr
    assert "Traceback" not in stderr


def wait_for_cpu_seconds(process, seconds):
    ticks = seconds * os.sysconf("SC_CLK_TCK")
    while process.poll() is None:
        with open(f"/proc/{process.pid}/stat") as file:
            user, system = file.read().rpartition(")")[2].split()[11:13]
        if int(user) + int(system) >= ticks:
            return
        time.sleep(0.05)


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc to see it work")
def test_ctrl_c_is_quiet(tmp_path):
    path = tmp_path / "large.csv"
    values = np.random.default_rng(0).normal(size=(3000, 50))
    pd.DataFrame(values).add_prefix("x").to_csv(path, index=False)
    process = start("discover", path)
    # Well after its imports, some of which swallow an interrupt.
    wait_for_cpu_seconds(process, 5.0)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in stderr


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_the_extra(missing):
    code = f"import sys; sys.modules[{missing!r}] = None; from scoredag.cli import run; run()"
    returned, _, stderr = finish(code=code)
    assert returned == 2
    assert "pip install 'scoredag[cli]'" in stderr
    assert len(stderr.splitlines()) == 1


def test_help_does_not_wait_for_the_libraries():
    code = (
        "import sys, scoredag.cli.app\n"
        "heavy = {'numpy', 'scipy', 'sklearn', 'networkx', 'pyarrow', 'gadjid'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert finish(code=code)[1] == "[]\n"


def test_a_terminal_that_has_no_arrows(table):
    environment = ENVIRONMENT | {"PYTHONIOENCODING": "ascii"}
    code, stdout, stderr = finish("discover", table, env=environment)
    assert code == 0
    assert "Traceback" not in stderr
    assert "Causal order" in stdout
    assert "dose -> effect" in stdout
    assert "?" not in stdout


@pytest.mark.skipif(os.name == "nt", reason="needs a shell that closes streams")
@pytest.mark.parametrize(
    ("redirection", "code", "words"),
    [(">&-", 0, ""), ("<&-", 2, "Error: standard input is closed: pipe a table into it")],
)
def test_closed_streams(table, redirection, code, words):
    source = "-" if "<" in redirection else shlex.quote(str(table))
    command = f"{sys.executable} -m scoredag discover {source} -m varsort {redirection}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == code
    assert done.stderr.startswith(words)
    assert "Internal error" not in done.stderr
