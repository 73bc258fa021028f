"""Reviews of mail that answers nothing, as rows of the queue and in the first frame."""

import pytest

from app.domain.drafting.review import ReviewKind, ReviewRow
from app.domain.ids import AccountId, RunId, ThreadId
from app.domain.mail.message import Address
from app.domain.record import replace
from app.store.db.database import Database
from app.store.reader.glance import glance
from app.store.reviews.review_rows import load_review_ids, load_review_rows
from app.store.reviews.reviews import Reviews
from fakes.engine.store.values import ANA, HandClock, draft, proposal

BOB = Address("bob@b.example")
NEW = replace(draft("Dear both,\nhere is the report.", to=(ANA, BOB)), reply_to=0, subject="Report")  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def _with_an_account(account: AccountId) -> None:
    """A first frame without an account shows no rows."""


def rows(db: Database) -> list[ReviewRow]:
    """The queue as the window reads it."""
    with db.reading() as connection:
        ids = load_review_ids(connection, pending=True)
        found = load_review_rows(connection, ids)
        return [found[one] for one in ids]


def test_it_shows_whom_it_goes_to_and_its_own_words(db: Database, clock: HandClock) -> None:
    reviews = Reviews(db, clock)
    reviews.open(proposal("ask-1", message=0, thread=-1, what=NEW), "step-1")
    reviews.open(proposal("ask-2", message=0, thread=-2, what=replace(NEW, to=(), subject="", body="")), "step-1")
    reviews.open(replace(proposal("ask-3", message=0, thread=-3, kind=ReviewKind.QUESTION), detail="Which Ana?"), "step-1")
    by_run = {one.subject: one for one in rows(db)}
    report = by_run["Report"]
    assert (report.sender, report.goes_out) == ("Ana Novák, bob@b.example", True)
    assert report.snippet == "Dear both, here is the report."
    assert (by_run[""].sender, by_run[""].goes_out) == ("", True)
    assert (by_run["Which Ana?"].sender, by_run["Which Ana?"].goes_out) == ("", False)


def test_the_first_frame_shows_the_same(db: Database, clock: HandClock) -> None:
    reviews = Reviews(db, clock)
    reviews.open(proposal("ask-1", message=0, thread=-1, what=NEW), "step-1")
    reviews.open(proposal("run-1"), "reply")
    seen = glance(db.path, "review", 10)
    shown = [(one.who, one.subject, one.snippet, one.goes_out) for one in seen.rows]
    assert shown == [(one.sender, one.subject, one.snippet, one.goes_out) for one in rows(db)]
    assert ("Ana Novák, bob@b.example", "Report", "Dear both, here is the report.", True) in shown


def test_one_does_not_supersede_another(db: Database, clock: HandClock) -> None:
    reviews = Reviews(db, clock)
    first = reviews.open(proposal("ask-1", message=0, thread=-1, what=NEW), "step-1")
    second = reviews.open(proposal("ask-2", message=0, thread=-2, what=NEW), "step-1")
    assert reviews.pending_count() == 2
    assert reviews.open(proposal("ask-1", message=0, thread=-1, what=NEW), "step-1") == first
    assert reviews.waiting_of(ThreadId(-2), RunId("ask-2")) == ((second, ReviewKind.REPLY),)
