"""The owner's answer to an invitation reaches the calendar, where an event of that uid has the owner as a guest."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.domain.drafting.invitation import AnswerInvitation, InvitationReply, ReadInvitation, ReceivedInvitation
from app.domain.ids import GmailId
from app.domain.mail.message import Message
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxKind, OutboxState
from app.domain.protocol.commands import CancelSend, ChangeSettings
from app.domain.protocol.events import CommandFailed
from app.store.outbox import Outbox
from fakes.engine.store.meetings import CONNECTED, events, put_event
from fakes.gmail.sending import RESTING, Stage, opened, staged

UID = "plan-7@partner.org"
START = (datetime.now(UTC) + timedelta(days=3)).replace(hour=9, minute=0, second=0, microsecond=0)
INVITATION = f"""From: Olga <olga@partner.org>\r
To: me@example.com\r
Subject: Invitation: Loading plan\r
MIME-Version: 1.0\r
Content-Type: multipart/mixed; boundary=b\r
\r
--b\r
Content-Type: text/plain\r
\r
Please come.\r
--b\r
Content-Type: text/calendar; method=REQUEST\r
Content-Disposition: attachment; filename=invite.ics\r
\r
BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//x//x//EN\r
METHOD:REQUEST\r
BEGIN:VEVENT\r
UID:{UID}\r
SUMMARY:Loading plan\r
DTSTART:{START:%Y%m%dT%H%M%SZ}\r
DTEND:{START + timedelta(hours=1):%Y%m%dT%H%M%SZ}\r
ORGANIZER;CN=Olga:mailto:olga@partner.org\r
ATTENDEE:mailto:me@example.com\r
END:VEVENT\r
END:VCALENDAR\r
--b--\r
""".encode()


@pytest.fixture
async def stage(tmp_path: Path, anyio_backend: str) -> AsyncIterator[Stage]:
    async with staged(tmp_path / "data", CONNECTED) as stage:
        yield stage


def enter(stage: Stage) -> None:
    """Puts the event into the owner's calendar, as Google does with invitations."""
    guests = [{"email": "olga@partner.org", "responseStatus": "accepted"}, {"email": "me@example.com"}]
    put_event(stage.sandbox, START, 60, "Loading plan", iCalUID=UID, attendees=guests)


async def invited(stage: Stage) -> Message:
    return await stage.mirrored(GmailId(stage.sandbox.deliver(INVITATION)["id"]))


def answers(stage: Stage) -> dict[str, str]:
    """Each guest's answer on the server."""
    event = next(one for one in events(stage.sandbox) if one["iCalUID"] == UID)
    return {guest["email"]: guest["responseStatus"] for guest in event["attendees"]}


def items(stage: Stage, message: Message) -> tuple[OutboxItem, ...]:
    with opened(stage.data) as db:
        return Outbox(db, lambda: datetime.now(UTC)).of_thread(message.thread_id, OutboxKind.RSVP)


async def settled(stage: Stage, message: Message) -> OutboxItem:
    """Waits until the newest answer rests."""
    return await stage.engine.until(lambda: next((one for one in items(stage, message)[:1] if one.state in RESTING), None))


async def card(stage: Stage, message: Message) -> ReceivedInvitation:
    found = await stage.engine.client.ask(ReadInvitation(message.id))
    assert isinstance(found, ReceivedInvitation)
    return found


@pytest.mark.parametrize("reply", list(InvitationReply))
async def test_an_answer_reaches_the_calendar_and_the_organizer(stage: Stage, reply: InvitationReply) -> None:
    enter(stage)
    message = await invited(stage)
    before = await card(stage, message)
    assert (before.can_answer, before.reply, before.conflicts) == (True, None, ())
    await stage.engine.do(AnswerInvitation(message.id, reply))
    assert (await settled(stage, message)).state is OutboxState.SENT
    assert answers(stage) == {"olga@partner.org": "accepted", "me@example.com": reply.value}
    told = stage.sandbox.admin.call("GET", "invitations")["invitations"][-1]
    assert (told["action"], told["sendUpdates"]) == ("update", "all")
    assert (await card(stage, message)).reply is reply


async def test_a_conflict_is_named_and_the_event_itself_is_none(stage: Stage) -> None:
    enter(stage)
    put_event(stage.sandbox, START + timedelta(minutes=30), 60)
    found = await card(stage, await invited(stage))
    assert [one.title for one in found.conflicts] == ["Something else"]


async def test_another_answer_replaces_one_that_still_waits(stage: Stage) -> None:
    enter(stage)
    message = await invited(stage)
    await stage.engine.do(ChangeSettings((("sending.undo_s", "60"),)))
    await stage.engine.do(AnswerInvitation(message.id, InvitationReply.YES))
    await stage.engine.do(ChangeSettings((("sending.undo_s", "0"),)))
    await stage.engine.do(AnswerInvitation(message.id, InvitationReply.NO))
    assert (await settled(stage, message)).state is OutboxState.SENT
    assert [one.state for one in items(stage, message)] == [OutboxState.SENT, OutboxState.CANCELLED]
    assert answers(stage)["me@example.com"] == "declined"


async def test_an_answer_can_be_undone_before_it_leaves(stage: Stage) -> None:
    enter(stage)
    message = await invited(stage)
    await stage.engine.do(ChangeSettings((("sending.undo_s", "60"),)))
    await stage.engine.do(AnswerInvitation(message.id, InvitationReply.YES))
    await stage.engine.do(CancelSend(items(stage, message)[0].id))
    assert (await settled(stage, message)).state is OutboxState.CANCELLED
    assert answers(stage)["me@example.com"] == "needsAction"


@pytest.mark.parametrize(("fault", "when"), [("cut", "before"), ("cut", "after"), ("502", "after")])
async def test_a_lost_answer_of_the_server_is_asked_again(stage: Stage, fault: str, when: str) -> None:
    enter(stage)
    message = await invited(stage)
    stage.sandbox.faults.add(fault, "calendar.events.patch", when=when)
    await stage.engine.do(AnswerInvitation(message.id, InvitationReply.YES))
    assert (await settled(stage, message)).state is OutboxState.SENT
    assert answers(stage)["me@example.com"] == "accepted"


async def test_an_event_that_is_not_in_the_calendar_cannot_be_answered(stage: Stage) -> None:
    message = await invited(stage)
    assert not (await card(stage, message)).can_answer
    await stage.engine.do(AnswerInvitation(message.id, InvitationReply.YES))
    item = await settled(stage, message)
    assert (item.state, item.reason) == (OutboxState.HELD, HoldReason.NO_EVENT)


async def test_a_mail_without_an_invitation_has_nothing_to_answer(stage: Stage) -> None:
    message = await stage.ask()
    await stage.engine.do(AnswerInvitation(message.id, InvitationReply.YES))
    assert (await stage.engine.event(CommandFailed)).command == "AnswerInvitation"
    assert items(stage, message) == ()
