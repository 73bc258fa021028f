"""Of long conversations, many conversations and many accounts, only what is shown is read."""

import sqlite3
from pathlib import Path

from app.domain.ids import AccountId, ThreadId
from app.domain.mail import Label
from app.store.accounts import Accounts
from app.store.database import Database
from app.store.mailbox import SqliteMailbox
from app.store.messages import Messages
from app.store.pages import SyncPage
from fakes.stored_mail import ANA, remote


def test_lines_of_a_conversation_need_no_body(db: Database, account: AccountId, tmp_path: Path) -> None:
    mails = (
        remote("a", "t", labels=("INBOX",)),
        remote("b", "t", minutes=5, labels=("INBOX", "UNREAD", "STARRED")),
        remote("c", "other"),
    )
    Messages(db).apply(account, SyncPage(messages=mails))
    reader = SqliteMailbox(tmp_path / "mail.db")
    with reader.reading() as connection:
        assert connection is not None
        touched: set[str] = set()

        def watch(action: int, table: str | None, *_rest: object) -> int:
            if action == sqlite3.SQLITE_READ and table:
                touched.add(table)
            return sqlite3.SQLITE_OK

        connection.set_authorizer(watch)
        lines = reader.thread_lines(ThreadId(1))
        connection.set_authorizer(None)
    whole = reader.messages(ThreadId(1))
    assert [(one.id, one.sender, one.subject, one.snippet, one.date) for one in lines] == [
        (one.id, one.sender, one.subject, one.snippet, one.date) for one in whole
    ]
    assert [(one.unread, one.starred) for one in lines] == [(False, False), (True, True)]
    assert lines[0].sender == ANA
    assert "messages" in touched
    assert not touched & {"bodies", "html_sources", "attachments"}
    reader.close()


def test_whose_threads_and_the_users_labels(db: Database, account: AccountId, tmp_path: Path) -> None:
    other = Accounts(db).add("you@example.org", "You", (), "", "#000000")
    for whose in (account, other):
        Messages(db).apply(whose, SyncPage(messages=(remote(f"m{whose}", f"t{whose}"),)))
        labels = (Label("L1", "Work", "user"), Label("L2", f"Only {whose}", "user"), Label("INBOX", "INBOX", "system"))
        Messages(db).apply(whose, SyncPage(labels=labels))
    reader = SqliteMailbox(tmp_path / "mail.db")
    assert reader.accounts_of([ThreadId(1), ThreadId(2), ThreadId(99)]) == {ThreadId(1): account, ThreadId(2): other}
    assert sorted(reader.label_names()) == [f"Only {account}", f"Only {other}", "Work"]
    reader.close()
