"""The commands, put together."""

from __future__ import annotations

import inspect
from typing import Annotated

import typer

from scoredag import __version__
from scoredag.cli.bench import bench
from scoredag.cli.demo import demo
from scoredag.cli.discover import discover
from scoredag.cli.errors import guarded
from scoredag.cli.evaluate import evaluate
from scoredag.cli.simulate import simulate

app = typer.Typer(
    name="scoredag",
    help="Find the causal graph behind a table of continuous observations.",
    epilog="Start with: scoredag demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"scoredag {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Find the causal graph behind a table of continuous observations."""


def _flowed(text: str | None) -> str:
    """Join the lines of each paragraph: the terminal breaks them where it must."""
    paragraphs = inspect.cleandoc(text or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


for command in (discover, simulate, evaluate, bench, demo):
    app.command(help=_flowed(command.__doc__))(guarded(command))
