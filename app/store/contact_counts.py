"""How often each correspondent wrote and was written to, counted up and down with the messages in the same transaction."""

import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from app.domain.ids import AccountId, MessageId
from app.domain.mail import Address
from app.store.packing import id_list, unpack_addresses

_UPSERT = """INSERT INTO contacts (account_id, email, name, received, sent, last_contact) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (account_id, email) DO UPDATE SET
        name = iif(excluded.name <> '' AND (excluded.last_contact >= last_contact OR name = ''), excluded.name, name),
        received = received + excluded.received,
        sent = sent + excluded.sent,
        last_contact = max(last_contact, excluded.last_contact)"""

_MAIL = """SELECT date, sender_email, sender_name, to_list, cc_list, bcc_list, outgoing FROM messages
    WHERE id IN (SELECT value FROM json_each(?)) ORDER BY date"""


@dataclass(slots=True)
class _Tally:
    """What a set of messages adds to one contact."""

    name: str = ""
    received: int = 0
    sent: int = 0
    last: int = 0


def count_in(connection: sqlite3.Connection, account_id: AccountId, ids: Collection[MessageId]) -> None:
    """Add messages that were just inserted."""
    tallies = _tallied(connection, ids)
    rows = [(account_id, email, one.name, one.received, one.sent, one.last) for email, one in tallies.items()]
    connection.executemany(_UPSERT, rows)


def count_out(connection: sqlite3.Connection, account_id: AccountId, ids: Collection[MessageId]) -> None:
    """Take away messages that are about to be deleted. The date of the last contact stays: it did happen."""
    tallies = _tallied(connection, ids)
    connection.executemany(
        "UPDATE contacts SET received = received - ?, sent = sent - ? WHERE account_id = ? AND email = ?",
        [(one.received, one.sent, account_id, email) for email, one in tallies.items()],
    )


def _tallied(connection: sqlite3.Connection, ids: Collection[MessageId]) -> dict[str, _Tally]:
    """Counts by address over these messages; oldest first, so that the newest name wins."""
    tallies: dict[str, _Tally] = {}
    for row in connection.execute(_MAIL, (id_list(ids),)):
        outgoing = bool(row["outgoing"])
        for address in _correspondents(row, outgoing):
            tally = tallies.setdefault(address.email, _Tally())
            tally.name = address.name or tally.name
            tally.received += not outgoing
            tally.sent += outgoing
            tally.last = max(tally.last, row["date"])
    return tallies


def _correspondents(row: sqlite3.Row, outgoing: bool) -> Iterable[Address]:
    """The recipients of the owner's mail, the sender of anybody else's; nobody twice, nobody without an address."""
    found: tuple[Address, ...] = (Address(row["sender_email"], row["sender_name"]),)
    if outgoing:
        found = tuple(one for column in ("to_list", "cc_list", "bcc_list") for one in unpack_addresses(row[column]))
    return {one.email: one for one in found if one.email}.values()
