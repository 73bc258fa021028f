"""Local cards of correspondents, counted from the mail."""

import sqlite3

from app.domain.ids import AccountId
from app.domain.mail import Address
from app.domain.ports.agents import Contact
from app.store.database import Database
from app.store.instants import from_ms


class Contacts:
    """The contacts table; counts are kept by `Messages.apply`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def card(self, account_id: AccountId, email: str) -> Contact | None:
        """The card of an address, None when no stored mail names it."""
        sql = "SELECT * FROM contacts WHERE account_id = ? AND email = ? AND (received > 0 OR sent > 0 OR organization <> '')"
        return next((_contact(row) for row in self._db.read(sql, (account_id, email.lower()))), None)

    def describe(self, account_id: AccountId, email: str, name: str, organization: str, notes: str) -> None:
        """Put details from an address book on a card; counts stay, and an empty name keeps the one from the mail."""
        with self._db.transaction() as connection:
            connection.execute(
                """INSERT INTO contacts (account_id, email, name, received, sent, last_contact, organization, notes)
                    VALUES (?, ?, ?, 0, 0, 0, ?, ?) ON CONFLICT (account_id, email) DO UPDATE SET
                    name = iif(excluded.name <> '', excluded.name, name), organization = excluded.organization,
                    notes = excluded.notes""",
                (account_id, email.lower(), name, organization, notes),
            )


def _contact(row: sqlite3.Row) -> Contact:
    """A `contacts` row."""
    last = from_ms(row["last_contact"]) if row["last_contact"] else None
    return Contact(Address(row["email"], row["name"]), row["received"], row["sent"], last, row["organization"], row["notes"])
