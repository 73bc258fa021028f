"""The Mail page: one list for every view of the mailbox and for search results, and the reading pane.

Also its list rows, the tool buttons of each view, and restoring its dialogs after a crash of the window.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache, partial

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QDrag, QGuiApplication, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.domain.errors import ExpectedError
from app.domain.ids import AccountId, MessageId, ThreadId
from app.domain.mail.message import Account, ThreadRow
from app.domain.protocol.commands import SearchMail, SyncNow, ThreadIds
from app.domain.protocol.events import EngineReady, Initiator, MailChanged, ReviewDecided, ReviewReady, RunChanged
from app.domain.protocol.views import MailView
from app.domain.record import replace
from app.domain.wire import Event
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.i18n.formatting import number_words, periods, when_back
from app.ui.lists.model import IdModel
from app.ui.lists.row_looks import thread_look, with_account
from app.ui.lists.row_painter import Chip, RowPresentation
from app.ui.navigation.places import FED_BY_MAIL, empty_words, name_of_label, nothing_there, packed, view_title
from app.ui.pages.base import Page
from app.ui.pages.mail.desk import NAMES, ConversationDesk
from app.ui.pages.mail.split_bar import SplitBar
from app.ui.pages.mail.thread_actions import own_labels
from app.ui.services.async_task import AsyncTask, LatePainting, loop_runs, single_shot
from app.ui.services.notices import said_of
from app.ui.session.session_store import PageState
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.factory import chip, column, label
from app.ui.widgets.split_view import EmptyState, Stack, listing


class ListedRows:
    """Reads and presents the rows of the mail list. `view` returns the view on screen; only Snoozed reads return times. `label`
    returns the name of the label whose list it is: no row repeats it.
    """

    def __init__(self, context: Context, view: Callable[[], MailView], label: Callable[[], str]) -> None:
        self._context, self._view, self._label = context, view, label
        self._names: dict[AccountId, dict[str, str]] = {}
        self._accounts: dict[AccountId, Account] = {}
        self._look = lru_cache(MOST_LOOKS)(listed_look)
        """A row takes 0.2 ms to make, and a list asks ten times a refresh."""
        self._back: dict[ThreadId, datetime] = {}
        self.headings: dict[int, str] = {}
        """The words above the first conversation of a period, by its id."""

    def head(self, ids: "array[int]") -> list[int]:
        """Finds the first conversations of each period in a list that is sorted by date. Returns their rows."""
        self.headings, rows, at = {}, [], 0
        named = periods(self._context.clock()) if ids else ()
        for end, (_began, words) in zip(self._ends(ids, [began for began, _ in named]), named, strict=True):
            if end > at:
                self.headings[ids[at]] = words
                rows.append(at)
            at = end
        return rows

    def _ends(self, ids: "array[int]", moments: Sequence[datetime]) -> list[int]:
        """For each moment the row of the first conversation before it. All are narrowed together, so few queries do it."""
        spans = [(0, len(ids))] * len(moments)
        while any(low < high for low, high in spans):
            probes = sorted({row for low, high in set(spans) for row in range(low, high, max(1, (high - low) // PARTS))})
            found = self._context.reader.last_dates([ThreadId(ids[row]) for row in probes])
            ages = [-found.get(ThreadId(ids[row]), LONG_AGO).timestamp() for row in probes]
            firsts = [bisect_right(ages, -moment.timestamp()) for moment in moments]
            spans = [
                (max(low, probes[first - 1] + 1) if first else low, min(high, probes[first]) if first < len(probes) else high)
                for first, (low, high) in zip(firsts, spans, strict=True)
            ]
        return [low for low, _ in spans]

    def read(self, ids: Sequence[int]) -> Mapping[int, ThreadRow]:
        wanted = [ThreadId(key) for key in ids]
        if self._view() is MailView.SNOOZED:
            self._back.update(self._context.reader.snoozed_until(wanted))
        rows = self._context.reader.thread_rows(wanted)
        self._accounts = {one.id: one for one in self._context.reader.accounts()}
        for account_id in {row.account_id for row in rows.values()} - self._names.keys():
            self._names[account_id] = own_labels(self._context.reader, account_id)
        return {int(key): value for key, value in rows.items()}

    def forget_labels(self) -> None:
        """The next rows read the names of labels again."""
        self._names.clear()

    def look(self, thread: ThreadRow) -> RowPresentation:
        own, names = self._label(), self._names.get(thread.account_id, {})
        label = min((name for key in thread.labels if (name := names.get(key, "")) and name != own), default="")
        account = self._accounts.get(thread.account_id) if len(self._accounts) > 1 else None
        account = None if account is not None and account.email == own else account
        back = self._back.get(thread.id) if self._view() is MailView.SNOOZED else None
        today = self._context.clock().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        return self._look(thread, self.headings.get(thread.id, ""), back, label, account, today)


def listed_look(
    thread: ThreadRow, heading: str, back: datetime | None, label: str, account: Account | None, today: datetime
) -> RowPresentation:
    """A conversation's row: with the time it comes back instead of its verdict, and with a label where it has no verdict."""
    look = with_account(thread_look(thread, today), account)
    if heading:
        look = replace(look, heading=heading, spoken=f"{heading}, {look.spoken}")
    chip = Chip(label) if label and not look.chips else None
    if back is not None:
        chip = Chip(when_back(back, today), "accent")
    return look if chip is None else replace(look, chips=(chip,), spoken=f"{look.spoken}, {chip.text}")


PARTS, MOST_LOOKS = 16, 1000
LONG_AGO = datetime.min.replace(tzinfo=UTC)
OUT_OF_INBOX = (MailView.SPAM, MailView.TRASH)
"""These views offer "to inbox" instead of "archive"."""


def tools_of(view: MailView) -> tuple[str, ...]:
    """Returns the names of the tool buttons in a view. In Spam and Trash, "to inbox" replaces "archive"."""
    gone = {"mail.archive" if view in OUT_OF_INBOX else "mail.inbox"}
    if view is MailView.TRASH:
        gone.add("mail.trash")
    return tuple(name for name in NAMES if name not in gone)


FIRST, CHUNK, EVERYTHING = 2000, 4000, 10_000_000
WIDEST, ASIDE = 320, 14
"""Width of the picture of a drag, and its pixels from the pointer, so that the drop target stays visible."""
WHOLE_MS = 2000
"""Delay before a long list is read again in full; its beginning is read at once."""


class MailPage(Page):
    """Shows a view or the results of a search. The first 2,000 ids are read at once, the rest in later turns of the event
    loop.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context, "mail", self.tr("Mail"))
        self.view = MailView.INBOX
        self.search_text = ""
        self._found: array[int] | None = None
        self._failed, self._label_cache = "", ("", "")
        self._task = AsyncTask(self)
        self._listed = ListedRows(context, lambda: self.view, self._label_name)
        self.model: IdModel[ThreadRow] = IdModel(self._listed.read, self._listed.look, self)
        self.desk = ConversationDesk(context, self, self.tr("Conversations"), self.model, self.place, NAMES)
        self.list, self.reading, self.tools, self.changing = (
            self.desk.list,
            self.desk.reading,
            self.desk.tools,
            self.desk.changing,
        )
        self.list.marked.connect(self._show_count)
        self.list.chosen.connect(lambda key: self.reading.show_soon(ThreadId(key)))
        self.list.opened.connect(lambda key: self.open(ThreadId(key), forward=True))
        self._painting = LatePainting(self.list)
        self._heading = label("", Type.TITLE)
        self._count = label("", Type.CAPTION, "soft")
        self._state = EmptyState(context.icons)
        self._lists = Stack(self.list, self._state)
        self.reading.showed.connect(self.moved)
        self.splits = SplitBar(context, self, self.place)
        below = QWidget()
        column(below, 0, 0, self.splits, self.desk.offer, (self._lists, 1))
        self._panes = self.desk.split(listing(self._heading, below, self.desk.bulk_tools, count=self._count))
        self.desk.load_all = self.load_all
        self.list.carry_by(self._drag)
        column(self).addWidget(self._panes)
        self._more_timer = single_shot(self, partial(self._guard, self._load_more))
        self._changed: set[int] = set()
        self._all_changed = self._reload_now = False
        self._whole_timer = single_shot(self, partial(self._guard, self._read_whole))
        self.tools.offer(tools_of(self.view))
        self.model.unreadable.connect(self._cover_with, Qt.ConnectionType.QueuedConnection)
        self.reading.showed.connect(self._show_state)
        connect_actions(self, context, {"mail.select_read": self._select_read})

    def _select_read(self) -> None:
        """Selects the newsletters that were read, to be looked through and archived with one key."""
        self.context.navigator.show_page(MailView.NEWSLETTERS)
        self.load_all()
        rows = self.context.reader.thread_rows([ThreadId(key) for key in self.model.ids])
        read = [
            at for at, key in enumerate(self.model.ids) if (one := rows.get(ThreadId(key))) and not (one.unread or one.starred)
        ]
        if not read:
            self.context.notices.tell(self.tr("There are no read newsletters in the inbox."))
            return
        self.list.select_rows(read)
        self.list.setFocus()
        archive = self.context.actions["mail.archive"]
        words = self.tr("%n read newsletter(s) selected. Check them, then archive them all.", "", len(read))
        self.context.notices.tell(words, archive.text(), archive.trigger, 20_000, leads=True)

    def _drag(self) -> None:
        """Drags the selected conversations onto a place of the navigation."""
        rows = self.list.selected_rows()
        if not rows:
            return
        drag = QDrag(self.list)
        drag.setMimeData(packed([ThreadId(self.model.id_at(row)) for row in rows], self.place()))
        picture = chip("", "accent")
        picture.setParent(self.list)  # for its style sheet
        thread = self.model.record(rows[0]) if len(rows) == 1 else None
        subject = thread.subject if thread is not None and thread.subject.strip() else ""
        words = subject or self.tr("%n conversation(s)", "", len(rows))
        picture.setText(picture.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, at_text_size(WIDEST)))
        picture.adjustSize()
        drag.setPixmap(picture.grab())
        width = picture.width()
        picture.deleteLater()
        drag.setHotSpot(QPoint(width + ASIDE if QGuiApplication.isRightToLeft() else -ASIDE, -Space.TIGHT))
        drag.exec(Qt.DropAction.MoveAction | Qt.DropAction.CopyAction, Qt.DropAction.MoveAction)

    def show_view(self, view: MailView) -> None:
        self._task.end()
        changed = view is not self.view or bool(self.search_text)
        self.view, self.search_text, self._found, self._failed = view, "", None, ""
        self.tools.offer(tools_of(view))
        if changed:
            self.desk.offer.say("")
            self._set_ids(array("q"))
            self.reading.show_soon(None)
            self._panes.show_list()
        self.touch_now()

    def search(self, text: str) -> None:
        """Searches through the engine; a new search cancels the one before."""
        self._task.end()
        self.search_text, self._found, self._failed, self._label_cache = text, None, "", ("", "")
        self.tools.offer(tools_of(MailView.ALL))
        self.reading.show_nothing()
        self._panes.show_list()
        self.touch_now()
        if loop_runs():
            self._task.begin(self._ask(text))

    def open(self, thread_id: ThreadId, message_id: MessageId | None = None, forward: bool = False) -> None:
        """Opens a conversation; `forward` shows the reading pane in a narrow window."""
        self.reading.show_thread(thread_id, message_id)
        if forward:
            self._panes.show_detail()

    def open_message(self, message_id: MessageId) -> None:
        """Opens a message, whether or not the list shows it."""
        message = self.context.reader.message(message_id)
        if message is None:
            self.context.notices.tell(self.tr("This email is no longer in the mailbox."))
            return
        row_ = self.model.row_of(message.thread_id)
        if row_ >= 0:
            self.list.select_row(row_, quiet=True)
        self.open(message.thread_id, message_id, forward=True)

    def refresh(self) -> None:
        """Reads the ids again; the selection stays, and so does a conversation whose answer is being typed."""
        here = self.reading.thread_id if self.reading.typing else None
        with self._painting:
            if self._found is not None or self.search_text:
                self._set_ids(self._found if self._found is not None else array("q"))
                changed = self._found is not None and (self._changed or self._all_changed)
                if changed and loop_runs() and not self._task.under_way:  # the old results stay until the answer comes
                    self._changed, self._all_changed, self._reload_now = set(), False, False
                    self._task.begin(self._ask(self.search_text))
            else:
                self._read_ids()
            self._head_periods()
        if here is not None and self.reading.thread_id != here:
            self.list.clearSelection()
            self.desk.write_on(here)
            self.reading.show_soon(here)
        self.splits.show_counts()
        self._show_state()
        self.desk.choice.settle()
        if self.reading.thread_id is not None:
            self.reading.show_soon(self.reading.thread_id)
        elif not self._back_to and not self._panes.narrow and self.list.current_row() < 0:
            self._open_first()

    def _open_first(self) -> None:
        """Opens the first conversation, which the user did not ask for, beside the list."""
        if self.model.rowCount() and not self._panes.narrow:
            self.list.select_row(max(self.list.current_row(), 0), quiet=True)
            thread_id = ThreadId(self.model.id_at(self.list.current_row()))
            self.desk.marking.opened_unasked(thread_id)
            self.reading.show_soon(thread_id)

    def save_state(self) -> PageState:
        message = self.reading.message
        read: PageState = {"message": message.id, "thread": message.thread_id} if message is not None else {}
        return self._back_to or {"list": self.place(), **self.list.position(), **read}

    def forget_words(self) -> None:
        super().forget_words()
        if self.search_text:
            self.show_view(MailView.INBOX)

    def _return(self) -> None:
        """Opens the saved message at once. The list position is restored when its row is read, which may be several chunks
        later.
        """
        wanted = self._back_to
        if not wanted:
            return
        here = wanted.get("list") == self.place()
        thread, message = wanted.get("thread"), wanted.get("message")
        if here and self.reading.thread_id is None and isinstance(thread, int) and isinstance(message, int):
            self.open(ThreadId(thread), MessageId(message))
        row_before = self.list.saved_row(wanted) if here else -1
        if here and row_before < 0 and (self._more_timer.isActive() or (self.search_text and self._found is None)):
            return
        self._back_to = {}
        if row_before >= 0:
            self.list.select_row(row_before, quiet=True)
            self.list.scroll_back(wanted)
        if self.reading.thread_id is None:
            self._open_first()

    def steps_ahead(self) -> tuple[Callable[[], object], ...]:
        return self.desk.draft.parts()

    def hear(self, event: Event) -> None:
        """Collects changed threads until the next refresh. Repeats a search that the engine could not answer."""
        if isinstance(event, EngineReady) and self.search_text and self._found is None:
            self.search(self.search_text)
        if isinstance(event, MailChanged):
            self._changed.update(event.thread_ids)
            self._all_changed = self._all_changed or not event.thread_ids
            self._reload_now = self._reload_now or (not event.thread_ids and event.initiator is Initiator.USER)
        self.desk.hear(event)
        self.splits.hear(event)
        super().hear(event)

    def says(self, event: Event) -> bool:
        return self.desk.says(event)

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, MailChanged | RunChanged | ReviewReady | ReviewDecided)

    def take_focus(self) -> None:
        self.list.setFocus()

    def go_back(self) -> bool:
        return self.desk.go_back()

    def place(self) -> str:
        """Names the list on screen: a view, or the words of a search."""
        return self.search_text or str(self.view)

    def event(self, event: QEvent) -> bool:
        """Notes whether a key is held down, before its shortcut runs."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            self.desk.marking.skimming = event.isAutoRepeat()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.reading.showed.emit()

    def _leave(self) -> None:
        self.desk.marking.leave()

    async def _ask(self, text: str) -> None:
        try:
            answer = await self.context.link.ask(SearchMail(text))
        except ExpectedError as error:
            self._failed = said_of(error, self.context.reader)
            self._show_state()
            return
        assert isinstance(answer, ThreadIds)
        self._task.release()
        self._found, self._failed = array("q", answer.ids), ""
        self.touch_now()

    def _read_ids(self) -> None:
        """Reads the beginning of the list again, and otherwise only the threads that events named.

        If an event named none, the whole list is read again: at once if the user made the change, else after `WHOLE_MS`.
        """
        changed, self._changed = self._changed, set()
        head = self.context.reader.thread_ids(self.view, limit=FIRST)
        if len(head) < FIRST or self.model.rowCount() <= FIRST:
            self._set_ids(head)
        elif self._reload_now:
            self._read_whole()
        else:
            self._listed.forget_labels()
            named = [ThreadId(thread_id) for thread_id in changed]
            gone = set(named) - self.context.reader.still_in(self.view, named) if named else set()
            self.list.set_headings({})
            self.model.set_head(head, gone)
            if self._all_changed and not self._whole_timer.isActive():
                self._whole_timer.start(WHOLE_MS)
        self._all_changed = self._reload_now = False
        if len(head) >= FIRST:
            self._more_timer.start(0)

    def _read_whole(self) -> None:
        if self.search_text or not self.isVisible():
            self._all_changed = True
            return
        self._set_ids(self.context.reader.thread_ids(self.view, limit=self.model.rowCount()))
        self._head_periods()

    def _load_more(self) -> None:
        if self.search_text or not self.isVisible():
            return
        before = self.model.rowCount()
        more = self.context.reader.thread_ids(self.view, limit=CHUNK, skip=before)
        if more:
            self.model.append(more)
            self._head_periods()
        if len(more) == CHUNK:
            self._more_timer.start(0)
        self._return()
        self._show_state()

    def _set_ids(self, ids: "array[int]") -> None:
        self.list.set_headings({})
        self._listed.forget_labels()
        self.model.set_ids(ids)

    def _head_periods(self) -> None:
        """Puts Today, Yesterday and so on above the first conversation of each period."""
        dated = self.view is not MailView.SNOOZED and (not self.search_text or bool(self._label_name()))
        self.list.set_headings(dict.fromkeys(self._listed.head(self.model.ids if dated else array("q"))))

    def _show_state(self) -> None:
        count = self.model.rowCount()
        self._show_count()
        self._lists.setCurrentIndex(0 if count else 1)
        self._panes.show_alone(not count and self.reading.thread_id is None)
        if count:
            return
        if self._failed:
            again, title = self.search_text, self.tr("Search failed")
            if self._label_name():  # opening a label is not a search for the user
                title = QCoreApplication.translate("Page", "This page couldn't be loaded")
            self._state.show_state("error", title, self._failed, self.tr("Try again"), lambda: self.search(again))
        elif self.search_text and self._found is None:
            self._state.show_state("search", self.tr("Searching…"), "")
        elif self.search_text:
            words = self.tr("Try fewer words, or narrow with from: or has:attachment.")
            icon, title = "search", self.tr("Nothing found")
            if name := self._label_name():
                icon, (title, words) = "empty", nothing_there(self.search_text, name)
            self._state.show_state(icon, title, words)
        else:
            title, words = empty_words(self.view)
            check = self.tr("Get new mail") if self.view in FED_BY_MAIL else ""
            self._state.show_state("empty", title, words, check, lambda: self.context.link.send(SyncNow()))

    def load_all(self) -> None:
        """Lists the conversations that were not read yet."""
        if self._found is None and not self.search_text:
            self._more_timer.stop()
            self.model.append(self.context.reader.thread_ids(self.view, limit=EVERYTHING, skip=self.model.rowCount()))

    def _show_count(self) -> None:
        selected, count = self.list.selected_count(), self.model.rowCount()
        bulk, title = self.desk.show_bulk(), view_title(self.view)
        if self.search_text:
            title = self._label_name() or self.tr("Results for “%1”").replace("%1", self.search_text)
        self._heading.setText(self.tr("%n selected", "", selected) if bulk else title)
        self._count.setText(number_words(count) if count and not bulk else "")

    def _label_name(self) -> str:
        """Returns the name of the listed label, empty for other searches. Cached per search."""
        if self._label_cache[0] != self.search_text:
            own = self.splits.names.get(self.search_text, "")
            self._label_cache = (self.search_text, own or name_of_label(self.context.reader, self.search_text))
        return self._label_cache[1]
