"""Checks right before sending: whether the conversation changed, the chosen time passed long ago, or the sender address is gone.

Gmail silently sends from the main address when an alias was removed from the account.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from email.utils import parseaddr

from app.domain.errors import NotFound, PermissionMissing, RejectedByServer
from app.domain.ids import GmailId
from app.domain.mail.message import SystemLabel
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxKind
from app.domain.ports.gmail import MailServer, ThreadMessage
from app.engine.outbox.outbox_writer import OutboxWriter

_OUT_OF_SIGHT = frozenset({SystemLabel.DRAFT, SystemLabel.SPAM, SystemLabel.TRASH})


@dataclass(frozen=True, slots=True)
class PreflightVerdict:
    """What to do with an item in view of its conversation.

    `sent` is set if its own mail is already there, `hold` if the user has to look first.
    """

    sent: GmailId = GmailId("")
    hold: HoldReason | None = None


def judge(item: OutboxItem, thread: Sequence[ThreadMessage]) -> PreflightVerdict:
    """Judges `item` by its current conversation, oldest message first. Pure."""
    sent = own_sent(item.marker, thread)
    if sent:
        return PreflightVerdict(sent=sent)
    if not item.expected_tip:
        return PreflightVerdict()
    seen = next((place for place, one in enumerate(thread) if one.gmail_id == item.expected_tip), None)
    if seen is None:
        return PreflightVerdict(hold=HoldReason.THREAD_GONE)
    newer = [one for one in thread[seen + 1 :] if not one.labels & _OUT_OF_SIGHT]
    if any(SystemLabel.SENT in one.labels for one in newer):
        return PreflightVerdict(hold=HoldReason.ANSWERED_ELSEWHERE)
    return PreflightVerdict(hold=HoldReason.NEWER_MAIL) if newer else PreflightVerdict()


def own_sent(marker: str, thread: Sequence[ThreadMessage]) -> GmailId:
    """The sent message that carries `marker`, empty if there is none."""
    found = (one.gmail_id for one in thread if carries(one, marker) and is_sent(one))
    return next(found, GmailId(""))


def carries(message: ThreadMessage, marker: str) -> bool:
    """Whether a message is ours, by our header or by the Message-ID where the server kept it."""
    return bool(marker) and marker in (message.marker, message.rfc822_id)


def is_sent(message: ThreadMessage) -> bool:
    """Whether the server has the message as sent."""
    return SystemLabel.SENT in message.labels and SystemLabel.DRAFT not in message.labels


log = logging.getLogger(__name__)

HEAD_END = b"\r\n\r\n"


async def second_thought(server: MailServer, steps: OutboxWriter, item: OutboxItem) -> HoldReason | None:
    """Why the user has to look first, apart from the conversation. None to go on. Raises the errors of the Gmail port."""
    if item.kind is not OutboxKind.SEND:
        return None
    reason = HoldReason.LATE if steps.late(item) else await _of_sender(server, steps, item)
    return None if reason is None or await steps.was_held(item, reason) else reason


async def _of_sender(server: MailServer, steps: OutboxWriter, item: OutboxItem) -> HoldReason | None:
    """Checks an alias with the server. The account's own address needs no check, and a server without an answer holds nothing."""
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
    """The address in From in lower case, empty if there is none."""
    head = mime[: mime.find(HEAD_END) + len(HEAD_END)]
    return parseaddr(str(BytesHeaderParser().parsebytes(head).get("From", "")))[1].lower()
