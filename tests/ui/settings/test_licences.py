"""The licences of what is installed, read from the packages."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.settings.licences import LicencesDialog, by_name, packages
from app.ui.settings.notifications import NotificationsSection


def test_packages_name_their_licences() -> None:
    found = {one.name.lower(): one for one in by_name(packages())}
    assert "LGPL" in found["pyside6"].licence
    assert "MIT" in found["litellm"].licence or found["litellm"].licence == "MIT"
    assert list(found) == sorted(found)
    named = [one for one in found.values() if one.licence]
    assert len(named) > 0.9 * len(found)


def test_the_dialog_lists_all(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    dialog = LicencesDialog(host)
    assert dialog.table.rowCount() == 0, "the window answers while they are read"
    qtbot.waitUntil(lambda: dialog.table.rowCount() == len(by_name(packages())), timeout=30_000)
    assert dialog.table.item(0, 2).text()
    assert NotificationsSection.__doc__
