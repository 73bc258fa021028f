"""The packages this program runs with and their licences, as the packages themselves name them. Refuses to guess a licence."""

from dataclasses import dataclass
from importlib.metadata import Distribution, distributions

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from app.ui.build import button, column, label
from app.ui.scale import Space, Type

LONGEST = 60
PREFIX = "License :: OSI Approved :: "


@dataclass(frozen=True, slots=True)
class Package:
    """An installed package; `licence` is empty where it names none."""

    name: str
    version: str
    licence: str


def packages() -> list[Package]:
    """All of them by name, each once."""
    found = {one.name.lower(): one for one in map(_package, distributions()) if one.name}
    return [found[name] for name in sorted(found)]


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
    """A table to read; opened without blocking."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Licences"))
        found = packages()
        self.table = QTableWidget(len(found), 3)
        self.table.setAccessibleName(self.tr("Installed packages and their licences"))
        self.table.setHorizontalHeaderLabels([self.tr("Package"), self.tr("Version"), self.tr("Licence")])
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        for line, one in enumerate(found):
            words = (one.name, one.version, one.licence or self.tr("not named; see its files"))
            for place, text in enumerate(words):
                self.table.setItem(line, place, QTableWidgetItem(text))
        self.table.resizeColumnToContents(0)
        layout = column(self, Space.LARGE, Space.MEDIUM)
        layout.addWidget(label(self.tr("Installed packages and their licences"), Type.TITLE))
        layout.addWidget(self.table, 1)
        layout.addWidget(button(self.tr("Close"), "", self.close), 0, Qt.AlignmentFlag.AlignRight)
        self.resize(720, 560)
