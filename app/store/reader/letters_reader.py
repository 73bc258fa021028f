"""Read-only access to letters, drafts, contacts, templates and waiting mail for the window."""

import re
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from operator import itemgetter

from app.domain.ids import LetterId, MessageId
from app.domain.mail.letter import StoredLetter, TextTemplate
from app.domain.mail.message import Address, Message
from app.domain.ports.window import KnownAddress, WaitingRow
from app.store.db.codecs import id_list, pack_strings, storable
from app.store.letters.letter_rows import load_letter, load_letters, load_templates
from app.store.letters.waiting import load_waiting
from app.store.mail.mail_rows import load_messages
from app.store.reader.base_reader import DatabaseReader

CANDIDATES = 1000
_WORD = re.compile(r"[^\s\"\0]+")

_FOUND = """SELECT c.email, c.name, c.sent * 4 + c.received AS weight, c.organization FROM contacts c
    WHERE c.id IN (SELECT rowid FROM contact_fts WHERE contact_fts MATCH :match LIMIT :most)
        AND (c.sent + c.received > 0 OR c.organization <> '' OR c.notes <> '')
    ORDER BY c.sent > 0 DESC, weight DESC, c.last_contact DESC"""
_KNOWN = """SELECT DISTINCT c.email FROM contacts c WHERE c.account_id IN (SELECT id FROM accounts)
    AND c.email IN (SELECT value FROM json_each(:emails))
    AND (c.sent + c.received > 0 OR c.organization <> '' OR c.notes <> '')"""


def found_people(connection: sqlite3.Connection, typed: str, most: int, by_firm: bool) -> tuple[KnownAddress, ...]:
    """At most `most` people found by beginnings of words.

    Each typed word must begin a word of name, address or domain, with `by_firm` also of the organization. Those the owner wrote
    to come first, each address once.
    """
    words = [f'"{word}" *' for word in _WORD.findall(storable(typed))]
    if not words:
        return ()
    match = f"{'{words organization}' if by_firm else 'words'} : ({' AND '.join(words)})"
    found: dict[str, KnownAddress] = {}
    for one in (f"written : y AND {match}", match):
        for row in connection.execute(_FOUND, {"match": one, "most": CANDIDATES}):
            if len(found) == most:
                return tuple(found.values())
            found.setdefault(row[0], KnownAddress(Address(row[0], row[1]), row[2], row[3]))
    return tuple(found.values())


def known_emails(connection: sqlite3.Connection, emails: Iterable[str]) -> frozenset[str]:
    """The lower-case addresses among `emails` that are known from any account's mail or address book."""
    asked = pack_strings(storable(one) for one in emails)
    return frozenset(row[0] for row in connection.execute(_KNOWN, {"emails": asked})) if asked else frozenset()


_LETTER_OF = """SELECT l.id FROM letters l JOIN messages m ON m.gmail_id = l.draft_gmail_id AND m.account_id = l.account_id
    WHERE m.id = ? AND l.state = 'open' AND l.draft_gmail_id <> ''"""
_LETTERS = "SELECT id, updated_at FROM letters INDEXED BY letters_state WHERE state = 'open' ORDER BY id DESC"
_ELSEWHERE = """SELECT m.id, m.date FROM message_labels d JOIN messages m ON m.id = d.message_id
    WHERE d.label = 'DRAFT' AND NOT EXISTS (SELECT 1 FROM letters l INDEXED BY letters_draft
        WHERE l.draft_gmail_id = m.gmail_id AND l.draft_gmail_id <> '' AND l.account_id = m.account_id)
    AND NOT EXISTS (SELECT 1 FROM letters l WHERE l.marker = m.rfc822_id AND l.account_id = m.account_id)
    AND NOT EXISTS (SELECT 1 FROM outbox o INDEXED BY outbox_marker
        WHERE o.marker = m.rfc822_id AND o.marker <> '' AND o.account_id = m.account_id AND o.kind = 'send')
    ORDER BY m.date DESC"""
"""Looks each draft up through indexes; scanning letters and outbox takes seconds when they are long."""


class SqliteWritingReader(DatabaseReader):
    """Implements `WritingReader`."""

    def draft_names(self) -> tuple[LetterId | MessageId, ...]:
        found: list[tuple[int, LetterId | MessageId]] = [(row[1], LetterId(row[0])) for row in self.rows(_LETTERS)]
        found += [(row[1], MessageId(row[0])) for row in self.rows(_ELSEWHERE)]
        return tuple(name for _at, name in sorted(found, key=itemgetter(0), reverse=True))

    def letters_of(self, ids: Iterable[LetterId]) -> dict[LetterId, StoredLetter]:
        found = self.load(load_letters, "id IN (SELECT value FROM json_each(?))", (id_list(ids),))
        return {one.letter.id: one for one in found}

    def messages_of(self, ids: Iterable[MessageId]) -> dict[MessageId, Message]:
        return self.load(load_messages, ids)

    def letter(self, letter_id: LetterId) -> StoredLetter | None:
        return self.load(load_letter, letter_id)

    def letter_of_draft(self, message_id: MessageId) -> LetterId | None:
        return next((LetterId(row[0]) for row in self.rows(_LETTER_OF, (message_id,))), None)

    def people(self, typed: str, most: int, by_firm: bool = False) -> tuple[KnownAddress, ...]:
        return self.load(found_people, typed, most, by_firm)

    def known_emails(self, emails: Iterable[str]) -> frozenset[str]:
        return self.load(known_emails, emails)

    def templates(self) -> tuple[TextTemplate, ...]:
        return self.load(load_templates)

    def waiting(self, before: datetime, since: datetime, limit: int = 400) -> Sequence[WaitingRow]:
        return self.load(load_waiting, before, since, limit)
