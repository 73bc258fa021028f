"""A correspondent's card in full: counts from the mail, what the address book says, the user's note, and promises that are open.

A promise counts as open while the owner has sent nothing further to that conversation. Reads only, by engine and window alike.
"""

import sqlite3
from dataclasses import replace
from datetime import datetime, timedelta

from app.domain.ids import AccountId
from app.domain.mail import Address
from app.domain.ports.agents import Contact
from app.domain.promises import Promise, promises_in
from app.store.instants import from_ms, to_ms

PROMISED_WITHIN = timedelta(days=60)
MOST_MAILS = 30
MOST_PROMISES = 5

_SENT = """SELECT m.id, m.date, b.text FROM messages m INDEXED BY messages_date JOIN bodies b ON b.message_id = m.id
    WHERE m.account_id = :account AND m.outgoing AND m.date >= :since AND m.to_list LIKE :pattern ESCAPE '!'
        AND NOT EXISTS (SELECT 1 FROM messages l WHERE l.thread_id = m.thread_id AND l.outgoing AND l.date > m.date)
    ORDER BY m.date DESC LIMIT :most"""
"""By date: left to itself SQLite looks through all mail of the account, on the window's thread."""


def load_contact(connection: sqlite3.Connection, account_id: AccountId, email: str) -> Contact | None:
    """The card of an address without its promises, None when nothing is known of it."""
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
    return Contact(
        Address(row["email"], row["name"]),
        row["received"],
        row["sent"],
        last,
        row["organization"],
        row["notes"],
        row["own_note"],
    )


def load_card(connection: sqlite3.Connection, account_id: AccountId, email: str, now: datetime) -> Contact | None:
    """The card with the newest open promises first."""
    card = load_contact(connection, account_id, email)
    if card is None or not card.sent:
        return card
    quoted = email.lower().replace("!", "!!").replace("%", "!%").replace("_", "!_")
    values = {
        "account": account_id,
        "since": to_ms(now - PROMISED_WITHIN),
        "pattern": f'%"{quoted}"%',
        "most": MOST_MAILS,
    }
    found: list[Promise] = []
    for row in connection.execute(_SENT, values):
        found += promises_in(row["text"], from_ms(row["date"]))
    return replace(card, promises=tuple(found[:MOST_PROMISES]))
