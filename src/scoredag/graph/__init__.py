"""Graphs: matrices, orders, other libraries' conventions and files.

``A[i, j] != 0`` means i -> j; an order lists sources first.
"""

from scoredag.graph.adjacency import Adjacency, GraphLike, as_adjacency
from scoredag.graph.alignment import common_adjacency
from scoredag.graph.conversion import from_networkx, to_networkx
from scoredag.graph.dag import (
    check_dag,
    check_order,
    find_cycle,
    full_dag,
    is_dag,
    topological_order,
)
from scoredag.graph.files import format_graph, read_graph, write_graph
from scoredag.graph.matrix import check_adjacency, from_matrix

__all__ = [
    "Adjacency",
    "GraphLike",
    "as_adjacency",
    "check_adjacency",
    "check_dag",
    "check_order",
    "common_adjacency",
    "find_cycle",
    "format_graph",
    "from_matrix",
    "from_networkx",
    "full_dag",
    "is_dag",
    "read_graph",
    "to_networkx",
    "topological_order",
    "write_graph",
]
