"""What keys, menus and tools do to the conversations of a list: the mail list and the results of a search."""

import json
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from app.domain.errors import ExpectedError
from app.domain.ids import ThreadId
from app.domain.mail.message import ARCHIVE, SystemLabel
from app.domain.mail.triage import OwnerVerdict
from app.domain.protocol.changes import ChangeLabels, CorrectVerdict, Filing, Mute, Snooze
from app.domain.protocol.commands import ChangeSettings
from app.domain.protocol.events import CommandFailed, SettingsChanged
from app.domain.protocol.views import SPLITS, MailView
from app.domain.wire import Event
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.lists.model import IdModel
from app.ui.lists.view import RowList
from app.ui.message.printing import MailPrinter
from app.ui.message.thread_view import ReadingPane
from app.ui.navigation.places import PART_OF_INBOX
from app.ui.pages.base import Page
from app.ui.pages.compose.new_letter import ReplyActions
from app.ui.pages.mail.draft_below import PAGE_KEYS, DraftBelow
from app.ui.pages.mail.sender_card import SenderCard, SenderRules
from app.ui.pages.mail.thread_actions import PARTS, LabelChips, ThreadActions, gmail_page
from app.ui.services.async_task import single_shot
from app.ui.services.corrections import correction_menu, mark_as_read
from app.ui.services.notices import account_by_id
from app.ui.widgets.action_buttons import ToolRow
from app.ui.widgets.factory import action_tool
from app.ui.widgets.menus import PageMenu, snooze_menu
from app.ui.widgets.notice_line import NoticeLine
from app.ui.widgets.split_view import ListAndDetail

if TYPE_CHECKING:
    from app.ui.pages.assistant.about_message import AboutMessage
    from app.ui.pages.mail.reply_below import ReplyBelow

NAMES = ("mail.archive", "mail.inbox", "mail.trash", "mail.snooze", "mail.label", "mail.unread", "mail.star", "mail.ask")
"""The most used first."""
BULK = ("mail.archive", "mail.trash", "mail.label", "mail.unread")
"""The tools above a list in which several are selected."""
MAIN = "mail.draft"


class ConversationDesk(QObject):
    """The list, the reading pane and the tools of a page, and what its actions do to the conversations there.

    `title` names the list for screen readers, `place` returns what it shows: a view or a search.
    """

    panes: ListAndDetail

    def __init__(
        self, context: Context, page: Page, title: str, model: IdModel[Any], place: Callable[[], str], tools: Sequence[str]
    ) -> None:
        super().__init__(page)
        self.context, self._page, self.model, self.place = context, page, model, place
        self.list = listing = RowList(context.appearance, context.icons, title, model, many=True)
        listing.moved.connect(page.moved)
        listing.clicked.connect(lambda _index: self.panes.show_detail())
        self.tools = ToolRow(context.icons, context.actions, tools, MAIN)
        self.reading: ReadingPane = ReadingPane(context, self.tools)
        reading = self.reading
        reading.back.connect(page.go_back)
        self.paper = MailPrinter(context, lambda: reading.message, page)
        listing.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        listing.customContextMenuRequested.connect(self._show_menu)
        self.bulk_tools = [action_tool(context.actions[name]) for name in BULK]
        self.load_all: Callable[[], object] = lambda: None
        """Lists what was not read yet, before all is selected."""
        self.changing = ThreadActions(context, self.targets, self)
        self.marking = ReadMarker(self)
        self.choice = NextChoice(self)
        self.offer = NoticeLine(context.icons, below=True)
        self.rules = SenderRules(context, reading, self.changing, self.offer, self)
        self.changing.changed.connect(self.marking.changed)
        self.changing.changed.connect(self.choice.leave)
        self.changing.undone.connect(self.choice.await_back)
        reading.showed.connect(self._show_state)
        listing.marked.connect(self._set_draft_aside)
        self.labels = LabelChips(context, self.changing, listing.setFocus)
        reading.above.addWidget(self.labels)
        self.card = SenderCard(context, reading)
        self.draft = DraftBelow(context, reading, listing.setFocus)
        self.draft.archived.connect(lambda: listing.step(1))
        self._reply: ReplyBelow | None = None
        self._replying = False
        self._about: AboutMessage | None = None
        reading.suspicion.reported.connect(self._report)
        self._compact = False
        self._show_density()
        changing = self.changing
        handlers: dict[str, Callable[[], object]] = {
            "mail.next": lambda: listing.step(1),
            "mail.previous": lambda: listing.step(-1),
            "mail.draft": self._draft_reply,
            "mail.archive": self._archive,
            "mail.archive_older": lambda: self._archive("older"),
            "mail.archive_newer": lambda: self._archive("newer"),
            "mail.open": lambda: listing.activated.emit(listing.currentIndex()),
            "mail.unsubscribe": reading.leaving.ask,
            "mail.copy_code": reading.code.copy,
            "mail.inbox": lambda: changing.file(MailView.INBOX, self.targets()),
            "mail.star": changing.star,
            "mail.unread": changing.unread,
            "mail.label": lambda: changing.pick_label(self.targets(), False, page),
            "mail.move": lambda: changing.pick_label(self.targets(), True, page),
            "mail.snooze": self._snooze,
            "mail.mute": changing.mute,
            "mail.spam": changing.spam,
            "mail.should": self._correct,
            "mail.trash": lambda: changing.file(MailView.TRASH, self.targets()),
            "mail.density": self._change_density,
            "mail.select": listing.pick,
            "mail.extend": lambda: listing.extend(1),
            "mail.extend_back": lambda: listing.extend(-1),
            "mail.select_all": self._select_all,
            "mail.rule": self.rules.propose,
            "mail.sender": self.card.toggle,
            "mail.ask": self._ask_about,
            "mail.block": self.rules.block,
            "mail.next_message": lambda: reading.go(1),
            "mail.previous_message": lambda: reading.go(-1),
            "mail.unfold": reading.unfold,
            "mail.fold": reading.fold,
            "mail.source": reading.show_source,
            "mail.find": reading.body.find_words,
            "mail.gmail": self._open_gmail,
            "mail.copy_address": self._copy_address,
        }
        connect_actions(page, context, handlers)
        for name in PAGE_KEYS:
            page.addAction(context.actions[name])
        ReplyActions(context, page, reading, lambda letter: self._reply_below().write(letter))

    def split(self, listed: QWidget) -> ListAndDetail:
        """Puts the list beside the reading pane."""
        self.panes = ListAndDetail(listed, self.reading, self.context.state, self._page.name)
        self.panes.folded.connect(self.reading.set_back_visible)
        return self.panes

    def _reply_below(self) -> "ReplyBelow":
        """Makes the editor with the first answer; its parts take too long to import for every start."""
        if self._reply is None:
            from app.ui.pages.mail.reply_below import ReplyBelow

            self._reply = made = ReplyBelow(self.context, self.reading, self.list.setFocus)
            made.opened.connect(self._show_replying)
            made.archived.connect(lambda: self.list.step(1))
            made.returned.connect(lambda thread_id: self.choice.await_back([thread_id]))
        return self._reply

    def write_on(self, thread_id: ThreadId) -> None:
        """Opens the answer that is being typed in the editor if its conversation was deleted elsewhere."""
        if self._reply is not None and self.reading.typing and not self.context.reader.thread_rows([thread_id]):
            self._reply.write_alone()

    def _ask_about(self) -> None:
        """Shows or hides the panel. It is made with the first question; its parts take too long to import for every start."""
        if self._about is None:
            from app.ui.pages.assistant.about_message import AboutMessage

            self._about = AboutMessage(self.context, self.reading, self.card.cover, self.list.setFocus)
        self._about.toggle()

    def says(self, event: Event) -> bool:
        """Whether a panel here shows this failure itself."""
        return self._about is not None and self._about.says(event)

    def _show_replying(self, replying: bool) -> None:
        """Gives the keys of the draft below to the answer, which stands in its place."""
        for name in PAGE_KEYS:
            (self._page.removeAction if replying else self._page.addAction)(self.context.actions[name])
        self._replying = replying
        self._set_draft_aside()
        self.reading.make_room(replying=replying)

    def _set_draft_aside(self) -> None:
        """Hides the draft below while an answer stands in its place, or keys mean other conversations than the open one."""
        elsewhere = self.bulk and (self.list.selected_count() > 1 or self.targets() != [self.reading.thread_id])
        self.draft.set_aside(self._replying or elsewhere)

    def go_back(self) -> bool:
        """Closes the panel, a question or an answer, leaves the draft, goes to the list, or clears the selection. Returns whether
        there was one of these.
        """
        if self._about is not None and self._about.go_back():
            return True
        if self.reading.leaving.go_back():
            self.list.setFocus()
            return True
        if self.draft.go_back() or (self._reply is not None and self._reply.go_back()):
            return True
        return self.panes.go_back(self.list) or self.clear_selection()

    def targets(self) -> list[ThreadId]:
        """Returns the threads to change: several selected rows, else the open conversation, else the row marked instead of it."""
        if self.bulk:
            ids: array[int] = self.model.ids
            return [ThreadId(ids[at]) for at in self.list.selected_rows()]
        here = self.reading.thread_id if self.reading.thread_id is not None else self.choice.marked
        return [] if here is None else [here]

    def _show_state(self) -> None:
        """Shows what the keys do to the open conversation, and an answer of an earlier run below it."""
        self.changing.show_star(self.reading.starred)
        here = self.reading.thread_id
        row = None
        with suppress(ExpectedError):  # the list reports it
            row = self.context.reader.thread_rows([here]).get(here) if here is not None else None
        self.labels.show_row(row)
        self.changing.show_state(self.reading.message, self.reading.unread, row is not None and row.muted)
        self._set_draft_aside()
        if self.reading.letters and self._reply is None:
            self._reply_below().follow()

    @property
    def bulk(self) -> bool:
        """Whether rows are selected beside or instead of the open conversation."""
        return self.list.selected_count() > 1 or self.list.picking

    def show_bulk(self) -> bool:
        """Shows the tools for several conversations while some are selected. Returns whether they are."""
        for tool in self.bulk_tools:
            tool.setVisible(self.bulk)
        return self.bulk

    def clear_selection(self) -> bool:
        """Leaves only the current row selected. Returns whether others were."""
        bulk = self.bulk
        if bulk:
            self.list.select_row(self.list.current_row())
        return bulk

    def hear(self, event: Event) -> None:
        for part in (self.draft, self._reply, self._about, self.choice, self.rules):
            if part is not None:
                part.hear(event)
        if isinstance(event, SettingsChanged):
            self._show_density()

    def _show_density(self) -> None:
        compact = self.context.settings().reading.density == "compact"
        if compact != self._compact:
            self._compact = compact
            self.list.set_compact(compact)

    def _change_density(self) -> None:
        density = "comfortable" if self._compact else "compact"
        self.context.link.send(ChangeSettings((("reading.density", json.dumps(density)),)))

    def _draft_reply(self) -> None:
        message = self.reading.message
        if message is not None and self.reading.suspicion.may_answer():
            self.clear_selection()  # a draft hidden for the sake of others is shown
            self.draft.draft(message.id, message.thread_id)

    def _report(self) -> None:
        """Reports the open conversation as phishing: it goes to Spam, and Google learns from that."""
        if self.reading.thread_id is not None:
            self.changing.correct(OwnerVerdict.PHISHING, [self.reading.thread_id])

    def _archive(self, go: str = "") -> None:
        """Archives and opens the next conversation: the `go` ("older" or "newer") one, else as the settings say."""
        self.choice.wanted = go
        self.rules.archived(self.targets())
        self.changing.archive()

    def _open_gmail(self) -> None:
        message = self.reading.message
        account = account_by_id(self.context.reader, message.account_id) if message is not None else None
        if message is not None and account is not None and account.kind != ARCHIVE:
            self.context.open_link(gmail_page(account.email, message.gmail_thread_id))
        elif message is not None:
            self.context.notices.tell(self.tr("This conversation is in a local archive, not in Gmail."))

    def _copy_address(self) -> None:
        message = self.reading.message
        if message is not None:
            QGuiApplication.clipboard().setText(message.sender.email)
            self.context.notices.tell(self.tr("Copied: %1").replace("%1", message.sender.email))

    def _show_menu(self, at: QPoint) -> None:
        if self.reading.message is None:
            return
        menu = PageMenu(self.list)
        for number, names in enumerate(PARTS):
            if number:
                menu.addSeparator()
            menu.addActions([self.context.actions[name] for name in names])
        menu.popup(self.list.viewport().mapToGlobal(at))

    def _select_all(self) -> None:
        self.load_all()
        self.panes.show_list()  # so that the selection is visible in a narrow window
        self.list.setFocus()
        self.list.selectAll()

    def _snooze(self) -> None:
        if threads := self.targets():
            self._pop_up(snooze_menu(self.context.clock(), partial(self.changing.snooze, threads=threads), self._page))

    def _correct(self) -> None:
        if threads := self.targets():
            self._pop_up(correction_menu(self._page, partial(self.changing.correct, threads=threads)))

    def _pop_up(self, menu: QMenu) -> None:
        menu.popup(self.reading.mapToGlobal(self.reading.rect().topRight()) - QPoint(menu.sizeHint().width(), 0))


SEEN_MS = 300
"""A conversation that stays open as long counts as opened, so that skimming marks nothing."""
DELAYS_MS = {"now": SEEN_MS, "2s": 2000, "5s": 5000}


class ReadMarker(QObject):
    """Follows a reading pane. With "now" a conversation is also marked when the user moves on to the next one; not what is
    passed while several are selected.
    """

    def __init__(self, desk: ConversationDesk) -> None:
        super().__init__(desk)
        self._desk = desk
        self.skimming = False
        """A key is held down; what it passes is not read."""
        self._shown: ThreadId | None = None
        self._pending: ThreadId | None = None
        self._unasked: ThreadId | None = None
        self._timer = single_shot(self, self._mark)
        desk.reading.showed.connect(self._follow)

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
        here = self._desk.reading.thread_id
        if here == self._shown:
            return
        self._move_on()
        self._shown = here
        delay_ms = DELAYS_MS.get(self._desk.context.settings().reading.mark_read)
        if here is None or delay_ms is None or not self._desk.reading.unread or self._desk.bulk:
            return
        self._pending = here
        if here != self._unasked:
            self._timer.start(delay_ms)
        self._unasked = None

    def _move_on(self) -> None:
        at_once = self._desk.context.settings().reading.mark_read == "now"
        if self._pending is not None and at_once and not self.skimming and not self._desk.bulk:
            self._mark()
        self._drop()

    def _drop(self) -> None:
        self._timer.stop()
        self._pending = None

    def _mark(self) -> None:
        thread_id = self._pending
        self._drop()
        mark_as_read(self._desk.context, thread_id)


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
        split = OWN_VERDICT.get(change.verdict)
        if change.verdict.dropped:
            return place not in (MailView.SPAM, MailView.ALL)
        return place == MailView.SPAM or (place in OWN_VERDICT.values() and split is not None and place != split)
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


class NextChoice(QObject):
    """Moves the choice in a list."""

    def __init__(self, desk: ConversationDesk) -> None:
        super().__init__(desk)
        self._desk, self._list, self._model, self._reading = desk, desk.list, desk.model, desk.reading
        self._leaving: set[int] = set()
        """Conversations that the engine has not removed from the list yet."""
        self._awaited: tuple[ThreadId, ...] = ()
        self._awaited_at, self._awaited_until = "", 0.0
        self.wanted = ""
        """What is opened after the next change, in place of the setting."""
        self.marked: ThreadId | None = None
        """The row that is marked but not opened after going back to the list."""
        desk.list.chosen.connect(self._chosen)

    def leave(self, changes: Sequence[Filing]) -> None:
        """Chooses the next conversation at once, so that the next key never acts on another one by chance."""
        self._awaited = ()
        wanted, self.wanted = self.wanted or self._desk.context.settings().reading.after_archive, ""
        going = {thread for change in changes if leaves(self._desk.place(), change) for thread in change.thread_ids}
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
        older, newer = range(max(rows) + 1, self._model.rowCount()), range(min(rows) - 1, -1, -1)
        between = range(max(rows), min(rows) - 1, -1)
        ways = (newer, between, older) if wanted == "newer" else (older, between, newer)
        row = next((row for way in ways for row in way if self._model.id_at(row) not in self._leaving), -1)
        if row < 0:
            self._list.clearSelection()
            self._reading.show_soon(None)
        elif wanted == "list":
            self._list.select_row(row, quiet=True)
            self.marked = ThreadId(self._model.id_at(row))
            self._reading.show_soon(None)
            self._desk.panes.show_list()
        else:
            self._list.select_row(row)
            self._reading.show_soon(ThreadId(self._model.id_at(row)))

    def await_back(self, threads: Sequence[ThreadId]) -> None:
        """Chooses `threads` as soon as the list has them again."""
        self._leaving -= set(threads)
        self._awaited, self._awaited_at = tuple(threads), self._desk.place()
        self._awaited_until = monotonic() + AWAITED_S
        self.settle()

    def settle(self) -> None:
        """Chooses awaited conversations. Called after the list was read."""
        self._leaving &= set(self._model.ids)
        if not self._awaited:
            return
        if monotonic() > self._awaited_until or self._desk.place() != self._awaited_at:
            self._awaited = ()
            return
        rows = sorted(row for row in map(self._model.row_of, self._awaited) if row >= 0)
        if rows and self._list.selected_rows() != rows:
            self._list.select_rows(rows)
            self._reading.show_soon(ThreadId(self._model.id_at(rows[0])))

    def _chosen(self, key: int) -> None:
        """Forgets what is back already when the user chooses another row."""
        self.marked = None
        if key not in self._awaited and all(self._model.row_of(one) >= 0 for one in self._awaited):
            self._awaited = ()

    def hear(self, event: Event) -> None:
        if isinstance(event, CommandFailed):
            self._leaving.clear()
