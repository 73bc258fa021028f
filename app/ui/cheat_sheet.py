"""All keys on one sheet, made from the table of actions and the keys in force."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QLabel, QScrollArea, QWidget

from app.ui.actions import TABLE, Where, name_words, where_words
from app.ui.build import button, chip, column, label, row
from app.ui.scale import Space, Type, at_text_size

COLUMNS = (
    (Where.WINDOW,),
    (Where.REVIEW, Where.OUTBOX, Where.MEMORY),
    (Where.MAIL,),
    (Where.COMPOSE, Where.DRAFTS, Where.TEMPLATES, Where.WAITING, Where.ASSISTANT),
)
AROUND = 40
"""What is left of the window beside the sheet, in pixels."""
BESIDE = 48
"""The sheet's margins and a scroll bar, in pixels."""
LONGEST_NAME = 200
"""Pixels of an action's name on one line: one long name would leave the sides no room beside each other."""


def name_label(words: str) -> QLabel:
    """An action's name, on two lines where it is long."""
    made = label(words, tone="soft")
    longest = at_text_size(LONGEST_NAME)
    if made.fontMetrics().horizontalAdvance(words) > longest:
        made.setWordWrap(True)
        made.setFixedWidth(longest)
    return made


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
        room = parent.size()
        self._arrange(sheet, [self._side(places, actions) for places in COLUMNS], room.width() - AROUND - BESIDE)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setAccessibleName(self.windowTitle())
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(sheet)
        layout.addWidget(area, 1)
        wanted = sheet.sizeHint()
        self.resize(min(wanted.width() + BESIDE, room.width() - AROUND), min(wanted.height() + 110, room.height() - AROUND))
        self.move(parent.mapToGlobal(parent.rect().center()) - self.rect().center())  # Qt looks at the screen only

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """`?` closes as it opened."""
        if event.text() == "?":
            self.close()
            return
        super().keyPressEvent(event)

    def _leave(self, change: Callable[[], object]) -> None:
        self.close()
        change()

    def _side(self, places: Iterable[Where], actions: Mapping[str, QAction]) -> QWidget:
        side = QWidget()
        lines = column(side, 0, Space.LARGE)
        for where in places:
            lines.addWidget(self._section(where, actions))
        lines.addStretch(1)
        return side

    def _arrange(self, sheet: QWidget, sides: Sequence[QWidget], room: int) -> None:
        """As many side by side as fit into `room` pixels, the others below: down is scrolled more easily than sideways."""
        grid = QGridLayout(sheet)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(Space.LARGE)
        for across in (4, 2, 1):
            for place, side in enumerate(sides):
                grid.addWidget(side, place // across, place % across)
            if sheet.sizeHint().width() <= room:
                return

    def _section(self, where: Where, actions: Mapping[str, QAction]) -> QWidget:
        section = QWidget()
        grid = QGridLayout(section)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(Space.SMALL)
        grid.setVerticalSpacing(Space.TIGHT)
        grid.addWidget(label(where_words(where), Type.STRONG), 0, 0, 1, 2)
        named = [spec for spec in TABLE if spec.where is where and not actions[spec.id].shortcut().isEmpty()]
        for line, spec in enumerate(named, 1):
            grid.addWidget(name_label(name_words(spec)), line, 0)
            keys = actions[spec.id].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            grid.addWidget(chip(keys), line, 1, Qt.AlignmentFlag.AlignRight)
        return section
