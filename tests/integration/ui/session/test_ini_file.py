"""window.ini is written beside the window, whole and in order.

Numbers in window.ini, sound or not.
"""

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QSettings
from pytestqt.qtbot import QtBot

from app.ui.session.ini_file import WindowState, remembered


def lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def test_what_changes_while_it_is_written_is_written_after_it(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "window.ini"
    state = WindowState(file)
    for number in range(30):
        state.setValue("typed/words", f"{number} words")
        qtbot.wait(2)
    qtbot.waitUntil(lambda: "words=29 words" in lines(file), timeout=30_000)
    state.sync()


def test_sync_waits_for_the_disk_and_an_end_loses_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "window.ini"
    state = WindowState(file)
    state.setValue("window/page", "review")
    state.sync()
    assert "page=review" in lines(file)
    owner = QObject()
    state.setParent(owner)
    state.setValue("window/page", "outbox")
    del owner, state
    assert QSettings(str(file), QSettings.Format.IniFormat).value("window/page") == "outbox"
    assert "page=outbox" in lines(file)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows guards the folder, not the file")
@pytest.mark.parametrize("readable", [False, True], ids=["new", "of an earlier version"])
def test_nobody_else_may_read_what_was_typed(qtbot: QtBot, tmp_path: Path, readable: bool) -> None:
    file = tmp_path / "window.ini"
    if readable:
        file.touch(mode=0o644)
        file.chmod(0o644)
    state = WindowState(file)
    for words in ("Dear Ana", "Dear Ana, at last"):
        state.setValue("letters/1", words)
        qtbot.waitUntil(lambda words=words: words in file.read_text(encoding="utf-8"), timeout=30_000)  # type: ignore[misc]
        assert file.stat().st_mode & 0o777 == 0o600
    state.sync()


@pytest.mark.parametrize(("kept", "read"), [("12", 12), (7, 7), ("wide", 5), ("", 5), (["1", "2"], 5), (None, 5)])
def test_nonsense_is_nothing_remembered(tmp_path: Path, kept: object, read: int) -> None:
    state = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    state.setValue("splitters/mail", kept)
    assert remembered(state, "splitters/mail", 5) == read
    assert remembered(state, "nothing", 3) == 3
