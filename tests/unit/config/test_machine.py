"""The number of a machine, and which folders the program uses."""

import os
import shutil
import stat
import sys
from pathlib import Path

import pytest

from app.config import machine
from app.config import machine as kept
from app.config.machine import BYTES, NAME, kept_number, this_machine
from app.config.paths import DataFolder, checkpoint_files, service_lock


def test_it_stays_the_same_and_is_the_owners_alone(tmp_path: Path) -> None:
    number = kept_number(tmp_path / "state")
    assert len(bytes.fromhex(number)) == BYTES
    assert kept_number(tmp_path / "state") == number
    assert kept_number(tmp_path / "other") != number
    assert [path.name for path in (tmp_path / "state").iterdir()] == [NAME]
    if os.name != "nt":
        assert (tmp_path / "state" / NAME).stat().st_mode & 0o077 == 0


def test_a_copy_of_the_folder_gets_another(tmp_path: Path) -> None:
    number = kept_number(tmp_path / "state")
    shutil.copytree(tmp_path / "state", tmp_path / "copy")
    other = kept_number(tmp_path / "copy")
    assert other not in ("", number)
    assert kept_number(tmp_path / "copy") == other
    assert kept_number(tmp_path / "state") == number


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux")
def test_a_file_with_the_node_of_another_is_told_by_its_birth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """File systems give the nodes of deleted files again."""
    number = kept_number(tmp_path)
    if not kept._born_ns(tmp_path / NAME):
        pytest.skip("the file system does not know when files were made")
    node = (tmp_path / NAME).stat().st_ino
    (tmp_path / NAME).rename(tmp_path / "before")
    shutil.copy(tmp_path / "before", tmp_path / NAME)
    monkeypatch.setattr(kept, "_place", lambda path: (node, kept._born_ns(path)))
    assert kept_number(tmp_path) != number


@pytest.mark.parametrize("text", ["", "{", "[]", '{"number": "abc"}'], ids=["empty", "cut", "odd", "half"])
def test_what_cannot_be_read_gets_another(tmp_path: Path, text: str) -> None:
    number = kept_number(tmp_path)
    (tmp_path / NAME).write_text(text)
    other = kept_number(tmp_path)
    assert other not in ("", number)
    assert kept_number(tmp_path) == other


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="files tell it on Linux alone")
def test_another_machine_has_another_and_its_own_number_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = set()
    for number in ("4f2a", "77c1"):
        (tmp_path / number).write_text(f"{number}\n")
        monkeypatch.setattr(machine, "PLACES", (tmp_path / "none", tmp_path / number))
        assert number not in this_machine()
        told.add(this_machine())
    assert len(told) == 2
    monkeypatch.setattr(machine, "PLACES", (tmp_path / "none",))
    assert this_machine() == ""


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="files tell it on Linux alone")
@pytest.mark.parametrize("text", ["", "\n", "uninitialized\n"])
def test_a_system_that_was_not_started_yet_has_no_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    (tmp_path / "first").write_text(text)
    monkeypatch.setattr(machine, "PLACES", (tmp_path / "first", tmp_path / "second"))
    assert this_machine() == ""
    (tmp_path / "second").write_text("4f2a\n")
    assert this_machine() != ""


def test_prepare_makes_a_private_folder(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "a" / "b")
    folder.prepare()
    assert stat.S_IMODE(folder.root.stat().st_mode) == 0o700
    assert folder.logs.is_dir()
    files = (folder.database, *checkpoint_files(folder), folder.settings, folder.rules, folder.lock, service_lock(folder))
    assert {p.parent for p in files} == {folder.root}
