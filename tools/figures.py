"""Print figures of a source tree: sizes of functions and files, documentation, comments, crumbs.

    python tools/figures.py [FOLDER ...]

Lines of a function are counted with its signature and without its docstring. A private function is
called once if the code refers to its name once. Comment lines are a share of the lines that are not
blank.
"""

import ast
import io
import re
import statistics
import sys
import tokenize
from collections import Counter
from pathlib import Path

FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
CRUMB = 30  # lines


def figures(folder: Path) -> dict[str, str]:
    """Measure all Python files of a folder."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))}
    trees = {path: ast.parse(text) for path, text in texts.items()}
    functions = [node for tree in trees.values() for node in _functions(tree)]
    lengths = sorted(_lines(node) for node in functions)
    files = sorted(len(text.splitlines()) for text in texts.values())
    public = [node for tree in trees.values() for node in _public(tree)]
    documented = [node for node in public if ast.get_docstring(node)]
    private = [node.name for node in functions if re.match(r"_[a-z]", node.name)]
    calls = sum((_calls(tree) for tree in trees.values()), Counter())
    once = sum(calls[name] == 1 for name in private)
    comments = sum(_comment_lines(text) for text in texts.values())
    code = sum(bool(line.strip()) for text in texts.values() for line in text.splitlines())
    p90 = lengths[int(0.9 * len(lengths))]
    return {
        "functions, lines (median / p90 / max)": f"{lengths[len(lengths) // 2]} / {p90} / "
        f"{lengths[-1]}",
        "files, lines (median / max)": f"{statistics.median(files):.0f} / {files[-1]}",
        "files, and those of 30 lines or fewer": f"{len(files)}, "
        f"{sum(lines <= CRUMB for lines in files)}",
        "lines": f"{sum(files)}",
        "public documented": f"{len(documented) / len(public):.0%}",
        "comment lines": f"{comments / code:.1%}",
        "private functions called once": f"{once / max(len(private), 1):.0%}",
    }


def _functions(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, FUNCTION)]


def _lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    whole = (function.end_lineno or 0) - function.lineno + 1
    if ast.get_docstring(function) is None:
        return whole
    docstring = function.body[0]
    return whole - ((docstring.end_lineno or 0) - docstring.lineno + 1)


def _calls(tree: ast.Module) -> Counter[str]:
    """How often each name is called or handed on, as a function or as a method."""
    names = (getattr(node, "id", getattr(node, "attr", None)) for node in ast.walk(tree))
    return Counter(name for name in names if name)


def _public(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Functions, classes and their methods without an underscore, at the top of a module."""
    found = []
    for node in tree.body:
        if isinstance(node, (*FUNCTION, ast.ClassDef)) and not node.name.startswith("_"):
            found.append(node)
            if isinstance(node, ast.ClassDef):
                members = (m for m in node.body if isinstance(m, FUNCTION))
                found += [m for m in members if not m.name.startswith("_")]
    return found


def _comment_lines(text: str) -> int:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(token.type == tokenize.COMMENT for token in tokens)


if __name__ == "__main__":
    for name in sys.argv[1:] or ["src/scoredag"]:
        print(name)
        for label, value in figures(Path(name)).items():
            print(f"  {label:<42} {value}")
