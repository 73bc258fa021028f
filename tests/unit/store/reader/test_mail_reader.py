"""Of long conversations, many conversations and many accounts, only what is shown is read.

When snoozed threads come back, out of a real file.
"""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from app.domain.ids import AccountId, ThreadId
from app.domain.mail.message import Label
from app.domain.protocol.views import MailView
from app.store.accounts.accounts import Accounts
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.snoozes import Snoozes
from app.store.mail.sync_page import SyncPage
from app.store.reader.mailbox_reader import SqliteMailboxReader
from fakes.engine.store.sample_store import lively_store
from fakes.engine.store.values import ANA, remote


def test_lines_of_a_conversation_need_no_body(db: Database, account: AccountId, tmp_path: Path) -> None:
    mails = (
        remote("a", "t", labels=("INBOX",)),
        remote("b", "t", minutes=5, labels=("INBOX", "UNREAD", "STARRED")),
        remote("c", "other"),
    )
    Messages(db).apply(account, SyncPage(messages=mails))
    reader = SqliteMailboxReader(tmp_path / "mail.db")
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
    reader = SqliteMailboxReader(tmp_path / "mail.db")
    assert reader.accounts_of([ThreadId(1), ThreadId(2), ThreadId(99)]) == {ThreadId(1): account, ThreadId(2): other}
    assert sorted(reader.label_names()) == [f"Only {account}", f"Only {other}", "Work"]
    reader.close()


def test_no_file_has_no_snoozes(tmp_path: Path) -> None:
    with closing(SqliteMailboxReader(tmp_path / "none.db")) as reader:
        assert reader.snoozed_until([ThreadId(1)]) == {}


def test_each_snoozed_thread_has_its_time(tmp_path: Path) -> None:
    store = lively_store(tmp_path / "mail.db")
    late, soon, awake = (store.mails[key].thread_id for key in ("m01", "m06", "m10"))
    snoozes = Snoozes(store.db, store.clock)
    snoozes.put("a", [late], store.now + timedelta(days=3))
    snoozes.put("b", [soon], store.now + timedelta(hours=2))
    with closing(SqliteMailboxReader(store.path)) as reader:
        assert list(reader.thread_ids(MailView.SNOOZED)) == [soon, late], "the next to come back first"
        times = reader.snoozed_until([late, soon, awake])
        assert times == {late: store.now + timedelta(days=3), soon: store.now + timedelta(hours=2)}
        assert reader.still_in(MailView.SNOOZED, [late, awake]) == {late}
    store.close()
