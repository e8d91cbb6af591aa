"""The name of the sources that decide results."""

import os
import subprocess
import sys

from scoredag.bench.provenance import without_prose

IMPORT = "from scoredag.bench.provenance import without_prose"
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
    other = other.replace("Take the root.", "Root of x.").replace("(x)  #", "(\n x\n )  # of x,")
    assert other != CODE
    assert without_prose(other) == without_prose(CODE)


def test_every_other_change_counts():
    for old, new in (("sqrt", "exp"), ("(x)", "(-x)"), ("class Root", "class Square")):
        assert without_prose(CODE.replace(old, new)) != without_prose(CODE)


def test_sets_have_one_description_for_any_hash_seed():
    code = "x in {'a', 'b', 'c', 'd'}"
    runs = [
        subprocess.run(
            [sys.executable, "-c", f"{IMPORT}; print(without_prose({code!r}))"],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] != b""
