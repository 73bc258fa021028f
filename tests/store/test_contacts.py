"""Cards of correspondents."""

from datetime import timedelta

from app.domain.ids import AccountId, GmailId
from app.domain.mail import Address
from app.store.contacts import Contacts
from app.store.database import Database
from app.store.messages import Messages
from app.store.pages import SyncPage
from fakes.stored_mail import ANA, ME, NOON, remote


def test_a_card_counts_both_ways(db: Database, account: AccountId) -> None:
    """Received and sent, the newest name, the last date; case of the address does not matter."""
    ben = Address("ben@b.org")
    messages = (
        remote("a", sender=Address(ANA.email, "A. N.")),
        remote("b", minutes=5),
        remote("c", sender=ME, to=(ANA,), cc=(ben, ANA), labels=("SENT",), minutes=9),
    )
    Messages(db).apply(account, SyncPage(messages=messages))
    card = Contacts(db).card(account, "ANA@partner.org")
    assert card is not None
    assert (card.address, card.received, card.sent) == (ANA, 2, 1)
    assert card.last_contact == NOON + timedelta(minutes=9)
    assert Contacts(db).card(account, ben.email).sent == 1  # type: ignore[union-attr]
    assert Contacts(db).card(account, ME.email) is None
    assert Contacts(db).card(AccountId(9), ANA.email) is None


def test_deleted_mail_counts_no_more(db: Database, account: AccountId) -> None:
    """A card without mail is no card."""
    Messages(db).apply(account, SyncPage(messages=(remote("a"), remote("b"))))
    Messages(db).apply(account, SyncPage(delete=(GmailId("a"),)))
    assert Contacts(db).card(account, ANA.email).received == 1  # type: ignore[union-attr]
    Messages(db).apply(account, SyncPage(delete=(GmailId("b"),)))
    assert Contacts(db).card(account, ANA.email) is None


def test_an_address_book_adds_details(db: Database, account: AccountId) -> None:
    """Organization and notes from outside; the name from the mail stays when none is given."""
    Messages(db).apply(account, SyncPage(messages=(remote("a"),)))
    Contacts(db).describe(account, "Ana@partner.org", "", "Partner s.r.o.", "prefers mail")
    Contacts(db).describe(account, "new@x.org", "New", "X", "")
    card = Contacts(db).card(account, ANA.email)
    assert card is not None
    assert (card.address.name, card.organization, card.notes, card.received) == (ANA.name, "Partner s.r.o.", "prefers mail", 1)
    new = Contacts(db).card(account, "new@x.org")
    assert new is not None
    assert (new.received, new.last_contact) == (0, None)
