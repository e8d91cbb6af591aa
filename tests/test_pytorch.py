"""PyTorch is refused in words where it is missing, and its threads are given back."""

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import torch

from scoredag.pytorch import one_torch_thread, require_torch


def test_says_how_to_install_pytorch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)  # as if it were not installed
    with pytest.raises(ImportError, match=r"pip install 'scoredag\[torch\]'"):
        require_torch("GraNDAG")


def test_the_number_of_threads_is_restored_even_after_an_error():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        with pytest.raises(ZeroDivisionError), one_torch_thread():
            _ = 1 / (torch.get_num_threads() - 1)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_overlapping_blocks_do_not_keep_the_limit():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    inside = Barrier(2)

    def work(_):
        with one_torch_thread():
            inside.wait()  # both are within their blocks
            return torch.get_num_threads()

    try:
        with ThreadPoolExecutor(2) as pool:
            assert list(pool.map(work, range(2))) == [1, 1]
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(torch.get_num_threads).result() == 2
    finally:
        torch.set_num_threads(before)
