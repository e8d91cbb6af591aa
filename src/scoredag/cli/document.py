"""A finding as one JSON document, for programs."""

from __future__ import annotations

import json
from typing import Any

from scoredag import __version__
from scoredag.report import Finding
from scoredag.report.comparison import compare


def finding_document(finding: Finding) -> dict[str, Any]:
    """Arrange a finding for JSON; columns are named, and edges point from cause to effect."""
    names, shown = finding.names, finding.shown_statistics
    document: dict[str, Any] = {
        "scoredag": __version__,
        "source": finding.source,
        "rows": finding.n_rows,
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
            for edge in finding.edges
        ],
        "warnings": list(finding.warnings),
    }
    comparison = compare(finding)
    if comparison is not None:
        document["comparison"] = {
            name.lower(): value for name, (value, _) in comparison.figures.items()
        }
    return document


def to_json(document: dict[str, Any]) -> str:
    """Write JSON that every parser takes: NaN and infinity are an error here, not output.

    Examples
    --------
    >>> print(to_json({"edges": []}))
    {
      "edges": []
    }
    """
    return json.dumps(document, indent=2, allow_nan=False)
