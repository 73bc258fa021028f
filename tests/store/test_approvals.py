"""The day's cap on approvals that policy gives by itself holds in the store, whoever asks."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.commands import Decide
from app.domain.errors import CapReached
from app.domain.ids import ReviewId
from app.domain.review import Action, ReviewStatus
from fakes.mailroom import Room, mail
from fakes.stored_mail import proposal


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with Room(tmp_path) as made:
        yield made


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
