"""Paths: the data folder is private, resources are found by one function."""

import stat
from pathlib import Path

import platformdirs
import pytest

from app.config.paths import DataFolder, checkpoint_files, default_data_folder, default_state_folder, resource, service_lock
from app.domain.errors import NotAllowed


def test_prepare_makes_a_private_folder(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "a" / "b")
    folder.prepare()
    assert stat.S_IMODE(folder.root.stat().st_mode) == 0o700
    assert folder.logs.is_dir()
    files = (folder.database, *checkpoint_files(folder), folder.settings, folder.rules, folder.lock, service_lock(folder))
    assert {p.parent for p in files} == {folder.root}


def test_a_folder_that_others_could_read_is_made_private(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o755)
    DataFolder(tmp_path / "open").prepare()
    assert stat.S_IMODE((tmp_path / "open").stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for root in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(NotAllowed, match="cannot be used"):
            DataFolder(root).prepare()


def test_environment_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REPLYROOM_DATA", str(tmp_path))
    assert default_data_folder() == tmp_path
    monkeypatch.delenv("REPLYROOM_DATA")
    assert default_data_folder().name == "Replyroom"


def test_what_belongs_to_the_machine_lies_in_no_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REPLYROOM_DATA", raising=False)
    data = default_data_folder()
    assert not default_state_folder().is_relative_to(data)
    monkeypatch.setattr(platformdirs, "user_state_dir", platformdirs.user_data_dir)  # as on Windows and macOS
    assert default_state_folder() == data.with_name("Replyroom.state")


def test_missing_resource_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="no/such"):
        resource("no", "such.file")
