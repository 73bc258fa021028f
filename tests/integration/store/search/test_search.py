"""Order, accounts and limits of searches; no line breaks one.

A store that is killed while it indexes mail and files misses nothing and has nothing twice.
"""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.errors import ExpectedError, NotAllowed
from app.domain.ids import AccountId, GmailId, ThreadId
from app.domain.mail.message import Address, Label
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.mail.mail_writing import check_indexes, index_waiting
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.search.query_tree import SearchExpression
from app.store.search.search import Search
from fakes.engine.store.values import ANA, ME, HandClock, remote

BEN = Address("ben.k@b.org", "Ben Král")
MAIL = (
    remote("a", "t1", text="The red fox waits.", subject="Žluťoučký kůň", minutes=0),
    remote("b", "t1", text="A blue whale, a red fox?", sender=BEN, cc=(ANA,), labels=("INBOX",), minutes=10),
    remote("c", "t2", text="Invoice 2026-17", subject="red invoice", files=("Invoice_17.PDF",), labels=("Label_1",), minutes=20),
    remote("d", "t3", text="fox red", sender=ME, to=(BEN,), labels=("SENT", "STARRED"), minutes=-60 * 24 * 10),
    remote("e", "t4", text="red spam fox", labels=("SPAM", "UNREAD"), minutes=30),
    remote("f", "t5", text="", subject="", labels=("TRASH", "INBOX"), files=("100%_a.txt",), minutes=40),
    remote("g", "t6", text="foxes and redder things", labels=("INBOX", "IMPORTANT", "Label_2"), minutes=-60 * 24 * 400),
)
LABELS = (Label("Label_1", "My Work/2026", "user"), Label("Label_2", "Ærø", "user"))


@pytest.fixture
def search(db: Database, account: AccountId, clock: HandClock) -> Iterator[Search]:
    """The mail above, searched an hour after noon."""
    Messages(db).apply(account, SyncPage(messages=MAIL, labels=LABELS))
    clock.pass_s(3600)
    with closing(Search(db, clock)) as opened:
        yield opened


def keys(db: Database, search: Search, query: SearchExpression | str) -> str:
    """The messages found, newest first, by their Gmail ids."""
    found = Messages(db).many(ids := search.message_ids(query))
    return "".join(found[one].gmail_id for one in ids)


def gmail_ids(db: Database, threads: Sequence[ThreadId]) -> list[str]:
    """Google's ids of threads."""
    return [str(db.read("SELECT gmail_thread_id FROM threads WHERE id = ?", (one,))[0][0]) for one in threads]


def test_threads_newest_match_first(db: Database, search: Search) -> None:
    """A thread stands where its newest match stands, once."""
    threads = search.thread_ids("red")
    names = gmail_ids(db, threads)
    assert names == ["t2", "t1", "t3"]
    assert search.thread_ids("red", limit=2) == threads[:2]


def test_the_most_relevant_stand_above_the_newest(db: Database, search: Search) -> None:
    """A subject says more than a text; a short list stays newest first."""
    assert search.find("red", 9).best == 0
    texts = [
        remote(f"n{at}", f"n{at}", subject="Note", text="a red thing " + "among others " * 30, minutes=at) for at in range(20)
    ]
    Messages(db).apply(AccountId(1), SyncPage(messages=(*texts, remote("h", "t7", subject="red red", text="red", minutes=-99))))
    found = search.find("red", 9)
    assert found.best == 3
    assert gmail_ids(db, [one.thread_id for one in found.mails])[0] == "t7"
    assert (found.more, found.total) == (True, 24)
    first = search.find("red", 30, best_first=True)
    assert {one.thread_id for one in first.mails} == set(search.thread_ids("red"))
    assert gmail_ids(db, [first.mails[0].thread_id]) == ["t7"]
    assert [one.thread_id for one in search.find("is:unread", 99).mails] == search.thread_ids("is:unread")


def test_changes_are_seen_at_once(db: Database, search: Search) -> None:
    """Labels and deletions count in the next search."""
    Messages(db).apply(AccountId(1), SyncPage(delete=(GmailId("a"),), add_labels=((GmailId("b"), frozenset({"STARRED"})),)))
    assert keys(db, search, "is:starred") == "bd"
    assert keys(db, search, "red fox") == "bd"


def test_accounts_are_told_apart(db: Database, search: Search) -> None:
    """By the whole address, or by a piece of it."""
    other = Accounts(db).add("my_other@example.org", "Other", (), "", "")
    Accounts(db).add("not.my_other@example.org", "Third", (), "", "")
    Messages(db).apply(other, SyncPage(messages=(remote("x", labels=("INBOX",), minutes=50),)))
    assert keys(db, search, "account:MY_other@example.org") == "x"
    assert keys(db, search, "account:other in:inbox") == "x"
    assert keys(db, search, "account:my%other") == ""
    assert "x" not in keys(db, search, "-account:my_other@example.org")
    assert keys(db, search, "account:nobody@example.org") == ""


def test_a_search_can_be_stopped(search: Search) -> None:
    """`interrupt` in the middle of a query ends it with a clear word; the next one works."""

    def in_the_middle() -> int:
        search.interrupt()
        return 0

    search._connection.set_progress_handler(in_the_middle, 5)
    with pytest.raises(NotAllowed, match="stopped"):
        search.thread_ids("red")
    search._connection.set_progress_handler(None, 0)
    assert len(search.thread_ids("red")) == 3


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    line=st.text(st.characters(exclude_categories=()), max_size=30)
    | st.lists(
        st.sampled_from(['"', "*", "^", "NEAR(", "a", ":", "-", "(", ")", "from:", "{", "}", " ", "subject", "\0", "+"]),
        max_size=15,
    ).map("".join)
)
def test_no_line_breaks_the_search(search: Search, line: str) -> None:
    """Any text gives threads or a clear refusal; FTS5's own syntax never shines through."""
    try:
        search.thread_ids(line)
        search.find(line, 5, typing=True)
    except ExpectedError as error:
        assert isinstance(error, NotAllowed)


ROOT = Path(__file__).resolve().parents[4]
WRITER = """
import sys
from pathlib import Path
from app.domain.ids import MessageId
from app.store.accounts import Accounts
from app.store.mail.files import FileTexts
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from fakes.engine.store.values import remote

db = Database.open(Path(sys.argv[1]))
account = (Accounts(db).all() or [None])[0]
account = account.id if account else Accounts(db).add("me@example.com", "", (), "", "")
messages, texts = Messages(db), FileTexts(db)
first = db.read("SELECT count(*) FROM messages")[0][0]
for number in range(first, first + 100_000, 50):
    page = tuple(remote(f"k{one}", f"t{one}", text=f"everyword number{one}") for one in range(number, number + 50))
    messages.apply(account, SyncPage(messages=page))
    texts.put(MessageId(number + 1), [("2", "read", f"fileword file{number}")])
    if number == first:
        print("begun", flush=True)
"""


@pytest.mark.parametrize("after_s", [0.15, 0.4, 0.8])
def test_nothing_is_missing_and_nothing_twice(tmp_path: Path, after_s: float) -> None:
    path = tmp_path / "mail.db"
    for _ in range(2):
        command = [sys.executable, "-c", WRITER, str(path)]
        environment = {"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}", "PATH": ""}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, cwd=ROOT) as writer:
            assert writer.stdout.readline() == b"begun\n"
            time.sleep(after_s)
            writer.kill()
    with closing(Database.open(path)) as db:
        with db.transaction() as connection:
            index_waiting(connection)
            check_indexes(connection)
        count = db.read("SELECT count(*) FROM messages")[0][0]
        assert count > 0
        assert db.read("SELECT count(*) FROM mail_fts_docsize")[0][0] == count
        with closing(Search(db, HandClock())) as search:
            assert search.count("everyword") == count
            assert search.count("fileword") == db.read("SELECT count(*) FROM file_texts")[0][0]
