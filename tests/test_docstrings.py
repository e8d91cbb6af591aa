"""What docstrings say of defaults and of tuned numbers is what the code has."""

import ast
import importlib
import inspect
import pkgutil
import re

import pytest

import scoredag
from scoredag import ScoreGP, settings
from scoredag.estimators._score_gp import score_gp
from scoredag.order import refine_order
from scoredag.prune import gp_prune

# A numpydoc parameter, or several that share a description.
PARAMETER = re.compile(
    r"^(?P<names>\*{0,2}\w+(?:, \*{0,2}\w+)*) : .*\bdefault=(?P<value>.+)$", re.M
)
SETTING = re.compile(r"\b(SearchSettings|EdgeTestSettings)\.(\w+)")


def modules():
    """All modules that can be imported here: some need an extra, or another library."""
    for module in pkgutil.walk_packages(scoredag.__path__, "scoredag."):
        if "__main__" in module.name or ".peers.libraries." in module.name:
            continue
        try:
            yield importlib.import_module(module.name)
        except ImportError as error:
            if "scoredag" in str(error.name or ""):
                raise


def public():
    """Functions, classes and methods, by name."""
    for module in modules():
        for name, found in vars(module).items():
            ours = getattr(found, "__module__", None) == module.__name__
            if name == "PIECE" or name.startswith("_") or not ours or not callable(found):
                continue
            yield f"{module.__name__}.{name}", found
            if inspect.isclass(found):
                for method in vars(found):
                    if not method.startswith("_") and callable(getattr(found, method)):
                        yield f"{module.__name__}.{name}.{method}", getattr(found, method)


def documented_defaults():
    """Each parameter with a documented default: where, the signature's default, what is written."""
    for where, found in public():
        text = inspect.getdoc(found) or ""
        section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[^\n]*\n-+$|\Z)", text, re.S | re.M)
        for entry in PARAMETER.finditer(section[1] if section else ""):
            for name in entry["names"].split(", "):
                default = inspect.signature(found).parameters[name].default
                yield f"{where}({name})", default, entry["value"]


def says(written, default):
    """Whether a documented default is that of the signature, as a literal or as its repr."""
    if written == repr(default):
        return True
    try:
        value = ast.literal_eval(written)
    except (SyntaxError, ValueError):
        return False
    return (type(value), value) == (type(default), default)


@pytest.mark.parametrize(
    ("written", "default", "same"),
    [
        ("1e-3", 0.001, True),
        ("100_000", 100000, True),
        ('"auto"', "auto", True),
        ("frozenset()", frozenset(), True),
        ("1", 1.0, False),
        ("400 and 1000", 400, False),
        ("0.03", None, False),
    ],
)
def test_what_a_documented_default_says(written, default, same):
    assert says(written, default) == same


def test_documented_defaults_are_those_of_the_signatures():
    found = list(documented_defaults())
    # Were the pattern to match nothing, nothing would be compared.
    where = {entry[0] for entry in found}
    assert len(where) > 60
    assert "scoredag.estimators.scoregp.ScoreGP(final_rows)" in where
    assert "scoredag.prune.pruners.cam.cam_prune(alpha)" in where
    assert [entry for entry in found if not says(entry[2], entry[1])] == []


@pytest.mark.parametrize("found", [ScoreGP, score_gp, gp_prune, refine_order])
def test_thresholds_are_named_and_not_copied(found):
    """Such as "below 3 the direction is not identified", or "costs 2 nats"."""
    text = " ".join(inspect.getdoc(found).split())
    assert not re.findall(r"\b[Bb]elow [\d.]*[1-9]|\bfrom \d+ nats|\b\d+ nats|at least \d", text)


def test_settings_that_docstrings_name_exist():
    named = {
        mention for module in modules() for mention in SETTING.findall(inspect.getsource(module))
    }
    assert ("EdgeTestSettings", "undirected_line") in named
    for owner, field in named:
        assert hasattr(getattr(settings, owner)(), field), f"{owner}.{field}"
