"""Reads the calendar invitation of a message and answers it in the owner's Google Calendar, through the outbox."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import msgspec

from app.domain.drafting.invitation import (
    Agenda,
    AnswerInvitation,
    Invitation,
    ReadAgenda,
    ReadInvitation,
    ReceivedInvitation,
)
from app.domain.drafting.meeting import BusyTime
from app.domain.error_texts import Cause
from app.domain.errors import ExpectedError, NotAllowed, NotFound
from app.domain.ids import MessageId
from app.domain.mail.message import Message
from app.domain.mail.outbox import OutboxKind, OutboxState, due_time
from app.domain.protocol.events import OutboxChanged
from app.domain.record import replace
from app.engine.accounts.connections import GoogleServices
from app.engine.files.attachment_downloads import AttachmentDownloads
from app.engine.outbox.calendar_sender import InvitationAnswer, answer_in
from app.engine.outbox.outbox_writer import OutboxWriter
from app.engine.runtime.background_imports import preload
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.settings_watcher import LiveSettings
from app.engine.runtime.tables import Tables
from app.store.outbox import NewOutbox

CALENDAR = frozenset({"text/calendar", "application/ics"})
LARGEST_INVITATION = 1_000_000
LONGEST_EVENT = timedelta(days=31)
TIMEOUT_S = 5.0
"""Longest wait for the calendar; the card is shown without it then."""


class InvitationService:
    """Answers `ReadInvitation` and `AnswerInvitation`. MIME code is imported at the first use."""

    commands = (AnswerInvitation,)
    queries = (ReadInvitation, ReadAgenda)

    def __init__(
        self,
        tables: Tables,
        announcer: EventBus,
        files: AttachmentDownloads,
        services: GoogleServices,
        steps: OutboxWriter,
        settings: LiveSettings,
    ) -> None:
        self._tables, self._announcer, self._files = tables, announcer, files
        self._services, self._steps, self._settings = services, steps, settings

    async def answer(self, query: ReadInvitation | ReadAgenda) -> ReceivedInvitation | Agenda:
        """Reads an invitation or the calendar. Raises `NotFound` or `Offline`."""
        if isinstance(query, ReadAgenda):
            start, end = (datetime.fromtimestamp(one, UTC) for one in (query.start_s, query.end_s))
            return Agenda(await self._services.busy(start, end))
        message, found = await self._read(query.message_id)
        items = await self._tables.run(self._tables.outbox.of_thread, message.thread_id, OutboxKind.RSVP)
        given = (answer_in(item) for item in items if item.state is not OutboxState.CANCELLED)
        card = ReceivedInvitation(found, next((one.reply for one in given if one.uid == found.uid), None))
        calendar = self._services.calendars.get(message.account_id)
        if calendar is None or not found.uid or found.method != "request" or found.ended:
            return card
        try:
            async with asyncio.timeout(TIMEOUT_S):
                reply = card.reply or await calendar.reply_to(found.uid)
                return replace(card, can_answer=True, reply=reply, conflicts=await self._conflicts(found))
        except NotFound:
            return card  # the event is not in the calendar
        except (ExpectedError, TimeoutError):
            return replace(card, can_answer=True)

    async def do(self, command: AnswerInvitation) -> None:
        """Queues the answer; an earlier one that is still queued is cancelled. Raises `NotFound` or `NotAllowed`."""
        message, found = await self._read(command.message_id)
        if not found.uid or found.method != "request":
            raise NotAllowed(Cause.NO_INVITATION)
        for item in await self._tables.run(self._tables.outbox.of_thread, message.thread_id, OutboxKind.RSVP):
            if item.state in (OutboxState.QUEUED, OutboxState.HELD) and answer_in(item).uid == found.uid:
                await self._steps.move(item, OutboxState.CANCELLED)
        payload = msgspec.json.encode(InvitationAnswer(found.uid, command.reply))
        now = self._tables.clock()
        new = NewOutbox(
            account_id=message.account_id,
            kind=OutboxKind.RSVP,
            thread_id=message.thread_id,
            gmail_thread_id=message.gmail_thread_id,
            to=found.organizer,
            subject=found.summary,
            mime=payload,
            marker=f"rsvp-{uuid4()}",
            not_before=due_time(now, self._settings.now.sending.undo_s, 0),
        )
        outbox_id = await self._tables.run(self._tables.outbox.add, new)
        self._announcer.tell(OutboxChanged((outbox_id,)))
        self._steps.wake_sender()

    async def _read(self, message_id: MessageId) -> tuple[Message, Invitation]:
        message = await self._tables.run(self._tables.messages.get, message_id)
        part = next((one for one in message.attachments if one.mime_type in CALENDAR), None)
        if part is None or part.size > LARGEST_INVITATION:
            raise NotFound("This mail has no invitation.")
        path = await self._files.fetched(message.id, part.part_id)
        await preload("app.mail.mime.calendar_parts")
        from app.mail.mime.calendar_parts import read_invitation

        now = self._tables.clock()
        return message, await self._tables.run(lambda: read_invitation(path.read_bytes(), now))

    async def _conflicts(self, found: Invitation) -> tuple[BusyTime, ...]:
        """What the owner has at the time of an event with hours, the event itself left out."""
        if "T" not in found.start or not found.end:
            return ()
        start, end = (datetime.fromisoformat(one).astimezone(UTC) for one in (found.start, found.end))
        if end - start > LONGEST_EVENT:
            return ()
        busy = await self._services.busy(start, end)
        return tuple(one for one in busy if not (one.title == found.summary and (one.start, one.end) == (start, end)))
