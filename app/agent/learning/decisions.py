"""Learns from one decision of the user, by rules only: preferences, a corrected verdict, and feedback on the mail. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.agent.language.reply_parts import first_name
from app.agent.learning.edits import ReplyEdit, learn_from_edit, learn_from_meeting, rescheduled
from app.domain.agents.memory import (
    NOT_WANTED,
    Lesson,
    MailFeedback,
    Preference,
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

DRAFTED = frozenset({ReviewKind.REPLY, ReviewKind.TOOL_CALL})
ASKED = frozenset({ReviewKind.NOTIFY, ReviewKind.QUESTION})
"""Reviews without a draft. Ignoring them says that such mail is not wanted."""

DISMISSALS = 5
"""Dismissed notices of one sender that make a rule. A dismissal may only mean that the notice was read."""

APPROVING = frozenset({Action.ACCEPT, Action.EDIT, Action.SAVE_DRAFT})


@dataclass(frozen=True, slots=True)
class DecisionContext:
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


@dataclass(frozen=True, slots=True)
class DecisionLessons:
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
