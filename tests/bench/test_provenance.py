"""The name of the sources that decide results."""

from scoredag.bench.provenance import without_prose

CODE = '''"""A module."""
import math  # for the root


class Root:
    """Of a number."""

    def __call__(self, x):
        """Take the root."""
        return math.sqrt(x)  # not of negative numbers
'''


def test_prose_and_layout_do_not_count():
    other = CODE.replace("A module.", "Roots.").replace("  # for the root", "\n\n")
    other = other.replace('        """Take the root."""\n', "").replace(
        "(x)  #", "(\n x\n )  # of x,"
    )
    assert other != CODE
    assert without_prose(other) == without_prose(CODE)


def test_every_other_change_counts():
    for old, new in (("sqrt", "exp"), ("(x)", "(-x)"), ("class Root", "class Square")):
        assert without_prose(CODE.replace(old, new)) != without_prose(CODE)


def test_a_body_of_prose_alone_stays_valid():
    assert without_prose('def f():\n    """Nothing."""') == "def f():\n    pass"
