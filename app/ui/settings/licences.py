"""The packages this program runs with and their licences, as the packages themselves name them. Refuses to guess a licence."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from itertools import islice

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDialog, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from app.ui.build import button, column, label
from app.ui.scale import Space, Type

LONGEST = 60
AT_ONCE = 4
PREFIX = "License :: OSI Approved :: "


@dataclass(frozen=True, slots=True)
class Package:
    """An installed package; `licence` is empty where it names none."""

    name: str
    version: str
    licence: str


def by_name(read: Iterable[Package]) -> list[Package]:
    """All of them, each once."""
    found = {one.name.lower(): one for one in read if one.name}
    return [found[name] for name in sorted(found)]


def packages() -> Iterator[Package]:
    """One after the other; reading them all takes a third of a second."""
    return map(_package, distributions())


def _package(one: Distribution) -> Package:
    return Package(one.metadata["Name"] or "", one.version or "", licence_of(one))


def licence_of(one: Distribution) -> str:
    """The SPDX expression, else the classifiers, else the first line of the licence field if it is short."""
    meta = one.metadata
    expression = meta.get_all("License-Expression") or ()
    if expression:
        return str(expression[0])
    classified = [value.removeprefix(PREFIX) for value in meta.get_all("Classifier") or () if value.startswith(PREFIX)]
    if classified:
        return ", ".join(classified)
    first = "".join(meta.get_all("License") or ()).strip().splitlines()[:1]
    return first[0] if first and len(first[0]) <= LONGEST and first[0] != "UNKNOWN" else ""


class LicencesDialog(QDialog):
    """A table to read, filled as soon as the packages are read: a few in each turn of the window's loop."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._found: list[Package] = []
        self._left = packages()
        self._reading = QTimer(self)
        self._reading.timeout.connect(self._read)
        self._reading.start(0)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Licences"))
        self.table = QTableWidget(0, 3)
        self.table.setAccessibleName(self.tr("Installed packages and their licences"))
        self.table.setHorizontalHeaderLabels([self.tr("Package"), self.tr("Version"), self.tr("Licence")])
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        layout = column(self, Space.LARGE, Space.MEDIUM)
        layout.addWidget(label(self.tr("Installed packages and their licences"), Type.TITLE))
        layout.addWidget(self.table, 1)
        layout.addWidget(button(self.tr("Close"), "", self.close), 0, Qt.AlignmentFlag.AlignRight)
        self.resize(720, 560)

    def _read(self) -> None:
        few = list(islice(self._left, AT_ONCE))
        self._found += few
        if len(few) < AT_ONCE:
            self._reading.stop()
            self._fill(by_name(self._found))

    def _fill(self, found: list[Package]) -> None:
        self.table.setRowCount(len(found))
        for line, one in enumerate(found):
            words = (one.name, one.version, one.licence or self.tr("not named; see its files"))
            for place, text in enumerate(words):
                self.table.setItem(line, place, QTableWidgetItem(text))
        self.table.resizeColumnToContents(0)
