"""The About section: version, folders and licences. The licence dialog lists every package with its licence text."""

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, qVersion
from PySide6.QtWidgets import QLabel, QWidget

from app.config.licences import LicenceNotice, installed, shipped
from app.config.paths import DataFolder
from app.ui.message.plain_text import LongPlainText
from app.ui.pages.settings.form import Form, SettingsWriter
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import Dialog
from app.ui.widgets.factory import button, column, fill_rows, label, named, put, row, text_table

AT_ONCE = 4


class LicencesDialog(Dialog):
    """Table of the packages and the licence text of the selected row.

    It reads a few packages in each turn of the event loop and fills the table when all are read.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, self.tr("Licenses"))
        self._found: list[LicenceNotice] = []
        carried = shipped()
        self._left = iter(carried) if carried else installed()
        self._reading = QTimer(self, interval=0)
        self._reading.timeout.connect(self._read)
        self._reading.start()
        heading = self.tr("Installed packages and their licenses")
        if carried:
            heading = self.tr("Packages in this program and their licenses")
        self.table = text_table(heading, [self.tr("Package"), self.tr("Version"), self.tr("License")], 2)
        self.table.currentCellChanged.connect(lambda now, _column, before, _was: self._show(now) if now != before else None)
        self.text = named(LongPlainText(), self.tr("License text"))
        self.text.setTabChangesFocus(True)
        close = button(self.tr("Close"), "", self.close)
        head, foot = label(heading, Type.TITLE), (close, Qt.AlignmentFlag.AlignRight)
        column(self, Space.LARGE, Space.MEDIUM, head, (self.table, 3), (self.text, 2), foot)
        self.resize(720, 640)

    def _read(self) -> None:
        few = list(islice(self._left, AT_ONCE))
        self._found += few
        if len(few) < AT_ONCE:
            self._reading.stop()
            once = {notice.name.lower(): notice for notice in self._found if notice.name}
            self._found = [once[name] for name in sorted(once)]
            unnamed = self.tr("not named; see its files")
            fill_rows(self.table, ((one.name, one.version, one.licence or unnamed) for one in self._found))
            self.table.setCurrentCell(0, 0)

    def _show(self, line: int) -> None:
        text = self._found[line].text if 0 <= line < len(self._found) else ""
        self.text.show_words(text or self.tr("This package has no license text of its own."))


def program_version() -> str:
    """The installed version; "0.1.0+source" in a source tree."""
    try:
        return version("replyroom")
    except PackageNotFoundError:
        return "0.1.0+source"


class AboutSection(Form):
    def __init__(self, writer: SettingsWriter, data: DataFolder, open_path: Callable[[Path], object]) -> None:
        super().__init__(writer, self.tr("About Replyroom"), self.tr("Drafts replies for your review, on your own computer."))
        self.add_widget(self.tr("Version"), "", fact(f"{program_version()} · Qt {qVersion()}"))
        open_data = button(self.tr("Open the folder"), "", lambda: open_path(data.root))
        hint = self.tr("Your mail, drafts and settings. To back up, quit Replyroom and copy this folder.")
        self.add_widget(self.tr("Data folder"), hint, place(data.root, open_data))
        open_logs = button(self.tr("Open the logs"), "", lambda: open_path(data.logs))
        hint = self.tr("Safe to share: no mail, addresses or keys.")
        self.add_widget(self.tr("Logs"), hint, place(data.logs, open_logs))
        licences = self.tr(
            "Replyroom is under the MIT license. It is built with Qt for Python (LGPL 3), Phosphor icons (MIT), "
            "LangGraph and litellm (MIT), Chroma (Apache 2.0), the all-MiniLM-L6-v2 model (Apache 2.0) and others."
        )
        self.add_widget(self.tr("Licenses"), "", fact(licences))
        all_licences = button(self.tr("Show all licenses…"), "", lambda: LicencesDialog(self).open())
        self.add_widget(self.tr("Packages"), self.tr("Open-source licenses"), all_licences)


def fact(words: str) -> QLabel:
    """Label whose text can be selected, also by keyboard."""
    made = label(words, wrap=True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard)
    return made


def place(path: Path, opener: QWidget) -> QWidget:
    """A path above the button that opens it."""
    host = QWidget()
    column(host, 0, Space.SMALL, named(fact(str(path)), str(path)), put(row(), opener, 1))
    host.setFocusProxy(opener)
    return host
