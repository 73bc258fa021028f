"""Numbers in window.ini, sound or not."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from app.ui.remembered import remembered


@pytest.mark.parametrize(("kept", "read"), [("12", 12), (7, 7), ("wide", 5), ("", 5), (["1", "2"], 5), (None, 5)])
def test_nonsense_is_nothing_remembered(tmp_path: Path, kept: object, read: int) -> None:
    state = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    state.setValue("splitters/mail", kept)
    assert remembered(state, "splitters/mail", 5) == read
    assert remembered(state, "nothing", 3) == 3
