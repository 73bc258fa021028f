"""Rules about the sender of a message: proposed, offered after repeated archiving, and blocking. Each can be undone."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, QTimer

from app.domain.agents.routing import RoutingRule, RuleAction, RuleMatch
from app.domain.agents.runs import Route
from app.domain.ids import ThreadId
from app.domain.mail.message import Message
from app.domain.mail.unsubscribing import way_out
from app.domain.protocol.agent_commands import AddRule, RemoveRule
from app.domain.protocol.events import Event, MailChanged
from app.domain.protocol.views import MailView
from app.ui.context import Context
from app.ui.message.thread_view import ReadingPane
from app.ui.pages.mail.thread_actions import ThreadActions
from app.ui.widgets.notice_line import NoticeLine

OFTEN = 5
"""Archiving is offered after so many of a sender's newest messages were archived. The question names it in words."""
DECLINED = "mail/rules_declined"
"""The senders for which the offer was declined, in window.ini."""
MOST_DECLINED = 500


def is_bulk(message: Message) -> bool:
    """Whether a message came over a mailing list or from a sender of newsletters."""
    return bool(message.header("List-Id")) or way_out(message.headers) is not None


def archiving(email: str) -> RoutingRule:
    """The rule that archives all mail of a sender."""
    name = QCoreApplication.translate("SenderRules", "Archive %1").replace("%1", email)
    return RoutingRule(name, RuleMatch(sender_email=email.lower()), Route.SORT, actions=(RuleAction.ARCHIVE,))


def blocking(email: str) -> RoutingRule:
    """The rule that moves all mail of a sender to spam."""
    name = QCoreApplication.translate("SenderRules", "Block %1").replace("%1", email)
    return RoutingRule(name, RuleMatch(sender_email=email.lower()), Route.SORT, actions=(RuleAction.SPAM,))


class SenderRules(QObject):
    """Makes rules from the open message. `offer` is the line that asks; `changing` files the conversation of a blocked sender."""

    def __init__(
        self, context: Context, reading: ReadingPane, changing: ThreadActions, offer: NoticeLine, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._context, self._reading, self._changing, self.offer = context, reading, changing, offer
        self._archived: dict[ThreadId, Message] = {}
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._look)

    def propose(self) -> None:
        """Opens a rule that fits the open message: bulk mail is archived, other mail gets the label most of it has."""
        message = self._reading.message
        if message is not None:
            self._context.navigator.make_rule(archiving(message.sender.email) if is_bulk(message) else self._labelling(message))

    def _labelling(self, message: Message) -> RoutingRule:
        sender = message.sender
        label = self._context.reader.sender_habit(message.account_id, sender.email).label or sender.name or sender.email
        name = self.tr("Label %1").replace("%1", sender.name or sender.email)
        return RoutingRule(name, RuleMatch(sender_email=sender.email.lower()), Route.PIPELINE, label=label)

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
        self._changing.file(MailView.SPAM, [message.thread_id], words, partial(self._remove, rule))

    def archived(self, threads: list[ThreadId]) -> None:
        """Notes that the owner archived the open conversation, so that archiving its sender's mail may be offered."""
        message = self._reading.message
        if message is not None and threads == [message.thread_id] and not message.outgoing:
            self._archived = {message.thread_id: message}

    def hear(self, event: Event) -> None:
        if isinstance(event, MailChanged) and self._archived.keys() & set(event.thread_ids):
            self._soon.start(0)

    def _look(self) -> None:
        for message in self._archived.values():
            email = message.sender.email
            declined = email in self._declined()
            if not declined and self._context.reader.sender_habit(message.account_id, email).archived >= OFTEN:
                self._ask(message)
        self._archived = {}

    def _ask(self, message: Message) -> None:
        who = message.sender.name or message.sender.email
        words = self.tr("You archived the last five messages from %1. Archive them automatically?").replace("%1", who)
        accept, decline = partial(self._accept, message), partial(self._decline, message)
        self.offer.say(words, "archive", self.tr("Archive automatically"), accept, self.tr("No thanks"), decline)

    def _accept(self, message: Message) -> None:
        rule = archiving(message.sender.email)
        self.offer.say("")
        self._context.link.send(AddRule(rule))
        words = self.tr("New email from %1 will be archived.").replace("%1", message.sender.email)
        undo: Callable[[], object] = partial(self._remove, rule)
        self._context.notices.tell(words, self.tr("Undo"), undo)

    def _decline(self, message: Message) -> None:
        self.offer.say("")
        known = [*self._declined(), message.sender.email]
        self._context.state.setValue(DECLINED, " ".join(known[-MOST_DECLINED:]))

    def _declined(self) -> list[str]:
        return str(self._context.state.value(DECLINED, "") or "").split()

    def _remove(self, rule: RoutingRule) -> None:
        self._context.link.send(RemoveRule(rule.name))
