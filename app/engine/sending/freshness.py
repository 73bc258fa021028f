"""Is an approved answer still the right thing to send? Pure: judges the thread as the server has it now."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.ids import GmailId
from app.domain.mail import SystemLabel
from app.domain.outbox import HoldReason, OutboxItem
from app.domain.ports.gmail import ThreadMessage

_OUT_OF_SIGHT = frozenset({SystemLabel.DRAFT, SystemLabel.SPAM, SystemLabel.TRASH})


@dataclass(frozen=True, slots=True)
class Verdict:
    """`sent` when the item's own mail stands in the thread already; `hold` when the user has to look first; else go on."""

    sent: GmailId = GmailId("")
    hold: HoldReason | None = None


def judge(item: OutboxItem, thread: Sequence[ThreadMessage]) -> Verdict:
    """What to do with `item` in view of its thread, oldest message first."""
    sent = own_sent(item.marker, thread)
    if sent:
        return Verdict(sent=sent)
    if not item.expected_tip:
        return Verdict()
    seen = next((place for place, one in enumerate(thread) if one.gmail_id == item.expected_tip), None)
    if seen is None:
        return Verdict(hold=HoldReason.THREAD_GONE)
    newer = [one for one in thread[seen + 1 :] if not one.labels & _OUT_OF_SIGHT]
    if any(SystemLabel.SENT in one.labels for one in newer):
        return Verdict(hold=HoldReason.ANSWERED_ELSEWHERE)
    return Verdict(hold=HoldReason.NEWER_MAIL) if newer else Verdict()


def own_sent(marker: str, thread: Sequence[ThreadMessage]) -> GmailId:
    """The sent message that carries `marker`, empty if there is none."""
    found = (one.gmail_id for one in thread if carries(one, marker) and _is_sent(one))
    return next(found, GmailId(""))


def carries(message: ThreadMessage, marker: str) -> bool:
    """Whether a message is ours: by our header, or by the Message-ID where the server kept it."""
    return marker in (message.marker, message.rfc822_id)


def _is_sent(message: ThreadMessage) -> bool:
    return SystemLabel.SENT in message.labels and SystemLabel.DRAFT not in message.labels
