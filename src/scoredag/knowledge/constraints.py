"""Prior knowledge as matrices: what the search, the tests of edges and the pruners ask.

``[i, j]`` means i -> j, or i before j; orders list sources first.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import is_whole_number
from scoredag.exceptions import KnowledgeError
from scoredag.knowledge.columns import Columns
from scoredag.knowledge.contradictions import refuse_contradictions
from scoredag.knowledge.precedence import shortest_path, transitive_closure, without_loss
from scoredag.knowledge.rules import Mask, Rules, find_rules, locked, plain_label


@dataclass(frozen=True, eq=False, repr=False)
class Constraints:
    """Rules about the graph of a table, resolved: made by `scoredag.Knowledge.resolve`.

    A graph obeys the rules if all its edges are ``allowed``, all ``required`` edges are in it, and
    no path leads from a column to one of an earlier tier. Each such graph has an order of the
    columns that obeys ``precedes``; so a search need visit no other orders. All arrays are
    read-only.

    Attributes
    ----------
    labels : tuple
        The columns' labels.
    allowed : ndarray of bool, shape (d, d)
        ``[i, j]``: i -> j may be an edge. False on the diagonal, where a rule forbids the edge, and
        where j precedes i.
    required : ndarray of bool, shape (d, d)
        ``[i, j]``: i -> j must be an edge.
    precedes : ndarray of bool, shape (d, d)
        ``[i, j]``: i comes before j in every order. Required edges point forwards and earlier tiers
        come first, with all that follows from both; columns that can have no cause come first,
        and those that can have no effect last, where this excludes no graph.
    stated_forbidden : ndarray of bool, shape (d, d)
        ``[i, j]``: a rule of the user forbids i -> j. What is neither this nor allowed, such as the
        reversal of a required edge, only follows from the rules.
    rules : Rules
        The rules, to speak of them.

    Notes
    -----
    Not for users who write rules, which name columns: that is `scoredag.Knowledge`.

    Examples
    --------
    >>> from scoredag import Knowledge
    >>> constraints = Knowledge(required=["dose -> effect"], roots=["age"]).resolve(
    ...     ["effect", "dose", "age"]
    ... )
    >>> constraints.allowed.astype(int)
    array([[0, 0, 0],
           [1, 0, 0],
           [1, 1, 0]])
    >>> constraints.repair([0, 1, 2])
    (2, 1, 0)
    >>> constraints.why_forbidden(0, 2), constraints.why_forbidden(0, 1)
    ("'age' is a root", "required: 'dose -> effect'")
    """

    labels: tuple[Any, ...]
    allowed: Mask
    required: Mask
    precedes: Mask
    stated_forbidden: Mask
    rules: Rules

    @classmethod
    def from_rules(cls, rules: Rules) -> Self:
        """Derive what rules imply; raise `scoredag.KnowledgeError` if they are contradictory."""
        refuse_contradictions(rules)
        required = rules.required.mask
        precedes = transitive_closure(required | rules.tier_before)
        allowed = ~(rules.forbids | precedes.T)
        np.fill_diagonal(allowed, False)
        # What `without_loss` adds forbids no further edge: none may enter the first columns or
        # leave the last ones as it is.
        precedes = without_loss(precedes, allowed)
        return cls(
            labels=rules.labels,
            allowed=locked(allowed),
            required=required,
            precedes=locked(precedes),
            stated_forbidden=rules.forbids,
            rules=rules,
        )

    @classmethod
    def none(cls, d: int, labels: Sequence[Hashable] | None = None) -> Self:
        """Make constraints that allow every graph.

        Parameters
        ----------
        d : int
            The number of columns.
        labels : sequence, optional
            Their labels; by default x0, x1, ...

        Examples
        --------
        >>> Constraints.none(2).allowed
        array([[False,  True],
               [ True, False]])
        """
        columns = Columns([f"x{k}" for k in range(d)] if labels is None else labels)
        return cls.from_rules(find_rules(columns, (), (), (), (), (), True))

    def __repr__(self) -> str:
        off_diagonal = self.n * (self.n - 1)
        return (
            f"<Constraints on {self.n} columns: {int(self.required.sum())} of {off_diagonal} edges "
            f"required, {off_diagonal - int(self.allowed.sum())} not allowed>"
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Copies that arrive in another process are as read-only as the original."""
        self.__dict__.update(state)
        for array in (self.allowed, self.required, self.precedes, self.stated_forbidden):
            locked(array)

    @property
    def n(self) -> int:
        """The number of columns."""
        return len(self.labels)

    @cached_property
    def is_empty(self) -> bool:
        """Whether no graph is excluded."""
        return int(self.allowed.sum()) == self.n * (self.n - 1) and not self.required.any()

    def eligible_leaves(self, remaining: ArrayLike) -> Mask:
        """Tell which of the columns that are left may be the leaf, the last of them in the order.

        Parameters
        ----------
        remaining : array-like of int
            Positions of columns.

        Returns
        -------
        ndarray of bool
            For each of them, whether it need not precede any other one that is left.

        Examples
        --------
        >>> from scoredag import Knowledge
        >>> Knowledge(required=["a -> b"]).resolve("abc").eligible_leaves([2, 1, 0])
        array([ True,  True, False])
        """
        left = np.asarray(remaining, dtype=np.intp)
        return ~np.any(self.precedes[np.ix_(left, left)], axis=1)

    def is_legal(self, order: ArrayLike) -> bool:
        """Whether an order, sources first, obeys `precedes`.

        Examples
        --------
        >>> from scoredag import Knowledge
        >>> Knowledge(required=["a -> b"]).resolve("abc").is_legal([2, 1, 0])
        False
        """
        nodes = self._checked(order)
        return not np.tril(self.precedes[np.ix_(nodes, nodes)]).any()

    def repair(self, order: ArrayLike) -> tuple[int, ...]:
        """Sort an order so that it becomes legal, and otherwise stays as it is.

        Parameters
        ----------
        order : array-like of int, shape (d,)
            A permutation of 0 to d - 1, sources first.

        Returns
        -------
        tuple of int
            The stable topological order: next comes always, of the columns that may, the one that
            is earliest in the given order. A legal order is returned as it is.

        Examples
        --------
        >>> from scoredag import Knowledge
        >>> Knowledge(required=["a -> b"]).resolve("abc").repair([2, 1, 0])
        (2, 0, 1)
        """
        nodes = self._checked(order)
        later = self.precedes[np.ix_(nodes, nodes)]
        waits_for = later.sum(axis=0)
        ready = np.flatnonzero(waits_for == 0).tolist()
        repaired = []
        while ready:
            place = heapq.heappop(ready)
            repaired.append(int(nodes[place]))
            waits_for -= later[place]
            for freed in np.flatnonzero(later[place] & (waits_for == 0)).tolist():
                heapq.heappush(ready, freed)
        return tuple(repaired)

    def why_forbidden(self, i: int, j: int) -> str | None:
        """Say in words why i -> j may not be an edge; None if it may.

        Examples
        --------
        >>> from scoredag import Knowledge
        >>> constraints = Knowledge(tiers=["a", "b"], forbidden=["a -> *"]).resolve("abc")
        >>> constraints.why_forbidden(1, 0), constraints.why_forbidden(0, 2)
        ("tiers: 'a' is in tier 1, 'b' in tier 2", "forbidden: 'a -> *'")
        """
        if self.allowed[i, j]:
            return None
        if i == j:
            return f"{self.rules.name(i)} cannot cause itself"
        return "; ".join(self.rules.reasons(i, j)) or self._implied(i, j)

    def _implied(self, i: int, j: int) -> str:
        """Why j precedes i, by required edges and perhaps tiers."""
        required = self.required
        path = shortest_path(required, j, i)
        if path:
            return f"required: {' -> '.join(str(self.labels[node]) for node in path)!r}"
        path = shortest_path(required | self.rules.tier_before, j, i)
        steps = [
            f"{self.rules.name(a)} {'-> ' if required[a, b] else 'is in an earlier tier than '}"
            f"{self.rules.name(b)}{' is required' if required[a, b] else ''}"
            for a, b in pairwise(path)
        ]
        return f"{self.rules.name(j)} precedes {self.rules.name(i)}: {', '.join(steps)}"

    def describe(self) -> dict[str, Any]:
        """Describe the resolved rules for a JSON document, wildcards and positions replaced.

        Returns
        -------
        dict
            ``required`` and ``forbidden`` (lists of [cause, effect]), ``tiers`` (lists of columns),
            ``roots``, ``sinks`` and ``edges_within_tiers``; a file with it can be read by
            `scoredag.Knowledge.from_file`. Labels are text or integers.

        Examples
        --------
        >>> from scoredag import Knowledge
        >>> Knowledge(forbidden=["b* -> a"]).resolve(["a", "b1", "b2"]).describe()["forbidden"]
        [['b1', 'a'], ['b2', 'a']]
        """
        labels = [plain_label(label) for label in self.labels]
        rules = self.rules
        return {
            "required": [[labels[i], labels[j]] for i, j in np.argwhere(rules.required.mask)],
            "forbidden": [[labels[i], labels[j]] for i, j in np.argwhere(rules.forbidden.mask)],
            "tiers": [[labels[i] for i in members] for members in rules.tier_members],
            "roots": [labels[i] for i in np.flatnonzero(rules.roots)],
            "sinks": [labels[i] for i in np.flatnonzero(rules.sinks)],
            "edges_within_tiers": rules.edges_within_tiers,
        }

    def _checked(self, order: ArrayLike) -> NDArray[np.intp]:
        nodes = np.asarray(order)
        whole = nodes.size == 0 or is_whole_number(nodes.flat[0])
        if not (whole and nodes.ndim == 1 and np.array_equal(np.sort(nodes), np.arange(self.n))):
            raise KnowledgeError(
                f"order must list each of 0 to {self.n - 1} once; got {order!r:.200}"
            )
        return nodes.astype(np.intp)
