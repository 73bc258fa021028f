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

RequestId = NewType("RequestId", str)
"""A uuid that the window gives to a request, so that asking twice is asking once."""

LetterId = NewType("LetterId", str)
"""A uuid that the window gives to a mail written by hand, so that saving it twice is saving it once."""
