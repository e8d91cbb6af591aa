"""Files: what is written reads back equal, and what cannot be read is said with its name."""

import json
import tomllib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoredag import Knowledge, KnowledgeError

NAMES = st.one_of(
    st.text(min_size=1, max_size=8),
    st.text(alphabet="ab ->*?\"'\\\n\r\t\x00\x7f\x85\u2028é=#[]", min_size=1, max_size=6),
)
COLUMNS = st.one_of(NAMES, st.integers(-3, 2**70))
EDGES = st.lists(st.tuples(COLUMNS, COLUMNS), max_size=4)
GROUPS = st.lists(COLUMNS, max_size=3)


@settings(
    derandomize=True,
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.builds(
        Knowledge,
        required=EDGES,
        forbidden=EDGES,
        tiers=st.lists(GROUPS, max_size=3),
        roots=GROUPS,
        sinks=GROUPS,
        edges_within_tiers=st.booleans(),
    ),
    st.sampled_from(["rules.toml", "rules.json", "rules.TOML"]),
)
def test_what_is_written_reads_back_equal(tmp_path, knowledge, name):
    knowledge.to_file(tmp_path / name)
    back = Knowledge.from_file(tmp_path / name)
    assert back == knowledge
    assert hash(back) == hash(knowledge)
    assert back.tiers == knowledge.tiers
    assert back.required == knowledge.required


def test_a_file_as_people_write_it(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text(
        """
        # What we know.
        required = ["body weight -> dose", ["a->b", 3]]
        forbidden = ["gene* -> age"]
        tiers = [["age", "sex"], ["dose"]]
        roots = ["age"]
        sinks = "effect"
        edges_within_tiers = false
        """
    )
    assert Knowledge.from_file(str(path)) == Knowledge(
        required=[("body weight", "dose"), ("a->b", 3)],
        forbidden=[("gene*", "age")],
        tiers=[["age", "sex"], ["dose"]],
        roots=["age"],
        sinks=["effect"],
        edges_within_tiers=False,
    )


def test_tiers_by_number(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text("[tiers]\ndose = 2\nage = 1\n'body weight' = 1\n")
    assert Knowledge.from_file(path).tiers == (("age", "body weight"), ("dose",))


def test_files_are_plain(tmp_path):
    knowledge = Knowledge(required=["a -> b", ("a->b", 0)], tiers=["a", ["b", "c"]])
    knowledge.to_file(tmp_path / "rules.toml")
    knowledge.to_file(tmp_path / "rules.json")
    written = {
        "required": ["a -> b", ["a->b", 0]],
        "tiers": [["a"], ["b", "c"]],
        "edges_within_tiers": True,
    }
    assert tomllib.loads((tmp_path / "rules.toml").read_text()) == written
    assert json.loads((tmp_path / "rules.json").read_text()) == written


@pytest.mark.parametrize("name", ["rules.toml", "rules.json"])
@pytest.mark.parametrize("content", [b"", b" \n\t\n", b"\xef\xbb\xbf"])
def test_an_empty_file_holds_no_rules(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    assert Knowledge.from_file(tmp_path / name) == Knowledge()


def test_windows_line_ends_and_a_byte_order_mark(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_bytes(b'\xef\xbb\xbfroots = [\r\n"a",\r\n]\r\n')
    assert Knowledge.from_file(path) == Knowledge(roots="a")


BAD = [
    ("a.toml", b'required = ["a -> b"\nroots = 3', "it is no TOML: .*line 2"),
    ("a.json", b'{"required": [}', "it is no JSON: .*line 1 column 15"),
    ("a.json", b"[1, 2]", "it must hold an object .* it holds a list"),
    ("a.json", b"null", "it must hold an object"),
    ("a.json", b'{"roots": ["a"], "roots": ["b"]}', "the key 'roots' twice"),
    ("a.json", b"[" * 100_000, "nested too deeply"),
    ("a.toml", b"roots = [" + b"9" * 5000 + b"]", "too many digits"),
    ("a.toml", b'requires = ["a -> b"]', "no 'requires': did you mean 'required'"),
    ("a.toml", b"[knowledge]\nroots = []", "no 'knowledge': it has required, forbidden"),
    ("a.toml", b"required = 5", "required must be a list of edges"),
    ("a.toml", b"required = [5]", r"required\[0\] must be a pair"),
    ("a.toml", b'required = ["a"]', r"required\[0\] must read 'cause -> effect'"),
    ("a.toml", b'required = ["a -> "]', "a name is missing"),
    ("a.toml", b"roots = [1.5]", r"roots\[0\] must be the name"),
    ("a.toml", b"roots = [2020-01-01]", r"roots\[0\] must be the name"),
    ("a.json", b'{"roots": [NaN]}', r"roots\[0\] must be the name"),
    ("a.json", b'{"edges_within_tiers": "no"}', "edges_within_tiers must be True or False"),
    ("a.toml", b"tiers = 3", "tiers must be a list"),
    ("a.toml", b"tiers = [[true]]", r"tiers\[0\]\[0\] must be"),
    ("a.toml", b"roots = ['\xff']", "no text in UTF-8, from byte 10"),
    ("a.toml", "roots = []".encode("utf-16"), "UTF-16"),
    ("a.yaml", b"", "must end in .toml or .json; it ends in '.yaml'"),
    ("rules", b"", "must end in .toml or .json"),
]


@pytest.mark.parametrize(("name", "content", "reason"), BAD)
def test_a_bad_file_is_refused_by_name_and_reason(tmp_path, name, content, reason):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(KnowledgeError, match=reason) as caught:
        Knowledge.from_file(tmp_path / name)
    assert str(tmp_path / name) in str(caught.value)


def test_no_file_and_no_path(tmp_path):
    with pytest.raises(KnowledgeError, match=r"none\.toml.*there is no such file"):
        Knowledge.from_file(tmp_path / "none.toml")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(KnowledgeError, match=r"folder\.toml.*it is a folder"):
        Knowledge.from_file(tmp_path / "folder.toml")
    for path in (3, None, b"rules.toml"):
        with pytest.raises(KnowledgeError, match="path must be the path of a file"):
            Knowledge.from_file(path)
    with pytest.raises(KnowledgeError, match="NUL"):
        Knowledge.from_file("a\0.toml")


@pytest.mark.parametrize("name", ["rules.toml", "rules.json"])
def test_a_failed_write_leaves_the_old_file(tmp_path, name):
    Knowledge(roots="a").to_file(tmp_path / name)
    with pytest.raises(KnowledgeError, match="surrogates"):
        Knowledge(roots="\ud800").to_file(tmp_path / name)
    assert Knowledge.from_file(tmp_path / name) == Knowledge(roots="a")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_where_no_file_can_be_written(tmp_path):
    with pytest.raises(KnowledgeError, match=r"must end in .toml or .json"):
        Knowledge().to_file(tmp_path / "rules.txt")
    with pytest.raises(FileNotFoundError):
        Knowledge().to_file(tmp_path / "no folder" / "rules.toml")
