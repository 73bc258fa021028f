"""Unusual ways to send, by keys alone: later, held because of a newer mail, and uncertain after a lost connection."""

import time
from datetime import UTC, datetime, timedelta

from app.domain.drafting.review import Review, ReviewStatus
from app.domain.ids import OutboxId
from app.domain.mail.letter import Letter
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxState
from fakes.gmail.sandbox import Faults
from fakes.window.keyboard_session import model
from fakes.window.keyboard_session.observer import Outside
from fakes.window.keyboard_session.reviews import Reviewing, approve, send_tomorrow
from fakes.window.keyboard_session.screen import PATIENCE_S, Hands, until

SETTLED_S = 1.5
LAG_S = 600
"""Longer than the sender looks for a sent mail."""


def item_of(outside: Outside, review: Review) -> OutboxItem:
    """The newest outbox item of a review."""
    return next(one.item for one in outside.reader.outbox() if one.item.review_id == review.id)


def state_of(outside: Outside, outbox_id: OutboxId) -> OutboxState:
    return next(one.item.state for one in outside.reader.outbox() if one.item.id == outbox_id)


def chosen(hands: Hands, outside: Outside, page: str, key: str, row: int) -> None:
    """Opens a page and moves down its list to a row. The current row is known a moment after each key."""
    hands.press_until(key, lambda: outside.at("window", "page") == page, page)
    deadline = time.monotonic() + PATIENCE_S
    hands.press("Home")
    while outside.at(page, "row") != str(row):
        assert time.monotonic() < deadline, f"row {row} of {page} is never reached"
        before, soon = outside.at(page, "row"), time.monotonic() + SETTLED_S
        while outside.at(page, "row") == before and time.monotonic() < soon:
            time.sleep(0.1)
        if time.monotonic() >= soon:
            hands.press("Down")


def later(desk: Reviewing) -> None:
    """Approves for tomorrow and undoes it in Review, cancels the next item in the outbox, and sends the last one at once."""
    hands, outside = desk.hands, desk.outside
    hands.press("ctrl+1")
    desk.decide(review := desk.go_to(model.LATER), send_tomorrow)
    first = item_of(outside, review)
    assert (first.state, first.not_before > datetime.now(UTC) + timedelta(hours=1)) == (OutboxState.QUEUED, True)
    chosen(hands, outside, "outbox", "ctrl+4", first.id)
    hands.press("x")
    until(lambda: outside.status(review) is ReviewStatus.PENDING, "the cancelling")
    hands.press("ctrl+1")
    desk.decide(desk.go_to(model.LATER), send_tomorrow)
    second = item_of(outside, review)
    chosen(hands, outside, "outbox", "ctrl+4", second.id)
    hands.press("ctrl+Return")
    until(lambda: state_of(outside, second.id) is OutboxState.SENT, "the sending at once")
    assert state_of(outside, first.id) is OutboxState.CANCELLED
    hands.press("ctrl+1")


def held(desk: Reviewing) -> None:
    """A newer mail holds the item; it is sent on request, and the draft for the newer mail is superseded."""
    hands, outside = desk.hands, desk.outside
    desk.decide(review := desk.go_to(model.HELD), approve)
    asked = outside.reader.message(review.proposal.message_id)
    outside.mail.deliver(model.written(f"Re: {model.HELD}", "<again@reader.example>", f"<{asked.rfc822_id.strip('<>')}>"))
    item = item_of(outside, review)
    until(lambda: state_of(outside, item.id) is OutboxState.HELD, "the stop")
    assert item_of(outside, review).reason == HoldReason.NEWER_MAIL
    assert not outside.answers(review.proposal.message_id)
    until(lambda: desk.waiting(model.HELD) is not None, "the draft to her second mail")
    chosen(hands, outside, "outbox", "ctrl+4", item.id)
    hands.press("ctrl+Return")
    until(lambda: state_of(outside, item.id) is OutboxState.SENT, "the sending all the same")
    until(lambda: desk.waiting(model.HELD) is None, "the draft to her second mail to give way")
    hands.press("ctrl+1")


def in_doubt(hands: Hands, outside: Outside, letter: Letter) -> None:
    """The answer to sending a letter is lost and Gmail does not show it yet: the letter is not sent again."""
    faults = Faults(outside.admin)
    faults.add("cut", "gmail.users.drafts.send", when="after")
    outside.admin.call("POST", "lag", {"seconds": LAG_S})
    (item,) = [one.item for one in outside.reader.outbox() if (one.item.subject, one.item.state) == (letter.subject, "queued")]
    chosen(hands, outside, "outbox", "ctrl+4", item.id)
    until(lambda: OutboxState.UNCERTAIN in outside.steps(item.id), "the doubt")
    hands.press("ctrl+Return", "x")  # no effect: the sender is looking for the mail
    outside.admin.call("POST", "lag", {"seconds": 0})
    until(lambda: state_of(outside, item.id) in (OutboxState.SENT, OutboxState.HELD), "the end of the doubt")
    if state_of(outside, item.id) is OutboxState.HELD:
        hands.press("ctrl+Return")
    until(lambda: state_of(outside, item.id) is OutboxState.SENT, "the letter found among the sent ones")
