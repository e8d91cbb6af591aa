"""Options of `discover` that say what is known about the graph, and the rules they make."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scoredag.cli.errors import UsageProblem

if TYPE_CHECKING:
    from scoredag.knowledge import Knowledge

_known = partial(typer.Option, rich_help_panel="What is known")

KnowledgeFile = Annotated[
    Path | None,
    _known("--knowledge", help="File with rules (.toml or .json), as Knowledge.to_file writes."),
]
Require = Annotated[
    list[str] | None,
    _known(
        "--require",
        help="Edge that is in the graph: 'a -> b'. May be repeated; * and ? match. Names that "
        "hold an arrow go into a file.",
    ),
]
Forbid = Annotated[
    list[str] | None,
    _known("--forbid", help="Edge that is not in the graph: 'a -> b'. May be repeated."),
]
Root = Annotated[list[str] | None, _known("--root", help="Column without causes. May be repeated.")]
Sink = Annotated[
    list[str] | None, _known("--sink", help="Column without effects. May be repeated.")
]
Tier = Annotated[
    list[str] | None,
    _known(
        "--tier",
        help="Columns of one tier, with commas; repeated, the tiers from the earliest to the "
        "latest: no column causes one of an earlier tier.",
    ),
]
WithinTiers = Annotated[
    bool,
    _known(
        "--edges-within-tiers/--no-edges-within-tiers",
        help="Whether columns of one tier may cause each other.",
    ),
]


def knowledge_from(
    file: Path | None,
    require: Sequence[str] | None,
    forbid: Sequence[str] | None,
    root: Sequence[str] | None,
    sink: Sequence[str] | None,
    tier: Sequence[str] | None,
    within_tiers: bool,
    names: Sequence[str],
) -> Knowledge | None:
    """Put the rules of a file and of options together; None where there are none.

    Raises
    ------
    KnowledgeError
        If the rules cannot be read, fit no column, or contradict each other: before any fit.
    """
    from scoredag.exceptions import KnowledgeError
    from scoredag.knowledge import Knowledge

    if not any((file, require, forbid, root, sink, tier)) and within_tiers:
        return None
    if not within_tiers and not tier and file is None:
        raise UsageProblem("--no-edges-within-tiers says nothing without --tier: add the tiers.")
    groups = [split_names(group, names) for group in tier or ()]
    if not all(groups):
        raise UsageProblem("--tier names no column: write the columns of a tier, with commas.")
    known = Knowledge(
        required=require or (),
        forbidden=forbid or (),
        roots=root or (),
        sinks=sink or (),
        tiers=groups,
        edges_within_tiers=within_tiers,
    )
    if file is not None:
        from_file = Knowledge.from_file(file)
        try:
            known = from_file | known
        except KnowledgeError as error:
            raise KnowledgeError(f"{file} and the options do not go together: {error}") from None
    known.resolve(names)
    return known


def split_names(text: str, names: Sequence[str]) -> list[str]:
    """Split a list with commas, but not a column's own name.

    Examples
    --------
    >>> split_names("age, dose", ["age", "dose"]), split_names("a,b", ["a,b"])
    (['age', 'dose'], ['a,b'])
    """
    if text in names:
        return [text]
    return [part.strip() for part in text.split(",") if part.strip()]
