"""Marks the open conversation as read, when the settings say."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer

from app.domain.ids import ThreadId
from app.domain.mail.message import SystemLabel
from app.domain.protocol.changes import ChangeLabels, Filing
from app.ui.context import Context
from app.ui.message.thread_view import ReadingPane
from app.ui.services.read_state import mark_as_read

SEEN_MS = 300
"""A conversation that stays open as long counts as opened, so that skimming marks nothing."""
DELAYS_MS = {"now": SEEN_MS, "2s": 2000, "5s": 5000}


class ReadMarker(QObject):
    """Follows a reading pane. With "now" a conversation is also marked when the user moves on to the next one."""

    def __init__(self, context: Context, reading: ReadingPane, selecting: Callable[[], bool], parent: QObject) -> None:
        """`selecting` returns whether several are selected: what is passed then is not read."""
        super().__init__(parent)
        self._selecting = selecting
        self._context, self._reading = context, reading
        self.skimming = False
        """A key is held down; what it passes is not read."""
        self._shown: ThreadId | None = None
        self._pending: ThreadId | None = None
        self._unasked: ThreadId | None = None
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._mark)
        reading.showed.connect(self._follow)

    def opened_unasked(self, thread_id: ThreadId) -> None:
        """Notes a conversation that the page opened, not the user. It is read when the user moves on from it."""
        self._unasked = thread_id

    def changed(self, changes: Sequence[Filing]) -> None:
        """Leaves a conversation alone that the user marked by hand."""
        for change in changes:
            named = isinstance(change, ChangeLabels) and SystemLabel.UNREAD in (*change.add, *change.remove)
            if named and self._pending in change.thread_ids:
                self._drop()

    def leave(self) -> None:
        """The page was hidden."""
        self._move_on()
        self._shown = None

    def _follow(self) -> None:
        here = self._reading.thread_id
        if here == self._shown:
            return
        self._move_on()
        self._shown = here
        delay_ms = DELAYS_MS.get(self._context.settings().reading.mark_read)
        if here is None or delay_ms is None or not self._reading.unread or self._selecting():
            return
        self._pending = here
        if here != self._unasked:
            self._timer.start(delay_ms)
        self._unasked = None

    def _move_on(self) -> None:
        if (
            self._pending is not None
            and not self.skimming
            and not self._selecting()
            and self._context.settings().reading.mark_read == "now"
        ):
            self._mark()
        self._drop()

    def _drop(self) -> None:
        self._timer.stop()
        self._pending = None

    def _mark(self) -> None:
        thread_id = self._pending
        self._drop()
        mark_as_read(self._context, thread_id)
