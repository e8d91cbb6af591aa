"""The bar appears only on a terminal, only after a while, and estimates honestly."""

import io
import time

import pytest
from rich.console import Console

from scoredag.cli.progress import DelayedProgress, time_left


def console(terminal=True):
    return Console(file=io.StringIO(), force_terminal=terminal, width=100)


def test_quick_work_shows_nothing():
    screen = console()
    with DelayedProgress(screen, patience=5.0) as progress:
        progress("order", 1, 2)
    assert screen.file.getvalue() == ""


def test_a_pipe_shows_nothing():
    screen = console(terminal=False)
    with DelayedProgress(screen, patience=0.0) as progress:
        time.sleep(0.05)
        progress("order", 1, 2)
    assert screen.file.getvalue() == ""


def test_slow_work_shows_stage_and_time_left():
    screen = console()
    with DelayedProgress(screen, patience=0.0) as progress:
        time.sleep(0.2)
        progress("order", 1, 2)
        time.sleep(0.3)
        progress("prune", 1, 1)
        time.sleep(0.2)
    shown = screen.file.getvalue()
    assert "Finding the order" in shown
    assert "about 1 s left" in shown
    assert "Testing the edges" in shown


def test_the_bar_appears_before_the_first_report():
    screen = console()
    with DelayedProgress(screen, patience=0.0):
        time.sleep(0.2)
    assert "Working" in screen.file.getvalue()


def test_a_plan_gives_the_time_left_of_all_stages():
    screen = console()
    with DelayedProgress(screen, patience=0.0, plan={"read": 1.0, "order": 300.0, "prune": 299.0}):
        time.sleep(0.2)
    shown = screen.file.getvalue()
    assert "Checking the table" in shown
    assert "about 10 min left" in shown


def test_a_stage_without_a_plan_is_shown_all_the_same():
    screen = console()
    with DelayedProgress(screen, patience=0.0, plan={"order": 300.0}) as progress:
        time.sleep(0.2)
        progress("simulate", 1, 2)
        time.sleep(0.2)
    assert "Drawing the data" in screen.file.getvalue()


def interrupted(screen):
    with DelayedProgress(screen, patience=0.0) as progress:
        time.sleep(0.2)
        progress("order", 1, 2)
        raise KeyboardInterrupt


def test_an_exception_leaves_the_terminal_clean():
    screen = console()
    with pytest.raises(KeyboardInterrupt):
        interrupted(screen)
    assert screen.file.getvalue().rstrip().endswith("\x1b[?25h\r\x1b[1A\x1b[2K")


@pytest.mark.parametrize(
    ("elapsed", "done", "total", "text"),
    [
        (1.0, 0, 10, ""),
        (1.0, 10, 10, ""),
        (1.0, 5, 10, "about 1 s left"),
        (0.001, 5, 10, "about 1 s left"),
        (60.0, 1, 3, "about 2 min left"),
        (3600.0, 1, 3, "about 2.0 h left"),
    ],
)
def test_time_left(elapsed, done, total, text):
    assert time_left(elapsed, done, total) == text
