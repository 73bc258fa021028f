"""Reviews: items that wait for the user's decision, in one queue with several kinds.

A decision names review and revision; the store applies it by compare-and-set, so a double click counts once.
"""

import json
from datetime import datetime
from enum import StrEnum
from typing import Any

from app.domain.drafting.draft import Draft, Source
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId, ReviewId, RunId, ThreadId
from app.domain.record import Record


class ReviewKind(StrEnum):
    REPLY = "reply"
    NOTIFY = "notify"
    TOOL_CALL = "tool_call"
    QUESTION = "question"
    ESCALATION = "escalation"
    NEEDS_REVIEW = "needs_review"
    PLAN = "plan"


class ReviewSection(StrEnum):
    """The sections of the queue, in their order."""

    SEND = "send"
    ATTENTION = "attention"
    NOTICE = "notice"


SECTIONS: dict[ReviewKind, ReviewSection] = {
    ReviewKind.REPLY: ReviewSection.SEND,
    ReviewKind.TOOL_CALL: ReviewSection.SEND,
    ReviewKind.PLAN: ReviewSection.SEND,
    ReviewKind.QUESTION: ReviewSection.ATTENTION,
    ReviewKind.ESCALATION: ReviewSection.ATTENTION,
    ReviewKind.NEEDS_REVIEW: ReviewSection.ATTENTION,
    ReviewKind.NOTIFY: ReviewSection.NOTICE,
}
"""The section that lists each kind."""


class ReviewStatus(StrEnum):
    """A review is pending until its one decision, or until a newer message supersedes it."""

    PENDING = "pending"
    APPROVED = "approved"
    SAVED_AS_DRAFT = "saved_as_draft"
    REJECTED = "rejected"
    ANSWERED = "answered"
    DISMISSED = "dismissed"
    SUPERSEDED = "superseded"


class Action(StrEnum):
    """What the user may do with a review. Accept, edit, respond and ignore are the terms of the response agent."""

    ACCEPT = "accept"
    EDIT = "edit"
    RESPOND = "respond"
    SAVE_DRAFT = "save_draft"
    IGNORE = "ignore"


ALLOWED: dict[ReviewKind, frozenset[Action]] = {
    ReviewKind.REPLY: frozenset({Action.ACCEPT, Action.EDIT, Action.RESPOND, Action.SAVE_DRAFT, Action.IGNORE}),
    ReviewKind.NOTIFY: frozenset({Action.RESPOND, Action.IGNORE}),
    ReviewKind.TOOL_CALL: frozenset({Action.ACCEPT, Action.EDIT, Action.RESPOND, Action.IGNORE}),
    ReviewKind.QUESTION: frozenset({Action.RESPOND, Action.IGNORE}),
    ReviewKind.ESCALATION: frozenset({Action.RESPOND, Action.IGNORE}),
    ReviewKind.NEEDS_REVIEW: frozenset({Action.RESPOND, Action.IGNORE}),
    ReviewKind.PLAN: frozenset({Action.ACCEPT, Action.EDIT, Action.IGNORE}),
}
"""The actions each kind allows."""


class FlagKind(StrEnum):
    """Flags that code computes on a proposed action. Those in `AMBER` inform; the others are red."""

    RECIPIENT_OUTSIDE_THREAD = "recipient_outside_thread"
    NEVER_WRITTEN_TO = "never_written_to"
    LOOK_ALIKE_DOMAIN = "look_alike_domain"
    BCC = "bcc"
    LINK_NOT_FROM_USER = "link_not_from_user"
    ATTACHMENT = "attachment"
    CREDENTIAL = "credential"
    QUOTES_PRIVATE_SOURCE = "quotes_private_source"
    SECOND_SEND = "second_send"
    REPLY_TO_DIFFERS = "reply_to_differs"
    REPLIES_ELSEWHERE = "replies_elsewhere"
    SENDER_POSES = "sender_poses"
    CALENDAR_CONFLICT = "calendar_conflict"
    OUTSIDE_HOURS = "outside_hours"
    NOT_FROM_USER = "not_from_user"


AMBER = frozenset(
    {
        FlagKind.RECIPIENT_OUTSIDE_THREAD,
        FlagKind.ATTACHMENT,
        FlagKind.SECOND_SEND,
        FlagKind.CALENDAR_CONFLICT,
        FlagKind.OUTSIDE_HOURS,
        FlagKind.REPLIES_ELSEWHERE,
    }
)


class RedFlag(Record):
    """A flag with its subject (an address, a link, the matched words)."""

    kind: FlagKind
    about: str

    @property
    def red(self) -> bool:
        """Whether the owner must have opened it before one key may approve."""
        return self.kind not in AMBER


class ToolStep(Record):
    """A tool that ran for this review, shown under Why. `result` and `arguments` are JSON; `error` is empty if it worked."""

    name: str
    arguments: str
    result: str
    error: str
    latency_ms: float


class Proposal(Record):
    """What a run opens a review with.

    `request_json` is the action request `{"action": ..., "args": {...}}` of the response agent, with the user's edits, empty for
    plain replies. `detail` is one sentence for kinds without a draft. `plan_hash` is the SHA-256 of tool name and arguments as
    proposed, checked before the effect.

    If it answers no message, `message_id` is 0 and `thread_id` a negative number of its own, so that no other review supersedes
    it.
    """

    account_id: AccountId
    run_id: RunId
    message_id: MessageId
    thread_id: ThreadId
    kind: ReviewKind
    decision: str
    category: str
    confidence: float
    reason: str
    maker: str
    draft: Draft | None = None
    request_json: str = ""
    detail: str = ""
    plan_hash: str = ""
    flags: tuple[RedFlag, ...] = ()
    sources: tuple[Source, ...] = ()
    tools: tuple[ToolStep, ...] = ()
    elapsed_ms: float = 0.0

    @property
    def starts(self) -> bool:
        return self.draft is not None and not self.message_id

    @property
    def revisable(self) -> bool:
        """Whether feedback can lead to another draft. Replies can always be drafted again; a new mail only by a model."""
        return self.draft is None or not self.starts or not self.draft.by_rule


class Review(Record):
    """A stored review at its newest revision."""

    id: ReviewId
    revision: int
    status: ReviewStatus
    created_at: datetime
    decided_at: datetime | None
    proposal: Proposal
    proposed: Draft | None
    """The draft of the first revision, for the diff to what was approved."""

    proposed_request: str = ""
    """The action request of the first revision, to show what the user changed in its arguments."""

    seen_upto: MessageId = MessageId(0)
    """The highest stored message when the review was opened; 0 if unknown."""

    @property
    def allowed(self) -> frozenset[Action]:
        """What the user may do now; empty once it is decided."""
        if self.status is not ReviewStatus.PENDING:
            return frozenset()
        allowed = ALLOWED[self.proposal.kind]
        return allowed if self.proposal.revisable else allowed - {Action.RESPOND}


class ReviewRow(Record):
    """A review in the queue's list.

    `goes_out`: it answers no message, and `sender` are its recipients. `flag_count` counts only red flags.
    """

    id: ReviewId
    kind: ReviewKind
    status: ReviewStatus
    sender: str
    subject: str
    snippet: str
    date: datetime
    decision: str
    category: str
    confidence: float
    complete: bool
    flag_count: int
    goes_out: bool = False
    revision: int = 1

    @property
    def section(self) -> ReviewSection:
        return SECTIONS[self.kind]


def request_of(request_json: str) -> tuple[str, dict[str, Any]]:
    """Tool name and arguments of an action request. Both are empty if there is no valid request."""
    try:
        request = json.loads(request_json) if request_json else {}
    except ValueError:
        return "", {}
    if not isinstance(request, dict):
        return "", {}
    args = request.get("args")
    return str(request.get("action", "")), dict(args) if isinstance(args, dict) else {}


def edited_request(request_json: str, arguments: str) -> str:
    """The request with the arguments in `arguments` (a JSON object).

    Returns the request itself if they are unchanged or empty. Raises `NotAllowed` for text that is not an object, and if there is
    no action.
    """
    if not arguments:
        return request_json
    action, before = request_of(request_json)
    try:
        args = json.loads(arguments)
    except ValueError as error:
        raise NotAllowed("The edited arguments are not JSON.") from error
    if not isinstance(args, dict) or not action:
        raise NotAllowed("There is no action whose arguments could be edited.")
    if args == before:
        return request_json
    return json.dumps({"action": action, "args": args}, ensure_ascii=False)
