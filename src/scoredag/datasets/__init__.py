"""Data sets with a graph to compare with; where each comes from is in ``files/README.md``."""

from scoredag.datasets.dataset import Dataset
from scoredag.datasets.sachs import load_sachs

__all__ = ["Dataset", "load_sachs"]
