"""Settings: what this program is, under which licences, and where its files are."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QLabel, QWidget

from app.config.paths import DataFolder
from app.ui.build import button, column, label, row
from app.ui.scale import Space
from app.ui.settings.form import Form
from app.ui.settings.licences import LicencesDialog
from app.ui.settings.writing import SettingsWriter


class AboutSection(Form):
    """Facts to read and copy, and two folders to open."""

    def __init__(self, writer: SettingsWriter, data: DataFolder, version: str, open_path: Callable[[Path], object]) -> None:
        super().__init__(writer, self.tr("About Replyroom"), self.tr("Drafts replies for your review, on your own computer."))
        self.add_widget(self.tr("Version"), "", fact(f"{version} · Qt {qVersion()}"))
        self.open_data = button(self.tr("Open the folder"), "", lambda: open_path(data.root))
        hint = self.tr("Your mail, drafts and settings. Copy it to keep a backup; close Replyroom first.")
        self.add_widget(self.tr("Data folder"), hint, place(data.root, self.open_data))
        self.open_logs = button(self.tr("Open the logs"), "", lambda: open_path(data.logs))
        hint = self.tr("Without mail, addresses and keys: they can be shown to someone who helps you.")
        self.add_widget(self.tr("Logs"), hint, place(data.logs, self.open_logs))
        licences = self.tr(
            "Replyroom is under the MIT licence. It is built with Qt for Python (LGPL 3), Phosphor icons (MIT), LangGraph and "
            "litellm (MIT), Chroma (Apache 2.0), the all-MiniLM-L6-v2 model (Apache 2.0) and others."
        )
        self.add_widget(self.tr("Licences"), "", fact(licences))
        self.all_licences = button(self.tr("Show all licences…"), "", lambda: LicencesDialog(self).open())
        self.add_widget(self.tr("Packages"), self.tr("All that Replyroom is made of, with the licence texts."), self.all_licences)


def fact(words: str) -> QLabel:
    """Words that can be selected, by keyboard too."""
    made = label(words, wrap=True)
    flags = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    made.setTextInteractionFlags(flags)
    return made


def place(path: Path, opener: QWidget) -> QWidget:
    """A path and the button that opens it."""
    host = QWidget()
    lines = column(host, 0, Space.SMALL)
    shown = fact(str(path))
    shown.setAccessibleName(str(path))
    lines.addWidget(shown)
    beside = row(None, 0, Space.SMALL)
    beside.addWidget(opener)
    beside.addStretch(1)
    lines.addLayout(beside)
    host.setFocusProxy(opener)
    return host
