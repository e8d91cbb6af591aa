"""Data sets with a graph to compare with; where each comes from is in ``files/README.md``."""

from scoredag.datasets.cache import DatasetMissing, cache_folder, fill_cache
from scoredag.datasets.dataset import Dataset
from scoredag.datasets.grandag import grandag_names, load_grandag
from scoredag.datasets.sachs import load_sachs
from scoredag.datasets.syntren import load_syntren

__all__ = [
    "Dataset",
    "DatasetMissing",
    "cache_folder",
    "fill_cache",
    "grandag_names",
    "load_grandag",
    "load_sachs",
    "load_syntren",
]
