"""The last line of defence: every exception has an exit code."""

import pytest

import scoredag


@pytest.fixture
def failing(run, table, monkeypatch):
    def fail_with(error, **options):
        def fit(self, X):
            raise error

        monkeypatch.setattr(scoredag.ScoreGP, "fit", fit)
        return run("discover", table, **options)

    return fail_with


def test_a_fault_of_ours(failing):
    result = failing(ZeroDivisionError("division by zero"))
    assert result.exit_code == 1
    assert "Internal error: ZeroDivisionError: division by zero" in result.stderr
    assert "SCOREDAG_TRACEBACK=1" in result.stderr
    assert "fault in scoredag" in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_the_traceback_on_request(failing):
    result = failing(ZeroDivisionError("division by zero"), env={"SCOREDAG_TRACEBACK": "1"})
    assert result.exit_code == 1
    assert isinstance(result.exception, ZeroDivisionError)


def test_ctrl_c(failing):
    result = failing(KeyboardInterrupt())
    assert result.exit_code == 130
    assert result.stderr == ""


def test_out_of_memory(failing):
    result = failing(MemoryError("Unable to allocate 80 GiB"))
    assert result.exit_code == 2
    assert "not enough memory (Unable to allocate 80 GiB)" in result.stderr
    assert "fewer columns, or fewer rows drawn at random" in result.stderr


def test_full_disk(failing):
    result = failing(OSError(28, "No space left on device", "graph.json"))
    assert result.exit_code == 2
    assert result.stderr == "Error: graph.json: No space left on device.\n"


def test_a_full_disk_under_an_output(run, table, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    path = tmp_path / "graph.json"
    monkeypatch.setattr("pathlib.Path.write_text", refuse)
    result = run("discover", table, "-m", "varsort", "-o", path)
    assert result.exit_code == 2
    assert result.stderr == f"Error: {path} cannot be written: No space left on device.\n"


def test_an_error_that_names_no_file(failing):
    result = failing(OSError(28, "No space left on device"))
    assert result.stderr == "Error: the result cannot be written: No space left on device.\n"


def test_missing_extra(failing):
    result = failing(ImportError("files need pyarrow: pip install 'scoredag[cli]'"))
    assert result.exit_code == 2
    assert "pip install 'scoredag[cli]'" in result.stderr


def test_missing_module_of_ours(failing):
    assert failing(ImportError("cannot import name 'peel'")).exit_code == 1
