"""HTML and SVG elements from Python values. Text is escaped unless an element made it.

Column names come from files of strangers: escaping is the default here, not a step to remember.
"""

from __future__ import annotations

from html import escape


class Markup(str):
    """Text that is markup already, and is not escaped again."""

    __slots__ = ()


def tag(name: str, /, *children: object, **attributes: object) -> Markup:
    """Make an element.

    Parameters
    ----------
    name : str
        Of the element.
    *children : object
        `Markup` is taken as it is, None is left out, and anything else is escaped text.
    **attributes : object
        A trailing underscore is dropped and the others become hyphens (``class_``,
        ``stroke_width``); None leaves the attribute out; floats are cut to two decimals.

    Examples
    --------
    >>> tag("td", "<b>", class_="name", title=None)
    '<td class="name">&lt;b&gt;</td>'
    >>> tag("circle", cx=1.0, cy=2.345, stroke_width=2)
    '<circle cx="1" cy="2.35" stroke-width="2"></circle>'
    """
    listed = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_value(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{listed}>{join(*children)}</{name}>")


def void(name: str, /, **attributes: object) -> Markup:
    """Make an HTML element that has no end tag, such as ``meta``.

    Examples
    --------
    >>> void("meta", charset="utf-8")
    '<meta charset="utf-8">'
    """
    return Markup(tag(name, **attributes).removesuffix(f"</{name}>"))


def join(*children: object) -> Markup:
    """Put pieces one after the other, escaping what is not markup.

    Examples
    --------
    >>> join("a & ", tag("b", "c"), None)
    'a &amp; <b>c</b>'
    """
    return Markup(
        "".join(
            child if isinstance(child, Markup) else escape(_value(child))
            for child in children
            if child is not None
        )
    )


def shorten(text: str, length: int) -> str:
    """Cut a name to what fits, with an ellipsis.

    Examples
    --------
    >>> shorten("temperature_celsius", 12)
    'temperature…'
    """
    return text if len(text) <= length else text[: length - 1] + "…"


def isolated(name: str, length: int = 40) -> Markup:
    r"""Put a name into a line of text: shortened, and without turning what follows it round.

    Examples
    --------
    >>> isolated("a & b")
    '<bdi>a &amp; b</bdi>'
    """
    return tag("bdi", shorten(name, length), title=name if len(name) > length else None)


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return str(value)
