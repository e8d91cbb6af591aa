"""What is known about a graph before the data are looked at."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Self

from scoredag.knowledge.columns import Columns
from scoredag.knowledge.constraints import Constraints
from scoredag.knowledge.files import naming, read_rules, write_rules
from scoredag.knowledge.parsing import (
    KEYWORDS,
    Column,
    Edge,
    parse_columns,
    parse_edges,
    parse_switch,
    parse_tiers,
    refuse_unknown_keywords,
)
from scoredag.knowledge.rules import find_rules
from scoredag.knowledge.sources import edges_of_graph, edges_of_matrix
from scoredag.knowledge.tiers import joint_tiers

if TYPE_CHECKING:
    import networkx as nx

    from scoredag.graph.matrix import EdgeDirection

_MOST_SHOWN = 10


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Knowledge:
    """Rules about the causal graph of a table that hold whatever the data say.

    Every estimator takes them as ``knowledge=``. The rules are used inside the search: no order and
    no edge that breaks one is ever considered.

    Parameters
    ----------
    required, forbidden : iterable of edges, optional
        Edges that must, or must not, be in the graph: pairs (cause, effect), or text such as
        ``"dose -> effect"``. A required edge is in the result even where the data show none.
    tiers : sequence of groups, or mapping, optional
        Groups of columns in the order of time, the earliest first: no column causes one of an
        earlier group, be it directly or by way of others. A mapping has a number for each column,
        smaller ones earlier. Columns in no tier may stand anywhere.
    roots : iterable of columns, optional
        Columns without causes, such as what an experimenter has set.
    sinks : iterable of columns, optional
        Columns without effects.
    edges_within_tiers : bool, default=True
        Whether a column may be a direct cause of another one of its own tier.

    Raises
    ------
    KnowledgeError
        If an argument is no such rule. Whether the columns exist, and whether the rules contradict
        each other, is found out when they meet a table: see `resolve`.

    Notes
    -----
    The arguments become attributes: tuples that cannot be changed. Objects with the same rules are
    equal.

    A column is given by its name, or by an integer: its position, counted from 0, unless some
    label of the table is itself an integer (a data frame without names); then it is the label.
    The columns of an array have the names x0, x1, ...

    In names ``*`` stands for any letters or none and ``?`` for one: ``"gene* -> *"`` speaks of each
    pair of different columns that matches. A column whose own name is written is meant alone,
    even if that name has such a character.

    Not for guesses: a wrong rule is never given up, and bends the rest of the graph. Not for
    correlations either: an edge is a direct cause.

    Examples
    --------
    >>> knowledge = Knowledge(required=["dose -> effect"], roots=["age"], tiers=[["age"], ["dose"]])
    >>> knowledge
    Knowledge(required=[('dose', 'effect')], tiers=[['age'], ['dose']], roots=['age'])
    >>> knowledge.resolve(["effect", "dose", "age"]).required.astype(int)  # [i, j] for i -> j
    array([[0, 0, 0],
           [1, 0, 0],
           [0, 0, 0]])
    >>> Knowledge(required=["dose -> effect"]) | Knowledge(sinks="effect")
    Knowledge(required=[('dose', 'effect')], sinks=['effect'])
    """

    required: tuple[Edge, ...]
    forbidden: tuple[Edge, ...]
    tiers: tuple[tuple[Column, ...], ...]
    roots: tuple[Column, ...]
    sinks: tuple[Column, ...]
    edges_within_tiers: bool

    def __init__(
        self,
        *,
        required: Iterable[str | Sequence[Column]] | None = None,
        forbidden: Iterable[str | Sequence[Column]] | None = None,
        tiers: Sequence[Iterable[Column] | Column] | Mapping[Column, float] | None = None,
        roots: Iterable[Column] | Column | None = None,
        sinks: Iterable[Column] | Column | None = None,
        edges_within_tiers: bool = True,
    ) -> None:
        values = {
            "required": parse_edges(required, "required"),
            "forbidden": parse_edges(forbidden, "forbidden"),
            "tiers": parse_tiers(tiers),
            "roots": parse_columns(roots, "roots"),
            "sinks": parse_columns(sinks, "sinks"),
            "edges_within_tiers": parse_switch(edges_within_tiers, "edges_within_tiers"),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_mapping(cls, rules: Mapping[str, Any]) -> Self:
        """Make knowledge from a mapping with the keywords of the class, such as a JSON document."""
        refuse_unknown_keywords(rules)
        return cls(**rules)

    @classmethod
    def from_file(cls, path: str | PathLike[str]) -> Self:
        r"""Read knowledge from a TOML or JSON file.

        Parameters
        ----------
        path : path-like
            Ends in .toml or .json. Its keys are the keywords of the class: ``required`` and
            ``forbidden`` list edges as ``"a -> b"`` or ``["a", "b"]`` (for names with an arrow, and
            positions), ``tiers`` is a list of lists of columns, or a table with their numbers.

        Raises
        ------
        KnowledgeError
            If the file cannot be read or holds something else; the message names the file.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "rules.toml"
        ...     _ = path.write_text('required = ["dose -> effect"]\nroots = ["age"]')
        ...     Knowledge.from_file(path)
        Knowledge(required=[('dose', 'effect')], roots=['age'])
        """
        with naming(path, "cannot use the rules in"):
            return cls.from_mapping(read_rules(path))

    def to_file(self, path: str | PathLike[str]) -> None:
        """Write knowledge to a file that `from_file` reads back as an equal object.

        Parameters
        ----------
        path : path-like
            Ends in .toml or .json. The file is written whole or not at all; if it cannot be
            written, or its folder is not there, an `OSError` says so.
        """
        with naming(path, "cannot write rules to"):
            write_rules({name: getattr(self, name) for name in KEYWORDS}, path)

    @classmethod
    def from_graph(
        cls, graph: nx.DiGraph, *, edges: Literal["required", "forbidden"] = "required"
    ) -> Self:
        """Make a rule of every edge of a graph.

        Parameters
        ----------
        graph : networkx.DiGraph
            Edges point from cause to effect. Nodes are the names of columns; integers are
            positions, or labels: see the notes of the class. An edge that is not in the graph is
            neither required nor forbidden.
        edges : {"required", "forbidden"}, default="required"
            What the edges are.

        Examples
        --------
        >>> import networkx as nx
        >>> Knowledge.from_graph(nx.DiGraph([("effect", "dose")]), edges="forbidden")
        Knowledge(forbidden=[('effect', 'dose')])
        """
        return cls.from_mapping({edges: edges_of_graph(graph, edges)})

    @classmethod
    def from_matrix(
        cls, matrix: Any, *, edge_direction: EdgeDirection, names: Iterable[Any] | None = None
    ) -> Self:
        """Make rules of a matrix, as other libraries write prior knowledge.

        Parameters
        ----------
        matrix : array-like of shape (d, d)
            1: the edge is required; 0: it is forbidden; -1 or NaN: nothing is known. The diagonal
            says nothing, but for a 1, which `resolve` refuses.
        edge_direction : {"from row to column", "from column to row"}
            Which way an entry in row r and column c points: r -> c (ours), or c -> r (lingam). It
            has no default on purpose: a wrong guess reverses every rule.
        names : iterable of d columns, optional
            Names of the rows and columns; by default those of a data frame, else positions.

        Notes
        -----
        Not for an adjacency matrix that is known in part: its zeros would forbid all other edges.
        Use `from_graph`.

        Examples
        --------
        >>> lingam_prior = [[-1, 0], [1, -1]]  # row 1 is the effect of column 0
        >>> Knowledge.from_matrix(lingam_prior, edge_direction="from column to row")
        Knowledge(required=[(0, 1)], forbidden=[(1, 0)])
        """
        required, forbidden = edges_of_matrix(matrix, edge_direction, names)
        return cls(required=required, forbidden=forbidden)

    def resolve(self, labels: Iterable[Hashable]) -> Constraints:
        """Find the rules among the columns of a table, and derive all that they imply.

        Parameters
        ----------
        labels : iterable
            The columns' labels, in their order.

        Returns
        -------
        Constraints
            Matrices in which ``[i, j]`` means i -> j.

        Raises
        ------
        KnowledgeError
            If a name or a wildcard fits no column, or the rules contradict each other, such as in a
            required cycle. The message and its attribute ``problems`` list all such rules.

        Examples
        --------
        >>> Knowledge(required=["a -> b", "b -> a"]).resolve(["a", "b"])
        Traceback (most recent call last):
            ...
        scoredag.exceptions.KnowledgeError: knowledge contradicts itself: 1 problem
        - required cycle 'a' -> 'b' -> 'a', by required: 'a -> b' and required: 'b -> a'
        """
        rules = find_rules(
            Columns(list(labels)),
            required=self.required,
            forbidden=self.forbidden,
            tiers=self.tiers,
            roots=self.roots,
            sinks=self.sinks,
            edges_within_tiers=self.edges_within_tiers,
        )
        return Constraints.from_rules(rules)

    def __or__(self, other: object) -> Knowledge:
        if not isinstance(other, Knowledge):
            return NotImplemented
        within = self.edges_within_tiers and other.edges_within_tiers
        return Knowledge(
            required=self.required + other.required,
            forbidden=self.forbidden + other.forbidden,
            tiers=joint_tiers(self.tiers, other.tiers, within),
            roots=self.roots + other.roots,
            sinks=self.sinks + other.sinks,
            edges_within_tiers=within,
        )

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Knowledge) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[Hashable, ...]:
        """The rules without the order in which they were written, but for that of the tiers."""
        groups = (self.required, self.forbidden, self.roots, self.sinks)
        tiers = tuple(map(frozenset, self.tiers))
        return (*map(frozenset, groups), tiers, self.edges_within_tiers)

    def __repr__(self) -> str:
        rules = {name: getattr(self, name) for name in KEYWORDS[:-1]}
        rules["tiers"] = list(map(list, self.tiers))
        parts = [f"{name}={_shown(listed)}" for name, listed in rules.items() if listed]
        parts += ["edges_within_tiers=False"] * (not self.edges_within_tiers)
        return f"Knowledge({', '.join(parts)})"


def _shown(rules: Sequence[object]) -> str:
    more = [f"... {len(rules) - _MOST_SHOWN:,} more"] * (len(rules) > _MOST_SHOWN)
    return f"[{', '.join([*map(repr, rules[:_MOST_SHOWN]), *more])}]"
