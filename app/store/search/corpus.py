"""Read access to the mailbox for agents. Writes nothing.

Values are cached until a commit changes mail, contacts or accounts; the engine is the only writer. Also finds mail for agents by
words and by Gmail's operators.
"""

import sys
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from app.domain.agents.requests import ALL_MAIL, MailScope
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId, ThreadId
from app.domain.mail.message import Account, Message, SystemLabel
from app.domain.ports.agents import Contact, OwnReply
from app.domain.record import replace
from app.store.accounts import Accounts
from app.store.contacts import Contacts
from app.store.db.codecs import id_list
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.search.vectors import VectorKind, Vectors

if TYPE_CHECKING:
    from app.store.search.search import Search

V = TypeVar("V")


class RecentCache:
    """Values by key, at most `most`, emptied by each commit that changes mail. Without it a run of the mail graph, which asks for
    the same mail again and again, takes 9 ms more CPU (31 became 40). Thread-safe; values must be immutable.
    """

    def __init__(self, db: Database, most: int) -> None:
        self._db, self._most = db, most
        self._lock = Lock()
        self._commits = db.mail_commits
        self._values: dict[Hashable, Any] = {}

    def get(self, key: Hashable, load: Callable[[], V]) -> V:
        """The cached value, or the result of `load`. Errors of `load` are raised."""
        commits, known = self.known((key,))
        if key in known:
            value: V = known[key]
            return value
        value = load()
        self.put(commits, {key: value})
        return value

    def known(self, keys: Collection[Hashable]) -> tuple[int, dict[Any, Any]]:
        """The commit number (for `put`) and the cached values of these keys."""
        with self._lock:
            if self._db.mail_commits != self._commits:
                self._commits = self._db.mail_commits
                self._values.clear()
            return self._commits, {key: self._values[key] for key in keys if key in self._values}

    def put(self, commits: int, values: Mapping[Any, Any]) -> None:
        """Caches values read after commit number `commits`, unless another commit came meanwhile."""
        with self._lock:
            if commits == self._commits == self._db.mail_commits:
                self._values.update(values)
                for key in list(islice(self._values, max(0, len(self._values) - self._most))):
                    del self._values[key]


_SPARE = 20
"""Extra neighbours, since those of the same thread and deleted messages are dropped."""

_REMEMBERED = 256
"""Size of each cache."""

_ANSWERS = """SELECT q.id, (SELECT s.id FROM messages s WHERE s.thread_id = q.thread_id AND s.outgoing AND s.date > q.date
        ORDER BY s.date, s.id LIMIT 1) AS answer
    FROM messages q WHERE q.id IN (SELECT value FROM json_each(?)) AND NOT q.outgoing"""

_QUESTIONS = """SELECT DISTINCT q.id FROM messages s JOIN messages q ON q.thread_id = s.thread_id
    WHERE s.id IN (SELECT value FROM json_each(?)) AND s.outgoing AND NOT q.outgoing AND q.date < s.date"""

_USABLE = """SELECT id FROM messages WHERE id IN (SELECT value FROM json_each(?)) AND thread_id <> ?
    AND id NOT IN (SELECT message_id FROM message_labels WHERE label IN ('SPAM', 'TRASH', 'DRAFT'))"""

_OWN = "SELECT id FROM messages WHERE account_id = ? AND outgoing ORDER BY date DESC, id DESC LIMIT ?"


class StoreCorpus:
    """The mailbox as agents see it."""

    def __init__(self, db: Database, vectors: Vectors, messages: Messages | None = None) -> None:
        self._db, self._vectors = db, vectors
        self._accounts = Accounts(db)
        self._messages = messages or Messages(db)
        self._contacts = Contacts(db)
        self._sent: dict[AccountId, tuple[Message, ...]] = {}
        self._read = RecentCache(db, _REMEMBERED)
        """Messages by id."""
        self._others = RecentCache(db, _REMEMBERED)
        """Threads, accounts, domains and contact cards, by the method that reads them and its arguments."""

    def accounts(self) -> tuple[Account, ...]:
        return self._accounts.all()

    def account(self, account_id: AccountId) -> Account:
        """Raises `NotFound`."""
        return self._others.get(("account", account_id), lambda: self._accounts.get(account_id))

    def message(self, message_id: MessageId) -> Message:
        """One message with its body. Raises `NotFound`."""
        return self._read.get(message_id, lambda: self._messages.get(message_id))

    def thread(self, thread_id: ThreadId) -> tuple[Message, ...]:
        """The messages of a thread with bodies, oldest first."""

        def load() -> tuple[Message, ...]:
            commits, _ = self._read.known(())
            found = self._messages.thread(thread_id)
            self._read.put(commits, {one.id: one for one in found})
            return found

        return self._others.get(("thread", thread_id), load)

    def contact(self, account_id: AccountId, email: str) -> Contact | None:
        """The contact card without promises, None for an unknown address."""
        return self._others.get(("contact", account_id, email), lambda: self._contacts.card(account_id, email))

    def card(self, account_id: AccountId, email: str, now: datetime) -> Contact | None:
        """The contact card with open promises, None for an unknown address."""
        return self._contacts.full_card(account_id, email, now)

    def known_domains(self, account_id: AccountId) -> frozenset[str]:
        """The domains of all addresses the owner has written to, lower case."""
        return self._others.get(("domains", account_id), lambda: self._contacts.written_domains(account_id))

    def own_mail(self, account_id: AccountId, limit: int) -> tuple[Message, ...]:
        """The owner's newest sent messages with text but without HTML and headers, newest first.

        Sent mail does not change, so each message is read once; an unchanged list is the same tuple.
        """
        ids = [MessageId(row[0]) for row in self._db.read(_OWN, (account_id, limit))]
        known = self._sent.get(account_id, ())
        if [one.id for one in known] == ids:
            return known
        there = {one.id: one for one in known}
        read = self._messages.many([one for one in ids if one not in there])
        there |= {one.id: replace(one, body_html="", headers=()) for one in read.values()}
        self._sent[account_id] = found = tuple(there[one] for one in ids if one in there)
        return found

    def similar(
        self, account_id: AccountId, vector: Sequence[float], limit: int, exclude_thread: ThreadId
    ) -> tuple[tuple[Message, float], ...]:
        """The messages nearest by embedding with a similarity from 0 to 1; empty while nothing is indexed."""
        near = self._near(account_id, vector, limit, None, exclude_thread)[:limit]
        found = self._many([message_id for message_id, _ in near])
        return tuple((found[message_id], score) for message_id, score in near)

    def own_replies(
        self, account_id: AccountId, vector: Sequence[float], limit: int, exclude_thread: ThreadId
    ) -> tuple[OwnReply, ...]:
        """The nearest received messages that the owner answered, each with the answer."""
        near = self._near(account_id, vector, limit, VectorKind.ANSWERED, exclude_thread)
        answers = answers_of(self._db, [message_id for message_id, _ in near])
        chosen = [(question, answers[question], score) for question, score in near if question in answers][:limit]
        found = self._many([one for question, answer, _ in chosen for one in (question, answer)])
        return tuple(OwnReply(found[question], found[answer], score) for question, answer, score in chosen)

    def _many(self, ids: Sequence[MessageId]) -> dict[MessageId, Message]:
        """Messages by id. Messages with uncleaned HTML are not cached, so that `message` reads them again."""
        commits, known = self._read.known(ids)
        read = self._messages.many([one for one in ids if one not in known])
        self._read.put(commits, {key: one for key, one in read.items() if not one.html_waits})
        return known | read

    def _near(
        self, account_id: AccountId, vector: Sequence[float], limit: int, kind: VectorKind | None, exclude_thread: ThreadId
    ) -> list[tuple[MessageId, float]]:
        """Usable neighbours, nearest first: not of this thread, not in spam or trash, no drafts."""
        near = self._vectors.nearest(account_id, vector, limit + _SPARE, kind)
        rows = self._db.read(_USABLE, (id_list(message_id for message_id, _ in near), exclude_thread))
        usable = {row[0] for row in rows}
        return [(message_id, score) for message_id, score in near if message_id in usable]


def answers_of(db: Database, ids: Collection[MessageId]) -> dict[MessageId, MessageId]:
    """For each received message that the owner answered: the owner's first message after it in the thread."""
    rows = db.read(_ANSWERS, (id_list(ids),))
    return {MessageId(row["id"]): MessageId(row["answer"]) for row in rows if row["answer"] is not None}


def questions_of(db: Database, ids: Collection[MessageId]) -> tuple[MessageId, ...]:
    """Received messages before these messages of the owner in their threads; they are indexed again as answered."""
    return tuple(MessageId(row[0]) for row in db.read(_QUESTIONS, (id_list(ids),)))


def vector_kinds(db: Database, ids: Collection[MessageId]) -> dict[MessageId, VectorKind]:
    """The `VectorKind` of each message."""
    answered = answers_of(db, ids)
    return {one: VectorKind.ANSWERED if one in answered else VectorKind.OTHER for one in ids}


ASKED = 40
CLOSED = frozenset({SystemLabel.SPAM.value, SystemLabel.TRASH.value, SystemLabel.DRAFT.value})


def queried(search: "Search", account_id: AccountId, query: str, scope: MailScope = ALL_MAIL) -> list[MessageId]:
    """The account's messages that match Gmail's operators, newest first, without drafts. Raises `NotAllowed`."""
    return search.message_ids(f"({query}) {scope.query} -in:drafts", ASKED, account_id, scope.conversation)


def held(search: "Search", account_id: AccountId, scope: MailScope, ids: Sequence[MessageId]) -> list[MessageId]:
    """Those of the messages that the scope holds."""
    inside = set(search.message_ids(f"{scope.query} -in:drafts", sys.maxsize, account_id, scope.conversation))
    return [one for one in ids if one in inside]


def worded(search: "Search", account_id: AccountId, words: str, scope: MailScope = ALL_MAIL) -> list[MessageId]:
    """The account's messages with all these words, or if there are none, with any of the longer words.

    Operators count as words. Spam, trash and drafts are excluded in the query, so that they take no other message's place.
    """
    plain = [one for one in "".join(letter if letter.isalnum() else " " for letter in words).split() if one]
    for terms in (plain, [" OR ".join(one for one in plain if len(one) > 3)]):
        query = " ".join(terms).strip()
        if not query:
            continue
        try:
            found = queried(search, account_id, query, scope)
        except NotAllowed:
            continue
        if found:
            return found
    return []


def opened(messages: Messages, account_id: AccountId, ids: Sequence[MessageId], limit: int) -> tuple[Message, ...]:
    """The first `limit` of these messages that an agent of the account may read."""
    found = messages.many(ids)
    fit = (found[one] for one in ids if one in found)
    return tuple(one for one in fit if one.account_id == account_id and not one.labels & CLOSED)[:limit]
