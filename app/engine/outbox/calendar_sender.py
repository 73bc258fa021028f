"""Enters an approved meeting into the calendar exactly once, and sets the owner's answers to invitations.

A meeting's event has an id of ours that Google accepts once. The slot is checked again in all open calendars before the one
request. For an item found in `drafting`, the calendar is asked first whether the event exists. A repeated answer to an
invitation changes nothing, so it may be tried again.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from app.domain.drafting.invitation import InvitationReply
from app.domain.drafting.meeting import BusyTime
from app.domain.errors import ExpectedError, NotFound, PermissionMissing, RejectedByServer
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxState
from app.engine.outbox.mail_sender import NOT_DONE, RetryLater
from app.engine.outbox.outbox_writer import OutboxWriter, hold_reason
from app.mail.compose.meeting import approved_of

if TYPE_CHECKING:
    from app.mail.google.calendar import GoogleCalendar

log = logging.getLogger(__name__)

ASK_AGAIN_S = 2.0


Busy = Callable[[datetime, datetime], Awaitable[Sequence[BusyTime]]]
"""The owner's busy times between two moments, in all open calendars."""


class MeetingSender:
    """Carries out meetings of one account. `busy` asks all calendars."""

    def __init__(self, calendar: "GoogleCalendar", busy: Busy, steps: OutboxWriter) -> None:
        self._calendar, self._busy, self._steps = calendar, busy, steps

    async def advance(self, item: OutboxItem) -> OutboxItem | RetryLater:
        """Does one step. Returns the item in its new state, or `RetryLater`.

        Raises the errors of the calendar port where nothing was decided.
        """
        if await self._calendar.has(item.marker):
            return await self._steps.move(item, OutboxState.SENT)
        if item.state is OutboxState.QUEUED:
            reason = await self._doubt(item)
            if reason is not None and not await self._steps.was_held(item, reason):
                return await self._steps.hold(item, reason)
            return await self._insert(await self._steps.move(item, OutboxState.DRAFTING))
        if item.state is OutboxState.DRAFTING:
            return await self._steps.move(item, OutboxState.QUEUED)
        return await self._steps.hold(item, HoldReason.FROM_COPY)

    async def _doubt(self, item: OutboxItem) -> HoldReason | None:
        """Why the user has to look first, None if nothing changed."""
        booking = approved_of(item.mime)
        if booking.end <= self._steps.now():
            return HoldReason.SLOT_PAST
        busy = await self._busy(booking.start, booking.end)
        # A busy time that overlaps the slot and that the user did not see when approving.
        new = (
            one
            for one in busy
            if one.start < booking.end and one.end > booking.start and (one.start, one.end) not in booking.taken
        )
        return HoldReason.SLOT_TAKEN if any(new) else None

    async def _insert(self, item: OutboxItem) -> OutboxItem | RetryLater:
        """Calls `events.insert` once. After a lost answer the item stays `drafting`, and the calendar is asked for the event."""
        try:
            await self._calendar.insert(item.mime)
        except (RejectedByServer, PermissionMissing) as error:
            return await self._steps.hold(item, hold_reason(error))
        except NOT_DONE:
            await self._steps.move(item, OutboxState.QUEUED)
            raise
        except ExpectedError as error:
            log.info("outbox %d: the meeting's fate is unknown (%s)", item.id, error.code)
            return RetryLater(ASK_AGAIN_S)
        return await self._steps.move(item, OutboxState.SENT)


class InvitationAnswer(msgspec.Struct, frozen=True):
    """Payload of an outbox item of kind `rsvp`."""

    uid: str
    reply: InvitationReply


class InvitationSender:
    """Carries out answers in one account's calendar."""

    def __init__(self, calendar: "GoogleCalendar", steps: OutboxWriter) -> None:
        self._calendar, self._steps = calendar, steps

    async def advance(self, item: OutboxItem) -> OutboxItem:
        """Sets the answer. Raises the errors of the calendar port after which the item is tried again."""
        answer = answer_in(item)
        try:
            await self._calendar.reply(answer.uid, answer.reply)
        except NotFound:
            return await self._steps.hold(item, HoldReason.NO_EVENT)
        except (RejectedByServer, PermissionMissing) as error:
            return await self._steps.hold(item, hold_reason(error))
        return await self._steps.move(item, OutboxState.SENT)


def answer_in(item: OutboxItem) -> InvitationAnswer:
    return msgspec.json.decode(item.mime, type=InvitationAnswer)
