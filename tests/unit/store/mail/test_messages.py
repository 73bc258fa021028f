"""The newest mails of others, whatever account they came to.

The labels of a mirror by message.
"""

from pathlib import Path

from app.domain.ids import AccountId
from app.engine.runtime.tables import Tables, open_tables
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.mail.messages import Messages, label_sets, newest_received
from app.store.mail.sync_page import SyncPage
from fakes.engine.store.values import ME, HandClock, remote


def store(folder: Path) -> Tables:
    return open_tables(folder / "mail.db", HandClock())


def test_own_mail_and_drafts_are_left_out(tmp_path: Path) -> None:
    tables = store(tmp_path)
    account = tables.accounts.add(ME.email, "", (ME.email,), "", "#123456")
    page = SyncPage(
        messages=(
            remote("old", minutes=1),
            remote("new", minutes=9),
            remote("mine", minutes=5, sender=ME, labels=("SENT",)),
            remote("draft", minutes=6, sender=ME, labels=("DRAFT",)),
            remote("middle", minutes=4, labels=()),
        )
    )
    tables.messages.apply(account, page)
    found = [tables.messages.get(one).gmail_id for one in newest_received(tables.db, 10)]
    assert found == ["new", "middle", "old"]
    assert len(newest_received(tables.db, 2)) == 2
    tables.db.close()


def test_each_message_has_its_own_and_no_other_account_shows(db: Database, account: AccountId) -> None:
    other = Accounts(db).add("you@example.org", "", (), "", "")
    Messages(db).apply(account, SyncPage(messages=(remote("a", labels=("INBOX", "X")), remote("b", labels=()))))
    Messages(db).apply(other, SyncPage(messages=(remote("c", labels=("SENT",)),)))
    assert label_sets(db, account) == {"a": {"INBOX", "X"}}
    assert label_sets(db, other) == {"c": {"SENT"}}
