"""Files that are there whole or not at all."""

import pytest

from scoredag.replacing import replacing


def test_a_new_file_in_a_new_folder(tmp_path):
    with replacing(tmp_path / "new" / "table.npz") as partial:
        assert partial.suffix == ".npz"
        partial.write_text("all")
        assert not (tmp_path / "new" / "table.npz").exists()
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["table.npz"]


def write_half(path):
    with replacing(path) as partial:
        partial.write_text("half")
        raise OSError("no space left")


def test_a_block_that_fails_leaves_the_old_file_and_no_other(tmp_path):
    (tmp_path / "table.md").write_text("old")
    with pytest.raises(OSError, match="no space left"):
        write_half(tmp_path / "table.md")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]
