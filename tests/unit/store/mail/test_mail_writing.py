"""Mail out of spam or trash: a source again, routed as new mail is, and only once.

HTML as it came waits beside the mail, is cleaned once, and never reaches a reader before that.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from app.domain.ids import AccountId, GmailId, MessageId, ThreadId
from app.domain.mail.message import Label, Message
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.record import replace
from app.engine.runtime.tables import Tables, open_tables
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.db.jobs import Jobs
from app.store.mail.label_actions import Actions
from app.store.mail.mail_writing import HtmlSources, check_indexes, rebuild_indexes
from app.store.mail.messages import Messages, newest_received
from app.store.mail.sync_page import SyncPage
from app.store.reader.mailbox_reader import SqliteMailboxReader
from fakes.engine.store.empty import prepared
from fakes.engine.store.values import ANA, ME, HandClock, remote

DAY = 24 * 60
ELSEWHERE = ("SPAM", "TRASH")


class Bin:
    """A store whose mail was triaged from a year ago on; spam and trash hold some, and no job waits."""

    def __init__(self, db: Database, account: AccountId, clock: HandClock) -> None:
        self._db, self._account = db, account
        self.clock = clock
        self.messages = Messages(db, clock=clock)
        self.jobs = Jobs(db, clock)
        self.actions = Actions(db, clock)
        Accounts(db).set_consent(account, int(clock.now.timestamp() * 1000) - 365 * 86_400_000)

    def put(self, gmail_id: str, *labels: str, days: int = 0, own: bool = False) -> MessageId:
        """A mail of so many days ago, with nothing left to do for it."""
        mail = remote(gmail_id, labels=(*labels, *(["SENT"] if own else [])), minutes=-days * DAY, sender=ME if own else ANA)
        (number,) = self.messages.apply(self._account, SyncPage(messages=(mail,))).new_ids
        self.work_off()
        return number

    def work_off(self) -> dict[str, list[str]]:
        """The mails with open jobs by kind, done now."""
        found: dict[str, list[str]] = {}
        for kind in ("index", "route"):
            for job in self.jobs.claim_many(kind, 60, 99):
                found.setdefault(kind, []).append(job.key)
                self.jobs.done(job.id)
        return found

    def elsewhere(self, gmail_id: str, add: str, remove: str) -> tuple[MessageId, ...]:
        """Another client changes labels, and sync tells of it."""
        labels = (GmailId(gmail_id), frozenset(add.split())), (GmailId(gmail_id), frozenset(remove.split()))
        return self.messages.apply(self._account, SyncPage(add_labels=labels[:1], remove_labels=labels[1:])).rescued_ids

    def thread_of(self, number: MessageId) -> ThreadId:
        """The conversation of a mail."""
        return self.messages.get(number).thread_id


@pytest.fixture
def box(db: Database, account: AccountId, clock: HandClock) -> Bin:
    return Bin(db, account, clock)


@pytest.mark.parametrize("place", ELSEWHERE)
def test_what_another_client_puts_back_into_the_inbox_is_news(box: Bin, place: str) -> None:
    number = box.put("a", place)
    assert box.elsewhere("a", "INBOX", place) == (number,)
    assert box.work_off() == {"index": [str(number)], "route": [str(number)]}


def test_without_consent_or_before_its_day_nothing_is_routed(box: Bin, db: Database, account: AccountId) -> None:
    for name, consent in (("a", None), ("b", int(box.clock.now.timestamp() * 1000) + 1)):
        number = box.put(name, "SPAM")
        Accounts(db).set_consent(account, consent)
        box.elsewhere(name, "INBOX", "SPAM")
        assert box.work_off() == {"index": [str(number)]}


def test_mail_that_has_a_verdict_keeps_it_however_often_it_goes_to_and_fro(box: Bin) -> None:
    number = box.put("a", "SPAM")
    for _ in range(3):
        box.elsewhere("a", "INBOX", "SPAM")
        box.elsewhere("a", "SPAM", "INBOX")
    assert box.work_off() == {"index": [str(number)], "route": [str(number)]}
    box.messages.set_triage(number, Triage(Decision.IGNORE, Category.OTHER, 0.9, "Nothing to do.", "local:83"))
    box.elsewhere("a", "INBOX", "SPAM")
    assert "route" not in box.work_off()


def test_a_change_that_waits_here_outlasts_what_sync_tells(box: Bin) -> None:
    """The owner threw it away; that another client rescued it earlier makes no news."""
    number = box.put("a", "INBOX", "SPAM")
    box.actions.change("k", [box.thread_of(number)], ("TRASH",), ("INBOX",))
    assert box.elsewhere("a", "INBOX", "SPAM") == ()


SOURCE = "<p onclick=x>Hello</p>" * 300


def clean(source: str) -> str:
    """Cleaning that can be seen."""
    return source.replace(" onclick=x", "")


@pytest.fixture
def waiting(db: Database, account: AccountId) -> Message:
    """A mail whose HTML is as it came."""
    came = replace(remote("a"), html_source=SOURCE)
    Messages(db).apply(account, SyncPage(messages=(came,)))
    found = Messages(db).by_gmail_id(account, GmailId("a"))
    assert found is not None
    return found


def left(db: Database) -> int:
    """How many wait."""
    return int(db.read("SELECT count(*) FROM html_sources")[0][0])


def test_the_window_sees_that_html_waits_and_not_what_it_says(db: Database, waiting: Message) -> None:
    with closing(SqliteMailboxReader(db.path)) as reader:
        seen = reader.message(waiting.id)
    assert (seen.html_waits, seen.body_html) == (True, "")


def test_the_engine_reads_mail_with_its_html_cleaned_and_keeps_it(db: Database, waiting: Message) -> None:
    messages = Messages(db, HtmlSources(db, clean))
    assert messages.get(waiting.id).body_html == clean(SOURCE)
    assert left(db) == 0
    assert [one.body_html for one in messages.thread(waiting.thread_id)] == [clean(SOURCE)]


@pytest.mark.parametrize(
    "damage", ["DELETE FROM contact_fts_data WHERE id > 10", "INSERT INTO contact_fts (contact_fts) VALUES ('delete-all')"]
)
def test_what_is_lost_is_found_and_comes_back(db: Database, account: AccountId, tmp_path: Path, damage: str) -> None:
    Messages(db).apply(account, SyncPage(messages=(remote("a"),)))
    db.close()
    with closing(sqlite3.connect(tmp_path / "mail.db", isolation_level=None)) as connection:
        check_indexes(connection)
        connection.execute(damage)
        with pytest.raises(sqlite3.DatabaseError):
            check_indexes(connection)
        rebuild_indexes(connection)
        check_indexes(connection)


def store(folder: Path) -> Tables:
    return open_tables(prepared(folder / "mail.db"), HandClock())


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


INBOX = Label("INBOX", "INBOX", "system")


def test_text_that_may_be_indexed_later_waits_for_more_and_not_without_bound(
    db: Database, account: AccountId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.store.mail.sync_page.AT_ONCE", 3)

    def found() -> int:
        return int(db.read("SELECT count(*) FROM mail_fts WHERE mail_fts MATCH 'delivery'")[0][0])

    counts = []
    for key in "abcde":
        Messages(db).apply(account, SyncPage((remote(key),), index_later=True))
        counts.append(found())
    assert counts == [0, 0, 3, 3, 3]
    Messages(db).apply(account, SyncPage())
    assert found() == 5


@pytest.fixture
def other(db: Database, account: AccountId) -> AccountId:
    """A second account, whose messages and labels have the same ids."""
    return Accounts(db).add("second@example.org", "Second", (), "", "")


def test_changes_and_deletions_are_those_of_the_account(db: Database, account: AccountId, other: AccountId) -> None:
    messages, starred = Messages(db), frozenset({"STARRED"})
    for one in (account, other):
        messages.apply(one, SyncPage((remote("a"), remote("b"))))
    messages.apply(other, SyncPage(add_labels=((GmailId("a"), starred),), delete=(GmailId("b"),)))
    kept = messages.by_gmail_id(account, GmailId("a"))
    assert kept.labels == {"INBOX", "UNREAD"}
    assert (messages.have(account), messages.have(other)) == ({"a", "b"}, {"a"})
