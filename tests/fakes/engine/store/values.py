"""Values for store tests: a settable clock, and messages, proposals and outbox items with defaults."""

from datetime import UTC, datetime, timedelta

from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Proposal, ReviewKind
from app.domain.ids import AccountId, GmailId, GmailThreadId, HistoryId, MessageId, ReviewId, RunId, ThreadId
from app.domain.mail.message import Address, RemoteAttachment, RemoteMessage
from app.domain.mail.outbox import OutboxKind
from app.store.outbox import NewOutbox
from fakes.gmail.messages import remote_message

NOON = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
ME = Address("me@example.org", "Me")
ANA = Address("ana@partner.org", "Ana Novák")


class HandClock:
    """A clock that the test sets."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def pass_s(self, seconds: float) -> None:
        """Advances the clock."""
        self.now += timedelta(seconds=seconds)


def remote(
    key: str,
    thread: str = "",
    *,
    text: str = "",
    subject: str = "Delivery",
    sender: Address = ANA,
    to: tuple[Address, ...] = (ME,),
    cc: tuple[Address, ...] = (),
    labels: tuple[str, ...] = ("INBOX", "UNREAD"),
    minutes: int = 0,
    files: tuple[str, ...] = (),
    html: str = "",
) -> RemoteMessage:
    """A message `minutes` after noon."""
    body = text or f"Text of {key}."
    parts = tuple(RemoteAttachment(f"1.{at}", name, "application/octet-stream", 10) for at, name in enumerate(files))
    return remote_message(
        key,
        body,
        gmail_thread_id=GmailThreadId(thread or f"t-{key}"),
        history_id=HistoryId(7),
        date=NOON + timedelta(minutes=minutes),
        sender=sender,
        to=to,
        cc=cc,
        subject=subject,
        body_html=html,
        references=("<a@x>", "<b@x>"),
        headers=(("From", sender.email), ("X-Key", key)),
        labels=frozenset(labels),
        attachments=parts,
    )


def draft(body: str = "Dear Ana, on Friday.", to: tuple[Address, ...] = (ANA,)) -> Draft:
    """A complete draft."""
    return Draft(to=to, cc=(), bcc=(), subject="Re: Delivery", body=body, maker="template", reply_to=MessageId(1))


def proposal(
    run: str = "run-1",
    *,
    kind: ReviewKind = ReviewKind.REPLY,
    thread: int = 1,
    message: int = 1,
    category: str = "inquiry",
    what: Draft | None = None,
) -> Proposal:
    """A proposed reply, with a draft where the kind has one."""
    written = draft() if what is None and kind is ReviewKind.REPLY else what
    return Proposal(
        account_id=AccountId(1),
        run_id=RunId(run),
        message_id=MessageId(message),
        thread_id=ThreadId(thread),
        kind=kind,
        decision="respond",
        category=category,
        confidence=0.9,
        reason="Asks when.",
        maker="local:212",
        draft=written,
    )


def new_outbox(
    review: int = 0, marker: str = "<m1@replyroom>", due: datetime = NOON, kind: OutboxKind = OutboxKind.SEND
) -> NewOutbox:
    """An item that is due at `due`."""
    return NewOutbox(
        account_id=AccountId(1),
        review_id=ReviewId(review),
        kind=kind,
        thread_id=ThreadId(1),
        gmail_thread_id=GmailThreadId("t-a"),
        to="ana@partner.org",
        subject="Re: Delivery",
        mime=b"Subject: Re: Delivery\r\n\r\nOn Friday.",
        marker=marker,
        expected_tip=GmailId("a"),
        not_before=due,
    )
