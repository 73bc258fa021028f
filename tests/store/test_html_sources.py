"""HTML as it came waits beside the mail, is cleaned once, and never reaches a reader before that."""

from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.ids import AccountId, GmailId
from app.domain.mail import Message
from app.store.database import Database
from app.store.html_sources import HtmlSources
from app.store.mailbox import SqliteMailbox
from app.store.messages import Messages
from app.store.pages import SyncPage
from fakes.stored_mail import NOON, remote

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
    with closing(SqliteMailbox(db.path)) as reader:
        seen = reader.message(waiting.id)
    assert seen is not None
    assert (seen.html_waits, seen.body_html) == (True, "")


def test_cleaning_puts_the_result_in_the_place_of_the_source(db: Database, waiting: Message) -> None:
    HtmlSources(db, clean).clean([waiting.id])
    found = Messages(db).get(waiting.id)
    assert (found.html_waits, found.body_html) == (False, clean(SOURCE))
    assert left(db) == 0
    HtmlSources(db, clean).clean([waiting.id])
    assert Messages(db).get(waiting.id) == found


def test_the_engine_reads_mail_with_its_html_cleaned_and_keeps_it(db: Database, waiting: Message) -> None:
    messages = Messages(db, HtmlSources(db, clean))
    assert messages.get(waiting.id).body_html == clean(SOURCE)
    assert left(db) == 0
    assert [one.body_html for one in messages.thread(waiting.thread_id)] == [clean(SOURCE)]


def test_many_are_read_without_cleaning(db: Database, waiting: Message) -> None:
    assert Messages(db, HtmlSources(db, clean)).many([waiting.id])[waiting.id].html_waits
    assert left(db) == 1


def test_the_newest_wait_first_and_old_mail_is_left(db: Database, account: AccountId) -> None:
    mails = [replace(remote(name, minutes=at), html_source="<p>x</p>") for name, at in (("a", 0), ("b", 5), ("c", -90))]
    ids = Messages(db).apply(account, SyncPage(messages=tuple(mails))).new_ids
    since_ms = int((NOON - timedelta(minutes=30)).timestamp() * 1000)
    assert HtmlSources(db, clean).waiting(since_ms, 9) == [ids[1], ids[0]]
    assert HtmlSources(db, clean).waiting(since_ms, 1) == [ids[1]]


def test_a_deleted_mail_takes_its_source_along(db: Database, account: AccountId, waiting: Message) -> None:
    Messages(db).apply(account, SyncPage(delete=(waiting.gmail_id,)))
    assert left(db) == 0


def test_the_same_mail_again_changes_nothing_once_it_is_clean(db: Database, account: AccountId, waiting: Message) -> None:
    HtmlSources(db, clean).clean([waiting.id])
    again = Messages(db).apply(account, SyncPage(messages=(replace(remote("a"), html_source=SOURCE),)))
    assert again.thread_ids == ()
    assert left(db) == 0
