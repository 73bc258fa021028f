"""A page of one account leaves the other accounts alone, and what waits on its lists is counted, not forgotten."""

import pytest

from app.domain.ids import AccountId, GmailId, HistoryId
from app.domain.mail.message import Label
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.db.jobs import Jobs
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from fakes.engine.store.rows import account_labels
from fakes.engine.store.values import HandClock, remote
from fakes.engine.sync import row

INBOX = Label("INBOX", "INBOX", "system")


@pytest.fixture
def other(db: Database, account: AccountId) -> AccountId:
    """A second account, whose messages and labels have the same ids."""
    return Accounts(db).add("second@example.org", "Second", (), "", "")


def test_lists_labels_and_cursors_are_those_of_the_account(db: Database, account: AccountId, other: AccountId) -> None:
    messages, accounts = Messages(db), Accounts(db)
    work = (INBOX, Label("Label_1", "Work", "user"))
    for number, one in enumerate((account, other)):
        rows = (row("a"), row("b"), row("c"))
        messages.apply(one, SyncPage(to_fetch=rows, cursor=HistoryId(number), backfill_state=f"{number}", labels=work))
    messages.apply(
        other, SyncPage((remote("a"),), fetched=(GmailId("b"),), cursor=HistoryId(7), backfill_state="7", labels=(INBOX,))
    )
    assert [one.gmail_id for one in messages.to_fetch(account, 9)] == ["a", "b", "c"]
    assert [one.gmail_id for one in messages.to_fetch(other, 9)] == ["c"]
    states = [accounts.sync_state(one) for one in (account, other)]
    assert [(one.cursor, one.list_cursor_json) for one in states] == [(0, "0"), (7, "7")]
    assert (account_labels(accounts, account), account_labels(accounts, other)) == (work, (INBOX,))


def test_changes_and_deletions_are_those_of_the_account(db: Database, account: AccountId, other: AccountId) -> None:
    messages, starred = Messages(db), frozenset({"STARRED"})
    for one in (account, other):
        messages.apply(one, SyncPage((remote("a"), remote("b"))))
    messages.apply(other, SyncPage(add_labels=((GmailId("a"), starred),), delete=(GmailId("b"),)))
    kept = messages.by_gmail_id(account, GmailId("a"))
    assert kept is not None
    assert kept.labels == {"INBOX", "UNREAD"}
    assert (messages.have(account), messages.have(other)) == ({"a", "b"}, {"a"})


def test_each_failure_counts_also_for_the_same_reason(db: Database, account: AccountId) -> None:
    messages, failed = Messages(db), row("a", reason="server_trouble")._replace(attempts=1)
    messages.apply(account, SyncPage(to_fetch=(row("a"),)))
    for attempts in (1, 2, 3):
        messages.apply(account, SyncPage(to_fetch=(failed,)))
        assert messages.to_fetch(account, 9) == (failed._replace(attempts=attempts),)
    messages.apply(account, SyncPage(to_fetch=(row("a", priority=-1),)))
    assert messages.to_fetch(account, 9)[0].priority == 0, "what waits is never put behind"


def test_what_waits_rises_on_the_list_and_what_is_new_stays_new(db: Database, account: AccountId) -> None:
    messages = Messages(db)
    for put, noted in (
        (row("a"), row("a")),
        (row("a", priority=5), row("a", priority=5)),
        (row("a", reason="new", priority=3), row("a", reason="new", priority=5)),
        (row("a", priority=9), row("a", reason="new", priority=9)),
    ):
        messages.apply(account, SyncPage(to_fetch=(put,)))
        assert messages.to_fetch(account, 9) == (noted,)


def test_a_system_label_that_a_list_leaves_out_stays(db: Database, account: AccountId) -> None:
    """Nobody can delete one: a list without it tells nothing."""
    messages, updates = Messages(db), Label("CATEGORY_UPDATES", "CATEGORY_UPDATES", "system")
    messages.apply(account, SyncPage((remote("a", labels=("INBOX", "CATEGORY_UPDATES")),), labels=(INBOX, updates)))
    messages.apply(account, SyncPage(labels=(INBOX,)))
    kept = messages.by_gmail_id(account, GmailId("a"))
    assert kept is not None
    assert kept.labels == {"INBOX", "CATEGORY_UPDATES"}


def test_nothing_looks_for_mail_that_is_gone(db: Database, account: AccountId, clock: HandClock) -> None:
    messages, jobs = Messages(db), Jobs(db, clock)
    gone, kept = messages.apply(account, SyncPage((remote("a"), remote("b")), route=frozenset({GmailId("a")}))).new_ids
    for number in (gone, kept):
        jobs.put("classify", str(number), "{}")
    messages.apply(account, SyncPage(delete=(GmailId("a"),)))
    jobs_left = db.read("SELECT kind, key FROM jobs ORDER BY kind")
    assert [tuple(one) for one in jobs_left] == [("classify", str(kept)), ("index", str(kept))]


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
