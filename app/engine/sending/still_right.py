"""Is an approved mail still what the user meant, apart from its conversation: its time has not long passed, and the address it
leaves from is the owner's. Gmail sends from the main address, without a word, what names one that was taken off the account.

Refuses to hold what the user has sent on after that very question.
"""

import logging
from email.parser import BytesHeaderParser
from email.utils import parseaddr

from app.domain.errors import NotFound, PermissionMissing, RejectedByServer
from app.domain.outbox import HoldReason, OutboxItem, OutboxKind
from app.domain.ports.gmail import MailServer
from app.engine.sending.steps import Steps

log = logging.getLogger(__name__)

HEAD_END = b"\r\n\r\n"


async def second_thought(server: MailServer, steps: Steps, item: OutboxItem) -> HoldReason | None:
    """Why the user has to look first, None to go on. Raises the port's errors."""
    if item.kind is not OutboxKind.SEND:
        return None
    reason = HoldReason.LATE if steps.late(item) else await _of_sender(server, steps, item)
    return None if reason is None or await steps.was_held(item, reason) else reason


async def _of_sender(server: MailServer, steps: Steps, item: OutboxItem) -> HoldReason | None:
    """The server is asked only about an address that is not the account's own; one that does not tell says nothing."""
    sender = sender_of(item.mime)
    if not sender or sender == await steps.own_address(item):
        return None
    try:
        own = {one.email.lower() for one in await server.send_as()}
    except (PermissionMissing, RejectedByServer, NotFound) as error:
        log.warning("outbox %d: the account's names to send under cannot be read: %s", item.id, error.code)
        return None
    return None if not own or sender in own else HoldReason.SENDER_GONE


def sender_of(mime: bytes) -> str:
    """The address in From, lower case; empty where there is none."""
    head = mime[: mime.find(HEAD_END) + len(HEAD_END)]
    return parseaddr(str(BytesHeaderParser().parsebytes(head).get("From", "")))[1].lower()
