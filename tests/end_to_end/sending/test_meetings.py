"""An approved meeting stands in the calendar exactly once, whatever happens on the way, and never over something new."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.domain.drafting.review import Action, Review, ReviewStatus, request_of
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxKind, OutboxState
from app.domain.protocol.commands import CancelSend, ChangeSettings, Decide, SendNow, Undo
from app.domain.protocol.events import CommandFailed
from app.store.reviews.reviews import Reviews
from fakes.engine.store.meetings import CONNECTED, START, events, meeting, propose_meeting, put_event
from fakes.gmail.sending import Stage, opened, staged


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    async with staged(tmp_path / "data", CONNECTED) as stage:
        yield stage


async def approve(stage: Stage, review: Review, arguments: str = "") -> None:
    action = Action.EDIT if arguments else Action.ACCEPT
    await stage.engine.do(Decide(review.id, review.revision, action, arguments=arguments))


async def test_an_approved_meeting_is_entered_once_and_its_guests_are_invited(stage: Stage) -> None:
    review = propose_meeting(stage, await stage.ask())
    await approve(stage, review)
    item = await stage.rested(review.id)
    assert (item.kind, item.state, item.to, item.subject) == (
        OutboxKind.CALENDAR,
        OutboxState.SENT,
        "ann@partner.org",
        "Order talk",
    )
    (event,) = events(stage.sandbox)
    assert (event["id"], event["summary"]) == (item.marker, "Order talk")
    assert event["start"] == {"dateTime": START.isoformat(), "timeZone": "UTC"}
    assert [one["email"] for one in event["attendees"]] == ["ann@partner.org"]
    assert stage.states(item.id) == ["queued", "drafting", "sent"]
    (invited,) = stage.sandbox.admin.call("GET", "invitations")["invitations"]
    assert (invited["sendUpdates"], invited["guests"]) == ("all", ["ann@partner.org"])
    assert stage.sandbox.sent() == []


async def test_edited_arguments_are_what_is_entered_and_kept(stage: Stage) -> None:
    review = propose_meeting(stage, await stage.ask())
    changed = {**meeting(START + timedelta(hours=2), 30), "title": "Short talk"}
    await approve(stage, review, json.dumps(changed))
    await stage.rested(review.id)
    (event,) = events(stage.sandbox)
    assert (event["summary"], event["start"]["dateTime"]) == ("Short talk", (START + timedelta(hours=2)).isoformat())
    with opened(stage.data) as db:
        kept = Reviews(db, lambda: datetime.now(UTC)).review(review.id)
    assert (kept.status, kept.revision) == (ReviewStatus.APPROVED, review.revision + 1)
    assert request_of(kept.proposal.request_json)[1] == changed
    assert request_of(kept.proposed_request)[1] == meeting()
    assert kept.proposal.plan_hash == review.proposal.plan_hash


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"end_time": "2026-01-01T00:00:00"}, "end_time"),
        ({"attendees": ["nobody"]}, "attendees"),
        ({"timezone": "Mars/Base"}, "timezone"),
        ({"organizer_email": "eve@elsewhere.org"}, "organizer_email"),
    ],
)
async def test_arguments_that_name_no_meeting_change_nothing(stage: Stage, wrong: dict[str, object], named: str) -> None:
    review = propose_meeting(stage, await stage.ask())
    await approve(stage, review, json.dumps({**meeting(), **wrong}))
    failed = await stage.engine.event(CommandFailed)
    assert (failed.command, failed.code, named in str(failed.text)) == ("Decide", "refused", True)
    assert stage.item(review.id) is None
    assert events(stage.sandbox) == []


KILLS = [("insert", "before"), ("insert", "after"), ("list", "before"), ("get", "before")]


@pytest.mark.parametrize(("method", "when"), KILLS)
async def test_a_crash_in_the_middle_of_a_request_leaves_exactly_one_event(stage: Stage, method: str, when: str) -> None:
    review = propose_meeting(stage, await stage.ask())
    rule = stage.sandbox.faults.add("slow", f"calendar.events.{method}", when=when, seconds=3)
    await approve(stage, review)
    await stage.fired(rule)
    await stage.crash()
    await stage.restart()
    item = await stage.rested(review.id)
    assert item.state is OutboxState.SENT
    assert [one["id"] for one in events(stage.sandbox)] == [item.marker]


LOST = [("cut", "before"), ("cut", "after"), ("truncate", "after"), ("502", "after"), ("double", "after")]


@pytest.mark.parametrize(("fault", "when"), LOST)
async def test_a_lost_answer_leaves_exactly_one_event(stage: Stage, fault: str, when: str) -> None:
    review = propose_meeting(stage, await stage.ask())
    stage.sandbox.faults.add(fault, "calendar.events.insert", when=when)
    await approve(stage, review)
    item = await stage.rested(review.id)
    assert (item.state, len(events(stage.sandbox))) == (OutboxState.SENT, 1)


async def held(stage: Stage, review: Review) -> OutboxItem:
    item = await stage.rested(review.id)
    assert item.state is OutboxState.HELD
    return item


async def test_a_slot_that_was_taken_meanwhile_is_held_until_the_user_insists(stage: Stage) -> None:
    review = propose_meeting(stage, await stage.ask())
    put_event(stage.sandbox, START + timedelta(minutes=30), 60)
    await approve(stage, review)
    item = await held(stage, review)
    assert item.reason == HoldReason.SLOT_TAKEN
    assert len(events(stage.sandbox)) == 1
    await stage.engine.do(SendNow(item.id))
    await stage.in_state(review.id, OutboxState.SENT)
    assert {one["summary"] for one in events(stage.sandbox)} == {"Something else", "Order talk"}


async def test_what_the_user_saw_in_the_slot_does_not_hold_it(stage: Stage) -> None:
    taken = (START, START + timedelta(minutes=15))
    put_event(stage.sandbox, START, 15)
    review = propose_meeting(stage, await stage.ask(), busy=[taken])
    await approve(stage, review)
    assert (await stage.rested(review.id)).state is OutboxState.SENT


async def test_a_time_that_has_passed_is_held(stage: Stage) -> None:
    review = propose_meeting(stage, await stage.ask(), meeting(START - timedelta(days=10)))
    await approve(stage, review)
    assert (await held(stage, review)).reason == HoldReason.SLOT_PAST
    assert events(stage.sandbox) == []


async def test_a_calendar_that_was_turned_off_holds_it(stage: Stage) -> None:
    review = propose_meeting(stage, await stage.ask())
    await stage.engine.do(ChangeSettings((("calendar.connected", "false"),)))
    await approve(stage, review)
    item = await held(stage, review)
    assert item.reason == HoldReason.NO_CALENDAR
    await stage.engine.do(ChangeSettings((("calendar.connected", "true"),)))
    await stage.engine.do(CancelSend(item.id))
    await stage.in_state(review.id, OutboxState.CANCELLED)
    assert events(stage.sandbox) == []


async def test_undo_before_dispatch_enters_nothing(stage: Stage) -> None:
    await stage.engine.do(ChangeSettings((("sending.undo_s", "60"),)))
    review = propose_meeting(stage, await stage.ask())
    await approve(stage, review)
    await stage.in_state(review.id, OutboxState.QUEUED)
    await stage.engine.do(Undo(review.id))
    await stage.in_state(review.id, OutboxState.CANCELLED)
    with opened(stage.data) as db:
        again = Reviews(db, lambda: datetime.now(UTC)).review(review.id)
    assert again.status is ReviewStatus.PENDING
    await stage.engine.do(ChangeSettings((("sending.undo_s", "0"),)))
    await approve(stage, again)
    await stage.in_state(review.id, OutboxState.SENT)
    assert len(events(stage.sandbox)) == 1
