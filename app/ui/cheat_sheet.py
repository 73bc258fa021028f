"""All keys on one sheet, made from the table of actions."""

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QWidget

from app.ui.actions import TABLE, Where, where_words
from app.ui.build import chip, column, label, row
from app.ui.scale import Space, Type


class CheatSheet(QDialog):
    """Opened without blocking; Escape or `?` closes it."""

    def __init__(self, actions: Mapping[str, QAction], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        layout = column(self, Space.XLARGE, Space.LARGE)
        layout.addWidget(label(self.tr("Keyboard shortcuts"), Type.HEADLINE))
        columns = row(None, 0, Space.HUGE)
        layout.addLayout(columns)
        for places in ((Where.REVIEW, Where.MEMORY), (Where.MAIL, Where.OUTBOX), (Where.WINDOW,)):
            side = column(None, 0, Space.LARGE)
            for where in places:
                side.addWidget(self._section(where, actions))
            side.addStretch(1)
            columns.addLayout(side)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """`?` closes as it opened."""
        if event.text() == "?":
            self.close()
            return
        super().keyPressEvent(event)

    def _section(self, where: Where, actions: Mapping[str, QAction]) -> QWidget:
        section = QWidget()
        grid = QGridLayout(section)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(Space.LARGE)
        grid.setVerticalSpacing(Space.SMALL)
        grid.addWidget(label(where_words(where), Type.STRONG), 0, 0, 1, 2)
        specs = [spec for spec in TABLE if spec.where is where and spec.keys]
        for line, spec in enumerate(specs, 1):
            grid.addWidget(label(actions[spec.id].text(), tone="soft"), line, 0)
            keys = QKeySequence(spec.keys[0]).toString(QKeySequence.SequenceFormat.NativeText)
            grid.addWidget(chip(keys), line, 1, Qt.AlignmentFlag.AlignRight)
        return section
