"""How close a graph or an order is to the truth. Metrics take ``(true, pred)``.

``A[i, j] != 0`` means i -> j. They take whatever `scoredag.graph.as_adjacency` takes, and match
graphs over names by name.
"""

from scoredag.metrics.edge_report import EdgeReport, edge_report
from scoredag.metrics.order_divergence import order_divergence
from scoredag.metrics.shd import shd
from scoredag.metrics.sid import sid
from scoredag.metrics.varsortability import varsortability

__all__ = ["EdgeReport", "edge_report", "order_divergence", "shd", "sid", "varsortability"]
