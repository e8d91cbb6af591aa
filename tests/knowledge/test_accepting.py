"""What functions and estimators take as knowledge."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from scoredag import Knowledge, KnowledgeError
from scoredag.knowledge import Constraints, as_constraints


def test_what_functions_take():
    rules = {"required": ["x0 -> x1"], "roots": [2]}
    expected = Knowledge(**rules).resolve(["x0", "x1", "x2"])
    for knowledge in (rules, Knowledge(**rules), expected):
        for columns in (3, ["x0", "x1", "x2"], np.int64(3), pd.Index(["x0", "x1", "x2"])):
            constraints = as_constraints(knowledge, columns)
            np.testing.assert_array_equal(constraints.precedes, expected.precedes)
            np.testing.assert_array_equal(constraints.allowed, expected.allowed)
    assert as_constraints(None, ["a", "b"]).labels == ("a", "b")
    assert as_constraints(None, 0).n == 0
    assert isinstance(as_constraints(None, 1), Constraints)


def test_constraints_are_those_of_the_columns():
    constraints = Knowledge(required=["a -> b"]).resolve("abc")
    assert as_constraints(constraints, "abc") is constraints
    assert as_constraints(constraints, 3) is constraints
    assert as_constraints(constraints, ["x0", "x1", "x2"]) is constraints  # of an array
    with pytest.raises(KnowledgeError, match="column 1 is 'b'; that of this one is 'q': pass"):
        as_constraints(constraints, "aqc")


@pytest.mark.parametrize(
    ("knowledge", "error", "message"),
    [
        ("rules.toml", TypeError, "from_file reads a file"),
        (Knowledge, TypeError, "the class itself"),
        (nx.DiGraph(), TypeError, "from_graph"),
        (np.eye(3), TypeError, "from_matrix"),
        ([("a", "b")], TypeError, "knowledge must be None.*got list"),
        ({"requierd": []}, KnowledgeError, "did you mean 'required'"),
        ({3: []}, KnowledgeError, "knowledge has no 3"),
        ({"roots": ["y"]}, KnowledgeError, "no column is named 'y'"),
        (Constraints.none(2), KnowledgeError, "a table of 2 columns; this one has 3"),
    ],
)
def test_what_functions_do_not_take(knowledge, error, message):
    with pytest.raises(error, match=message):
        as_constraints(knowledge, 3)
