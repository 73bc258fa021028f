"""Is an approved answer still the right thing to send? Pure: judges the thread as the server has it now.

Is an approved mail still what the user meant, apart from its conversation: its time has not long passed, and the address it
leaves from is the owner's. Gmail sends from the main address, without a word, what names one that was taken off the account.
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
    """`sent` when the item's own mail stands in the thread already; `hold` when the user has to look first; else go on."""

    sent: GmailId = GmailId("")
    hold: HoldReason | None = None


def judge(item: OutboxItem, thread: Sequence[ThreadMessage]) -> PreflightVerdict:
    """What to do with `item` in view of its thread, oldest message first."""
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
    """Whether a message is ours: by our header, or by the Message-ID where the server kept it."""
    return bool(marker) and marker in (message.marker, message.rfc822_id)


def is_sent(message: ThreadMessage) -> bool:
    """Tell whether a message left, as the server has it."""
    return SystemLabel.SENT in message.labels and SystemLabel.DRAFT not in message.labels


log = logging.getLogger(__name__)

HEAD_END = b"\r\n\r\n"


async def second_thought(server: MailServer, steps: OutboxWriter, item: OutboxItem) -> HoldReason | None:
    """Why the user has to look first, None to go on. Raises the port's errors."""
    if item.kind is not OutboxKind.SEND:
        return None
    reason = HoldReason.LATE if steps.late(item) else await _of_sender(server, steps, item)
    return None if reason is None or await steps.was_held(item, reason) else reason


async def _of_sender(server: MailServer, steps: OutboxWriter, item: OutboxItem) -> HoldReason | None:
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
