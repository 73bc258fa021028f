"""What is said when a letter leaves: that it is on its way or when it goes, with the way back while there is one."""

from PySide6.QtCore import QCoreApplication

from app.domain.commands import CancelSend
from app.domain.ids import OutboxId
from app.ui.context import Context
from app.ui.later import LATER_FROM_MS
from app.ui.text import when_long
from app.ui.when import from_ms


def tell_left(context: Context, outbox_id: OutboxId, undo_until_ms: int, waiting: str = "") -> None:
    """It stands in the outbox until then (Unix milliseconds); `waiting` is what keeps it there longer."""
    wait_ms = undo_until_ms - int(context.clock().timestamp() * 1000)
    words = waiting or QCoreApplication.translate("ComposePage", "Sending…")
    if wait_ms > LATER_FROM_MS:
        words = QCoreApplication.translate("ComposePage", "Sending at %1.").replace("%1", when_long(from_ms(undo_until_ms)))
    undo = QCoreApplication.translate("ComposePage", "Undo")
    context.notices.tell(words, undo, lambda: context.link.send(CancelSend(outbox_id)), for_ms=min(max(wait_ms, 3000), 20_000))
