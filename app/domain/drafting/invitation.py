"""Calendar invitations in messages, and the owner's answer to them."""

from enum import StrEnum

from app.domain.drafting.meeting import BusyTime
from app.domain.ids import MessageId
from app.domain.record import Record
from app.domain.wire import Answer, Command, Query


class InvitationReply(StrEnum):
    """What a guest answers; the values are Google Calendar's `responseStatus`."""

    YES = "accepted"
    MAYBE = "tentative"
    NO = "declined"


class ReadInvitation(Query):
    """Reads a message's calendar part; answered by `Invitation`."""

    message_id: MessageId


class ReadAgenda(Query):
    """Reads the calendar between two times (Unix seconds); answered by `Agenda`."""

    start_s: int
    end_s: int


class Agenda(Answer):
    events: tuple[BusyTime, ...]


class AnswerInvitation(Command):
    """Answers a message's invitation in the owner's Google Calendar, which tells the organizer."""

    message_id: MessageId
    reply: InvitationReply


class Invitation(Record):
    """An event of a message, as text to show.

    `start` and `end` are ISO 8601; for whole days the first and the last date. Of a series they are the next occurrence, and
    `repeats` is its frequency (daily, weekly, monthly, yearly). `method` is request, cancel, reply ...; `answer` is what a reply
    says (accepted, declined, tentative ...). `uid` names the event in every calendar (RFC 5545). Missing fields are empty.
    """

    method: str
    summary: str
    start: str
    end: str
    where: str
    organizer: str
    attendees: tuple[str, ...]
    status: str
    repeats: str
    answer: str = ""
    uid: str = ""
    ended: bool = False


class ReceivedInvitation(Answer):
    """An invitation with what the owner's calendar adds.

    `reply` is the owner's answer so far, `conflicts` what the owner has at that time. `can_answer` is false without a calendar.
    """

    invitation: Invitation
    reply: InvitationReply | None = None
    conflicts: tuple[BusyTime, ...] = ()
    can_answer: bool = False
