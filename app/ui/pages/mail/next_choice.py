"""Chooses the conversation after one left the list, and what came back after Undo."""

from collections.abc import Callable, Collection, Sequence
from time import monotonic
from typing import Any

from PySide6.QtCore import QObject

from app.domain.ids import ThreadId
from app.domain.mail.message import SystemLabel
from app.domain.mail.triage import OwnerVerdict
from app.domain.protocol.changes import ChangeLabels, CorrectVerdict, Filing, Mute, Snooze
from app.domain.protocol.events import CommandFailed, Event
from app.domain.protocol.views import SPLITS, MailView
from app.ui.context import Context
from app.ui.lists.model import IdModel
from app.ui.lists.view import RowList
from app.ui.message.thread_view import ReadingPane
from app.ui.navigation.places import PART_OF_INBOX

AWAITED_S = 3.0
"""How long the engine may take to bring a conversation back."""
OWN_LABEL = {
    MailView.INBOX: SystemLabel.INBOX,
    MailView.STARRED: SystemLabel.STARRED,
    MailView.SPAM: SystemLabel.SPAM,
    MailView.TRASH: SystemLabel.TRASH,
}
"""The label that keeps a conversation in a view."""
OWN_VERDICT = {OwnerVerdict.NEEDS_REPLY: MailView.NEEDS_REPLY, OwnerVerdict.FOR_INFORMATION: MailView.FYI}
"""The split of the inbox that a correction moves a conversation to. Without one it may be in several."""


def leaves(place: str, change: Filing) -> bool:
    """Whether a change removes its conversations from the list at `place`, a view or a search."""
    if isinstance(change, CorrectVerdict):
        return _corrected_leaves(place, change)
    view = MailView.INBOX if place.startswith(PART_OF_INBOX) or place in SPLITS else place
    if isinstance(change, Snooze | Mute):
        return view == MailView.INBOX
    add = change.add if isinstance(change, ChangeLabels) else ()
    for label, home in ((SystemLabel.TRASH, MailView.TRASH), (SystemLabel.SPAM, MailView.SPAM)):
        if label in add:
            return view != home
    if view == MailView.SNOOZED:
        return SystemLabel.INBOX in add
    return view in OWN_LABEL and OWN_LABEL[MailView(view)] in change.remove


def _corrected_leaves(place: str, change: CorrectVerdict) -> bool:
    """The same for a correction. Only mail in Spam moves to the inbox."""
    if change.verdict.dropped:
        return place not in (MailView.SPAM, MailView.ALL)
    split = OWN_VERDICT.get(change.verdict)
    return place == MailView.SPAM or (place in OWN_VERDICT.values() and split is not None and place != split)


class NextChoice(QObject):
    """Moves the choice in a list. `place` names the list on screen; `to_list` shows it in a narrow window."""

    def __init__(
        self,
        context: Context,
        listing: RowList,
        model: IdModel[Any],
        reading: ReadingPane,
        place: Callable[[], str],
        to_list: Callable[[], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context, self._list, self._model, self._reading = context, listing, model, reading
        self._place, self._to_list = place, to_list
        self._leaving: set[int] = set()
        """Conversations that the engine has not removed from the list yet."""
        self._awaited: tuple[ThreadId, ...] = ()
        self._awaited_at, self._awaited_until = "", 0.0
        self.wanted = ""
        """What is opened after the next change, in place of the setting."""
        self.marked: ThreadId | None = None
        """The row that is marked but not opened after going back to the list."""
        listing.chosen.connect(self._chosen)

    def leave(self, changes: Sequence[Filing]) -> None:
        """Chooses the next conversation at once, so that the next key never acts on another one by chance."""
        self.forget()
        wanted, self.wanted = self.wanted or self._context.settings().reading.after_archive, ""
        going = {thread for change in changes if leaves(self._place(), change) for thread in change.thread_ids}
        rows = [row for row in map(self._model.row_of, going) if row >= 0]
        open_here = self._reading.thread_id
        if not rows:
            return
        if open_here is not None and open_here not in going:
            if self._model.row_of(open_here) >= 0:  # others were selected beside it
                self._list.select_row(self._model.row_of(open_here), quiet=True)
                self._leaving |= going
            return
        self._leaving |= going
        self.marked = None
        row = self._next(min(rows), max(rows), wanted == "newer")
        if row < 0:
            self._list.clearSelection()
            self._reading.show_soon(None)
        elif wanted == "list":
            self._list.select_row(row, quiet=True)
            self.marked = ThreadId(self._model.id_at(row))
            self._reading.show_soon(None)
            self._to_list()
        else:
            self._list.select_row(row)
            self._reading.show_soon(ThreadId(self._model.id_at(row)))

    def await_back(self, threads: Sequence[ThreadId]) -> None:
        """Chooses `threads` as soon as the list has them again."""
        self._leaving -= set(threads)
        self._awaited, self._awaited_at = tuple(threads), self._place()
        self._awaited_until = monotonic() + AWAITED_S
        self.settle()

    def settle(self) -> None:
        """Chooses awaited conversations. Called after the list was read."""
        self._leaving &= set(self._model.ids)
        if not self._awaited:
            return
        if monotonic() > self._awaited_until or self._place() != self._awaited_at:
            self.forget()
            return
        rows = sorted(row for row in map(self._model.row_of, self._awaited) if row >= 0)
        if rows and self._list.selected_rows() != rows:
            self._list.select_rows(rows)
            self._reading.show_soon(ThreadId(self._model.id_at(rows[0])))

    def forget(self) -> None:
        """Awaits nothing any more, because the user chose something."""
        self._awaited = ()

    def _chosen(self, key: int) -> None:
        """Forgets what is back already when the user chooses another row."""
        self.marked = None
        if key not in self._awaited and all(self._model.row_of(one) >= 0 for one in self._awaited):
            self.forget()

    def hear(self, event: Event) -> None:
        if isinstance(event, CommandFailed):
            self._leaving.clear()

    def _next(self, first: int, last: int, newest_first: bool) -> int:
        """The row to choose when the rows from `first` to `last` go, -1 if none stays."""
        older, newer = range(last + 1, self._model.rowCount()), range(first - 1, -1, -1)
        between = range(last, first - 1, -1)
        ways: tuple[Collection[int], ...] = (newer, between, older) if newest_first else (older, between, newer)
        return next((row for way in ways for row in way if self._model.id_at(row) not in self._leaving), -1)
