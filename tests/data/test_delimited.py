import pytest

from scoredag.data.delimited import describe_ragged, sniff_separator, split_lines


def describe(text, separator=","):
    return describe_ragged(list(split_lines(text, separator)), separator)


def test_even_lines_are_fine():
    assert describe('a,b\n1,2\n\n"3,1",4\n') is None


def test_lines_are_counted_as_an_editor_counts_them():
    told = describe('a,b\n\n"two\nlines",2\n3\n')
    assert told.startswith("line 5 has 1 field, expected 2 as in line 1")


def test_an_endless_field_does_not_break_the_walk():
    text = 'a,b\n1,2\n"' + "x" * 200_000
    assert "line 3 has 1 field" in describe(text)


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("a,b,c\n1,2,3\n4,5\n", ","),
        ('"weight; kg","x"\n1,2\n', ","),
        ("a|b\n1|2\n", "|"),
        ("a\tb, c\n1\t2\n", "\t"),
        ("title\na;b;c\n1;2;3\n", ";"),
        ("one\n1\n2\n", ","),
        ("0,1;2,3\n4,5;6,7\n", ";"),
        ("a,b\n1;2,3\n4;5,6\n", ","),
    ],
)
def test_separator(text, separator):
    assert sniff_separator(text) == separator
