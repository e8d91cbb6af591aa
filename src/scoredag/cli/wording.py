"""From the library's words to those of the command line.

Messages of the library speak of its own arguments and attributes, such as ``drop=['id']``,
``margins='raw'``. Whoever typed a command knows flags instead. One function, `in_flags`, puts one
for the other wherever a message of the library is printed; its tables are all that there is to keep
up to date. Rules may come from a file as well: `in_typed_rules` has to know which were typed.
"""

from __future__ import annotations

import re
import shlex
from ast import literal_eval
from collections.abc import Mapping

# Arguments of `scoredag.data.read_table` and of the estimators that `scoredag discover` has.
FLAGS = {
    name: f"--{name.replace('_', '-')}"
    for name in (
        *("select", "drop", "decimal", "na", "header", "incomplete"),
        *("noise", "margins", "random_state", "rows", "final_rows"),
        *("criterion", "score_estimator", "pruner", "alpha", "smoothing", "screen", "eta"),
        "reverse",
    )
} | {"n_jobs": "--jobs"}
# Where a flag stands for an argument and its value.
SWITCHES = {
    "header=True": "--header",
    "header=False": "--no-header",
    "incomplete='drop'": "--drop-incomplete",
    "reverse=True": "--reverse",
}
# What is called otherwise, or can be done by a flag alone.
PHRASES = {
    "tandardise the columns": "tandardise the columns with --standardize",
    "what is computed": "what is computed with --drop",
    "larger eta": "larger --eta",
    "another eta": "another --eta",
    "edges_per_node": "edges per node",
    "scoredag.datasets.fill_cache(folder)": "scoredag bench --data FOLDER",
    "knowledge contradicts itself": "the rules contradict each other",
    "knowledge: rules about what is no column": "some rules are about no column",
    "both sides of | have tiers": "both have tiers",
    "edges_within_tiers is False": "edges within tiers are not allowed",
}
# Of rules that were typed: a file can hold what an option cannot.
TYPED_PHRASES = {
    "write a pair if a name holds one": "a name that holds one goes into a file: see --knowledge",
    "positions are integers, not text: write a pair such as [0, 1]": (
        "options take names; positions go into a file: see --knowledge"
    ),
}

_LONGEST_VALUE = 80  # characters of an option's value that are shown

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_VALUE = (
    rf"\[(?:(?:{_QUOTED})(?:, )?)*\]|{_QUOTED}|True|False|None|[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
)
_NAMES = "|".join(FLAGS)
_MENTION = re.compile(
    rf"\b(?P<argument>{_NAMES})=(?P<value>{_VALUE})?"
    # What an error is about stands at its beginning, or behind the name of the file.
    rf"|(?:^|(?<=: )|(?<=\n  ))(?P<subject>{_NAMES})(?=: | must )"
    # Names and cells of a table are quoted, and are nobody's arguments.
    rf"|(?<!\w)(?:{_QUOTED})"
)

_RULE = re.compile(
    rf"(?P<edge>\b(?:required|forbidden): (?:{_QUOTED}))"
    rf"|(?P<missing>no column (?:is named|matches) (?P<column>{_QUOTED})[^\n]*, in )"
    r"(?P<group>roots|sinks)(?=\n|\Z)"
    rf"|\ba (?P<end>root|sink), (?P<name>{_QUOTED})(?=\n|\Z)"
    r"|\b(?:the tiers|tier) (?P<tiers>\d+\b(?:(?:, | and )\d+\b(?! more))*)"
    r"|(?P<heading>\btiers: )"
    r"|, and (?P<switch>edges_within_tiers is False)"
    rf"|(?<!\w)(?:{_QUOTED})"
)


def in_flags(message: str) -> str:
    """Write a message of the library in the words of the command line.

    Examples
    --------
    >>> in_flags("Leave them out with drop=['id', 'day of birth'], or pass header=False.")
    "Leave them out with --drop 'id,day of birth', or pass --no-header."
    >>> in_flags("drop: there is no column 'eta=1'")
    "--drop: there is no column 'eta=1'"
    """
    return with_phrases(_MENTION.sub(_flag, message))


def with_phrases(message: str) -> str:
    """Replace fixed phrases only, in messages about a benchmark, whose arguments are a spec's.

    Examples
    --------
    >>> with_phrases("Use a larger eta.")
    'Use a larger --eta.'
    """
    for phrase, ours in PHRASES.items():
        if ours not in message:
            message = message.replace(phrase, ours)
    return message


def in_typed_rules(message: str, typed: Mapping[str, str]) -> str:
    """Name the options that were typed, instead of the rules that the library made of them.

    Parameters
    ----------
    message : str
        Of a `scoredag.KnowledgeError`.
    typed : mapping of str to str
        From what the library calls a rule, ``"required: 'a -> b'"``, ``"roots: 'a'"``,
        ``"tier 1"`` or ``"edges_within_tiers is False"``, to the option. Other rules stay.

    Examples
    --------
    >>> in_typed_rules("no column is named 'doze', in roots", {"roots: 'doze'": "--root doze"})
    "no column is named 'doze', in --root doze"
    """

    def option(rule: re.Match[str]) -> str:
        if rule["edge"]:
            return typed.get(rule["edge"], rule[0])
        if rule["group"]:
            group = rule["group"]
            return rule["missing"] + typed.get(f"{group}: {rule['column']}", group)
        if rule["end"]:
            return typed.get(f"{rule['end']}s: {rule['name']}", rule[0])
        if rule["tiers"] and "tier 1" in typed:
            return re.sub(r"\d+", lambda number: typed[f"tier {number[0]}"], rule["tiers"])
        if rule["heading"] and "tier 1" in typed:
            return ""
        if rule["switch"] in typed:
            return f", with {typed[rule['switch']]}"
        return rule[0]

    message = _RULE.sub(option, message)
    for phrase, ours in TYPED_PHRASES.items():
        message = message.replace(phrase, ours)
    return message


def typed_option(flag: str, value: str) -> str:
    """Show an option as it was typed; a long value is cut.

    Examples
    --------
    >>> typed_option("--require", "dose -> age")
    "--require 'dose -> age'"
    """
    short = value if len(value) <= _LONGEST_VALUE else value[: _LONGEST_VALUE - 1] + "…"
    return f"{flag} {_word(short)}"


def _flag(mention: re.Match[str]) -> str:
    name, value = mention["argument"] or mention["subject"], mention["value"]
    if name is None:
        return mention[0]
    if mention[0] in SWITCHES:
        return SWITCHES[mention[0]]
    if value is None:
        return FLAGS[name]
    values = literal_eval(value)
    if name in ("select", "drop"):  # lists with commas
        values = ",".join(values) if isinstance(values, list) else values
    given = values if isinstance(values, list) else [values]
    return " ".join(f"{FLAGS[name]} {_word(value)}" for value in given)


def _word(value: object) -> str:
    """Quote for the shell, but not what no shell would take for anything else."""
    return "," if value == "," else shlex.quote(str(value))
