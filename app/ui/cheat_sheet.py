"""All keys on one sheet, made from the table of actions and the keys in force."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QScrollArea, QWidget

from app.ui.actions import TABLE, Where, where_words
from app.ui.build import button, chip, column, label, row
from app.ui.scale import Space, Type

COLUMNS = (
    (Where.WINDOW,),
    (Where.REVIEW, Where.OUTBOX, Where.MEMORY),
    (Where.MAIL,),
    (Where.COMPOSE, Where.DRAFTS, Where.TEMPLATES, Where.WAITING),
)


class CheatSheet(QDialog):
    """Opened without blocking; Escape or `?` closes it. `change` leads to where keys are changed."""

    def __init__(self, actions: Mapping[str, QAction], parent: QWidget, change: Callable[[], object] | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        layout = column(self, Space.LARGE, Space.MEDIUM)
        head = row(None, 0, Space.SMALL)
        head.addWidget(label(self.tr("Keyboard shortcuts"), Type.HEADLINE), 1)
        if change is not None:
            head.addWidget(button(self.tr("Change them…"), "link", lambda: self._leave(change)))
        layout.addLayout(head)
        sheet = QWidget(self)  # so that all is in its looks when it is measured
        columns = row(sheet, 0, Space.XLARGE)
        for places in COLUMNS:
            side = column(None, 0, Space.LARGE)
            for where in places:
                side.addWidget(self._section(where, actions))
            side.addStretch(1)
            columns.addLayout(side)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setAccessibleName(self.windowTitle())
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(sheet)
        layout.addWidget(area, 1)
        room = parent.size()
        wanted = sheet.sizeHint()
        self.resize(min(wanted.width() + 60, room.width() - 40), min(wanted.height() + 110, room.height() - 40))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """`?` closes as it opened."""
        if event.text() == "?":
            self.close()
            return
        super().keyPressEvent(event)

    def _leave(self, change: Callable[[], object]) -> None:
        self.close()
        change()

    def _section(self, where: Where, actions: Mapping[str, QAction]) -> QWidget:
        section = QWidget()
        grid = QGridLayout(section)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(Space.MEDIUM)
        grid.setVerticalSpacing(Space.TIGHT)
        grid.addWidget(label(where_words(where), Type.STRONG), 0, 0, 1, 2)
        named = [actions[spec.id] for spec in TABLE if spec.where is where and not actions[spec.id].shortcut().isEmpty()]
        for line, action in enumerate(named, 1):
            grid.addWidget(label(action.text(), tone="soft"), line, 0)
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            grid.addWidget(chip(keys), line, 1, Qt.AlignmentFlag.AlignRight)
        return section
