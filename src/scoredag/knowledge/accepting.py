"""What estimators and functions take as ``knowledge=``."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from os import PathLike
from typing import Any

import numpy as np

from scoredag.data.arrays import frame_of
from scoredag.data.wording import counted, quoted
from scoredag.exceptions import KnowledgeError
from scoredag.knowledge.constraints import Constraints
from scoredag.knowledge.knowledge import Knowledge


def as_constraints(knowledge: Any, columns: int | Iterable[Hashable]) -> Constraints:
    """Resolve an argument ``knowledge=`` against the columns of a table.

    Parameters
    ----------
    knowledge : None, Knowledge, mapping or Constraints
        None for no rules; a mapping has the keywords of `scoredag.Knowledge`; constraints are
        returned as they are, and must be those of these columns.
    columns : int or iterable of labels
        The columns' labels, or how many there are: then they are named x0, x1, ..., as estimators
        name the columns of an array, and rules may use these names or positions.

    Returns
    -------
    Constraints

    Raises
    ------
    KnowledgeError
        If the rules do not fit the columns, or contradict each other.
    TypeError
        If it is none of these.

    Examples
    --------
    >>> as_constraints({"required": ["x0 -> x1"], "roots": [2]}, 3).precedes.astype(int)
    array([[0, 1, 0],
           [0, 0, 0],
           [1, 1, 0]])
    >>> as_constraints(None, ["dose", "effect"]).is_empty
    True
    """
    labels = list(columns) if isinstance(columns, Iterable) else [f"x{k}" for k in range(columns)]
    if knowledge is None:
        return Constraints.none(len(labels), labels)
    if isinstance(knowledge, Constraints):
        if knowledge.n != len(labels):
            raise KnowledgeError(
                f"knowledge is resolved for a table of {counted(knowledge.n, 'column')}; this one "
                f"has {len(labels)}: pass the scoredag.Knowledge itself"
            )
        _refuse_other_labels(knowledge, labels)
        return knowledge
    if isinstance(knowledge, Mapping):
        knowledge = Knowledge.from_mapping(knowledge)
    if isinstance(knowledge, Knowledge):
        return knowledge.resolve(labels)
    raise TypeError(_refusal(knowledge))


def check_knowledge(knowledge: Any) -> None:
    """Raise TypeError unless an argument can be prior knowledge, whatever the table."""
    if not isinstance(knowledge, Knowledge | Constraints | Mapping | None):
        raise TypeError(_refusal(knowledge))


def labels_of(X: Any) -> list[Hashable] | int:
    """The labels of a data frame, by which rules name its columns; or how many columns there are.

    Examples
    --------
    >>> labels_of([[1.0, 2.0]])
    2
    """
    frame = frame_of(X)
    return int(np.shape(X)[1]) if frame is None else list(frame.labels)


def _refuse_other_labels(constraints: Constraints, labels: list[Any]) -> None:
    """Raise if constraints were made for other names; a table without names takes any."""
    if labels == list(constraints.labels) or labels == [f"x{k}" for k in range(len(labels))]:
        return
    k = next(k for k, label in enumerate(labels) if label != constraints.labels[k])
    raise KnowledgeError(
        f"knowledge is resolved for a table whose column {k} is "
        f"{quoted(str(constraints.labels[k]))}; that of this one is {quoted(str(labels[k]))}: pass "
        "the scoredag.Knowledge itself"
    )


def _refusal(knowledge: Any) -> str:
    return (
        "knowledge must be None, a scoredag.Knowledge or a dictionary of its keywords; got "
        f"{_remedy(knowledge)}"
    )


def _remedy(knowledge: Any) -> str:
    kind = type(knowledge).__name__
    if isinstance(knowledge, str | PathLike):
        return f"{str(knowledge)!r:.80}: scoredag.Knowledge.from_file reads a file"
    if knowledge is Knowledge:
        return "the class itself: call it, as in scoredag.Knowledge(required=['a -> b'])"
    if hasattr(type(knowledge), "is_directed"):
        return f"a {kind}: scoredag.Knowledge.from_graph makes rules of its edges"
    if hasattr(type(knowledge), "__array__"):
        return f"a {kind}: scoredag.Knowledge.from_matrix makes rules of its entries"
    return kind
