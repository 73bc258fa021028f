"""How often each correspondent wrote and was written to, counted up and down with the messages in the same transaction."""

import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from operator import itemgetter

from app.domain.ids import AccountId, MessageId
from app.domain.mail import Address, RemoteMessage, SystemLabel
from app.store.instants import to_ms
from app.store.packing import id_list, storable, unpack_addresses

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
    """Add messages that are just being inserted."""
    letters = [_letter(one) for one in messages]
    _add(connection, account_id, sorted(letters, key=itemgetter(0)))


def count_in(connection: sqlite3.Connection, account_id: AccountId, ids: Collection[MessageId]) -> None:
    """Add messages that are there."""
    _add(connection, account_id, _stored(connection, ids))


def count_out(connection: sqlite3.Connection, account_id: AccountId, ids: Collection[MessageId]) -> None:
    """Take away messages that are about to be deleted. The date of the last contact stays: it did happen."""
    tallies = _tallied(_stored(connection, ids))
    connection.executemany(
        "UPDATE contacts SET received = received - ?, sent = sent - ? WHERE account_id = ? AND email = ?",
        [(one.received, one.sent, account_id, email) for email, one in tallies.items()],
    )


def _add(connection: sqlite3.Connection, account_id: AccountId, letters: Iterable[Letter]) -> None:
    tallies = _tallied(letters)
    rows = [(account_id, email, one.name, one.received, one.sent, one.last) for email, one in tallies.items()]
    connection.executemany(_UPSERT, rows)


def _tallied(letters: Iterable[Letter]) -> dict[str, _Tally]:
    """Counts by address over these letters; oldest first, so that the newest name wins."""
    tallies: dict[str, _Tally] = {}
    for date, outgoing, people in letters:
        for address in {one.email: one for one in people if one.email}.values():
            tally = tallies.setdefault(address.email, _Tally())
            tally.name = address.name or tally.name
            tally.received += not outgoing
            tally.sent += outgoing
            tally.last = max(tally.last, date)
    return tallies


def _letter(message: RemoteMessage) -> Letter:
    """The recipients of the owner's mail, the sender of anybody else's."""
    outgoing = SystemLabel.SENT in message.labels
    people = (*message.to, *message.cc, *message.bcc) if outgoing else (message.sender,)
    return to_ms(message.date), outgoing, [Address(storable(one.email), storable(one.name)) for one in people]


def _stored(connection: sqlite3.Connection, ids: Collection[MessageId]) -> Iterable[Letter]:
    """The same of messages that are there."""
    for date, outgoing, email, name, *lists in connection.execute(_MAIL, (id_list(ids),)):
        people = [one for packed in lists for one in unpack_addresses(packed)] if outgoing else [Address(email, name)]
        yield date, bool(outgoing), people
