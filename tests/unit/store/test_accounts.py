"""The life of a mail through all tables of one file, closed and opened between the steps as after a crash.

Accounts, their sync state and their end.

Rows are looked up in the table that a command's field means, and never for two accounts at once.

An undo touches the account that the change was made in, whatever another one has under the same ids.

Cards of correspondents.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

from app.domain.ids import AccountId, HistoryId
from app.domain.mail.message import Address
from app.domain.ports.services import PeopleChanges, Person
from app.engine.runtime.tables import open_tables
from app.store.accounts import Accounts, owner_of
from app.store.contacts import Contacts
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.outbox import Outbox
from app.store.reviews.reviews import Reviews
from fakes.engine.store.empty import prepared
from fakes.engine.store.rows import remove_account
from fakes.engine.store.values import ANA, ME, NOON, HandClock, new_outbox, proposal, remote


@contextmanager
def engine(path: Path) -> Iterator[Database]:
    """One life of the engine."""
    with closing(Database.open(path)) as db:
        yield db


def test_removing_wipes(db: Database, account: AccountId, clock: HandClock) -> None:
    """Nothing of the account is left in any table; the other account keeps everything."""
    other = Accounts(db).add("other@example.org", "Other", (), "", "")
    for one in (account, other):
        page = SyncPage(messages=(remote("a", files=("x.pdf",)),), cursor=HistoryId(1))
        Messages(db).apply(one, page)
    review = Reviews(db, clock).open(proposal(), "reply")
    Outbox(db, clock).add(new_outbox(review=review))
    remove_account(Accounts(db), account)
    assert Accounts(db).all() == (Accounts(db).get(other),)
    for table in ("messages", "threads", "bodies", "attachments", "contacts", "sync_state"):
        assert db.read(f"SELECT count(*) FROM {table}")[0][0] == 1, table
    for table in ("reviews", "review_revisions", "outbox", "outbox_mime", "outbox_steps"):
        assert db.read(f"SELECT count(*) FROM {table}")[0][0] == 0, table
    assert db.read("SELECT count(*) FROM mail_fts WHERE mail_fts MATCH 'text'")[0][0] == 1


def test_rows_of_one_account_have_its_owner_and_others_none(tmp_path: Path) -> None:
    tables = open_tables(prepared(tmp_path / "mail.db"), HandClock())
    try:
        for number, email in enumerate((ME.email, "other@example.org"), 1):
            tables.accounts.add(email, "", (email,), "", "#112233")
            tables.messages.apply(AccountId(number), SyncPage(messages=(remote("a", "t"), remote("b", "u"))))
        own, other = ([row[0] for row in tables.db.read("SELECT id FROM threads WHERE account_id = ?", (one,))] for one in (1, 2))
        assert [owner_of(tables.db, "thread_ids", ids) for ids in (own, other, own + other, [999])] == [1, 2, 0, 0]
    finally:
        tables.db.close()


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
    assert (card.address, card.received, card.sent) == (ANA, 2, 1)
    assert card.last_contact == NOON + timedelta(minutes=9)
    assert Contacts(db).card(account, ben.email).sent == 1  # type: ignore[union-attr]
    assert Contacts(db).card(account, ME.email) is None
    assert Contacts(db).card(AccountId(9), ANA.email) is None


def person(resource: str, email: str, organization: str = "", etag: str = "1") -> Person:
    """A contact of the address book."""
    return Person((Address(email, "Name"),), organization, "note", resource, etag)


def test_an_address_book_is_kept_in_step(db: Database, account: AccountId) -> None:
    """Whole, then changes; what is gone leaves the card as the mail made it."""
    Messages(db).apply(account, SyncPage(messages=(remote("a"),)))
    contacts = Contacts(db)
    assert contacts.sync_token(account) == ""
    both = (person("people/1", ANA.email, "Partner"), person("people/2", "new@x.org", "X"))
    assert contacts.apply(account, PeopleChanges(both, (), "t1", whole=True), lambda: NOON) == 2
    assert contacts.sync_token(account) == "t1"
    assert contacts.apply(account, PeopleChanges(both, (), "t2", whole=True), lambda: NOON) == 0
    moved = person("people/2", "new@y.org", "Y", "2")
    assert contacts.apply(account, PeopleChanges((moved,), ("people/1",), "t3", whole=False), lambda: NOON) == 2
    card = contacts.card(account, ANA.email)
    assert (card.organization, card.notes, card.received) == ("", "", 1)
    assert contacts.card(account, "new@x.org") is None
    assert contacts.card(account, "new@y.org").organization == "Y"  # type: ignore[union-attr]
    assert contacts.apply(account, PeopleChanges((), (), "t4", whole=True), lambda: NOON) == 1
    assert contacts.card(account, "new@y.org") is None


def test_a_note_is_the_users_and_stays_through_the_address_book(db: Database, account: AccountId) -> None:
    contacts = Contacts(db)
    contacts.note(account, "Eve@x.org", "  Likes mornings. ", NOON)
    contacts.apply(account, PeopleChanges((person("people/1", "eve@x.org", "X"),), (), "t", whole=True), lambda: NOON)
    card = contacts.card(account, "eve@x.org")
    assert (card.own_note, card.organization) == ("Likes mornings.", "X")
    contacts.note(account, "eve@x.org", "", NOON)
    assert contacts.card(account, "eve@x.org").own_note == ""  # type: ignore[union-attr]


def test_promises_are_open_until_the_owner_wrote_again(db: Database, account: AccountId) -> None:
    """Only the owner's own words, only to this person, only while nothing followed in the conversation."""
    said = "Hello,\n\nI will send the invoice by Friday.\n\nMia"
    messages = (
        remote("a"),
        remote("b", sender=ME, to=(ANA,), labels=("SENT",), minutes=1, text=said, thread="t1"),
        remote("c", sender=ME, to=(Address("other@x.org"),), labels=("SENT",), minutes=1, text=said, thread="t2"),
    )
    Messages(db).apply(account, SyncPage(messages=messages))
    contacts = Contacts(db)
    card = contacts.full_card(account, ANA.email, NOON + timedelta(days=1))
    assert card is not None
    assert [(one.text, one.sent) for one in card.promises] == [
        ("I will send the invoice by Friday.", NOON + timedelta(minutes=1))
    ]
    assert contacts.card(account, ANA.email).promises == ()  # type: ignore[union-attr]
    assert contacts.full_card(account, ANA.email, NOON + timedelta(days=90)).promises == ()  # type: ignore[union-attr]
    done = remote("d", sender=ME, to=(ANA,), labels=("SENT",), minutes=9, text="Here it is.", thread="t1")
    Messages(db).apply(account, SyncPage(messages=(done,)))
    assert contacts.full_card(account, ANA.email, NOON + timedelta(days=1)).promises == ()  # type: ignore[union-attr]
