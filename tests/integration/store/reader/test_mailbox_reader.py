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

from app.domain.agents.runs import Route, Run, RunStatus, StepLog
from app.domain.drafting.draft import Source, SourceKind, Span, SpanKind
from app.domain.drafting.review import Action, FlagKind, RedFlag, ReviewKind, ReviewStatus, ToolStep
from app.domain.errors import StoreDamaged, StoreTooNew
from app.domain.ids import AccountId, GmailId, MessageId, ReviewId, RunId, ThreadId
from app.domain.mail.message import Label
from app.domain.mail.outbox import OutboxState
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.ports.window import MailboxCounts, MailView
from app.domain.protocol.commands import Decide
from app.domain.record import replace
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.db.errors import VERSION
from app.store.mail.messages import Messages
from app.store.mail.snoozes import Snoozes
from app.store.mail.sync_page import SyncPage
from app.store.outbox import Outbox
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.store.reviews.reviews import Reviews
from app.store.runs.runs import Runs
from fakes.engine.store.rows import add_step, start_run
from fakes.engine.store.values import ME, NOON, HandClock, draft, new_outbox, proposal, remote


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


def test_thread_rows(db: Database, account: AccountId, mailbox: SqliteMailboxReader) -> None:
    """What a list shows, triage and labels included; gone ids are missing."""
    messages = Messages(db)
    page = SyncPage(
        messages=(remote("a", "t", files=("x.pdf",)), remote("b", "t", sender=ME, labels=("SENT",), minutes=2, text="Friday."))
    )
    first = messages.apply(account, page).new_ids[0]
    thread = messages.set_triage(first, Triage(Decision.RESPOND, Category.INQUIRY, 0.91, "Asks.", "local:1"))
    row = mailbox.thread_rows([thread, ThreadId(99)])
    assert list(row) == [thread]
    shown = row[thread]
    assert (shown.sender, shown.subject, shown.snippet, shown.message_count) == ("Ana Novák", "Delivery", "Friday.", 2)
    assert (shown.unread, shown.starred, shown.has_attachment) == (True, False, True)
    assert (shown.decision, shown.category, shown.confidence) == ("respond", "inquiry", 0.91)
    assert set(shown.labels) == {"INBOX", "UNREAD", "SENT"}
    assert not shown.draft_ready
    assert [one.gmail_id for one in mailbox.messages(thread)] == ["a", "b"]
    assert mailbox.message(first) == messages.get(first)


def test_reviews(db: Database, account: AccountId, clock: HandClock, mailbox: SqliteMailboxReader) -> None:
    """By section, urgent kinds first, then the oldest mail; the whole review with its marks; decided ones newest first."""
    Messages(db).apply(account, SyncPage(messages=(remote("a", minutes=9), remote("b", minutes=1))))
    reviews = Reviews(db, clock)
    rich = replace(
        proposal("r1", message=1, thread=1),
        draft=replace(draft(), spans=(Span(5, 5, SpanKind.OPEN_SLOT, "day"), Span(0, 4, SpanKind.FROM_SOURCE, "", MessageId(2)))),
        flags=(RedFlag(FlagKind.BCC, "x@y.org"),),
        sources=(Source(SourceKind.OWN_REPLY, "Re: x", "…", MessageId(2), frozenset({"a@b", "c@d"}), 0.7),),
        tools=(ToolStep("search", "{}", "[]", "", 3.5),),
    )
    new = reviews.open(rich, "reply")
    old = reviews.open(proposal("r2", message=2, thread=2), "reply")
    notice = reviews.open(proposal("r3", message=2, thread=3, kind=ReviewKind.NOTIFY), "notify")
    question = reviews.open(proposal("r4", message=1, thread=4, kind=ReviewKind.QUESTION), "ask")
    orphan = reviews.open(proposal("r5", message=77, thread=5, category="complaint"), "reply")
    assert list(mailbox.review_ids()) == [orphan, old, new, question, notice]
    assert list(mailbox.section_sizes().items()) == [("send", 3), ("attention", 1), ("notice", 1)]
    assert mailbox.review(new) == reviews.review(new)
    assert mailbox.drafted_reply(ThreadId(1)) == reviews.review(new)
    assert mailbox.drafted_reply(ThreadId(3)) is None, "a notice is no draft"
    assert [row.draft_ready for row in mailbox.thread_rows([ThreadId(1), ThreadId(2)]).values()] == [True, True]
    assert [row.draft_blanks for row in mailbox.thread_rows([ThreadId(1), ThreadId(2)]).values()] == [True, False]
    assert mailbox.review(new).proposal == rich  # type: ignore[union-attr]
    rows = mailbox.review_rows([new, orphan, ReviewId(99)])
    assert set(rows) == {new, orphan}
    assert (rows[new].sender, rows[new].complete, rows[new].flag_count) == ("Ana Novák", False, 1)
    assert (rows[orphan].sender, rows[orphan].subject, rows[orphan].date) == ("", "", NOON)
    reviews.decide(Decide(old, 1, Action.IGNORE), None, ReviewStatus.REJECTED, None)
    assert not mailbox.thread_rows([ThreadId(2)])[ThreadId(2)].draft_ready
    clock.pass_s(1)
    reviews.decide(Decide(question, 1, Action.IGNORE), None, ReviewStatus.DISMISSED, None)
    assert list(mailbox.review_ids(pending=False)) == [question, old]
    assert mailbox.counts().pending_reviews == 3


def test_outbox_and_runs(db: Database, account: AccountId, clock: HandClock, mailbox: SqliteMailboxReader) -> None:
    """Open items first with the time of approval, without bytes; runs newest first with their steps."""
    reviews, outbox, runs = Reviews(db, clock), Outbox(db, clock), Runs(db, clock)
    review = reviews.open(proposal(), "reply")
    clock.pass_s(5)
    first = reviews.decide(Decide(review, 1, Action.ACCEPT), new_outbox(), ReviewStatus.APPROVED, None).outbox_id
    second = outbox.add(new_outbox(marker="<2@x>"))
    third = outbox.add(new_outbox(marker="<3@x>"))
    outbox.move(third, OutboxState.QUEUED, OutboxState.SENT)
    outbox.move(second, OutboxState.QUEUED, OutboxState.HELD)
    rows = mailbox.outbox()
    assert [row.item.id for row in rows] == [second, first, third]
    assert rows[1].approved_at == clock.now
    assert rows[1].item == replace(outbox.get(rows[1].item.id), mime=b"")
    assert len(mailbox.outbox(limit=1)) == 1
    counts = mailbox.counts()
    assert (counts.outbox_waiting, counts.outbox_attention) == (1, 1)
    identity = (account, MessageId(1), ThreadId(1), Route.PIPELINE, "", "", RunStatus.DONE, 1)
    start_run(runs, Run(RunId("old"), *identity, NOON))
    start_run(runs, Run(RunId("new"), *identity, clock.now))
    log = StepLog(RunId("old"), "route", 0, "{}", "{}", 1.0, "", NOON)
    add_step(runs, log)
    assert [one.id for one in mailbox.runs()] == ["new", "old"]
    assert [one.log for one in mailbox.trace(RunId("old"))] == [log]
    Messages(db).apply(account, SyncPage(labels=(Label("L2", "Zoo", "user"), Label("L1", "Ant", "user"))))
    assert [one.name for one in mailbox.labels(account)] == ["Ant", "Zoo"]


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


def test_what_is_still_listed(mailbox: SqliteMailboxReader, db: Database, account: AccountId) -> None:
    messages = Messages(db)
    messages.apply(account, SyncPage(messages=(remote("a"), remote("b"), remote("c", labels=("SENT",)))))
    inbox, everything = mailbox.thread_ids(MailView.INBOX), mailbox.thread_ids(MailView.ALL)
    ids = [ThreadId(one) for one in everything]
    assert mailbox.still_in(MailView.INBOX, [*ids, ThreadId(999)]) == set(inbox)
    assert mailbox.still_in(MailView.ALL, ids) == set(everything)
    assert mailbox.still_in(MailView.SNOOZED, ids) == frozenset()
