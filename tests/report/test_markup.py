from html import unescape
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from scoredag.report.markup import Markup, join, shorten, tag, void


class Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.text = [], {}, ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.update(attrs)

    def handle_data(self, data):
        self.text += data


@given(st.text())
def test_any_text_comes_back_as_text_and_as_attribute(text):
    reader = Reader()
    reader.feed(tag("td", text, title=text))
    reader.close()
    assert reader.tags == ["td"]
    assert reader.attributes == {"title": text}
    assert reader.text.replace("\r\n", "\n") == text.replace("\r\n", "\n")


def test_markup_is_not_escaped_twice():
    assert tag("p", tag("b", "<")) == "<p><b>&lt;</b></p>"
    assert isinstance(join("a", tag("b")), Markup)


def test_quotes_cannot_leave_an_attribute():
    assert unescape(tag("a", title="\"' onclick=x")) == '<a title=""\' onclick=x"></a>'
    assert "&quot;&#x27;" in tag("a", title="\"'")


def test_none_and_numbers():
    assert (
        tag("path", None, x=None, stroke_width=1.50, y=2)
        == '<path stroke-width="1.5" y="2"></path>'
    )
    assert void("br", class_="x") == '<br class="x">'


def test_shorten():
    assert shorten("abc", 3) == "abc"
    assert shorten("abcd", 3) == "ab…"
