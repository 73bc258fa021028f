"""The packages this program runs with, or was built from where it is packaged; their licences, and the licence texts."""

from collections.abc import Iterable
from itertools import islice

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QAbstractItemView, QDialog, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from app.config.notices import Notice, installed, shipped
from app.ui.build import button, column, label
from app.ui.mail.pieced_text import PiecedText
from app.ui.scale import Space, Type

AT_ONCE = 4


def by_name(read: Iterable[Notice]) -> list[Notice]:
    """All of them, each once."""
    found = {one.name.lower(): one for one in read if one.name}
    return [found[name] for name in sorted(found)]


class LicencesDialog(QDialog):
    """A table to read, filled as soon as the packages are read: a few in each turn of the window's loop. Below it stands the
    licence text of the row that is chosen."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._found: list[Notice] = []
        carried = shipped()
        self._left = iter(carried) if carried else installed()
        self._reading = QTimer(self)
        self._reading.timeout.connect(self._read)
        self._reading.start(0)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Licences"))
        heading = (
            self.tr("Packages in this program and their licences")
            if carried
            else self.tr("Installed packages and their licences")
        )
        self.table = self._make_table(heading)
        self.text = PiecedText()
        self.text.setAccessibleName(self.tr("Licence text"))
        self.text.setTabChangesFocus(True)
        layout = column(self, Space.LARGE, Space.MEDIUM)
        layout.addWidget(label(heading, Type.TITLE))
        layout.addWidget(self.table, 3)
        layout.addWidget(self.text, 2)
        layout.addWidget(button(self.tr("Close"), "", self.close), 0, Qt.AlignmentFlag.AlignRight)
        self.resize(720, 640)

    def _make_table(self, heading: str) -> QTableWidget:
        table = QTableWidget(0, 3)
        table.setAccessibleName(heading)
        table.setHorizontalHeaderLabels([self.tr("Package"), self.tr("Version"), self.tr("Licence")])
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.setShowGrid(False)
        table.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        table.currentCellChanged.connect(lambda now, _column, before, _was: self._show(now) if now != before else None)
        return table

    def _read(self) -> None:
        few = list(islice(self._left, AT_ONCE))
        self._found += few
        if len(few) < AT_ONCE:
            self._reading.stop()
            self._found = by_name(self._found)
            self._fill()

    def _fill(self) -> None:
        self.table.setRowCount(len(self._found))
        for line, one in enumerate(self._found):
            words = (one.name, one.version, one.licence or self.tr("not named; see its files"))
            for place, text in enumerate(words):
                self.table.setItem(line, place, QTableWidgetItem(text))
        self.table.resizeColumnToContents(0)
        self.table.setCurrentCell(0, 0)

    def _show(self, line: int) -> None:
        text = self._found[line].text if 0 <= line < len(self._found) else ""
        self.text.show_words(text or self.tr("This package brings no licence text of its own."))
