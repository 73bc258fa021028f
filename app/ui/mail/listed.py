"""The rows of the mail page's list: conversations by id, and in Snoozed when each comes back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from app.domain.ids import ThreadId
from app.domain.mail import ThreadRow
from app.domain.views import MailView
from app.ui.context import Context
from app.ui.lists.look import Chip, RowLook
from app.ui.mail.looks import thread_look
from app.ui.text import when_back


class ListedRows:
    """`view` says which list is on screen; only Snoozed is asked for times of return."""

    def __init__(self, context: Context, view: Callable[[], MailView]) -> None:
        self._context = context
        self._view = view
        self._back: dict[ThreadId, datetime] = {}

    def read(self, ids: Sequence[int]) -> Mapping[int, ThreadRow]:
        """Rows by id; ids that are gone are missing."""
        wanted = [ThreadId(key) for key in ids]
        if self._view() is MailView.SNOOZED:
            self._back.update(self._context.reader.snoozed_until(wanted))
        return {int(key): value for key, value in self._context.reader.thread_rows(wanted).items()}

    def look(self, thread: ThreadRow) -> RowLook:
        """A conversation; in Snoozed with the time of its return in its verdict's place."""
        now = self._context.clock()
        look, back = thread_look(thread, now), self._back.get(thread.id)
        if back is None or self._view() is not MailView.SNOOZED:
            return look
        words = when_back(back, now)
        return replace(look, chips=(Chip(words, "accent"),), spoken=f"{look.spoken}, {words}")
