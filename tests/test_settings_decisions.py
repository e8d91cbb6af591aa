"""Every tuned number has a comment, and every decision that a comment quotes exists."""

import ast
import dataclasses
import io
import re
import tokenize
from pathlib import Path

import pytest

from scoredag import settings
from scoredag.settings import EdgeTestSettings, SearchSettings

SOURCE = Path(settings.__file__).read_text(encoding="utf-8")
FOLDER = Path(__file__).parent.parent / "docs" / "decisions"
DECISIONS = [
    FOLDER / name for name in ("0005-gaussian-processes.md", "0009-free-noise.md", "0010-scale.md")
]

BOTH = pytest.mark.parametrize("kind", [SearchSettings, EdgeTestSettings])


def comments():
    """The comments of the source, by line."""
    tokens = tokenize.generate_tokens(io.StringIO(SOURCE).readline)
    return {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}


def bold_leads():
    text = "\n".join(path.read_text(encoding="utf-8") for path in DECISIONS)
    return re.findall(r"^- \*\*(.+?)\*\*", text, flags=re.MULTILINE)


def quoted_decisions():
    text = " ".join(comment.lstrip("# ") for comment in comments().values())
    lists = re.findall(r'Decisions? ("[^"]+"(?:, "[^"]+")*)', text)
    return [lead for quoted in lists for lead in re.findall(r'"([^"]+)"', quoted)]


def field_lines(kind):
    """First and last line of each field in the source."""
    (definition,) = (
        node
        for node in ast.parse(SOURCE).body
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__
    )
    fields = [node for node in definition.body if isinstance(node, ast.AnnAssign)]
    return {ast.unparse(node.target): (node.lineno, node.end_lineno) for node in fields}


def test_every_quoted_decision_is_a_bold_lead():
    quoted = quoted_decisions()
    assert len(quoted) >= len(re.findall(r'Decisions? "', SOURCE)) > 0
    assert not set(quoted) - set(bold_leads())


def test_bold_leads_are_unique():
    leads = bold_leads()
    assert len(leads) == len(set(leads)) > 0


@BOTH
def test_every_field_has_a_comment(kind):
    lines = field_lines(kind)
    assert lines.keys() == {field.name for field in dataclasses.fields(kind)}
    found = comments()
    for name, (first, last) in lines.items():
        beside = any(line in found for line in range(first, last + 1))
        # A line above, unless it is the heading of a section or the comment of another field.
        above = SOURCE.splitlines()[first - 2].strip()
        assert beside or (above.startswith("#") and not above.startswith("# ---")), name


@BOTH
def test_settings_are_frozen(kind):
    name = dataclasses.fields(kind)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(kind(), name, 1)
