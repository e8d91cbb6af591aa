"""The end of a command: the result in files and on standard output, for people or programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from scoredag import __version__
from scoredag.cli.console import for_results, to_json
from scoredag.cli.display import show_finding
from scoredag.cli.errors import UsageProblem
from scoredag.cli.outputs import PAGE, write_outputs
from scoredag.diagnosis.knowledge import KnowledgeReport
from scoredag.report import Finding
from scoredag.report.comparison import compare


def deliver(finding: Finding, graph: Any, outputs: Sequence[Path], *, as_json: bool) -> None:
    """Write a finding to files and print it; where a file cannot be written, it is printed yet."""
    try:
        write_outputs(outputs, graph, finding)
    except UsageProblem:
        present(finding, as_json=as_json, written=None)
        raise
    present(finding, as_json=as_json, written=outputs)


def present(finding: Finding, *, as_json: bool, written: Sequence[Path] | None) -> None:
    """Print a finding, and say where it was written or how it could be; None says nothing."""
    if as_json:
        typer.echo(to_json(finding_document(finding)))
        return
    console = for_results()
    show_finding(finding, console)
    if written is not None:
        console.print(f"\n{_closing(written)}", markup=False, soft_wrap=True)


def _closing(written: Sequence[Path]) -> str:
    if written:
        listed = ", ".join(str(path) for path in written)
        has_page = any(path.suffix.lower() == PAGE for path in written)
        return f"Wrote {listed}.{' Open the page in a browser.' * has_page}"
    return (
        "Keep it: --output graph.gml for the graph, --output report.html for a page with figures."
    )


def finding_document(finding: Finding) -> dict[str, Any]:
    """Arrange a finding for JSON; columns are named, and edges point from cause to effect."""
    names, shown = finding.names, finding.shown_statistics
    document: dict[str, Any] = {
        "scoredag": __version__,
        "source": finding.source,
        "rows": finding.n_rows,
        "rows_used": dict(finding.rows_used),
        "score_estimator": finding.score_estimator,
        "columns": list(names),
        "by_rank": [names[node] for node in sorted(finding.by_rank)],
        "method": finding.method,
        "parameters": dict(finding.parameters),
        "order": [names[node] for node in finding.order],
        "edges": [
            {"cause": names[edge.cause], "effect": names[edge.effect]}
            | {key: edge.evidence[key] for key in shown if key in edge.evidence}
            | ({} if edge.size is None else {"size": edge.size})
            | ({} if edge.undirected is None else {"undirected": edge.undirected})
            | ({} if finding.knowledge is None else {"required": edge.required})
            for edge in finding.edges
        ],
        "warnings": list(finding.warnings),
    }
    if finding.knowledge is not None:
        document["knowledge"] = {
            "rules": finding.knowledge.rules,
            "favoured_but_forbidden": _favoured(finding.knowledge),
        }
    comparison = compare(finding)
    if comparison is not None:
        document["comparison"] = {
            name.lower(): value for name, (value, _) in comparison.figures.items()
        }
    return document


def _favoured(report: KnowledgeReport) -> list[dict[str, Any]] | None:
    """The forbidden edges that the data favour; None if they were not weighed."""
    if not report.weighed:
        return None
    return [
        {
            "cause": edge.cause,
            "effect": edge.effect,
            "evidence": edge.statistic,
            "rule": edge.rule,
        }
        for edge in report.forbidden
    ]
