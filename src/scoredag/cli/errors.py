"""From exceptions to messages and exit codes: no traceback for anything a user can cause."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import typer

from scoredag.cli.interrupts import INTERRUPTED, interrupted
from scoredag.cli.wording import in_flags
from scoredag.exceptions import DataError, GraphError, KnowledgeError, SpecError

OUR_FAULT, YOUR_INPUT, CLOSED_PIPE = 1, 2, 141
NO_RESULT = 1

TRACEBACK_SWITCH = "SCOREDAG_TRACEBACK"


class UsageProblem(Exception):
    """Options that contradict each other, or that a method does not have."""


def guarded(command: Callable[..., None]) -> Callable[..., None]:
    """Wrap a command so that every failure ends in a sentence and the right exit code."""

    @functools.wraps(command)
    def run_guarded(*args: Any, **kwargs: Any) -> None:
        try:
            with _interrupts_first():
                command(*args, **kwargs)
            # While a closed pipe can still be caught here, and not by the interpreter's exit.
            if sys.stdout is not None:
                sys.stdout.flush()
        except (DataError, GraphError, KnowledgeError) as error:
            fail(in_flags(str(error)))
        except (SpecError, UsageProblem) as error:
            fail(str(error))
        except ImportError as error:
            # A missing extra is the user's to install; any other missing module is our mistake.
            fail(str(error)) if "pip install" in str(error) else _own_up(error)
        except BrokenPipeError:
            _leave_pipe()
        except OSError as error:
            fail(f"{error.filename or 'the result cannot be written'}: {error.strerror or error}.")
        except MemoryError as error:
            why = f" ({error})" if str(error) else ""
            fail(f"not enough memory{why}: use fewer columns, or fewer rows drawn at random.")
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except Exception as error:
            _own_up(error)

    return run_guarded


@contextlib.contextmanager
def _interrupts_first() -> Iterator[None]:
    """Let an interrupt be one, also where a library has made another error of it."""
    try:
        yield
    except Exception:
        if interrupted():
            raise KeyboardInterrupt from None
        raise


def fail(message: str, code: int = YOUR_INPUT) -> NoReturn:
    """Print a message to standard error and exit, as for bad input unless told otherwise."""
    _complain("Error", message)
    raise typer.Exit(code)


def _own_up(error: Exception) -> NoReturn:
    if os.environ.get(TRACEBACK_SWITCH):
        raise error
    _complain(
        "Internal error",
        f"{type(error).__name__}: {error}. This is a fault in scoredag, not in your data. Run the "
        f"same command with {TRACEBACK_SWITCH}=1 set to see the traceback, and please report it.",
    )
    raise typer.Exit(OUR_FAULT)


def _complain(title: str, message: str) -> None:
    typer.secho(f"{title}: ", fg="red", bold=True, nl=False, err=True)
    typer.echo(message, err=True)


def _leave_pipe() -> NoReturn:
    """Stop writing without a word: whoever reads has seen enough."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    raise typer.Exit(CLOSED_PIPE)
