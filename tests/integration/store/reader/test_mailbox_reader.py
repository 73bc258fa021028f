"""The window's reader: empty before the file exists, beside the writer ever after, and never in its way."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.errors import StoreDamaged, StoreTooNew
from app.domain.ids import AccountId, GmailId, MessageId, ReviewId, RunId, ThreadId
from app.domain.ports.window import MailboxCounts, MailView
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.db.errors import VERSION
from app.store.mail.messages import Messages
from app.store.mail.snoozes import Snoozes
from app.store.mail.sync_page import SyncPage
from app.store.reader.mailbox_reader import SqliteMailboxReader
from fakes.engine.store.values import ME, NOON, HandClock, remote


@pytest.fixture
def mailbox(db: Database) -> Iterator[SqliteMailboxReader]:
    """A reader of the open store."""
    with closing(SqliteMailboxReader(db.path)) as reader:
        yield reader


def test_before_the_file_exists(tmp_path: Path) -> None:
    """Everything is empty, and no file is made; once the engine made it, the mail is there."""
    path = tmp_path / "mail.db"
    with closing(SqliteMailboxReader(path)) as mailbox:
        assert mailbox.accounts() == ()
        assert mailbox.counts() == MailboxCounts(0, 0, 0, 0, 0)
        assert not mailbox.thread_ids(MailView.INBOX)
        assert mailbox.thread_rows([ThreadId(1)]) == {}
        assert (mailbox.messages(ThreadId(1)), mailbox.message(MessageId(1))) == ((), None)
        assert not mailbox.review_ids()
        assert (mailbox.review_rows([ReviewId(1)]), mailbox.review(ReviewId(1))) == ({}, None)
        assert (mailbox.outbox(), mailbox.runs(), mailbox.trace(RunId("r"))) == ((), (), ())
        assert mailbox.labels(AccountId(1)) == ()
        assert not list(tmp_path.iterdir())
        with closing(Database.open(path)) as db:
            account = Accounts(db).add(ME.email, "Me", (), "", "")
            Messages(db).apply(account, SyncPage(messages=(remote("a"),)))
            assert len(mailbox.thread_ids(MailView.INBOX)) == 1


def test_an_older_file_waits_for_the_engine(tmp_path: Path) -> None:
    """A file that the engine still has to migrate reads as empty."""
    path = tmp_path / "mail.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION - 1}")
        connection.execute("CREATE TABLE accounts (other)")
    with closing(SqliteMailboxReader(path)) as mailbox:
        assert mailbox.accounts() == ()


def test_a_newer_or_damaged_file_is_named(tmp_path: Path) -> None:
    """StoreTooNew and StoreDamaged, as the engine says it."""
    path = tmp_path / "mail.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    with closing(SqliteMailboxReader(path)) as mailbox, pytest.raises(StoreTooNew):
        mailbox.accounts()
    path.write_bytes(b"garbage" * 1000)
    with closing(SqliteMailboxReader(path)) as mailbox, pytest.raises(StoreDamaged):
        mailbox.accounts()


def test_views(db: Database, account: AccountId, mailbox: SqliteMailboxReader) -> None:
    """Each view has its threads, newest first; spam and trash are only there; pages continue."""
    Messages(db).apply(
        account,
        SyncPage(
            messages=(
                remote("a", minutes=1),
                remote("b", labels=("INBOX", "STARRED", "Label_1"), minutes=3),
                remote("c", labels=("SENT",), minutes=2, sender=ME),
                remote("d", labels=("DRAFT",), minutes=4),
                remote("e", labels=("SPAM", "UNREAD"), minutes=5),
                remote("f", labels=("TRASH", "INBOX", "STARRED"), minutes=6),
            )
        ),
    )
    thread = {one.gmail_id: one.thread_id for one in Messages(db).many([MessageId(at) for at in range(1, 7)]).values()}

    def keys(view: MailView, label: str = "", limit: int = 2000, skip: int = 0) -> str:
        by_id = {number: key for key, number in thread.items()}
        return "".join(by_id[ThreadId(one)] for one in mailbox.thread_ids(view, label, limit, skip))

    Snoozes(db, HandClock()).put("k", (thread[GmailId("c")],), NOON + timedelta(days=1))
    seen = {str(view): keys(view) for view in MailView}
    assert seen == {
        "inbox": "ba",
        "sent": "c",
        "drafts": "d",
        "all": "dbca",
        "starred": "b",
        "snoozed": "c",
        "spam": "e",
        "trash": "f",
        "to-review": "",
        "needs-reply": "",
        "fyi": "",
        "newsletters": "",
        "rest": "ba",
    }
    assert keys(MailView.ALL, "Label_1") == "b"
    assert keys(MailView.ALL, limit=2, skip=1) == "bc"
    assert mailbox.counts() == MailboxCounts(0, 1, 0, 0, 6)


def test_reader_and_writer_do_not_wait(db: Database, account: AccountId, mailbox: SqliteMailboxReader) -> None:
    """While a transaction is open the reader reads the old state; while the reader reads, the writer commits."""
    Messages(db).apply(account, SyncPage(messages=(remote("a"),)))
    with db.transaction() as connection:
        connection.execute("UPDATE accounts SET name = 'later'")
        assert mailbox.accounts()[0].name == "Me"
    assert mailbox.accounts()[0].name == "later"
    with mailbox.reading() as reader:
        unfinished = reader.execute("SELECT value FROM json_each('[1, 2, 3]')")
        unfinished.fetchone()
        Messages(db).apply(account, SyncPage(messages=(remote("b"),)))
        unfinished.close()
    assert len(mailbox.thread_ids(MailView.INBOX)) == 2


def test_another_process_reads_beside_the_writer(db: Database, account: AccountId, root: Path) -> None:
    """The reader in a process of its own sees each committed page, and importing it brings nothing heavy."""
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from app.domain.ports.window import MailView\n"
        "from app.store.reader.mailbox_reader import SqliteMailboxReader\n"
        "mailbox = SqliteMailboxReader(Path(sys.argv[1]))\n"
        "for line in sys.stdin: print(len(mailbox.thread_ids(MailView.INBOX)), flush=True)\n"
        "heavy = {'lark', 'chromadb', 'numpy', 'sqlalchemy'} & {name.split('.')[0] for name in sys.modules}\n"
        "print(sorted(heavy))\n"
    )
    reader = subprocess.Popen(
        [sys.executable, "-c", code, str(db.path)],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert reader.stdin is not None
    assert reader.stdout is not None
    for at in range(5):
        Messages(db).apply(account, SyncPage(messages=(remote(f"m{at}"),)))
        reader.stdin.write("?\n")
        reader.stdin.flush()
        assert reader.stdout.readline().strip() == str(at + 1)
    Messages(db).apply(account, SyncPage(delete=(GmailId("m0"),)))
    reader.stdin.write("?\n")
    reader.stdin.close()
    assert reader.stdout.read().split("\n")[:2] == ["4", "[]"]
    reader.stdout.close()
    assert reader.wait(timeout=20) == 0
