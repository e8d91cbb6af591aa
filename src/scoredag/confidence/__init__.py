"""How sure a graph is: probabilities of edges, ancestors and orders.

``[i, j]`` of a matrix stands for i -> j, or for i before j.
"""

from scoredag.confidence.posterior import GraphPosterior, graph_posterior

__all__ = ["GraphPosterior", "graph_posterior"]
