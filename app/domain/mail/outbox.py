"""The outbox: changes to make on a server, as a state machine in rows.

Every change of a mailbox, a calendar or a label is a row here, and only the sender executes them. `uncertain` and `held` items
are never sent automatically.
"""

from datetime import UTC, datetime, timedelta
from enum import StrEnum

from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, GmailDraftId, GmailId, GmailThreadId, OutboxId, ReviewId, ThreadId
from app.domain.record import Record


class OutboxState(StrEnum):
    """`sending` is written before the one `drafts.send`; then the sender finds out what happened."""

    QUEUED = "queued"
    DRAFTING = "drafting"
    DRAFTED = "drafted"
    SENDING = "sending"
    SENT = "sent"
    UNCERTAIN = "uncertain"
    HELD = "held"
    CANCELLED = "cancelled"


class OutboxKind(StrEnum):
    """What an item does.

    `send` ends as a sent mail. `gmail_draft` ends (as `sent`) when the draft is in Gmail. `modify` changes labels. `calendar`
    ends (as `sent`) when the meeting is in the calendar; `drafting` is written before its one request. `create_label` creates the
    label named by the subject. `rsvp` sets the owner's answer to an invitation in the calendar.
    """

    SEND = "send"
    GMAIL_DRAFT = "gmail_draft"
    MODIFY = "modify"
    CALENDAR = "calendar"
    CREATE_LABEL = "create_label"
    RSVP = "rsvp"


TRANSITIONS: dict[OutboxState, frozenset[OutboxState]] = {
    OutboxState.QUEUED: frozenset({OutboxState.DRAFTING, OutboxState.SENT, OutboxState.HELD, OutboxState.CANCELLED}),
    OutboxState.DRAFTING: frozenset(
        {OutboxState.DRAFTED, OutboxState.QUEUED, OutboxState.SENT, OutboxState.HELD, OutboxState.UNCERTAIN}
    ),
    OutboxState.DRAFTED: frozenset({OutboxState.SENDING, OutboxState.HELD, OutboxState.CANCELLED}),
    OutboxState.SENDING: frozenset({OutboxState.SENT, OutboxState.DRAFTED, OutboxState.UNCERTAIN, OutboxState.HELD}),
    OutboxState.UNCERTAIN: frozenset({OutboxState.SENT, OutboxState.HELD, OutboxState.DRAFTED, OutboxState.CANCELLED}),
    OutboxState.HELD: frozenset({OutboxState.QUEUED, OutboxState.DRAFTED, OutboxState.CANCELLED, OutboxState.SENT}),
    OutboxState.SENT: frozenset(),
    OutboxState.CANCELLED: frozenset(),
}
"""Every allowed transition. `sent` and `cancelled` are final."""

RESTING = frozenset({OutboxState.SENT, OutboxState.CANCELLED, OutboxState.HELD})
"""States in which the sender has nothing to do."""

FARTHEST = timedelta(days=366)
"""How far ahead a mail may be scheduled."""

UNDOABLE = frozenset({OutboxState.QUEUED, OutboxState.HELD})
"""States in which nothing has reached the server yet, or the item waits for the user."""


def check_transition(old: OutboxState, new: OutboxState) -> None:
    """Raises `NotAllowed` unless `old` may become `new`."""
    if new not in TRANSITIONS[old]:
        raise NotAllowed(f"An outbox item cannot go from {old} to {new}.")


class HoldReason(StrEnum):
    """Why an item is held or uncertain; the window has a sentence for each."""

    NEWER_MAIL = "newer_mail"
    ANSWERED_ELSEWHERE = "answered_elsewhere"
    DRAFT_DELETED = "draft_deleted"
    DRAFT_EDITED = "draft_edited"
    REJECTED_BY_SERVER = "rejected_by_server"
    PERMISSION_MISSING = "permission_missing"
    NOT_CONFIRMED = "not_confirmed"
    FROM_COPY = "from_copy"
    LATE = "late"
    SENDER_GONE = "sender_gone"
    THREAD_GONE = "thread_gone"
    SLOT_TAKEN = "slot_taken"
    SLOT_PAST = "slot_past"
    NO_CALENDAR = "no_calendar"
    NO_EVENT = "no_event"


class OutboxMail(Record):
    """What a mail in the outbox sends: its text, the recipients as written, and the names of its files."""

    text: str = ""
    to: str = ""
    cc: str = ""
    bcc: str = ""
    files: tuple[str, ...] = ()


class OutboxItem(Record):
    """One outbox row.

    `mime` are the exact bytes the user approved and `sha256` their digest (hex). `not_before` is the end of the undo delay or
    the time the user chose; a label change has no delay. `attempts` counts leases, also while the account was offline.
    `marker` is the fixed Message-ID of the draft, by which a lost draft is found again. `expected_tip` is the Gmail id of the
    newest message the user saw in the thread. `draft_message` is the draft's message as it was created (any edit changes its id);
    `theirs` are drafts of this item that somebody changed in Gmail.

    `to` are the addresses of To, Cc and Bcc with ", " between them, as the user gave them: one may stand there twice.
    For a meeting `mime` is the approved request of `events.insert` as JSON, `marker` the event's id, `to` its guests.
    For an answer to an invitation `mime` is the event's uid and the reply as JSON, `to` the organizer.
    """

    id: OutboxId
    account_id: AccountId
    review_id: ReviewId
    kind: OutboxKind
    state: OutboxState
    thread_id: ThreadId
    gmail_thread_id: GmailThreadId
    to: str
    subject: str
    mime: bytes
    sha256: str
    marker: str
    expected_tip: GmailId
    created_at: datetime
    not_before: datetime
    attempts: int = 0
    reason: str = ""
    draft_id: GmailDraftId = GmailDraftId("")
    draft_message: GmailId = GmailId("")
    theirs: tuple[GmailDraftId, ...] = ()
    sent_gmail_id: GmailId = GmailId("")
    add_labels: tuple[str, ...] = ()
    remove_labels: tuple[str, ...] = ()
    message_gmail_ids: tuple[GmailId, ...] = ()


class OutboxRow(Record):
    """What the Outbox page shows of an item (no MIME bytes)."""

    item: OutboxItem
    approved_at: datetime


def due_time(now: datetime, undo_s: float, send_at_ms: int) -> datetime:
    """The end of the undo delay, or the chosen time if later. Raises `NotAllowed` for one more than a year away."""
    soon = now + timedelta(seconds=undo_s)
    if send_at_ms > (now + FARTHEST).timestamp() * 1000:
        raise NotAllowed(Cause.SEND_TIME_TOO_LATE)
    return soon if send_at_ms <= soon.timestamp() * 1000 else datetime.fromtimestamp(send_at_ms / 1000, UTC)
