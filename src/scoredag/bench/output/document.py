"""What the Markdown and the HTML page show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoredag.bench.output.pivot import Table


@dataclass(frozen=True)
class Picture:
    """A plot: its file, what it shows, and its SVG."""

    filename: str
    caption: str
    svg: str


@dataclass(frozen=True)
class Document:
    """The results of a benchmark, ready to be written.

    Attributes
    ----------
    title : str
        The heading.
    tables : sequence of Table
        What `scoredag.bench.output.make_tables` returns.
    made : sequence of (str, str)
        How the results came about: what, and its value.
    description : str
        What it is about, below the heading.
    pictures : sequence of Picture
        Plots.
    """

    title: str
    tables: Sequence[Table]
    made: Sequence[tuple[str, str]]
    description: str = ""
    pictures: Sequence[Picture] = ()
