"""An approved meeting, from the outbox into the calendar, exactly once: its event has an id of ours that Google takes once.

The slot is looked at again before the one request, in every calendar of the owner's. An item found in `drafting` may stand in the
calendar already: that is asked first.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Protocol

from app.domain.drafting.meeting import BusyTime
from app.domain.errors import ExpectedError, LoginNeeded, PermissionMissing, QuotaReached, RejectedByServer
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxState
from app.domain.ports.services import CalendarServer
from app.engine.outbox.mail_sender import RetryLater
from app.engine.outbox.outbox_writer import OutboxWriter

log = logging.getLogger(__name__)

ASK_AGAIN_S = 2.0
NOT_DONE = (QuotaReached, LoginNeeded)
"""Answers that mean: nothing was done, and the same may work later."""


class MeetingRequest(Protocol):
    """An approved request as `app.mail.compose.meeting` composed it."""

    @property
    def start(self) -> datetime: ...

    @property
    def end(self) -> datetime: ...

    @property
    def taken(self) -> Sequence[tuple[datetime, datetime]]: ...


Read = Callable[[bytes], MeetingRequest]
Busy = Callable[[datetime, datetime], Awaitable[Sequence[BusyTime]]]
"""When the owner is taken between two moments, in all calendars that count."""


class MeetingSender:
    """Performs meetings of one account. `busy` asks all calendars, `read` reads an item's bytes."""

    def __init__(self, calendar: CalendarServer, busy: Busy, steps: OutboxWriter, read: Read) -> None:
        self._calendar = calendar
        self._busy = busy
        self._steps = steps
        self._read = read

    async def advance(self, item: OutboxItem) -> OutboxItem | RetryLater:
        """One step of `item`: itself in its new state, or `RetryLater`. Raises the port's errors where nothing was decided."""
        if await self._calendar.has(item.marker):
            return await self._steps.move(item, OutboxState.SENT)
        if item.state is OutboxState.QUEUED:
            return await self._check_and_insert(item)
        if item.state is OutboxState.DRAFTING:
            return await self._steps.move(item, OutboxState.QUEUED)
        return await self._steps.hold(item, HoldReason.FROM_COPY)

    async def _check_and_insert(self, item: OutboxItem) -> OutboxItem | RetryLater:
        """Look at the slot again, then the one request."""
        reason = await self._doubt(item)
        if reason is not None and not await self._steps.was_held(item, reason):
            return await self._steps.hold(item, reason)
        return await self._insert(await self._steps.move(item, OutboxState.DRAFTING))

    async def _doubt(self, item: OutboxItem) -> HoldReason | None:
        """Why the user has to look first, None where nothing changed."""
        booking = self._read(item.mime)
        if booking.end <= self._steps.now():
            return HoldReason.SLOT_PAST
        busy = await self._busy(booking.start, booking.end)
        return HoldReason.SLOT_TAKEN if any(_new(one, booking) for one in busy) else None

    async def _insert(self, item: OutboxItem) -> OutboxItem | RetryLater:
        """`events.insert` once. After a lost answer the item stays `drafting` and is asked for."""
        try:
            await self._calendar.insert(item.mime)
        except RejectedByServer:
            return await self._steps.hold(item, HoldReason.REJECTED_BY_SERVER)
        except PermissionMissing:
            return await self._steps.hold(item, HoldReason.PERMISSION_MISSING)
        except NOT_DONE:
            await self._steps.move(item, OutboxState.QUEUED)
            raise
        except ExpectedError as error:
            log.info("outbox %d: the meeting's fate is unknown (%s)", item.id, error.code)
            return RetryLater(ASK_AGAIN_S)
        return await self._steps.move(item, OutboxState.SENT)


def _new(busy: BusyTime, booking: MeetingRequest) -> bool:
    """Whether something takes the slot that the user did not see when approving."""
    return busy.start < booking.end and busy.end > booking.start and (busy.start, busy.end) not in booking.taken
