"""Sets the owner's answers to invitations in the calendar. A repeated answer changes nothing, so it may be tried again."""

import msgspec

from app.domain.drafting.invitation import InvitationReply
from app.domain.errors import NotFound, PermissionMissing, RejectedByServer
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxState
from app.domain.ports.services import CalendarServer
from app.engine.outbox.outbox_writer import OutboxWriter


class InvitationAnswer(msgspec.Struct, frozen=True):
    """Payload of an outbox item of kind `rsvp`."""

    uid: str
    reply: InvitationReply


class InvitationSender:
    """Carries out answers in one account's calendar."""

    def __init__(self, calendar: CalendarServer, steps: OutboxWriter) -> None:
        self._calendar = calendar
        self._steps = steps

    async def advance(self, item: OutboxItem) -> OutboxItem:
        """Sets the answer. Raises the errors of the calendar port after which the item is tried again."""
        answer = answer_in(item)
        try:
            await self._calendar.reply(answer.uid, answer.reply)
        except NotFound:
            return await self._steps.hold(item, HoldReason.NO_EVENT)
        except RejectedByServer:
            return await self._steps.hold(item, HoldReason.REJECTED_BY_SERVER)
        except PermissionMissing:
            return await self._steps.hold(item, HoldReason.PERMISSION_MISSING)
        return await self._steps.move(item, OutboxState.SENT)


def answer_in(item: OutboxItem) -> InvitationAnswer:
    """The answer that an outbox item holds."""
    return msgspec.json.decode(item.mime, type=InvitationAnswer)
