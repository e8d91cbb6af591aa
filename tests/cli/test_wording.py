"""The library never speaks of flags, and the command line never of arguments that have one."""

import ast
import inspect
import re
from pathlib import Path

import pytest
from typer.main import get_command

import scoredag
from scoredag.cli.app import app
from scoredag.cli.wording import FLAGS, PHRASES, SWITCHES, TYPED_PHRASES, in_flags, in_typed_rules
from scoredag.data import read_table
from scoredag.plugins import shelf

LIBRARY = Path(scoredag.__file__).parent
# The command line itself, style sheets, and a folder whose flags are those of other programs.
OTHERS = ("cli", "report/style.py", "report/html.py", "bench")
FLAG = re.compile(r"(?<![\w-])--[a-z]|command line")
OPTIONS = {
    option: parameter.name
    for parameter in get_command(app).commands["discover"].params
    for option in [*parameter.opts, *parameter.secondary_opts]
}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Leave it out with drop=['a'], or not.", "Leave it out with --drop a, or not."),
        ("drop=['it\\'s', \"a'b\"]", """--drop 'it'"'"'s,a'"'"'b'"""),
        ('drop=["it\'s"]', """--drop 'it'"'"'s'"""),
        ("(read them with decimal=',')", "(read them with --decimal ,)"),
        ("a missing value: na=['?']", "a missing value: --na '?'"),
        ("na=['?', 'x y']", "--na '?' --na 'x y'"),
        ("check select= and drop=.", "check --select and --drop."),
        ("table.csv: drop: there is no column 'x'", "table.csv: --drop: there is no column 'x'"),
        ("decimal must be '.' or ','", "--decimal must be '.' or ','"),
        ("eta=1e-05 smooths the score away", "--eta 1e-05 smooths the score away"),
        ("keep them with margins='raw'.", "keep them with --margins raw."),
        ("n_jobs must not be 0", "--jobs must not be 0"),
        ("left out with incomplete='drop'.", "left out with --drop-incomplete."),
        ("pass header=True; header=False", "pass --header; --no-header"),
        ("Standardise the columns.", "Standardise the columns with --standardize."),
    ],
)
def test_arguments_become_flags(ours, theirs):
    assert in_flags(ours) == theirs
    assert in_flags(theirs) == theirs


@pytest.mark.parametrize(
    "message",
    [
        "columns 'drop=[1]' and 'na=?' hold text",
        "the columns' names: \"it's drop=['a']\"",
        "like the index that pandas writes without index=False",
        "all rows must differ in their columns: drop some of the rows",
        "theta=3",
    ],
)
def test_names_of_columns_and_plain_words_stay(message):
    assert in_flags(message) == message


def test_flags_are_options_of_discover():
    assert {flag for name, flag in FLAGS.items() if name not in ("header", "incomplete")} <= set(
        OPTIONS
    )
    assert set(SWITCHES.values()) <= set(OPTIONS)


def test_every_argument_that_has_a_flag_is_known():
    arguments = set(inspect.signature(read_table).parameters)
    for estimator in shelf("scoredag.estimators").values():
        arguments |= set(inspect.signature(estimator).parameters)
    # Messages about rules name the options that were typed: see `in_typed_rules`.
    assert arguments & set(OPTIONS.values()) - {"knowledge"} <= set(FLAGS)


TYPED = {
    "required: 'a -> b'": "--require 'a -> b'",
    "roots: 'doze'": "--root doze",
    'roots: "it\'s"': '--root "it\'s"',
    "tier 1": "--tier a,b",
    "tier 2": "--tier b",
}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("in required: 'a -> b'", "in --require 'a -> b'"),
        ("- no column matches 'doze', in roots\n", "- no column matches 'doze', in --root doze\n"),
        ("required: 'b -> a' gives a cause to a root, \"it's\"", None),
        ("tiers: 'b' is in the tiers 1 and 2", "'b' is in --tier a,b and --tier b"),
        ("(tiers: 'b' is in tier 2)", "('b' is in --tier b)"),
        # What is quoted is a name, and what was not typed is a rule of a file.
        ("'x, in roots' and 'tier 1' are \"required: 'a -> b'\"", None),
        ("required: 'b -> a', in sinks", None),
        ("'a' and 'b' are in tier 1, and edges_within_tiers is False", None),
    ],
)
def test_rules_are_named_by_the_options_that_were_typed(ours, theirs):
    words = TYPED
    if theirs is None:  # rules of a file alone
        theirs, words = ours, {"required: 'y -> z'": "--require 'y -> z'"}
    assert in_typed_rules(ours, words) == theirs


def texts(path):
    """The text in a file's code that is no docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in docstrings:
            yield node.value


def test_no_message_of_the_library_names_a_flag():
    others = [LIBRARY / part for part in OTHERS]
    named = {
        f"{path.relative_to(LIBRARY)}: {text}"
        for path in LIBRARY.rglob("*.py")
        if not any(path.is_relative_to(other) for other in others)
        for text in texts(path)
        if FLAG.search(text)
    }
    assert named == set()


def test_every_phrase_is_said_somewhere():
    said = "\n".join(
        text
        for path in LIBRARY.rglob("*.py")
        if not path.is_relative_to(LIBRARY / "cli")
        for text in texts(path)
    )
    for phrase in [*PHRASES, *TYPED_PHRASES]:
        assert phrase in said, phrase
