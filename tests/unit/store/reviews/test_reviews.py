"""What became of drafts.

The day's cap on approvals that policy gives by itself holds in the store, whoever asks.
"""

from datetime import timedelta

import pytest

from app.domain.drafting.review import Action, ReviewKind, ReviewStatus
from app.domain.errors import CapReached
from app.domain.ids import AccountId, ReviewId
from app.domain.mail.outbox import OutboxKind
from app.domain.protocol.commands import Decide
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.reviews.reviews import Reviews
from fakes.engine.agent_mailbox import Room, mail
from fakes.engine.store.values import HandClock, draft, new_outbox, proposal, remote


def test_each_verdict_on_a_draft_is_kept(db: Database, clock: HandClock, account: AccountId) -> None:
    """Approved counts whole, rejected not at all, feedback and mere notices are no verdict on a draft."""
    Messages(db).apply(account, SyncPage(messages=(remote("a"),)))
    reviews = Reviews(db, clock)
    steps = [
        (Action.ACCEPT, ReviewStatus.APPROVED),
        (Action.IGNORE, ReviewStatus.REJECTED),
        (Action.RESPOND, ReviewStatus.ANSWERED),
    ]
    for at, (action, status) in enumerate(steps):
        review = reviews.open(proposal(f"run-{at}"), "reply")
        row = new_outbox(marker=f"<{at}@x>") if action is Action.ACCEPT else None
        reviews.decide(Decide(review, 1, action), row, status, None)
    notice = reviews.open(proposal("run-8", kind=ReviewKind.NOTIFY), "notify")
    reviews.decide(Decide(notice, 1, Action.IGNORE), None, ReviewStatus.DISMISSED, None)
    saved = reviews.open(proposal("run-9", category="complaint"), "reply")
    row = new_outbox(marker="<9@x>", kind=OutboxKind.GMAIL_DRAFT)
    reviews.decide(Decide(saved, 1, Action.SAVE_DRAFT, draft("other words")), row, ReviewStatus.SAVED_AS_DRAFT, None)
    rows = db.read(
        "SELECT sender, category, outcome, kept FROM kept_drafts WHERE account_id = ? ORDER BY decision_id", (account,)
    )
    assert [tuple(row) for row in rows] == [
        ("ana@partner.org", "inquiry", "approved", 1.0),
        ("ana@partner.org", "inquiry", "rejected", 0.0),
        ("ana@partner.org", "complaint", "saved", 0.0),
    ]


def opened(room: Room, number: int) -> ReviewId:
    (message,) = room.put(mail("Price?", key=f"m{number}", thread=f"t{number}"))
    run = room.start(message, f"run-{number}")
    return room.reviews.open(proposal(run.id, thread=message.thread_id, message=message.id), "reply")


def approve(room: Room, review_id: ReviewId, cap: int) -> None:
    command = Decide(review_id, 1, Action.SAVE_DRAFT)
    room.reviews.decide(command, None, ReviewStatus.SAVED_AS_DRAFT, None, auto_cap=cap)


def test_the_cap_holds_until_tomorrow_and_counts_what_was_taken_back(room: Room) -> None:
    first, second, third = (opened(room, at) for at in range(3))
    approve(room, first, cap=2)
    approve(room, second, cap=2)
    room.reviews.undo(second)
    assert room.reviews.approved_by_rule_today() == 2
    with pytest.raises(CapReached):
        approve(room, third, cap=2)
    assert room.reviews.review(third).status is ReviewStatus.PENDING
    room.now += timedelta(days=1)
    assert room.reviews.approved_by_rule_today() == 0
    approve(room, third, cap=2)
    assert room.reviews.review(third).status is ReviewStatus.SAVED_AS_DRAFT


def test_switched_off_nothing_is_approved(room: Room) -> None:
    review_id = opened(room, 1)
    with pytest.raises(CapReached):
        approve(room, review_id, cap=0)
    assert room.reviews.approved_by_rule_today() == 0


def test_only_the_users_word_says_something_about_the_draft(room: Room) -> None:
    first, second = opened(room, 1), opened(room, 2)
    approve(room, first, cap=5)
    room.reviews.decide(Decide(second, 1, Action.SAVE_DRAFT), None, ReviewStatus.SAVED_AS_DRAFT, None)
    assert room.db.read("SELECT count(*) FROM kept_drafts")[0][0] == 1
    assert room.reviews.approved_by_rule_today() == 1
