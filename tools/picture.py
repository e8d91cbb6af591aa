"""Draw the README's picture, docs/images/sachs.svg: ScoreGP on Sachs beside the reference."""

import re
import warnings
from pathlib import Path

from scoredag import ScoreGP
from scoredag.datasets import load_sachs
from scoredag.report import summarise
from scoredag.report.comparison import compare
from scoredag.report.drawing import draw_graph
from scoredag.report.style import STYLE

PICTURE = Path(__file__).parent.parent / "docs" / "images" / "sachs.svg"


def main() -> None:
    """Fit, draw, and write the picture with the colours of the page."""
    data = load_sachs()
    with warnings.catch_warnings(action="ignore"):
        model = ScoreGP().fit(data.X)
    finding = summarise(model, data.X, source="Sachs", names=list(data.names), truth=data.adjacency)
    svg = str(draw_graph(finding, compare(finding)))
    rules = re.findall(
        r"^(?:svg text|\.node|\.edge|\.head)[^\n]*\{[^}]*\}[^\n]*$", STYLE, flags=re.M
    )
    colours = re.search(r":root \{.*?\}", STYLE, flags=re.S)
    style = "<style>" + (colours[0] if colours else "") + "\n".join(rules) + "</style>"
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(svg.replace("<defs>", style + "<defs>", 1) + "\n", encoding="utf-8")
    print(f"Wrote {PICTURE.relative_to(Path.cwd())}.")


if __name__ == "__main__":
    main()
