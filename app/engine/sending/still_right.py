"""Is an approved mail still what the user meant, apart from its conversation: its time has not long passed, and the address it
leaves from is the owner's. Gmail sends from the main address, without a word, what names one that was taken off the account.

Refuses to hold what the user has sent on after that very question.
"""

from email.parser import BytesHeaderParser
from email.utils import parseaddr

from app.domain.outbox import HoldReason, OutboxItem, OutboxKind
from app.domain.ports.gmail import MailServer
from app.engine.sending.steps import Steps

HEAD_END = b"\r\n\r\n"


async def second_thought(server: MailServer, steps: Steps, item: OutboxItem) -> HoldReason | None:
    """Why the user has to look first, None to go on. Raises the port's errors."""
    if item.kind is not OutboxKind.SEND:
        return None
    reason = HoldReason.LATE if steps.late(item) else await _of_sender(server, steps, item)
    return None if reason is None or await steps.was_held(item, reason) else reason


async def _of_sender(server: MailServer, steps: Steps, item: OutboxItem) -> HoldReason | None:
    """The server is asked only about an address that is not the account's own."""
    sender = sender_of(item.mime)
    if not sender or sender == await steps.own_address(item):
        return None
    own = {one.email.lower() for one in await server.send_as()}
    return None if sender in own else HoldReason.SENDER_GONE


def sender_of(mime: bytes) -> str:
    """The address in From, lower case; empty where there is none."""
    head = mime[: mime.find(HEAD_END) + len(HEAD_END)]
    return parseaddr(str(BytesHeaderParser().parsebytes(head).get("From", "")))[1].lower()
