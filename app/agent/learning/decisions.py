"""From one decision of the user to what it teaches, by rules alone: preferences, a corrected verdict, what it says of the mail.

Pure. Refuses to learn from a draft that was approved as proposed, and from a rejection that was about the draft.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.agent.learning.meetings import learn_from_meeting, rescheduled
from app.agent.learning.wording import Edit, learn_from_edit
from app.agent.local.letters import first_name
from app.domain.ids import ReviewId
from app.domain.mail import Account, Message
from app.domain.memory import (
    NOT_WANTED,
    Lesson,
    Preference,
    Reason,
    Said,
    Sender,
    learn_from_rejection,
    learn_from_wish,
)
from app.domain.quotes import newest_part
from app.domain.review import Action, Review, ReviewKind
from app.domain.triage import Category, Decision

DRAFTED = frozenset({ReviewKind.REPLY, ReviewKind.TOOL_CALL})
APPROVING = frozenset({Action.ACCEPT, Action.EDIT, Action.SAVE_DRAFT})


@dataclass(frozen=True, slots=True)
class Experience:
    """A decided review with what is known around it. `words` are the user's feedback, answer or typed reason; `rejections` and
    `wishes` are earlier reviews whose decisions said so about the same sender."""

    review: Review
    action: Action
    reason: Reason
    words: str
    message: Message
    account: Account
    sender: Sender
    rejections: tuple[ReviewId, ...] = ()
    wishes: tuple[ReviewId, ...] = ()


@dataclass(frozen=True, slots=True)
class Learned:
    """What a decision teaches. `corrected` is the verdict that the mail should have had, None where it was right."""

    said: Said
    lessons: tuple[Lesson, ...] = ()
    corrected: tuple[Decision, Category] | None = None


def learn_from_decision(seen: Experience, known: Sequence[Preference]) -> Learned:
    """The lessons of one decision; `known` are the preferences in force."""
    kind = seen.review.proposal.kind
    if seen.action is Action.IGNORE and kind in DRAFTED:
        return _rejected(seen)
    if seen.action is Action.RESPOND and kind is ReviewKind.NOTIFY:
        return _wished(seen)
    if seen.action in APPROVING:
        return _approved(seen, known)
    return Learned(Said.NOTHING)


def _rejected(seen: Experience) -> Learned:
    """No answer was wanted, unless the reason says that another one was."""
    silent = seen.reason is Reason.NONE and not seen.words.strip()
    if seen.reason not in NOT_WANTED and not silent:
        return Learned(Said.NOTHING)
    lesson = learn_from_rejection(seen.sender, seen.reason, (*seen.rejections, seen.review.id))
    if silent and lesson is None:
        return Learned(Said.REJECTED)
    quiet = Decision.NOTIFY if seen.sender.written_to or not _from_a_list(seen) else Decision.IGNORE
    if lesson is not None and lesson.rule is not None:
        quiet = Decision(lesson.rule.value)
    return Learned(Said.REJECTED, (lesson,) if lesson else (), (quiet, Category.OTHER))


def _wished(seen: Experience) -> Learned:
    """An answer was wanted where the mail was only shown."""
    lesson = learn_from_wish(seen.sender, (*seen.wishes, seen.review.id))
    return Learned(Said.WISHED, (lesson,) if lesson else (), (Decision.RESPOND, _category(seen)))


def _approved(seen: Experience, known: Sequence[Preference]) -> Learned:
    """How the user wrote it; and that the mail wanted an answer, where triage had not seen that."""
    missed = seen.review.proposal.decision not in ("", Decision.RESPOND)
    corrected = (Decision.RESPOND, _category(seen)) if missed else None
    edit, meeting = edit_of(seen), rescheduled(seen.review, seen.sender.email)
    lessons = learn_from_edit(edit, known) if edit is not None else ()
    met = learn_from_meeting(meeting, known) if meeting is not None else ()
    return Learned(Said.NOTHING, (*lessons, *met), corrected)


def edit_of(seen: Experience) -> Edit | None:
    """The first proposed body and the approved one; None where nothing was edited."""
    proposed, approved = seen.review.proposed, seen.review.proposal.draft
    if proposed is None or approved is None or proposed.body == approved.body:
        return None
    name = first_name(seen.message, newest_part(seen.message.body_text))
    return Edit(proposed.body, approved.body, seen.sender.email, name, seen.account.signature)


def _category(seen: Experience) -> Category:
    """The mail's category; what is answered is no spam."""
    told = seen.review.proposal.category
    return Category.OTHER if told in ("", Category.SPAM) else Category(told)


def _from_a_list(seen: Experience) -> bool:
    return bool(seen.sender.list_id or seen.message.header("List-Unsubscribe"))
