"""The licences of what is installed, or of what a packaged program was built from."""

import json
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.config.licences import installed
from app.ui.pages.settings.about import LicencesDialog


def row_of(dialog: LicencesDialog, name: str) -> int:
    return next(line for line in range(dialog.table.rowCount()) if dialog.table.item(line, 0).text().lower() == name)


def test_the_dialog_lists_all_with_their_texts(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    dialog = LicencesDialog(host)
    assert dialog.table.rowCount() == 0, "the window answers while they are read"
    found = {one.name.lower(): one for one in installed() if one.name}
    qtbot.waitUntil(lambda: dialog.table.rowCount() == len(found), timeout=30_000)
    assert [row_of(dialog, name) for name in sorted(found)] == list(range(len(found)))
    assert dialog.table.item(0, 2).text()
    assert dialog.text.words == found[min(found)].text
    dialog.table.setCurrentCell(row_of(dialog, "numpy"), 1)
    assert "OpenBLAS" in dialog.text.words
    dialog.table.setCurrentCell(row_of(dialog, "pyside6"), 0)
    assert dialog.text.words == "This package has no license text of its own."


def test_a_packaged_program_shows_what_it_was_built_from(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "resources" / "licenses").mkdir(parents=True)
    carried = [{"name": "Qt", "version": "6.11", "licence": "LGPL-3.0-only", "text": "GNU LESSER"}]
    (tmp_path / "resources" / "licenses" / "notices.json").write_text(json.dumps(carried), encoding="utf-8")
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    host = QWidget()
    qtbot.addWidget(host)
    dialog = LicencesDialog(host)
    qtbot.waitUntil(lambda: dialog.table.rowCount() == 1)
    assert [dialog.table.item(0, at).text() for at in range(3)] == ["Qt", "6.11", "LGPL-3.0-only"]
    assert dialog.text.words == "GNU LESSER"
    assert "in this program" in dialog.table.accessibleName()
