"""Local cards of correspondents: counted from the mail, joined with the address book and the user's notes."""

import json
import sqlite3
from datetime import datetime

from app.domain.ids import AccountId
from app.domain.ports.agents import Clock, Contact
from app.domain.ports.services import PeopleChanges, Person
from app.store.contact_cards import load_card, load_contact
from app.store.database import Database
from app.store.instants import to_ms
from app.store.packing import storable

LONGEST_NOTE = 4000

_DESCRIBE = """INSERT INTO contacts (account_id, email, name, received, sent, last_contact, organization, notes)
    VALUES (?, ?, ?, 0, 0, 0, ?, ?) ON CONFLICT (account_id, email) DO UPDATE SET
    name = iif(excluded.name <> '', excluded.name, name), organization = excluded.organization, notes = excluded.notes"""


class Contacts:
    """The contacts table; counts are kept by `Messages.apply`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def card(self, account_id: AccountId, email: str) -> Contact | None:
        """The card of an address without promises, None when nothing is known of it."""
        with self._db.reading() as connection:
            return load_contact(connection, account_id, email)

    def full_card(self, account_id: AccountId, email: str, now: datetime) -> Contact | None:
        """The card with the promises that are open."""
        with self._db.reading() as connection:
            return load_card(connection, account_id, email, now)

    def describe(self, account_id: AccountId, email: str, name: str, organization: str, notes: str) -> None:
        """Put details from an address book on a card; counts stay, and an empty name keeps the one from the mail."""
        with self._db.transaction() as connection:
            connection.execute(_DESCRIBE, (account_id, email.lower(), name, organization, notes))

    def note(self, account_id: AccountId, email: str, text: str, now: datetime) -> None:
        """The user's own note on an address; an empty one removes it."""
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
        """Where the next look at the account's address book begins, empty for the whole of it."""
        rows = self._db.read("SELECT sync_token FROM address_books WHERE account_id = ?", (account_id,))
        return str(rows[0][0]) if rows else ""

    def apply(self, account_id: AccountId, changes: PeopleChanges, clock: Clock) -> int:
        """Write what changed in an address book, in one transaction with the token; how many contacts did."""
        with self._db.transaction() as connection:
            known = {row["resource"]: row for row in connection.execute(_PEOPLE, (account_id,))}
            kept = {one.resource for one in changes.people}
            gone = [one for one in known if one in changes.gone or (changes.whole and one not in kept)]
            fresh = [one for one in changes.people if one.resource not in known or known[one.resource]["etag"] != one.etag]
            for resource in (*gone, *(one.resource for one in fresh if one.resource in known)):
                _forget(connection, account_id, known[resource])
            for person in fresh:
                _keep(connection, account_id, person)
            connection.execute(
                "INSERT OR REPLACE INTO address_books (account_id, sync_token, read_at) VALUES (?, ?, ?)",
                (account_id, changes.sync_token, to_ms(clock())),
            )
            return len(gone) + len(fresh)


_PEOPLE = "SELECT resource, etag, emails FROM book_people WHERE account_id = ?"


def _forget(connection: sqlite3.Connection, account_id: AccountId, row: sqlite3.Row) -> None:
    """Take a contact's details off the cards of its addresses; what the mail counted stays."""
    for email in json.loads(row["emails"]):
        connection.execute(
            "UPDATE contacts SET organization = '', notes = '' WHERE account_id = ? AND email = ?", (account_id, email)
        )
    connection.execute("DELETE FROM book_people WHERE account_id = ? AND resource = ?", (account_id, row["resource"]))


def _keep(connection: sqlite3.Connection, account_id: AccountId, person: Person) -> None:
    """A contact's row, and its details on the cards of its addresses."""
    emails = [one.email.lower() for one in person.addresses]
    name = storable(person.addresses[0].name)
    organization, notes = storable(person.organization), storable(person.notes)
    connection.execute(
        "INSERT INTO book_people (account_id, resource, etag, emails, name, organization, notes) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (account_id, person.resource, person.etag, json.dumps(emails), name, organization, notes),
    )
    for email in emails:
        connection.execute(_DESCRIBE, (account_id, email, name, organization, notes))
