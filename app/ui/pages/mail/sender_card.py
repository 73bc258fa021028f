"""The card of the sender beside a conversation: how much was written, promises, a note, and the last conversations.

It stands there in a wide pane, or when the owner clicks the sender or presses the key. Also rules for a sender.
"""

from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QFrame

from app.domain.agents.routing import RoutingRule, RuleAction, RuleMatch
from app.domain.agents.runs import Route
from app.domain.ids import ThreadId
from app.domain.mail.message import Message, way_out
from app.domain.protocol.agent_commands import AddRule, RemoveRule
from app.domain.protocol.events import MailChanged
from app.domain.protocol.views import MailView
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.formatting import when_short
from app.ui.message.thread_view import ReadingPane
from app.ui.pages.mail.thread_actions import ThreadActions
from app.ui.pages.review.why import ContactCard
from app.ui.services.async_task import single_shot
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.containers import Scrolled
from app.ui.widgets.factory import STRETCH, RoleFrame, button, clear, column, label, plain_tip
from app.ui.widgets.notice_line import NoticeLine

WIDE = 980
"""From this width of the pane on, in pixels at 100 %, the card is shown unless the owner hid it."""
LEAST = 560
"""In a narrower pane there is no room for it."""
WIDTH = 250
LAST = 5
SHOWN = "mail/sender_card"
"""Whether the owner wants the card, in window.ini: 1, 0, or nothing to follow the width."""
LONGEST = 34
"""Characters of a subject."""


class SenderCard(RoleFrame):
    """Follows the message in `reading`."""

    def __init__(self, context: Context, reading: ReadingPane) -> None:
        super().__init__("surface")
        self._context, self._reading = context, reading
        self._message: Message | None = None
        self._covered = False
        self.contact = ContactCard(context)
        self.heading = label(self.tr("Recent conversations"), Type.STRONG)
        self._lines = column(None, 0, Space.HAIR)
        inside = QFrame()
        margins = (Space.MEDIUM, Space.LARGE, Space.LARGE, Space.LARGE)
        column(inside, margins, Space.SMALL, self.contact, self.heading, self._lines, STRETCH)
        column(self, 0, 0, Scrolled(inside))
        self.setFixedWidth(at_text_size(WIDTH))
        reading.beside.addWidget(self)
        reading.showed.connect(self._follow)
        reading.sender_clicked.connect(self.toggle)
        reading.installEventFilter(self)
        self.hide()

    @property
    def wanted(self) -> bool:
        """Whether to show the card, by the owner's word or else by the width."""
        if self._covered or self._reading.width() < at_text_size(LEAST):
            return False
        said = str(self._context.state.value(SHOWN, "") or "")
        return said == "1" if said else self._reading.width() >= at_text_size(WIDE)

    def toggle(self) -> None:
        """Shows or hides the card from now on."""
        if self._reading.width() < at_text_size(LEAST):
            self._context.notices.tell(self.tr("Make the window wider to see the sender card."))
            return
        self._context.state.setValue(SHOWN, "0" if self.isVisible() else "1")
        self._follow()

    def cover(self, covered: bool) -> None:
        """Leaves the place beside the message to another panel while it is `covered`."""
        self._covered = covered
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.wanted is self.isHidden():
            self._follow()
        return super().eventFilter(watched, event)

    def _follow(self) -> None:
        message = self._reading.message
        self.setVisible(self.wanted and message is not None and not message.outgoing)
        if self.isHidden() or message is None:
            self._message = None
        elif self._message is None or self._message.id != message.id:
            self._message = message
            self._fill(message)

    def _fill(self, message: Message) -> None:
        self.contact.show_contact(message.account_id, message.sender.email)
        last = self._context.reader.last_of_sender(message.account_id, message.sender.email, LAST + 1)
        rows = self._context.reader.thread_rows([thread for thread, _ in last if thread != message.thread_id])
        clear(self._lines)
        for thread_id, message_id in last:
            if thread_id in rows:
                words = rows[thread_id].subject or self.tr("(no subject)")
                cut = words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
                made = button(cut, "link", partial(self._context.navigator.show_message, message_id))
                made.setToolTip(plain_tip(f"{words} · {when_short(rows[thread_id].date, self._context.clock())}"))
                self._lines.addWidget(made)
        self.heading.setVisible(bool(rows))


OFTEN = 5
"""Archiving is offered after so many of a sender's newest messages were archived. The question names it in words."""
DECLINED = "mail/rules_declined"
"""The senders for which the offer was declined, in window.ini."""
MOST_DECLINED = 500


def archiving(email: str) -> RoutingRule:
    """The rule that archives all mail of a sender."""
    return _sorting(QCoreApplication.translate("SenderRules", "Archive %1"), email, RuleAction.ARCHIVE)


def blocking(email: str) -> RoutingRule:
    """The rule that moves all mail of a sender to spam."""
    return _sorting(QCoreApplication.translate("SenderRules", "Block %1"), email, RuleAction.SPAM)


def _sorting(name: str, email: str, action: RuleAction) -> RoutingRule:
    return RoutingRule(name.replace("%1", email), RuleMatch(sender_email=email.lower()), Route.SORT, actions=(action,))


class SenderRules(QObject):
    """Makes rules from the open message. `offer` is the line that asks; `changing` files the conversation of a blocked sender."""

    def __init__(
        self, context: Context, reading: ReadingPane, changing: ThreadActions, offer: NoticeLine, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._context, self._reading, self._changing, self.offer = context, reading, changing, offer
        self._archived: dict[ThreadId, Message] = {}
        self._soon = single_shot(self, self._look)

    def propose(self) -> None:
        """Opens a rule that fits the open message: bulk mail is archived, other mail gets the label most of it has."""
        message = self._reading.message
        if message is None:
            return
        sender = message.sender
        if message.header("List-Id") or way_out(message.headers) is not None:
            self._context.navigator.make_rule(archiving(sender.email))
            return
        label = self._context.reader.sender_habit(message.account_id, sender.email).label or sender.name or sender.email
        name = self.tr("Label %1").replace("%1", sender.name or sender.email)
        match = RuleMatch(sender_email=sender.email.lower())
        self._context.navigator.make_rule(RoutingRule(name, match, Route.PIPELINE, label=label))

    def block(self) -> None:
        """Moves the open conversation and all later mail of its sender to spam."""
        message = self._reading.message
        if message is None:
            return
        email = message.sender.email.lower()
        if any(email in (account.email, *account.send_as) for account in self._context.reader.accounts()):
            self._context.notices.tell(self.tr("This is your own address."))
            return
        rule = blocking(email)
        self._context.link.send(AddRule(rule))
        words = self.tr("%1 is blocked. Their email goes to spam.").replace("%1", email)
        self._changing.file(MailView.SPAM, [message.thread_id], words, lambda: self._context.link.send(RemoveRule(rule.name)))

    def archived(self, threads: list[ThreadId]) -> None:
        """Notes that the owner archived the open conversation, so that archiving its sender's mail may be offered."""
        message = self._reading.message
        if message is not None and threads == [message.thread_id] and not message.outgoing:
            self._archived = {message.thread_id: message}

    def hear(self, event: Event) -> None:
        if isinstance(event, MailChanged) and self._archived.keys() & set(event.thread_ids):
            self._soon.start(0)

    def _look(self) -> None:
        state = self._context.state
        archived, self._archived = self._archived, {}
        for message in archived.values():
            email, declined = message.sender.email, str(state.value(DECLINED, "") or "").split()
            if email not in declined and self._context.reader.sender_habit(message.account_id, email).archived >= OFTEN:
                self._ask(email, message.sender.name or email, [*declined, email][-MOST_DECLINED:])

    def _ask(self, email: str, who: str, declined: list[str]) -> None:
        """Offers to archive a sender's mail. `declined` are those not to ask about once this is declined."""
        rule = archiving(email)

        def accept() -> None:
            self.offer.say("")
            self._context.link.send(AddRule(rule))
            words = self.tr("New email from %1 will be archived.").replace("%1", email)
            self._context.notices.tell(words, self.tr("Undo"), lambda: self._context.link.send(RemoveRule(rule.name)))

        def decline() -> None:
            self.offer.say("")
            self._context.state.setValue(DECLINED, " ".join(declined))

        words = self.tr("You archived the last five messages from %1. Archive them automatically?").replace("%1", who)
        self.offer.say(words, "archive", self.tr("Archive automatically"), accept, self.tr("No thanks"), decline)
