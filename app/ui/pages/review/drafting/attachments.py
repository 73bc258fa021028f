"""The attachments of a draft. Removed ones stay listed until the draft is decided, so that they can be restored even after a
restart.
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
"""Pixels; names are elided in the middle, so that the file extension and the buttons beside them stay visible."""


class DraftAttachments(QWidget):
    """List of attachments. Emits `changed` when one is removed or restored; `bar` offers to open or save the clicked one."""

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
        self._removed: frozenset[str] = frozenset()
        self._read_only = False
        self.buttons: dict[str, QAbstractButton] = {}
        """The last button of each line, by file id."""
        self._links: dict[str, QAbstractButton] = {}
        self.hide()

    @property
    def attached(self) -> tuple[ArtifactHandle, ...]:
        """The files to send, in order."""
        return tuple(file for file in self._shown if file.id not in self._removed)

    @property
    def taken_off(self) -> tuple[str, ...]:
        """The names of removed files."""
        return tuple(file.name for file in self._shown if file.id in self._removed)

    def show_files(self, attached: Iterable[ArtifactHandle], proposed: Iterable[ArtifactHandle]) -> None:
        """Shows the files; proposed ones that are not attached count as removed. Hidden without files."""
        files = tuple(attached)
        self._shown = tuple({file.id: file for file in (*proposed, *files)}.values())
        self._removed = frozenset(file.id for file in self._shown) - {file.id for file in files}
        self.bar.hide()
        self._fill()

    def set_read_only(self, read_only: bool) -> None:
        """Sets whether files can be removed and restored."""
        if read_only is not self._read_only:
            self._read_only = read_only
            self._fill()

    def take_off(self, file: ArtifactHandle) -> None:
        """Removes a file from the draft."""
        self._set_removed(self._removed | {file.id}, file)

    def put_back(self, file: ArtifactHandle) -> None:
        """Restores a removed file."""
        self._set_removed(self._removed - {file.id}, file)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elides the names for the new width."""
        super().resizeEvent(event)
        for name, link in self._links.items():
            link.setText(self._fitted(name))

    def _fitted(self, name: str) -> str:
        """Returns the name, elided if needed."""
        room = min(max(self.width() - at_text_size(BESIDE), at_text_size(NARROWEST_NAME)), at_text_size(WIDEST_NAME))
        return self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, room)

    def _set_removed(self, off: frozenset[str], moved: ArtifactHandle) -> None:
        """Updates the list; the focus stays on the line of the changed file."""
        had_focus = any(widget.hasFocus() for widget in self._inside.findChildren(QWidget))
        self._removed = off
        self.bar.hide()
        self._fill()
        self.changed.emit()
        if had_focus:
            last = self.buttons[moved.id]
            QTimer.singleShot(0, last, last.setFocus)  # the button is visible only after the next layout

    def _fill(self) -> None:
        clear(self._lines)
        self.buttons, self._links = {}, {}
        shown = self._shown if not self._read_only else self.attached
        for file in shown:
            self._lines.addWidget(self._line(file))
        tab_through(self, (*self._inside.findChildren(QAbstractButton), *self.bar.findChildren(QAbstractButton)))
        self.setVisible(bool(shown))

    def _line(self, file: ArtifactHandle) -> QFrame:
        off = file.id in self._removed
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
            inside.addWidget(self._named(look, self.tr("Open or save %1"), file))
            inside.addWidget(label(size_words(file.size), Type.CAPTION, "soft"), 1)
        if not self._read_only:
            inside.addWidget(self._toggle_button(file, off))
        return made

    def _toggle_button(self, file: ArtifactHandle, off: bool) -> QAbstractButton:
        """Returns the button that removes or restores a file."""
        if off:
            return self._named(button(self.tr("Put back"), "link", partial(self.put_back, file)), self.tr("Put %1 back"), file)
        words = self.tr("Take %1 off").replace("%1", file.name)
        return self._named(tool_button(self._context.icons.icon("close"), words, partial(self.take_off, file)), words, file)

    def _named(self, made: QAbstractButton, spoken: str, file: ArtifactHandle) -> QAbstractButton:
        """Sets a button's accessible name and registers it for its file."""
        made.setAccessibleName(spoken.replace("%1", file.name))
        self.buttons[file.id] = made
        return made
