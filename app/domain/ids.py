"""Identifiers. Ours are local integers, Google's are opaque strings; the two never mix."""

from typing import NewType

AccountId = NewType("AccountId", int)
MessageId = NewType("MessageId", int)
ThreadId = NewType("ThreadId", int)
AttachmentId = NewType("AttachmentId", int)
JobId = NewType("JobId", str)
ReviewId = NewType("ReviewId", int)
OutboxId = NewType("OutboxId", int)

RunId = NewType("RunId", str)
"""`mail-`, the message's id and a number (`mail-140-0`) for runs of mail; `ask-` and the request's id for requests; a uuid from
older versions. Also LangGraph's `thread_id`."""

GmailId = NewType("GmailId", str)
GmailThreadId = NewType("GmailThreadId", str)
GmailDraftId = NewType("GmailDraftId", str)
HistoryId = NewType("HistoryId", int)
"""Unsigned 64-bit number. SQLite's integers are signed, so it is stored as text."""

RequestId = NewType("RequestId", str)
"""A uuid made by the window, so that a repeated command counts once."""

LetterId = NewType("LetterId", str)
"""A uuid made by the window, so that a repeated save counts once."""


def history_id_of(value: object) -> HistoryId:
    """Reads a history id from a number or its digits. Raises `ValueError` unless it is above 0 and below 2 to the power of 64."""
    digits = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(digits, str) or len(digits) > 20 or not (digits.isascii() and digits.isdigit()):
        raise ValueError("no number")
    if not 0 < int(digits) < 2**64:
        raise ValueError("out of range")
    return HistoryId(int(digits))
