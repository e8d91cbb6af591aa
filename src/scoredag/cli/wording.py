"""From the library's words to those of the command line.

Messages of the library speak of its own arguments and attributes, such as ``drop=['id']``,
``margins='raw'``. Whoever typed a command knows flags instead. One function, `in_flags`, puts one
for the other wherever a message of the library is printed; its tables are all that there is to keep
up to date.
"""

from __future__ import annotations

import re
import shlex
from ast import literal_eval

# Arguments of `scoredag.data.read_table` and of the estimators that `scoredag discover` has.
FLAGS = {
    name: f"--{name.replace('_', '-')}"
    for name in (
        *("select", "drop", "decimal", "na", "header", "incomplete"),
        *("margins", "random_state", "rows", "final_rows"),
        *("criterion", "pruner", "alpha", "smoothing", "eta", "reverse"),
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
}

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
