"""Messages with defaults: as Gmail returns them, as the store returns them, and for tests of local triage and drafts."""

from datetime import UTC, datetime, timedelta
from typing import Any

from app.domain.ids import AccountId, AttachmentId, GmailId, GmailThreadId, HistoryId, MessageId, ThreadId
from app.domain.mail.message import Account, Address, Attachment, Message, RemoteMessage
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.ports.agents import Contact, OwnReply

NOON = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
"""A Tuesday."""
OWNER = Account(AccountId(1), "olga@potter.example", "Olga Marsh", ("olga@potter.example", "shop@potter.example"), "", "")
ANN = Address("ann@reader.example", "Ann Reed")
ASKS = Triage(Decision.RESPOND, Category.INQUIRY, 0.9, "Asks one question.", "local:1")


def remote_message(key: str, body: str = "", **fields: Any) -> RemoteMessage:
    """A message as Gmail returns it; `fields` replace the defaults."""
    defaults: dict[str, Any] = {
        "gmail_id": GmailId(key),
        "gmail_thread_id": GmailThreadId(f"t-{key}"),
        "history_id": HistoryId(1),
        "date": NOON,
        "sender": ANN,
        "to": (Address(OWNER.email),),
        "cc": (),
        "bcc": (),
        "reply_to": (),
        "subject": "",
        "snippet": body[:60],
        "body_text": body,
        "body_html": "",
        "rfc822_id": f"<{key}@mail.example>",
        "in_reply_to": "",
        "references": (),
        "headers": (),
        "labels": frozenset({"INBOX", "UNREAD"}),
        "attachments": (),
        "size": len(body),
    }
    return RemoteMessage(**{**defaults, **fields})


def stored_message(number: int = 1, body: str = "", **fields: Any) -> Message:
    """A message as the store returns it; `fields` replace the defaults."""
    defaults: dict[str, Any] = {
        "id": MessageId(number),
        "account_id": OWNER.id,
        "thread_id": ThreadId(number),
        "gmail_id": GmailId(f"g{number}"),
        "gmail_thread_id": GmailThreadId(f"t{number}"),
        "date": NOON,
        "sender": ANN,
        "to": (Address(OWNER.email),),
        "cc": (),
        "bcc": (),
        "reply_to": (),
        "subject": "",
        "snippet": "",
        "body_text": body,
        "body_html": "",
        "rfc822_id": f"<{number}@example>",
        "in_reply_to": "",
        "references": (),
        "headers": (),
        "labels": frozenset({"INBOX"}),
        "attachments": (),
    }
    return Message(**{**defaults, **fields})


def mail(
    body: str = "",
    *,
    number: int = 1,
    thread: int = 0,
    subject: str = "",
    sender: Address = ANN,
    to: tuple[str, ...] = (OWNER.email,),
    reply_to: tuple[Address, ...] = (),
    headers: tuple[tuple[str, str], ...] = (),
    labels: tuple[str, ...] = ("INBOX",),
    html: str = "",
    minutes: int = 0,
    calendar: bool = False,
    answers: str = "",
) -> Message:
    """A message `minutes` after noon, by default to the owner."""
    part = Attachment(AttachmentId(1), MessageId(number), "1", "invite.ics", "text/calendar", 10, "", False)
    return stored_message(
        number,
        body,
        thread_id=ThreadId(thread or number),
        gmail_thread_id=GmailThreadId(f"t{thread or number}"),
        date=NOON + timedelta(minutes=minutes),
        sender=sender,
        to=tuple(Address(one) for one in to),
        reply_to=reply_to,
        subject=subject,
        snippet=body[:60],
        body_html=html,
        in_reply_to=answers,
        references=(answers,) if answers else (),
        headers=headers,
        labels=frozenset(labels),
        attachments=(part,) if calendar else (),
    )


def card(received: int = 3, sent: int = 2) -> Contact:
    """The contact card of a known person."""
    return Contact(ANN, received, sent, NOON)


def own_reply(
    question: str, answer: str, similarity: float, *, asker: Address = ANN, subject: str = "", number: int = 50
) -> OwnReply:
    """An earlier question from `asker` and the owner's answer a day later."""
    asked = mail(question, number=number, subject=subject, sender=asker, minutes=-5000)
    said = mail(
        answer,
        number=number + 1,
        thread=number,
        subject=f"Re: {subject}",
        sender=Address(OWNER.email, OWNER.name),
        to=(asker.email,),
        labels=("SENT",),
        minutes=-4000,
    )
    return OwnReply(asked, said, similarity)
