"""What the owner did with earlier mail: whom and what he answered within two weeks, and on which lists he takes part.

`MailHistory` is filled in date order, so that it can also replay an archive and judge each mail from what came before it.
"""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta

from app.domain.ids import MessageId, ThreadId
from app.domain.language.words import fold
from app.domain.mail.deception import imitated
from app.domain.mail.message import Message, SystemLabel
from app.domain.mail.recipients import SHARED_DOMAINS
from app.domain.ports.agents import Contact
from app.domain.record import Record

ANSWERED_WITHIN = timedelta(days=14)
_VARYING = re.compile(
    r"^(?:\s*(?:re|fwd?|aw|wg|sv|odp)\s*:)+|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"jan\w*|feb\w*|mar(?:ch)?|apr\w*|may|june?|july?|aug\w*|sept?\w*|oct\w*|nov\w*|dec\w*)\b|[\W\d_]+"
)
"""What differs between the subjects of a report that comes every day."""


class Tally(Record):
    """Mail received from one place, how much of it was answered, left unread, and how much the owner wrote there."""

    received: int = 0
    answered: int = 0
    unread: int = 0
    sent: int = 0


class Habits(Record):
    """What is known before a mail arrives: of its sender, the sender's domain, its list, and its subject by this sender.

    `everything` is all mail: whether the owner answers a sender often is told by comparison with it.
    """

    sender: Tally = Tally()
    domain: Tally = Tally()
    mailing_list: Tally = Tally()
    topic: Tally = Tally()
    everything: Tally = Tally()
    namesake: str = ""
    """The address of somebody of this name whom the owner has written to, where the sender is unknown."""

    imitates: str = ""
    """The domain of a correspondent for which the unknown sender's passes."""

    learned: bool = False
    """Whether an archive was read. Without one only the contact card is known."""


def habits_of(contact: Contact | None) -> Habits:
    """What a contact card alone tells. The card counts the mail itself as received."""
    if contact is None:
        return Habits()
    return Habits(sender=Tally(max(0, contact.received - 1), min(contact.sent, contact.received), 0, contact.sent))


class MailHistory:
    """Counts an archive, message by message."""

    def __init__(self) -> None:
        self._received: Counter[str] = Counter()
        self._answered: Counter[str] = Counter()
        self._unread: Counter[str] = Counter()
        self._sent: Counter[str] = Counter()
        self._named: dict[str, dict[str, None]] = {}
        self._places: set[str] = set()
        self._open: dict[ThreadId, list[Message]] = {}
        self._settled: set[MessageId] = set()
        self.messages = 0

    @classmethod
    def of(cls, messages: Iterable[Message]) -> "MailHistory":
        history = cls()
        for message in sorted(messages, key=lambda one: one.date):
            history.add(message)
        return history

    def add(self, message: Message) -> MessageId | None:
        """Counts the next message. Returns the message that it answers, if the owner sent it."""
        self.messages += 1
        if message.outgoing:
            self._places.update(one.domain for one in message.to)
            for address in {one.email for one in (*message.to, *message.cc)}:
                self._sent.update((f"from {address}", f"at {address.rpartition('@')[2]}", f"list {address}"))
            return self._answer(message)
        keys = _keys(message)
        self._received.update(keys)
        self._named.setdefault(_name(message), {})[message.sender.email] = None
        if SystemLabel.UNREAD in message.labels:
            self._unread.update(keys)
        self._open.setdefault(message.thread_id, []).append(message)
        return None

    def before(self, message: Message) -> Habits:
        """The habits about a mail that was not counted yet."""
        _all, sender, domain, topic, *lists = _keys(message)
        return Habits(
            self._tally(sender),
            self._tally(domain),
            self._tally(lists[0]) if lists else Tally(),
            self._tally(topic),
            self._tally(_ALL),
            namesake=self._namesake(message),
            imitates="" if self._received[domain] or self._sent[domain] else imitated(message.sender.domain, self._places),
            learned=self.messages > 0,
        )

    def _namesake(self, message: Message) -> str:
        name, email = _name(message), message.sender.email
        if " " not in name or self._received[f"from {email}"] or self._sent[f"from {email}"]:
            return ""
        return next((one for one in self._named.get(name, ()) if one != email and self._sent[f"from {one}"]), "")

    def _tally(self, key: str) -> Tally:
        return Tally(self._received[key], self._answered[key], self._unread[key], self._sent[key])

    def _answer(self, sent: Message) -> MessageId | None:
        """Marks the message that an own mail answers: the one it names, else the newest of the thread."""
        waiting = [one for one in self._open.get(sent.thread_id, ()) if one.id not in self._settled]
        named = next((one for one in waiting if one.rfc822_id and one.rfc822_id == sent.in_reply_to), None)
        found = named or (waiting[-1] if waiting and not sent.in_reply_to else None)
        if found is None or sent.date - found.date > ANSWERED_WITHIN:
            return None
        self._settled.add(found.id)
        self._answered.update(_keys(found))
        return found.id


def list_id_of(message: Message) -> str:
    """The id or the address of the mailing list a message came by; empty for other mail."""
    value = message.header("List-Id").strip().lower()
    if "<" in value:
        return value[value.rfind("<") + 1 :].rstrip("> ")
    if value:
        return value
    if message.header("List-Post") or message.header("Mailing-List") or message.header("Precedence").strip().lower() == "list":
        return next((one.email for one in (*message.to, *message.cc)), "")
    return ""


_ALL = "all"


def _name(message: Message) -> str:
    return " ".join(fold(message.sender.name).split())


def _keys(message: Message) -> tuple[str, ...]:
    """All mail, the sender, its domain (itself where many people share the domain), the subject, the list with its address."""
    email, domain = message.sender.email, message.sender.domain
    place = f"at {email if domain in SHARED_DOMAINS else domain}"
    topic = f"about {email} {_VARYING.sub(' ', fold(message.subject)).strip()}"
    name = list_id_of(message)
    listed = (f"list {name.replace('.', '@', 1) if '@' not in name else name}",) if name else ()
    return (_ALL, f"from {email}", place, topic, *listed)
