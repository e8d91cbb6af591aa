"""Prior knowledge: what is known about the graph, resolved against the columns of a table.

``[i, j]`` means i -> j; an order lists sources first.
"""

from scoredag.knowledge.accepting import as_constraints, check_knowledge, labels_of
from scoredag.knowledge.constraints import Constraints
from scoredag.knowledge.knowledge import Knowledge

__all__ = ["Constraints", "Knowledge", "as_constraints", "check_knowledge", "labels_of"]
