"""Accounts, their sync state and their end."""

from datetime import timedelta

import pytest

from app.domain.errors import NotFound
from app.domain.ids import AccountId, HistoryId
from app.store.accounts import Accounts, SyncState
from app.store.database import Database
from app.store.messages import Messages
from app.store.outbox import Outbox
from app.store.pages import SyncPage
from app.store.reviews import Reviews
from fakes.stored_mail import NOON, HandClock, new_outbox, proposal, remote


def test_adding_again_updates(db: Database, account: AccountId) -> None:
    """The same address in any case is the same account."""
    accounts = Accounts(db)
    assert accounts.get(account).send_as == ("me@example.org", "sales@example.org")
    assert accounts.add("ME@example.org", "Mia", (), "", "#000000") == account
    stored = accounts.get(account)
    assert (stored.email, stored.name, stored.send_as) == ("me@example.org", "Mia", ())
    assert accounts.all() == (stored,)
    with pytest.raises(NotFound):
        accounts.get(AccountId(9))
    with pytest.raises(NotFound):
        accounts.sync_state(AccountId(9))


def test_sync_state(db: Database, account: AccountId) -> None:
    """Each part is set by itself and survives updating the account."""
    accounts = Accounts(db)
    assert accounts.sync_state(account) == SyncState(None, "", "listing", None)
    Messages(db).apply(account, SyncPage(cursor=HistoryId(12), backfill_state='{"page": "p2"}'))
    accounts.set_phase(account, "current")
    accounts.set_consent(account, 1000)
    accounts.add("me@example.org", "Mia", (), "", "")
    assert accounts.sync_state(account) == SyncState(HistoryId(12), '{"page": "p2"}', "current", 1000)
    assert (accounts.cursor(account), accounts.consent(account)) == (12, 1000)
    accounts.set_consent(account, None)
    assert (accounts.cursor(account), accounts.consent(account)) == (12, None)


def test_units_spent(db: Database, account: AccountId) -> None:
    """Spending of the last day, summed per instant."""
    accounts = Accounts(db)
    accounts.spend(account, NOON - timedelta(days=2), 99)
    accounts.spend(account, NOON, 20)
    accounts.spend(account, NOON, 5)
    accounts.spend(account, NOON + timedelta(seconds=1), 2)
    assert accounts.units_spent(account, NOON) == ((NOON, 25), (NOON + timedelta(seconds=1), 2))
    assert accounts.units_spent(account, NOON - timedelta(days=9)) == accounts.units_spent(account, NOON)


def test_removing_wipes(db: Database, account: AccountId, clock: HandClock) -> None:
    """Nothing of the account is left in any table; the other account keeps everything."""
    other = Accounts(db).add("other@example.org", "Other", (), "", "")
    for one in (account, other):
        page = SyncPage(messages=(remote("a", files=("x.pdf",)),), cursor=HistoryId(1))
        Messages(db).apply(one, page)
    review = Reviews(db, clock).open(proposal(), "reply")
    Outbox(db, clock).add(new_outbox(review=review))
    Accounts(db).remove(account)
    assert Accounts(db).all() == (Accounts(db).get(other),)
    for table in ("messages", "threads", "bodies", "attachments", "contacts", "sync_state"):
        assert db.read(f"SELECT count(*) FROM {table}")[0][0] == 1, table
    for table in ("reviews", "review_revisions", "outbox", "outbox_mime", "outbox_steps"):
        assert db.read(f"SELECT count(*) FROM {table}")[0][0] == 0, table
    assert db.read("SELECT count(*) FROM mail_fts WHERE mail_fts MATCH 'text'")[0][0] == 1
