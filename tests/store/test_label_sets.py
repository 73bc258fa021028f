"""The labels of a mirror by message."""

from app.domain.ids import AccountId
from app.store.accounts import Accounts
from app.store.database import Database
from app.store.label_sets import label_sets
from app.store.messages import Messages
from app.store.pages import SyncPage
from fakes.stored_mail import remote


def test_each_message_has_its_own_and_no_other_account_shows(db: Database, account: AccountId) -> None:
    other = Accounts(db).add("you@example.org", "", (), "", "")
    Messages(db).apply(account, SyncPage(messages=(remote("a", labels=("INBOX", "X")), remote("b", labels=()))))
    Messages(db).apply(other, SyncPage(messages=(remote("c", labels=("SENT",)),)))
    assert label_sets(db, account) == {"a": {"INBOX", "X"}}
    assert label_sets(db, other) == {"c": {"SENT"}}
