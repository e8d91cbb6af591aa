"""The cache of data that cannot be bundled."""

import numpy as np
import pytest

from scoredag.datasets import DatasetMissing, fill_cache, load_grandag, load_syntren
from scoredag.datasets.cache import CHECKSUMS, cache_folder, cached_file
from scoredag.exceptions import DataError
from scoredag.graph import is_dag


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SCOREDAG_DATA", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_cache_is_in_the_users_cache_folder_unless_a_variable_names_it(tmp_path, monkeypatch):
    monkeypatch.delenv("SCOREDAG_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "scoredag"
    monkeypatch.setenv("SCOREDAG_DATA", str(tmp_path / "elsewhere"))
    assert cache_folder() == tmp_path / "elsewhere"


def test_missing_file_says_how_to_get_it(empty_cache):
    with pytest.raises(DatasetMissing, match=r"scoredag.datasets.fill_cache\(folder\)"):
        load_syntren()


def test_other_content_under_the_right_name_is_refused(empty_cache):
    path = empty_cache / "syntren" / "syntren.npz"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"something else")
    with pytest.raises(DataError, match="SHA-256 begins with"):
        cached_file("syntren/syntren.npz")


def test_folder_without_known_files_is_refused(empty_cache, tmp_path):
    with pytest.raises(DataError, match="no data set that scoredag knows"):
        fill_cache(tmp_path)


def test_folder_that_is_not_there_is_named(empty_cache, tmp_path):
    with pytest.raises(DataError, match="nowhere: no such folder"):
        fill_cache(tmp_path / "nowhere")


def test_wrong_file_is_not_copied(empty_cache, tmp_path):
    (tmp_path / "syntren").mkdir()
    (tmp_path / "syntren" / "syntren.npz").write_bytes(b"something else")
    with pytest.raises(DataError, match=r"not the syntren/syntren\.npz"):
        fill_cache(tmp_path)
    assert not empty_cache.exists()


def test_filled_cache_holds_every_known_file(empty_cache, public_data):
    assert fill_cache(public_data) == list(CHECKSUMS)
    assert fill_cache(public_data) == list(CHECKSUMS)
    files = [path for path in empty_cache.rglob("*") if path.is_file()]
    assert len(files) == len(CHECKSUMS)


@pytest.mark.parametrize("number", [1, 10])
def test_syntren(public_data, number, monkeypatch):
    monkeypatch.setenv("SCOREDAG_DATA", str(public_data))
    data = load_syntren(number)
    assert data.X.shape == (500, 20)
    assert data.adjacency.sum() == {1: 24, 10: 22}[number]
    assert is_dag(data.adjacency)


def test_grandag(public_data, monkeypatch):
    monkeypatch.setenv("SCOREDAG_DATA", str(public_data))
    data = load_grandag("er_p20_e20", 10)
    assert data.X.shape == (1000, 20)
    assert data.X.dtype == np.float64
    assert is_dag(data.adjacency)
    for number in (0, 11, 1.5, True, "1"):
        message = f"number must be a whole number from 1 to 10; got {number!r}"
        with pytest.raises(ValueError, match=message):
            load_grandag("er_p20_e20", number)
    with pytest.raises(ValueError, match="name must be one of 'er_p10_e10'"):
        load_grandag("er_p20")
