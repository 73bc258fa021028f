"""Learns from one decision of the user: preferences, a corrected verdict, feedback on the mail; by rules, and from a model.

Rules are pure functions. Lessons of a language model are single changes of single preferences, checked by code. They enter later
prompts, and the model has read a stranger's mail. So they may not contain addresses, links or long texts, and may change only
learned preferences, never typed ones or rules.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from app.agent.language.reply_parts import first_name
from app.agent.learning.edits import ReplyEdit, learn_from_edit, learn_from_meeting, rescheduled
from app.agent.llm.prompts import chat, fence, prompt
from app.agent.llm.turns import ChatMessage, ModelGateway
from app.domain.agents.memory import (
    LONGEST_TEXT,
    NOT_WANTED,
    Lesson,
    MailFeedback,
    Namespace,
    Preference,
    PreferenceChange,
    RejectionReason,
    SenderIdentity,
    learn_from_rejection,
    learn_from_wish,
)
from app.domain.drafting.review import Action, Review, ReviewKind
from app.domain.ids import ReviewId
from app.domain.mail.message import Account, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.triage import Category, Decision
from app.domain.record import Record

DRAFTED = frozenset({ReviewKind.REPLY, ReviewKind.TOOL_CALL})
ASKED = frozenset({ReviewKind.NOTIFY, ReviewKind.QUESTION})
"""Reviews without a draft. Ignoring them says that such mail is not wanted."""

DISMISSALS = 5
"""Dismissed notices of one sender that make a rule. A dismissal may only mean that the notice was read."""

APPROVING = frozenset({Action.ACCEPT, Action.EDIT, Action.SAVE_DRAFT})


class DecisionContext(Record):
    """A decided review with its context.

    `words` are the user's feedback, answer or typed reason; `rejections` and `wishes` are earlier reviews with such a decision
    for the same sender.
    """

    review: Review
    action: Action
    reason: RejectionReason
    words: str
    message: Message
    account: Account
    sender: SenderIdentity
    rejections: tuple[ReviewId, ...] = ()
    wishes: tuple[ReviewId, ...] = ()


class DecisionLessons(Record):
    """What a decision teaches. `corrected` is the right verdict for the mail, None where triage was right."""

    said: MailFeedback
    lessons: tuple[Lesson, ...] = ()
    corrected: tuple[Decision, Category] | None = None


def learn_from_decision(seen: DecisionContext, known: Sequence[Preference]) -> DecisionLessons:
    """The lessons of one decision. `known` are all preferences, also those seen only once."""
    kind = seen.review.proposal.kind
    if seen.action is Action.IGNORE and kind in DRAFTED | ASKED:
        return _rejected(seen)
    if seen.action is Action.RESPOND and kind is ReviewKind.NOTIFY:
        return _wished(seen)
    if seen.action in APPROVING:
        return _approved(seen, known)
    return DecisionLessons(MailFeedback.NOTHING)


def _rejected(seen: DecisionContext) -> DecisionLessons:
    """The user ignored a draft, a notice or a question: that was not wanted, unless another draft was."""
    silent = seen.reason is RejectionReason.NONE and not seen.words.strip()
    if seen.reason not in NOT_WANTED and not silent:
        return DecisionLessons(MailFeedback.NOTHING)
    rejections = (*seen.rejections, seen.review.id)
    if silent and seen.review.proposal.kind is ReviewKind.NOTIFY and len(set(rejections)) < DISMISSALS:
        return DecisionLessons(MailFeedback.REJECTED)
    lesson = learn_from_rejection(seen.sender, seen.reason, rejections)
    if silent and lesson is None:
        return DecisionLessons(MailFeedback.REJECTED)
    quiet = Decision.NOTIFY if seen.sender.written_to or not _from_a_list(seen) else Decision.IGNORE
    if lesson is not None and lesson.rule is not None:
        quiet = Decision(lesson.rule.value)
    return DecisionLessons(MailFeedback.REJECTED, (lesson,) if lesson else (), (quiet, Category.OTHER))


def _wished(seen: DecisionContext) -> DecisionLessons:
    """The user wants an answer to a mail that was only shown."""
    lesson = learn_from_wish(seen.sender, (*seen.wishes, seen.review.id))
    return DecisionLessons(MailFeedback.WISHED, (lesson,) if lesson else (), (Decision.RESPOND, _category(seen)))


def _approved(seen: DecisionContext, known: Sequence[Preference]) -> DecisionLessons:
    """The user approved: how they edited the text, and a corrected verdict where triage had not asked for an answer."""
    missed = seen.review.proposal.decision not in ("", Decision.RESPOND)
    corrected = (Decision.RESPOND, _category(seen)) if missed else None
    edit, meeting = edit_of(seen), rescheduled(seen.review, seen.sender.email)
    lessons = learn_from_edit(edit, known) if edit is not None else ()
    met = learn_from_meeting(meeting, known) if meeting is not None else ()
    return DecisionLessons(MailFeedback.NOTHING, (*lessons, *met), corrected)


def edit_of(seen: DecisionContext) -> ReplyEdit | None:
    """The first proposed body and the approved one, None where nothing was edited."""
    proposed, approved = seen.review.proposed, seen.review.proposal.draft
    if proposed is None or approved is None or proposed.body == approved.body:
        return None
    name = first_name(seen.message, newest_part(seen.message.body_text))
    return ReplyEdit(proposed.body, approved.body, seen.sender.email, name, seen.account.signature)


def _category(seen: DecisionContext) -> Category:
    """The mail's category. Spam becomes `OTHER`, since the mail was answered."""
    told = seen.review.proposal.category
    return Category.OTHER if told in ("", Category.SPAM) else Category(told)


def _from_a_list(seen: DecisionContext) -> bool:
    return bool(seen.sender.list_id or seen.message.header("List-Unsubscribe"))


CALL_TYPE = "memory"
MOST_CHANGES = 3
EXCERPT = 4000
_FOREIGN = re.compile(r"[^\s@]@[^\s@]|https?:|www\.|[\n\r]|\d{7}")

SCHEMA = {
    "type": "object",
    "properties": {
        "changes": {
            "type": "array",
            "maxItems": MOST_CHANGES,
            "items": {
                "type": "object",
                "properties": {
                    "change": {"type": "string", "enum": [one.value for one in PreferenceChange]},
                    "id": {"type": "integer"},
                    "text": {"type": "string", "maxLength": LONGEST_TEXT},
                },
                "required": ["change", "id", "text"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["changes"],
    "additionalProperties": False,
}


def subject_of(seen: DecisionContext) -> Namespace | None:
    """Which preferences a decision may change; None where a model is not asked."""
    kind = seen.review.proposal.kind
    writing = Namespace.CALENDAR if "schedule_meeting" in seen.review.proposal.request_json else Namespace.RESPONSE
    if seen.action in APPROVING:
        edited = edit_of(seen) is not None or rescheduled(seen.review, seen.sender.email) is not None
        return writing if edited else None
    if seen.action is Action.RESPOND and kind is ReviewKind.NOTIFY:
        return Namespace.TRIAGE
    if seen.action is Action.RESPOND and kind in DRAFTED:
        return writing
    if seen.action is Action.IGNORE and kind in DRAFTED:
        about_the_mail = seen.reason in NOT_WANTED or seen.reason is RejectionReason.NONE
        return Namespace.TRIAGE if about_the_mail else writing
    return None


async def propose_lessons(
    gateway: ModelGateway, prompts: Path, seen: DecisionContext, known: Sequence[Preference]
) -> tuple[Lesson, ...]:
    """Asks the model once and returns the allowed changes. `known` are all preferences, also those seen only once.

    Raises `ModelUnavailable` and `CapReached`.
    """
    namespace = subject_of(seen)
    if namespace is None:
        return ()
    open_ones = [one for one in known if one.namespace is namespace and one.rule is None and not one.typed]
    asked = _question(prompts, namespace, seen, known)
    answer = await gateway.structured(seen.review.proposal.run_id, CALL_TYPE, asked, SCHEMA)
    made = (_lesson(one, namespace, open_ones) for one in answer["changes"])
    return tuple(one for one in made if one is not None)


def _lesson(told: Mapping[str, Any], namespace: Namespace, open_ones: Sequence[Preference]) -> Lesson | None:
    """One change, None where it is not allowed."""
    change, text = PreferenceChange(told["change"]), str(told["text"]).strip()
    if change is not PreferenceChange.REMOVE and (not text or _FOREIGN.search(text)):
        return None
    if change is PreferenceChange.ADD:
        return Lesson(change, namespace, text)
    return Lesson(change, namespace, text, target=told["id"]) if any(one.id == told["id"] for one in open_ones) else None


def _question(prompts: Path, namespace: Namespace, seen: DecisionContext, known: Sequence[Preference]) -> list[ChatMessage]:
    """The prompt: preferences with their numbers, and what happened."""
    mine = [one for one in known if one.namespace is namespace]
    listed = "\n".join(f"{one.id}: {one.text}{_standing(one)}" for one in mine)
    owner = seen.account.name or seen.account.email
    system = prompt(prompts, "memory", owner=owner, namespace=namespace.value, preferences=listed)
    return chat(system, *_happened(seen))


def _standing(one: Preference) -> str:
    if one.rule or one.typed:
        return " (fixed)"
    return "" if one.confirmed else " (seen once)"


def _happened(seen: DecisionContext) -> list[str]:
    """The decision as text blocks. Drafts are fenced since they may quote a stranger."""
    about = seen.review.proposal
    parts: list[str] = [
        fence(f"From: {seen.message.sender.email}\nSubject: {seen.message.subject}", "mail it was about", seen.message)
    ]
    parts.append(f"It was sorted as {about.decision}, {about.category}. The owner's decision: {seen.action}.")
    if seen.review.proposed is not None:
        parts.append(fence(seen.review.proposed.body[:EXCERPT], "proposed draft"))
    if seen.action in APPROVING and about.draft is not None:
        parts.append(fence(about.draft.body[:EXCERPT], "draft as the owner approved it"))
    if about.draft is None and about.request_json:
        parts.append(fence(seen.review.proposed_request[:EXCERPT], "proposed action"))
        if seen.action in APPROVING:
            parts.append(fence(about.request_json[:EXCERPT], "action as the owner approved it"))
    if seen.words.strip():
        parts.append(f"The owner's words: {seen.words.strip()[:EXCERPT]}")
    return parts
