"""Contacts: how often each correspondent wrote and was written to, address-book details, the owner's note and open promises.

The counts are changed in the transaction that changes the messages. A promise is open while the owner has sent nothing further in
that conversation.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import itemgetter

from app.domain.ids import AccountId, MessageId
from app.domain.mail.message import Address, Promise, RemoteMessage, SystemLabel
from app.domain.ports.agents import Clock, Contact
from app.domain.ports.services import PeopleChanges, Person
from app.domain.record import replace
from app.store.db.codecs import id_list, storable, unpack_addresses
from app.store.db.database import Database
from app.store.db.records import insert_row, record
from app.store.db.times import from_ms, to_ms

PROMISED_WITHIN = timedelta(days=60)
MOST_MAILS = 30
MOST_PROMISES = 5

_SENT = """SELECT m.id, m.date, b.text FROM messages m INDEXED BY messages_date JOIN bodies b ON b.message_id = m.id
    WHERE m.account_id = :account AND m.outgoing AND m.date >= :since AND m.to_list LIKE :pattern ESCAPE '!'
        AND NOT EXISTS (SELECT 1 FROM messages l WHERE l.thread_id = m.thread_id AND l.outgoing AND l.date > m.date)
    ORDER BY m.date DESC LIMIT :most"""
"""Uses the date index; by itself SQLite would scan all mail of the account, on the window's thread."""


def load_contact(connection: sqlite3.Connection, account_id: AccountId, email: str) -> Contact | None:
    """Reads the contact card of an address without its promises. Returns None when nothing is known about it."""
    row = connection.execute(
        """SELECT c.*, ifnull(n.text, '') AS own_note FROM contacts c
            LEFT JOIN contact_notes n ON n.account_id = c.account_id AND n.email = c.email
            WHERE c.account_id = ? AND c.email = ?
                AND (c.received > 0 OR c.sent > 0 OR c.organization <> '' OR ifnull(n.text, '') <> '')""",
        (account_id, email.lower()),
    ).fetchone()
    if row is None:
        return None
    last = from_ms(row["last_contact"]) if row["last_contact"] else None
    return record(Contact, row, address=Address(row["email"], row["name"]), last_contact=last)


def load_card(connection: sqlite3.Connection, account_id: AccountId, email: str, now: datetime) -> Contact | None:
    """Reads the contact card with its open promises, newest first."""
    card = load_contact(connection, account_id, email)
    if card is None or not card.sent:
        return card
    from app.domain.language.sent_mail import promises_in  # takes 80 ms to load, which the first frame must not wait for

    quoted = email.lower().replace("!", "!!").replace("%", "!%").replace("_", "!_")
    values = {"account": account_id, "since": to_ms(now - PROMISED_WITHIN), "pattern": f'%"{quoted}"%', "most": MOST_MAILS}
    found: list[Promise] = []
    for row in connection.execute(_SENT, values):
        found += promises_in(row["text"], from_ms(row["date"]))
    return replace(card, promises=tuple(found[:MOST_PROMISES]))


LONGEST_NOTE = 4000

_DESCRIBE = """INSERT INTO contacts (account_id, email, name, received, sent, last_contact, organization, notes)
    VALUES (?, ?, ?, 0, 0, 0, ?, ?) ON CONFLICT (account_id, email) DO UPDATE SET
    name = iif(excluded.name <> '', excluded.name, name), organization = excluded.organization, notes = excluded.notes"""


class Contacts:
    """The table `contacts`. `sync_page.apply_page` keeps the counts."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def card(self, account_id: AccountId, email: str) -> Contact | None:
        """See `load_contact`."""
        return self._db.load(load_contact, account_id, email)

    def full_card(self, account_id: AccountId, email: str, now: datetime) -> Contact | None:
        """See `load_card`."""
        return self._db.load(load_card, account_id, email, now)

    def written_domains(self, account_id: AccountId) -> frozenset[str]:
        """The domains of all addresses the owner has written to."""
        sql = "SELECT DISTINCT substr(email, instr(email, '@') + 1) FROM contacts WHERE account_id = ? AND sent > 0"
        return frozenset(row[0] for row in self._db.read(sql, (account_id,)))

    def note(self, account_id: AccountId, email: str, text: str, now: datetime) -> None:
        """Stores the owner's note on an address, cut to `LONGEST_NOTE` characters. An empty text deletes the note."""
        words = storable(text.strip()[:LONGEST_NOTE])
        with self._db.transaction() as connection:
            connection.execute("DELETE FROM contact_notes WHERE account_id = ? AND email = ?", (account_id, email.lower()))
            if words:
                connection.execute(
                    "INSERT INTO contact_notes (account_id, email, text, at) VALUES (?, ?, ?, ?)",
                    (account_id, email.lower(), words, to_ms(now)),
                )
                connection.execute(
                    "INSERT INTO contacts (account_id, email, name, received, sent, last_contact) VALUES (?, ?, '', 0, 0, 0)"
                    " ON CONFLICT DO NOTHING",
                    (account_id, email.lower()),
                )

    def sync_token(self, account_id: AccountId) -> str:
        """The token for the next incremental address-book sync; empty means a full sync."""
        rows = self._db.read("SELECT sync_token FROM address_books WHERE account_id = ?", (account_id,))
        return str(rows[0][0]) if rows else ""

    def apply(self, account_id: AccountId, changes: PeopleChanges, clock: Clock) -> int:
        """Writes address-book changes and the sync token in one transaction. Returns how many people changed."""
        with self._db.transaction() as connection:
            known = {row["resource"]: row for row in connection.execute(_PEOPLE, (account_id,))}
            kept = {one.resource for one in changes.people}
            gone = [one for one in known if one in changes.gone or (changes.whole and one not in kept)]
            fresh = [one for one in changes.people if one.resource not in known or known[one.resource]["etag"] != one.etag]
            for resource in (*gone, *(one.resource for one in fresh if one.resource in known)):
                # The mail counts stay on the cards.
                connection.execute(_FORGET_DETAILS, (account_id, known[resource]["emails"]))
                connection.execute("DELETE FROM book_people WHERE account_id = ? AND resource = ?", (account_id, resource))
            for person in fresh:
                _keep(connection, account_id, person)
            connection.execute(
                "INSERT OR REPLACE INTO address_books (account_id, sync_token, read_at) VALUES (?, ?, ?)",
                (account_id, changes.sync_token, to_ms(clock())),
            )
            return len(gone) + len(fresh)


_PEOPLE = "SELECT resource, etag, emails FROM book_people WHERE account_id = ?"


_FORGET_DETAILS = """UPDATE contacts SET organization = '', notes = ''
    WHERE account_id = ? AND email IN (SELECT value FROM json_each(?))"""


def _keep(connection: sqlite3.Connection, account_id: AccountId, person: Person) -> None:
    """Inserts a person and puts the details on the cards of their addresses."""
    emails = [one.email.lower() for one in person.addresses]
    name = storable(person.addresses[0].name)
    organization, notes = storable(person.organization), storable(person.notes)
    described = {"name": name, "organization": organization, "notes": notes}
    known = {"account_id": account_id, "resource": person.resource, "etag": person.etag, "emails": json.dumps(emails)}
    insert_row(connection, "book_people", known | described)
    for email in emails:
        connection.execute(_DESCRIBE, (account_id, email, *described.values()))


_UPSERT = """INSERT INTO contacts (account_id, email, name, received, sent, last_contact) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (account_id, email) DO UPDATE SET
        name = iif(excluded.name <> '' AND (excluded.last_contact >= last_contact OR name = ''), excluded.name, name),
        received = received + excluded.received,
        sent = sent + excluded.sent,
        last_contact = max(last_contact, excluded.last_contact)"""

_MAIL = """SELECT date, outgoing, sender_email, sender_name, to_list, cc_list, bcc_list FROM messages
    WHERE id IN (SELECT value FROM json_each(?)) ORDER BY date"""

Letter = tuple[int, bool, Iterable[Address]]
"""Unix milliseconds, whether the owner wrote it, and the correspondents."""


@dataclass(slots=True)
class _Tally:
    """What a set of messages adds to one contact."""

    name: str = ""
    received: int = 0
    sent: int = 0
    last: int = 0


def count_new(connection: sqlite3.Connection, account_id: AccountId, messages: Iterable[RemoteMessage]) -> None:
    """Counts messages that are being inserted."""
    letters = [_counted_mail(one) for one in messages]
    _add(connection, account_id, sorted(letters, key=itemgetter(0)))


def count_in(connection: sqlite3.Connection, account_id: AccountId, ids: Collection[MessageId]) -> None:
    """Counts stored messages."""
    _add(connection, account_id, _stored(connection, ids))


def count_out(connection: sqlite3.Connection, account_id: AccountId, ids: Collection[MessageId]) -> None:
    """Takes the counts of messages back before they are deleted. The date of the last contact stays."""
    tallies = _tallies(_stored(connection, ids))
    connection.executemany(
        "UPDATE contacts SET received = received - ?, sent = sent - ? WHERE account_id = ? AND email = ?",
        [(one.received, one.sent, account_id, email) for email, one in tallies.items()],
    )


def _add(connection: sqlite3.Connection, account_id: AccountId, letters: Iterable[Letter]) -> None:
    tallies = _tallies(letters)
    rows = [(account_id, email, one.name, one.received, one.sent, one.last) for email, one in tallies.items()]
    connection.executemany(_UPSERT, rows)


def _tallies(letters: Iterable[Letter]) -> dict[str, _Tally]:
    """Counts by address. Expects the oldest mail first, so that the newest name wins."""
    tallies: dict[str, _Tally] = {}
    for date, outgoing, people in letters:
        for address in {one.email: one for one in people if one.email}.values():
            tally = tallies.setdefault(address.email, _Tally())
            tally.name = address.name or tally.name
            tally.received += not outgoing
            tally.sent += outgoing
            tally.last = max(tally.last, date)
    return tallies


def _counted_mail(message: RemoteMessage) -> Letter:
    """Takes the recipients of the owner's mail and the sender of any other mail."""
    outgoing = SystemLabel.SENT in message.labels
    people = (*message.to, *message.cc, *message.bcc) if outgoing else (message.sender,)
    return to_ms(message.date), outgoing, [Address(storable(one.email), storable(one.name)) for one in people]


def _stored(connection: sqlite3.Connection, ids: Collection[MessageId]) -> Iterable[Letter]:
    """Reads the same values for stored messages."""
    for date, outgoing, email, name, *lists in connection.execute(_MAIL, (id_list(ids),)):
        people = [one for packed in lists for one in unpack_addresses(packed)] if outgoing else [Address(email, name)]
        yield date, bool(outgoing), people
