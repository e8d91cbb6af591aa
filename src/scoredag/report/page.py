"""The page: one function a section, put together from top to bottom."""

from __future__ import annotations

from collections.abc import Sequence

from scoredag import __version__
from scoredag.diagnosis.knowledge import rules_in_words
from scoredag.report.comparison import VERDICTS, Comparison, compare
from scoredag.report.drawing import draw_graph, unconnected
from scoredag.report.effects import draw_effect
from scoredag.report.finding import Edge, Finding
from scoredag.report.html import html_page
from scoredag.report.markup import Markup, isolated, join, tag
from scoredag.report.numbers import figure_text, number_text, p_phrase
from scoredag.report.tables import edge_table, order_list

# More pictures than this are not looked at; the page says how many it leaves out.
MOST_EFFECTS = 60


def render_page(finding: Finding) -> str:
    """Write a self-contained HTML page about a finding.

    Parameters
    ----------
    finding : Finding
        What `scoredag.report.summarise` returns. With a ``truth``, edges are coloured by whether
        they are in it, and the distances to it are shown.

    Returns
    -------
    str
        A whole document. It loads nothing and runs nothing, and every name in it is escaped.

    Examples
    --------
    >>> page = render_page(
    ...     Finding("doses.csv", 200, ("dose", "effect"), "SCORE", {}, (0, 1), (Edge(0, 1),))
    ... )
    >>> page[:15], "dose → effect" in page
    ('<!doctype html>', True)
    """
    comparison = compare(finding)
    return html_page(
        f"Causal graph of {finding.source}",
        _summary(finding),
        _cautions(finding.warnings),
        _graph(finding, comparison),
        _comparison(comparison),
        _knowledge(finding),
        _order(finding),
        _edges(finding, comparison),
        _effects(finding),
        _how_to_read(),
        _footer(),
    )


def _tiles(entries: Sequence[tuple[str, str, str | None]]) -> Markup:
    tiles = [
        tag("div", tag("dt", name), tag("dd", value, tag("small", note) if note else None))
        for name, value, note in entries
    ]
    return tag("dl", *tiles, class_="tiles")


def _summary(finding: Finding) -> Markup:
    d, edges = len(finding.names), len(finding.edges)
    lead = f"{finding.method} found {edges} edge{'s' * (edges != 1)} between {d} columns."
    settings = ", ".join(f"{key} = {number_text(v)}" for key, v in finding.parameters.items())
    tiles = _tiles(
        [
            ("Rows", f"{finding.n_rows:,}", None),
            ("Columns", f"{d:,}", None),
            ("Edges", f"{edges:,}", None),
            ("Method", finding.method, None),
        ]
    )
    return join(
        tag("p", lead, class_="lead"),
        tiles,
        tag("p", "Settings: ", settings, ".", class_="soft") if settings else None,
    )


def _cautions(warnings: Sequence[str]) -> Markup | None:
    if not warnings:
        return None
    return tag(
        "div",
        tag("strong", "Read the result with this in mind"),
        tag("ul", *(tag("li", _sentence(text)) for text in warnings)),
        class_="care",
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _graph(finding: Finding, comparison: Comparison | None) -> Markup:
    alone = [finding.names[node] for node in unconnected(finding, comparison)]
    caption = "Arrows point from cause to effect; causes stand above their effects."
    if any(edge.p_value is not None for edge in finding.edges):
        caption += " The heavier the line, the smaller the p-value."
    if any(edge.undirected for edge in finding.edges):
        caption += " Lines without a head could as well point the other way."
    return join(
        tag("h2", "The graph"),
        tag(
            "figure",
            draw_graph(finding, comparison),
            _legend() if comparison else None,
            tag("figcaption", caption),
        ),
        _alone(alone) if alone else None,
    )


def _alone(names: Sequence[str]) -> Markup:
    listed = [join(", " if k else None, isolated(name)) for k, name in enumerate(names)]
    return tag("p", "Not connected: ", *listed, ".", class_="soft")


def _legend() -> Markup:
    entries = []
    for verdict, meaning in VERDICTS.items():
        sample = tag(
            "svg",
            tag("path", d="M0 5H40", class_=f"edge {verdict}", stroke_width=2.2),
            viewBox="0 0 40 10",
            aria_hidden="true",
        )
        entries.append(tag("li", sample, meaning))
    return tag("ul", *entries, class_="legend")


def _comparison(comparison: Comparison | None) -> Markup | None:
    if comparison is None:
        return None
    tiles = [(name, figure_text(value), note) for name, (value, note) in comparison.figures.items()]
    return join(
        tag("h2", "Against the reference graph"),
        _tiles(tiles),
        tag(
            "p",
            "SHD, SID and D_top are 0 at best; precision, recall and F1 are 1 at best.",
            class_="soft",
        ),
    )


def _knowledge(finding: Finding) -> Markup | None:
    """What the user's rules say, and the forbidden edges that the data favour."""
    report = finding.knowledge
    if report is None or report.rules is None:
        return None
    rules = [f"{name}: {text}" for name, text in rules_in_words(report.rules).items()]
    favoured = [
        f"{edge.cause} → {edge.effect}: {edge.statistic:.1f} nats ({edge.rule})"
        for edge in report.forbidden
    ]
    note = "The data favour no edge that the rules forbid."
    if not report.weighed:
        note = "Whether the data favour edges that the rules forbid was not weighed."
    if favoured:
        note = "The data favour these edges, which the rules forbid:"
    return join(
        tag("h2", "What was known"),
        tag("p", "The graph obeys these rules; required edges are marked in the table."),
        tag("ul", *(tag("li", rule) for rule in rules)),
        tag("p", note),
        tag("ul", *(tag("li", edge) for edge in favoured)) if favoured else None,
    )


def _order(finding: Finding) -> Markup:
    return join(
        tag("h2", "The causal order"),
        tag("p", "No column is caused by one that stands to its right."),
        order_list(finding),
    )


def _edges(finding: Finding, comparison: Comparison | None) -> Markup | None:
    if not finding.edges and comparison is None:
        return None
    return join(tag("h2", "The edges"), edge_table(finding, comparison))


def _effects(finding: Finding) -> Markup | None:
    fitted = [edge for edge in finding.edges if edge.curve is not None]
    if not fitted:
        return None
    shown = fitted[:MOST_EFFECTS]
    cut = (
        f" Shown are the {len(shown)} edges with the strongest evidence, of {len(fitted)}."
        if len(shown) < len(fitted)
        else ""
    )
    joint = (
        " Where causes act together, the curve is the average over the rows; at each value of the "
        "cause, eight rows in ten have curves between the dashed lines. A flat average can hide a "
        "strong effect."
        if any(edge.curve.low is not None for edge in shown if edge.curve is not None)
        else ""
    )
    ranks = (
        " “By rank” are the normal quantiles of a column's ranks, which have no heavy tails, and "
        "outliers: 0 is the median, and 95 values in 100 lie between −2 and 2."
        if any({edge.cause, edge.effect} & finding.by_rank for edge in shown)
        else ""
    )
    return join(
        tag("h2", "What each cause does"),
        tag(
            "p",
            "How the effect moves with its cause, the other causes held fixed, with a 95% band "
            f"that takes the graph as given.{joint} The marks along the bottom are quantiles of "
            f"the data: where they are sparse, the curve rests on few rows.{ranks}{cut}",
        ),
        tag("div", *(_effect(finding, edge) for edge in shown), class_="effects"),
    )


def _effect(finding: Finding, edge: Edge) -> Markup | None:
    if edge.curve is None:
        return None
    cause, effect = finding.names[edge.cause], finding.names[edge.effect]
    note = p_phrase(edge.p_value) if edge.p_value is not None else None
    by_rank = edge.cause in finding.by_rank, edge.effect in finding.by_rank
    key = f"effect-{edge.cause}-{edge.effect}"
    return tag(
        "section",
        tag("h3", isolated(cause), f" {edge.sign} ", isolated(effect)),
        draw_effect(edge.curve, cause, effect, key, by_rank=by_rank),
        tag("p", note, class_="soft") if note else None,
    )


def _how_to_read() -> Markup:
    return join(
        tag("h2", "How to read this"),
        tag(
            "p",
            "An arrow says: under the assumptions below, changing the cause would change the "
            "effect, not only by way of other columns. No arrow says that none was needed to "
            "explain the data, or that the rows were too few to show one.",
        ),
        tag(
            "p",
            "The result rests on assumptions that the data cannot prove: every common cause is "
            "among the columns; there is no feedback; each column is a function of its causes "
            "plus independent noise; the rows are independent draws from one population. "
            "Straight-line effects with Gaussian noise have no direction that data could show, "
            "and SCORE sees none in straight lines with any noise. "
            "The tests of edges take the order as given; they do not test it.",
        ),
        tag(
            "p",
            "Treat the graph as a set of hypotheses: compare it with what is known, with other "
            "methods and other samples, and test what matters by experiment.",
        ),
    )


def _footer() -> Markup:
    return tag(
        "footer",
        f"Written by scoredag {__version__}. SCORE: Rolland et al., “Score matching enables causal "
        "discovery of nonlinear additive noise models”, ICML 2022.",
    )
