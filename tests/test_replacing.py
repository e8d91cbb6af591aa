"""Files that are there whole or not at all."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from scoredag.replacing import replacing


def test_a_new_file_in_a_new_folder(tmp_path):
    with replacing(tmp_path / "new" / "table.npz") as partial:
        assert partial.suffix == ".npz"
        partial.write_text("all")
        assert not (tmp_path / "new" / "table.npz").exists()
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["table.npz"]


def write(path, text="new", **options):
    with replacing(path, **options) as partial:
        partial.write_text(text)


def write_half(path):
    with replacing(path) as partial:
        partial.write_text("half")
        raise OSError("no space left")


def test_a_block_that_fails_leaves_the_old_file_and_no_other(tmp_path):
    (tmp_path / "table.md").write_text("old")
    with pytest.raises(OSError, match="no space left"):
        write_half(tmp_path / "table.md")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


def test_a_folder_is_made_only_if_asked_for(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"the folder does not exist, create it.*absent'"):
        write(tmp_path / "absent" / "table.md", make_folder=False)
    assert not (tmp_path / "absent").exists()


def test_a_link_stays_and_its_file_is_replaced(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "table.md").write_text("old")
    link = tmp_path / "link.md"
    link.symlink_to(tmp_path / "elsewhere" / "table.md")
    write(link)
    assert link.is_symlink()
    assert (tmp_path / "elsewhere" / "table.md").read_text() == "new"


def test_a_dangling_link_leads_to_a_new_file(tmp_path):
    (tmp_path / "link.md").symlink_to("table.md")
    write(tmp_path / "link.md")
    assert (tmp_path / "table.md").read_text() == "new"
    assert (tmp_path / "link.md").is_symlink()


def test_links_in_a_circle(tmp_path):
    (tmp_path / "a.md").symlink_to("b.md")
    (tmp_path / "b.md").symlink_to("a.md")
    with pytest.raises(OSError, match="symbolic links"):
        write(tmp_path / "a.md")
    assert sorted(os.listdir(tmp_path)) == ["a.md", "b.md"]


def test_a_directory(tmp_path):
    with pytest.raises(IsADirectoryError):
        write(tmp_path)


def test_permissions(tmp_path, monkeypatch):
    """An old file keeps its own, a new one gets what the umask leaves."""
    old, new = tmp_path / "old.md", tmp_path / "new.md"
    old.write_text("old")
    old.chmod(0o640)
    before = os.umask(0o027)
    try:
        write(old)
        write(new)
    finally:
        os.umask(before)
    assert [path.stat().st_mode & 0o777 for path in (old, new)] == [0o640, 0o640]
    old.chmod(0o606)
    write(old)
    assert old.stat().st_mode & 0o777 == 0o606
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != old)
    with pytest.raises(PermissionError):
        write(old, "newer")
    assert old.read_text() == "new"


def test_a_folder_that_takes_no_new_file_is_written_in_place(tmp_path, monkeypatch):
    (tmp_path / "table.md").write_text("old")
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    with replacing(tmp_path / "table.md") as partial:
        assert partial == tmp_path / "table.md"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_written_through(tmp_path):
    pipe = tmp_path / "pipe.md"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write(pipe)
    reader.join(timeout=10)
    assert read == ["new"]
    assert pipe.is_fifo()


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no /dev/stdout here")
def test_standard_output_is_written_through_even_into_a_file(tmp_path):
    code = (
        "from pathlib import Path; from scoredag.replacing import replacing\n"
        "print('before', flush=True)\n"
        "with replacing(Path('/dev/stdout')) as partial, partial.open('a') as file:\n"
        "    file.write('new')"
    )
    with (tmp_path / "out.txt").open("wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert (tmp_path / "out.txt").read_text() == "before\nnew"
    assert os.listdir(tmp_path) == ["out.txt"]


def test_a_long_name(tmp_path):
    path = tmp_path / f"{'ü' * 120}.md"
    write(path)
    assert path.read_text() == "new"
