"""Identifiers. Ours are local integers; Google's are opaque strings and never mixed with ours."""

from typing import NewType

AccountId = NewType("AccountId", int)
MessageId = NewType("MessageId", int)
ThreadId = NewType("ThreadId", int)
AttachmentId = NewType("AttachmentId", int)
JobId = NewType("JobId", str)
ReviewId = NewType("ReviewId", int)
OutboxId = NewType("OutboxId", int)

RunId = NewType("RunId", str)
"""`mail-`, the mail's id and what tells runs of a mail apart (`mail-140-0`), so that a run is found by its mail; `ask-` and the
request's id for what the owner typed; a uuid where an older program gave it. Also LangGraph's `thread_id`."""

GmailId = NewType("GmailId", str)
GmailThreadId = NewType("GmailThreadId", str)
GmailDraftId = NewType("GmailDraftId", str)
HistoryId = NewType("HistoryId", int)
"""A number of 64 bits without a sign. SQLite's integers have one, so it is stored as its digits."""

RequestId = NewType("RequestId", str)
"""A uuid that the window gives to a request, so that asking twice is asking once."""

LetterId = NewType("LetterId", str)
"""A uuid that the window gives to a mail written by hand, so that saving it twice is saving it once."""


def history_id_of(value: object) -> HistoryId:
    """Read a history id from a number or its digits.

    Raises `ValueError` for what is none: ids are above 0 and below 2 to the power of 64.
    """
    digits = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(digits, str) or len(digits) > 20 or not (digits.isascii() and digits.isdigit()):
        raise ValueError("no number")
    if not 0 < int(digits) < 2**64:
        raise ValueError("out of range")
    return HistoryId(int(digits))
