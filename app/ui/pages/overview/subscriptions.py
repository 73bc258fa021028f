"""The Subscriptions page: senders of newsletters and list mail, by volume, with one key each to unsubscribe, archive or block."""

from array import array
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial

from PySide6.QtWidgets import QWidget

from app.domain.agents.routing import RoutingRule
from app.domain.mail.files import Unsubscribe, Unsubscribed
from app.domain.mail.message import Message
from app.domain.mail.unsubscribing import way_out
from app.domain.ports.window import BulkSender
from app.domain.protocol.agent_commands import AddRule, RemoveRule
from app.domain.protocol.events import CommandFailed, Event, MailChanged
from app.domain.protocol.views import MailView
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.i18n.error_messages import sentence
from app.ui.i18n.formatting import number_words, when_short
from app.ui.lists.model import IdModel
from app.ui.lists.row_painter import Chip, RowPresentation
from app.ui.lists.view import RowList
from app.ui.message.thread_view import ReadingPane
from app.ui.pages.base import Page
from app.ui.pages.mail.sender_rules import archiving, blocking
from app.ui.pages.mail.thread_actions import ThreadActions
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.factory import action_button, column, frame, label, row
from app.ui.widgets.split_view import ListAndDetail, Stack, listing

COUNTED = timedelta(days=180)
LEFT = "subscriptions/left"
"""The addresses that were unsubscribed here, in window.ini."""
MOST_LEFT = 500


class SubscriptionsPage(Page):
    """Lists senders; the reading pane shows the newest message of one."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "subscriptions", self.tr("Subscriptions"))
        self._senders: dict[int, BulkSender] = {}
        self.model: IdModel[BulkSender] = IdModel(self._read, self._row, self)
        self.list = RowList(context.appearance, context.icons, self.title, self.model)
        self._keep_place(self.list)
        self.list.chosen.connect(self._show)
        self.list.opened.connect(lambda _key: self._open())
        self.list.clicked.connect(lambda _index: self._panes.show_detail())
        self._count = label("", Type.CAPTION, "soft")
        self.state = EmptyState(context.icons)
        self._lists = Stack(self.list, self.state)
        self.reading = ReadingPane(context)
        self.reading.back.connect(self.go_back)
        self.reading.put_below(self._make_bar())
        self._panes: ListAndDetail = ListAndDetail(
            listing(self.title, self._lists, [], self._count), self.reading, context.state, "subscriptions"
        )
        self._panes.folded.connect(self.reading.set_back_visible)
        self._filing = ThreadActions(context, lambda: self.current.in_inbox if self.current is not None else (), self)
        column(self).addWidget(self._panes)
        connect_actions(
            self,
            context,
            {
                "subscriptions.leave": self._unsubscribe,
                "subscriptions.archive": self._archive,
                "subscriptions.always": self._archive_always,
                "subscriptions.block": self._block,
                "subscriptions.open": self._open,
            },
        )

    def refresh(self) -> None:
        found = self.context.reader.bulk_senders(self.context.clock() - COUNTED)
        before = self.current.sender.email if self.current is not None else ""
        self._senders = {one.newest: one for one in found}
        self.model.set_ids(array("q", self._senders))
        self._count.setText(number_words(len(found)) if found else "")
        self._lists.setCurrentIndex(0 if found else 1)
        self._panes.show_alone(not found)
        if not found:
            words = self.tr("Senders of newsletters and list mail of the last six months appear here.")
            self.state.show_state("empty", self.tr("No subscriptions"), words)
            self.reading.show_nothing()
            return
        at = next((row for row, one in enumerate(found) if one.sender.email == before), max(self.list.current_row(), 0))
        self.list.select_row(min(at, len(found) - 1), quiet=True)
        self._show(found[min(at, len(found) - 1)].newest)

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, MailChanged)

    def hear(self, event: Event) -> None:
        if isinstance(event, Unsubscribed):
            self._left(event)
        elif isinstance(event, CommandFailed) and event.command == Unsubscribe.__name__ and self.isVisible():
            words = self.tr("Could not unsubscribe: %1").replace("%1", sentence(event.code, event.text))
            self.context.notices.tell(words)
        super().hear(event)

    def take_focus(self) -> None:
        self.list.setFocus()

    def go_back(self) -> bool:
        return self._panes.go_back(self.list)

    @property
    def current(self) -> BulkSender | None:
        return self.model.record(self.list.current_row()) if self.list.current_row() >= 0 else None

    def _show(self, key: int) -> None:
        sender = self._senders.get(key)
        if sender is not None:
            self.reading.show_thread(sender.thread_id, sender.newest)

    def _message(self) -> Message | None:
        """The newest message of the chosen sender."""
        return self.context.reader.message(self.current.newest) if self.current is not None else None

    def _unsubscribe(self) -> None:
        """Unsubscribes with one request where Google verified the message; else opens the list's letter or web page."""
        message = self._message()
        way = way_out(message.headers) if message is not None else None
        if message is None:
            return
        if way is None:
            self.context.notices.tell(self.tr("This sender offers no way to unsubscribe. Archive its mail or block it instead."))
        elif way.one_click:
            self.context.link.send(Unsubscribe(message.id))
            self.context.notices.tell(self.tr("Unsubscribing at %1…").replace("%1", way.host))
        else:
            self.context.open_link(way.mailto or way.url)

    def _left(self, event: Unsubscribed) -> None:
        message = self.context.reader.message(event.message_id)
        if message is not None:
            known = [one for one in self._unsubscribed() if one != message.sender.email]
            self.context.state.setValue(LEFT, " ".join([*known, message.sender.email][-MOST_LEFT:]))
            self.model.reread(self._senders)
        if self.isVisible():
            words = self.tr("Unsubscribed at %1. A few more messages may still come.").replace("%1", event.host)
            self.context.notices.tell(words)

    def _unsubscribed(self) -> list[str]:
        return str(self.context.state.value(LEFT, "") or "").split()

    def _archive(self) -> None:
        sender = self.current
        if sender is not None and sender.in_inbox:
            self._filing.file(MailView.ALL, sender.in_inbox)
        elif sender is not None:
            self.context.notices.tell(self.tr("Nothing from this sender is in the inbox."))

    def _archive_always(self) -> None:
        message = self._message()
        if message is not None:
            words = self.tr("New email from %1 will be archived.").replace("%1", message.sender.email)
            self._add(archiving(message.sender.email), words)

    def _block(self) -> None:
        message = self._message()
        if message is not None:
            words = self.tr("%1 is blocked. Their email goes to spam.").replace("%1", message.sender.email)
            self._add(blocking(message.sender.email), words)

    def _add(self, rule: RoutingRule, words: str) -> None:
        self.context.link.send(AddRule(rule))
        undo: Callable[[], object] = partial(self.context.link.send, RemoveRule(rule.name))
        self.context.notices.tell(words, self.tr("Undo"), undo)

    def _open(self) -> None:
        if self.current is not None:
            self.context.navigator.search(f"from:{self.current.sender.email}")

    def _row(self, sender: BulkSender) -> RowPresentation:
        who, email = sender.sender.name or sender.sender.email, sender.sender.email
        volume = self.tr("%n message(s)", "", sender.messages)
        read = self.tr("%1 read").replace("%1", number_words(sender.read)) if sender.read else self.tr("none read")
        words = f"{volume}, {read}"
        chips = (Chip(self.tr("Unsubscribed"), "positive"),) if email in self._unsubscribed() else ()
        when = when_short(sender.last, self.context.clock())
        spoken = ", ".join((who, words, when, *(chip.text for chip in chips)))
        return RowPresentation(who, words, email, when, spoken, chips=chips)

    def _read(self, ids: Sequence[int]) -> Mapping[int, BulkSender]:
        return {key: self._senders[key] for key in ids if key in self._senders}

    def _make_bar(self) -> QWidget:
        bar, actions = frame("bar"), self.context.actions
        others = ("subscriptions.archive", "subscriptions.always", "subscriptions.block")
        made = [action_button(actions["subscriptions.leave"], "primary"), *(action_button(actions[one]) for one in others)]
        show = action_button(actions["subscriptions.open"], "link")
        row(bar, (Space.LARGE, Space.SMALL), Space.SMALL, FlowRow([*made, show], Space.SMALL, Space.SMALL))
        return bar
