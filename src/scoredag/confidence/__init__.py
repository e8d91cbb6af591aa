"""How sure a graph is: probabilities of edges, ancestors and orders.

``[i, j]`` of a matrix stands for i -> j, or for i before j.
"""

from scoredag.confidence.consensus import consensus_graph
from scoredag.confidence.posterior import GraphPosterior, graph_posterior
from scoredag.confidence.resampling import Bootstrap, bootstrap

__all__ = ["Bootstrap", "GraphPosterior", "bootstrap", "consensus_graph", "graph_posterior"]
