"""The edges as a table, and the order as a line of chips."""

from __future__ import annotations

from scoredag.report.comparison import VERDICTS, Comparison
from scoredag.report.finding import Edge, Finding
from scoredag.report.markup import Markup, join, shorten, tag
from scoredag.report.numbers import statistic_text
from scoredag.settings import EDGE_TEST

# How the statistics that our own methods attach to edges are headed, and what they mean.
HEADINGS = {
    "p_value": ("p-value", "Of the test that the cause adds nothing, given the other causes"),
    "evidence": (
        "evidence",
        "Nats that the effect loses without the cause: how much less likely it is, as a logarithm",
    ),
    "direction": (
        "direction",
        "Nats that reversing the edge would cost, or gain below 0; with few or none an edge can be "
        "undirected, and the notes at the top of the page name the reason; without a number the "
        "reversal was not weighed, mostly because other edges fix the direction",
    ),
    "noise_p_value": (
        "noise p-value",
        "Of the test that the noise of the effect does not depend on the cause; one below "
        f"{EDGE_TEST.dependent_noise_level:g} over the number of edges contradicts the model, and "
        "then the edge can be reversed",
    ),
    "linear": (
        "linear",
        "1 where straight lines explain the column, or its ranks where it was compared by rank, as "
        "well as curves, or else 0",
    ),
    "scale_only": (
        "scale only",
        "1 where the cause changes how much the effect varies and not its mean, or else 0",
    ),
    "weak": (
        "weak",
        f"1 where the evidence is below {EDGE_TEST.doubtful_at_1000:g} nats at 1,000 rows, growing "
        "with their square root: a hidden common cause can give as much",
    ),
    "post_nonlinear": (
        "effect by rank",
        "1 where the effect was compared by its ranks, as if seen through a distorting instrument, "
        "or else 0",
    ),
    "edf": ("edf", "Effective degrees of freedom: 1 is a straight line, more is curved"),
}
BAR_WIDTH = 64.0
LONGEST_CHIP = 32


def edge_table(finding: Finding, comparison: Comparison | None) -> Markup:
    """List the edges, strongest evidence first, then those that were missed."""
    keys = finding.shown_statistics
    sized = any(edge.size is not None for edge in finding.edges)
    rows = [_row(finding, edge, keys, sized, comparison) for edge in finding.edges]
    rows += [_missing_row(finding, pair, keys, sized) for pair in _missing(comparison)]
    caption = "Strongest evidence first."
    if sized:
        caption += (
            " Size: standard deviation of the fitted effect, as a share of the standard deviation "
            "of the column that it acts on."
        )
    return tag(
        "div",
        tag(
            "table",
            tag("caption", caption),
            tag("thead", _head(finding, keys, sized, comparison)),
            tag("tbody", *rows),
        ),
        class_="scroll",
    )


def _head(finding: Finding, keys: list[str], sized: bool, comparison: Comparison | None) -> Markup:
    cells = [tag("th", title, scope="col") for title in ("Cause", "Effect")]
    for key in keys:
        heading, meaning = HEADINGS.get(key, (key.replace("_", " "), None))
        cells.append(tag("th", heading, scope="col", class_="number", title=meaning))
    if sized:
        cells.append(tag("th", "Size", scope="col", class_="number"))
    if finding.has_required:
        cells.append(tag("th", "Rule", scope="col"))
    if comparison:
        cells.append(tag("th", "Against the reference", scope="col"))
    return tag("tr", *cells)


def _row(
    finding: Finding, edge: Edge, keys: list[str], sized: bool, comparison: Comparison | None
) -> Markup:
    cells = [
        tag("th", finding.names[edge.cause], scope="row"),
        tag("td", finding.names[edge.effect]),
    ]
    statistics = [statistic_text(key, edge.evidence.get(key)) for key in keys]
    if edge.undirected and "direction" in keys:
        statistics[keys.index("direction")] += ", undirected"
    cells += [tag("td", text, class_="number") for text in statistics]
    if sized:
        cells.append(tag("td", _size(edge.size), class_="number"))
    if finding.has_required:
        cells.append(tag("td", "required" if edge.required else ""))
    if comparison:
        verdict = comparison.verdicts[edge.cause, edge.effect]
        cells.append(tag("td", VERDICTS[verdict], class_=f"mark {verdict}"))
    return tag("tr", *cells)


def _missing_row(finding: Finding, pair: tuple[int, int], keys: list[str], sized: bool) -> Markup:
    cause, effect = pair
    blank = [
        tag("td", "–", class_="number") for _ in range(len(keys) + sized + finding.has_required)
    ]
    return tag(
        "tr",
        tag("th", finding.names[cause], scope="row"),
        tag("td", finding.names[effect]),
        *blank,
        tag("td", VERDICTS["missing"], class_="mark missing"),
    )


def _missing(comparison: Comparison | None) -> list[tuple[int, int]]:
    verdicts = comparison.verdicts if comparison else {}
    return [pair for pair, verdict in verdicts.items() if verdict == "missing"]


def _size(size: float | None) -> Markup:
    if size is None:
        return join("–")
    bar = tag("span", class_="bar", style=f"width:{min(size, 1.0) * BAR_WIDTH:.0f}px")
    return join(f"{size:.2f}", tag("span", bar, class_="track", aria_hidden="true"))


def order_list(finding: Finding) -> Markup:
    """Show the order, sources first."""
    chips = [_chip(finding.names[k]) for k in finding.order]
    return tag("ol", *chips, class_="order")


def _chip(name: str) -> Markup:
    return tag("li", tag("span", shorten(name, LONGEST_CHIP), class_="chip", title=name))
