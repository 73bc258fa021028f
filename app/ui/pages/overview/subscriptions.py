"""The Subscriptions page: senders of newsletters and list mail, by volume, with one key each to unsubscribe, archive or block."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from PySide6.QtCore import QCoreApplication

from app.domain.agents.routing import RoutingRule
from app.domain.mail.files import Unsubscribe, Unsubscribed
from app.domain.mail.message import Message, way_out
from app.domain.ports.window import BulkSender
from app.domain.protocol.agent_commands import AddRule, RemoveRule
from app.domain.protocol.events import CommandFailed, MailChanged
from app.domain.protocol.views import MailView
from app.domain.wire import Event
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.i18n.error_messages import sentence
from app.ui.i18n.formatting import number_words, when_short
from app.ui.lists.row_painter import Chip, RowPresentation
from app.ui.pages.mail.sender_card import archiving, blocking
from app.ui.pages.mail.thread_actions import ThreadActions
from app.ui.pages.overview.waiting import OverviewList

COUNTED = timedelta(days=180)
LEFT = "subscriptions/left"
"""The addresses that were unsubscribed here, in window.ini."""
MOST_LEFT = 500


ACTIONS = tuple(f"subscriptions.{name}" for name in ("leave", "archive", "always", "block", "open"))


class SubscriptionsPage(OverviewList[BulkSender]):
    """Lists senders; the reading pane shows the newest message of one."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "subscriptions", QCoreApplication.translate("SubscriptionsPage", "Subscriptions"), (), ACTIONS)
        self._filing = ThreadActions(context, lambda: self.current.in_inbox if self.current is not None else (), self)
        acts = (self._unsubscribe, self._archive, self._archive_always, self._block, self._open)
        connect_actions(self, context, dict(zip(ACTIONS, acts, strict=True)))

    def refresh(self) -> None:
        found = self.context.reader.bulk_senders(self.context.clock() - COUNTED)
        before = self.current.sender.email if self.current is not None else ""
        words = self.tr("Senders of newsletters and list mail of the last six months appear here.")
        self._list({one.newest: one for one in found}, "empty", self.tr("No subscriptions"), words)
        if not found:
            return
        at = next((row for row, one in enumerate(found) if one.sender.email == before), max(self.list.current_row(), 0))
        self.list.select_row(min(at, len(found) - 1), quiet=True)
        self._choose(found[min(at, len(found) - 1)].newest)

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, MailChanged)

    def hear(self, event: Event) -> None:
        if isinstance(event, Unsubscribed):
            self._left(event)
        elif isinstance(event, CommandFailed) and event.command == Unsubscribe.__name__ and self.isVisible():
            words = self.tr("Could not unsubscribe: %1").replace("%1", sentence(event.code, event.text))
            self.context.notices.tell(words)
        super().hear(event)

    def _choose(self, key: int) -> None:
        sender = self._rows.get(key)
        if sender is not None:
            self.reading.show_thread(sender.thread_id, sender.newest)

    @property
    def _message(self) -> Message | None:
        """The newest message of the chosen sender."""
        return self.context.reader.message(self.current.newest) if self.current is not None else None

    def _unsubscribe(self) -> None:
        """Unsubscribes with one request where Google verified the message; else opens the list's letter or web page."""
        message = self._message
        if message is None:
            return
        way = way_out(message.headers)
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
            self.model.reread(self._rows)
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
        self._add(archiving, self.tr("New email from %1 will be archived."))

    def _block(self) -> None:
        self._add(blocking, self.tr("%1 is blocked. Their email goes to spam."))

    def _add(self, rule_for: Callable[[str], RoutingRule], words: str) -> None:
        message, send = self._message, self.context.link.send
        if message is not None:
            rule = rule_for(message.sender.email)
            send(AddRule(rule))
            undo: Callable[[], object] = partial(send, RemoveRule(rule.name))
            self.context.notices.tell(words.replace("%1", message.sender.email), self.tr("Undo"), undo)

    def _open(self, _key: int = 0) -> None:
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
