"""The window's read-only handle for cards of correspondents."""

from datetime import datetime

from app.domain.ids import AccountId
from app.domain.ports.agents import Contact
from app.store.contact_cards import load_card
from app.store.read_handle import ReadHandle


class ContactHandle(ReadHandle):
    """Implements `ContactReader`."""

    def contact_card(self, account_id: AccountId, email: str, now: datetime) -> Contact | None:
        """The card of an address with open promises, None when nothing is known of it."""
        with self.reading() as connection:
            return None if connection is None else load_card(connection, account_id, email, now)
