"""The files that go along with a draft, one a line: looked at, taken off, put back.

What was taken off stays in sight until the draft is decided, so that it can be put back after a restart as well.
"""

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QWidget

from app.domain.mail.files import ArtifactHandle
from app.ui.context import Context
from app.ui.i18n.formatting import size_words
from app.ui.pages.assistant.documents import DocumentBar
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.factory import button, clear, column, label, row, tab_through, tool_button
from app.ui.widgets.hints import plain_tip
from app.ui.widgets.labels import ElidedLabel, IconLabel

WIDEST_NAME, NARROWEST_NAME, BESIDE = 340, 60, 130
"""Pixels: a name that has no room is cut in its middle, so that its end is seen, and what stands beside it as well."""


class DraftAttachments(QWidget):
    """`changed` when a file was taken off or put back; `bar` asks what to do with the one that was pointed at."""

    changed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.bar = DocumentBar(context)
        self._inside = QWidget()
        self._lines = column(self._inside, 0, Space.TIGHT)
        layout = column(self, 0, Space.TIGHT)
        layout.addWidget(self._inside)
        layout.addWidget(self.bar)
        self._shown: tuple[ArtifactHandle, ...] = ()
        self._off: frozenset[str] = frozenset()
        self._fixed = False
        self.buttons: dict[str, QAbstractButton] = {}
        """The last button of each line, by file."""
        self._links: dict[str, QAbstractButton] = {}
        self.hide()

    @property
    def attached(self) -> tuple[ArtifactHandle, ...]:
        """The files that go along, in their order."""
        return tuple(one for one in self._shown if one.id not in self._off)

    @property
    def taken_off(self) -> tuple[str, ...]:
        """The names of those that were taken off."""
        return tuple(one.name for one in self._shown if one.id in self._off)

    def show_files(self, attached: Iterable[ArtifactHandle], proposed: Iterable[ArtifactHandle]) -> None:
        """Fill in; what was proposed and does not go along is shown as taken off. Hidden without files."""
        along = tuple(attached)
        self._shown = tuple({one.id: one for one in (*proposed, *along)}.values())
        self._off = frozenset(one.id for one in self._shown) - {one.id for one in along}
        self.bar.hide()
        self._fill()

    def set_read_only(self, read_only: bool) -> None:
        """Whether they can only be looked at."""
        if read_only is not self._fixed:
            self._fixed = read_only
            self._fill()

    def take_off(self, file: ArtifactHandle) -> None:
        """It does not go along."""
        self._set_off(self._off | {file.id}, file)

    def put_back(self, file: ArtifactHandle) -> None:
        """It goes along after all."""
        self._set_off(self._off - {file.id}, file)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More or less room for the names."""
        super().resizeEvent(event)
        for name, link in self._links.items():
            link.setText(self._fitted(name))

    def _fitted(self, name: str) -> str:
        """As much of a name as there is room for."""
        room = min(max(self.width() - at_text_size(BESIDE), at_text_size(NARROWEST_NAME)), at_text_size(WIDEST_NAME))
        return self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, room)

    def _set_off(self, off: frozenset[str], moved: ArtifactHandle) -> None:
        """The keyboard stays on the line of the file that was moved."""
        held = any(one.hasFocus() for one in self._inside.findChildren(QWidget))
        self._off = off
        self.bar.hide()
        self._fill()
        self.changed.emit()
        if held:
            last = self.buttons[moved.id]
            QTimer.singleShot(0, last, last.setFocus)  # it can be seen from the next turn on

    def _fill(self) -> None:
        clear(self._lines)
        self.buttons, self._links = {}, {}
        shown = self._shown if not self._fixed else self.attached
        for file in shown:
            self._lines.addWidget(self._line(file))
        tab_through(self, (*self._inside.findChildren(QAbstractButton), *self.bar.findChildren(QAbstractButton)))
        self.setVisible(bool(shown))

    def _line(self, file: ArtifactHandle) -> QFrame:
        off = file.id in self._off
        made = QFrame()
        made.setProperty("role", "notice")
        inside = row(made, 0, Space.SMALL)
        inside.setContentsMargins(Space.SMALL, Space.HAIR, Space.SMALL, Space.HAIR)
        inside.addWidget(IconLabel(self._context.icons, "attachment", "text_soft", 14))
        if off:
            inside.addWidget(ElidedLabel(file.name, tone="soft"))
            inside.addWidget(ElidedLabel(self.tr("does not go along"), Type.CAPTION, "soft"), 1)
        else:
            look = button(self._fitted(file.name), "link", partial(self.bar.offer, file))
            look.setToolTip(plain_tip(file.name))
            look.setMinimumWidth(at_text_size(NARROWEST_NAME))
            self._links[file.name] = look
            inside.addWidget(self._told(look, self.tr("Open or save %1"), file))
            inside.addWidget(label(size_words(file.size), Type.CAPTION, "soft"), 1)
        if not self._fixed:
            inside.addWidget(self._turn(file, off))
        return made

    def _turn(self, file: ArtifactHandle, off: bool) -> QAbstractButton:
        """Off, or back again."""
        if off:
            return self._told(button(self.tr("Put back"), "link", partial(self.put_back, file)), self.tr("Put %1 back"), file)
        words = self.tr("Take %1 off").replace("%1", file.name)
        return self._told(tool_button(self._context.icons.icon("close"), words, partial(self.take_off, file)), words, file)

    def _told(self, made: QAbstractButton, spoken: str, file: ArtifactHandle) -> QAbstractButton:
        """A button by its name."""
        made.setAccessibleName(spoken.replace("%1", file.name))
        self.buttons[file.id] = made
        return made
