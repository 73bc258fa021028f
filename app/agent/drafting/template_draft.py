"""Drafts without a language model: an own reply where one fits, times where they were asked for, else a form to fill in.

Recipients are set by the caller.
"""

from collections.abc import Sequence
from datetime import datetime

from app.agent.drafting.reuse import fitting_reply, rewrite
from app.agent.drafting.templates import DraftBuilder, FreeTimeFacts, asked_of_owner, fill
from app.agent.language.times import WorkingHours, written
from app.agent.retrieval import mail_text
from app.domain.drafting.draft import Draft, Source, SourceKind
from app.domain.drafting.meeting import BusyTime
from app.domain.language.words import language
from app.domain.mail.message import Account, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.triage import Triage
from app.domain.ports.agents import Contact, OwnReply

OWN_REPLY = "own-reply"
TEMPLATE = "template"
_EXCERPT = 280


def draft_without_model(
    message: Message,
    thread: Sequence[Message],
    account: Account,
    contact: Contact | None,
    own_replies: Sequence[OwnReply],
    busy: Sequence[BusyTime] | None,
    triage: Triage,
    *,
    hours: WorkingHours | None = None,
    now: datetime | None = None,
) -> tuple[Draft, tuple[Source, ...]]:
    """A draft answer to `message` (recipients and subject empty) and its sources.

    `own_replies` are sorted nearest first; `busy` None means that no calendar is connected. `hours` default to Monday to Friday,
    9 to 17 UTC; `now` to the mail's own date, so that nothing earlier than the mail is offered.
    """
    text = mail_text(message.subject, newest_part(message.body_text))
    fresh = not any(one.outgoing and one.id != message.id and one.date <= message.date for one in thread)
    reusable = fitting_reply(message, asked_of_owner(message, account), own_replies, triage, fresh)
    if reusable is not None:
        return _draft(message, rewrite(message, text, reusable), OWN_REPLY), (_own(reusable),)
    calendar = FreeTimeFacts(busy, hours or WorkingHours(), now or message.date)
    filled = fill(message, account, triage.category, calendar, own_replies)
    sources: tuple[Source, ...] = ()
    if filled.times:
        lines = "\n".join(written(one, calendar.hours.zone, language(text)) for one in filled.times)
        sources = (Source(SourceKind.CALENDAR, account.email, lines),)
    return _draft(message, filled.body, TEMPLATE), sources


def _draft(message: Message, assembled: DraftBuilder, maker: str) -> Draft:
    body, spans = assembled.finish()
    return Draft(to=(), cc=(), bcc=(), subject="", body=body, maker=maker, reply_to=message.id, spans=spans)


def _own(reply: OwnReply) -> Source:
    """An own reply as a source. Its readers are everybody who has its text."""
    answer = reply.answer
    readers = frozenset(one.email.lower() for one in (answer.sender, *answer.to, *answer.cc, *answer.bcc))
    excerpt = newest_part(answer.body_text)[:_EXCERPT]
    return Source(
        SourceKind.OWN_REPLY, answer.subject, excerpt, answer.id, readers, round(min(1.0, max(0.0, reply.similarity)), 3)
    )
