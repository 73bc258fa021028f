"""Marking a conversation as read: after it was opened, answered, or its draft approved."""

from uuid import uuid4

from app.domain.errors import ExpectedError
from app.domain.ids import ThreadId
from app.domain.mail.message import ARCHIVE, SystemLabel
from app.domain.protocol.changes import ChangeLabels
from app.ui.context import Context
from app.ui.services.notices import account_by_id


def mark_as_read(context: Context, thread_id: ThreadId | None) -> None:
    """Marks a conversation as read unless it is read already or comes from a mail archive."""
    if thread_id is None:
        return
    try:
        row = context.reader.thread_rows([thread_id]).get(thread_id)
        account = account_by_id(context.reader, row.account_id) if row is not None else None
    except ExpectedError:  # the page reports it, and no one asked for this change
        return
    if row is not None and row.unread and account is not None and account.kind != ARCHIVE:
        context.link.send(ChangeLabels(uuid4().hex, (row.id,), (), (SystemLabel.UNREAD.value,)))
