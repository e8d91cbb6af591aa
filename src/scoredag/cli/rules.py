"""Options of `discover` that say what is known about the graph, and the rules they make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scoredag.cli.errors import UsageProblem
from scoredag.cli.wording import in_typed_rules, typed_option
from scoredag.exceptions import KnowledgeError

if TYPE_CHECKING:
    from scoredag.knowledge import Knowledge
    from scoredag.knowledge.parsing import Edge

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
        If the rules cannot be read, fit no column, or contradict each other: before any fit. The
        message names options as they were typed.
    """
    from scoredag.knowledge import Knowledge
    from scoredag.knowledge.files import naming

    if not any((file, require, forbid, root, sink, tier)) and within_tiers:
        return None
    if not within_tiers and not tier and file is None:
        raise UsageProblem("--no-edges-within-tiers says nothing without --tier: add the tiers.")
    groups = [split_names(group, names) for group in tier or ()]
    if not all(groups):
        raise UsageProblem("--tier names no column: write the columns of a tier, with commas.")
    required, forbidden = _edges("--require", require), _edges("--forbid", forbid)
    roots, sinks = _columns("--root", root), _columns("--sink", sink)
    known = Knowledge(
        required=list(required),
        forbidden=list(forbidden),
        roots=roots,
        sinks=sinks,
        tiers=groups,
        edges_within_tiers=within_tiers,
    )
    words = (
        _edge_words("required", "--require", required)
        | _edge_words("forbidden", "--forbid", forbidden)
        | _column_words("roots", "--root", roots)
        | _column_words("sinks", "--sink", sinks)
    )
    if not within_tiers:
        words["edges_within_tiers is False"] = "--no-edges-within-tiers"
    tier_words = {f"tier {k}": typed_option("--tier", t) for k, t in enumerate(tier or (), start=1)}
    with _as_typed(words | tier_words):
        known.resolve(names)
    if file is None:
        return known
    from_file = Knowledge.from_file(file)
    with naming(file, "cannot use the rules in"):
        from_file.resolve(names)
    together = f"{file} and the options do not go together: "
    with _as_typed(words, together):
        joint = from_file | known
    # The longer list of tiers is that of the options, or else that of the file.
    with _as_typed(words | (tier_words if joint.tiers == known.tiers else {}), together):
        joint.resolve(names)
    return joint


def _edges(flag: str, given: Sequence[str] | None) -> dict[Edge, str]:
    """Read the edges of an option, each with the text that was typed."""
    from scoredag.knowledge.parsing import edge_from_text

    with _as_typed({}):
        return {edge_from_text(text, flag): text for text in given or ()}


def _columns(flag: str, given: Sequence[str] | None) -> list[str]:
    if not all(map(str.strip, given or ())):
        raise UsageProblem(f"{flag} names no column: write the name of one.")
    return list(given or ())


def _edge_words(kind: str, flag: str, edges: dict[Edge, str]) -> dict[str, str]:
    """What the library calls each rule, and the option of which it was made."""
    from scoredag.knowledge.parsing import shown_edge

    return {f"{kind}: {shown_edge(edge)}": typed_option(flag, t) for edge, t in edges.items()}


def _column_words(kind: str, flag: str, columns: Sequence[str]) -> dict[str, str]:
    from scoredag.knowledge.parsing import shown

    return {f"{kind}: {shown(column)}": typed_option(flag, column) for column in columns}


@contextmanager
def _as_typed(words: dict[str, str], prefix: str = "") -> Iterator[None]:
    """Let errors about rules speak of what was typed."""
    try:
        yield
    except KnowledgeError as error:
        raise KnowledgeError(prefix + in_typed_rules(str(error), words)) from None


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
