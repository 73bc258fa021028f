"""What each kind of decision teaches, and what it does not."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.agent.learning.decisions import DISMISSALS, DecisionContext, learn_from_decision, subject_of
from app.domain.agents.memory import MailFeedback, Namespace, RejectionReason, RuleKind, SenderIdentity
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Action, Proposal, Review, ReviewKind, ReviewStatus
from app.domain.ids import AccountId, MessageId, ReviewId, RunId, ThreadId
from app.domain.mail.triage import Category, Decision
from fakes.engine.store.accounts import ACCOUNT, message

BODY = "Hello Bob,\n\nYes, it arrives on Friday.\n\nBest regards,\nOlga"


def seen(
    action: Action,
    kind: ReviewKind = ReviewKind.REPLY,
    reason: RejectionReason = RejectionReason.NONE,
    words: str = "",
    approved: str = BODY,
    decision: str = "respond",
) -> DecisionContext:
    """A decided review of Bob's mail."""
    draft = Draft((), (), (), "", BODY, "template")
    about = Proposal(
        AccountId(1), RunId("r"), MessageId(5), ThreadId(3), kind, decision, "inquiry", 0.9, "Asks.", "local:118",
        replace(draft, body=approved),
    )  # fmt: skip
    now = datetime(2026, 11, 3, tzinfo=UTC)
    review = Review(ReviewId(7), 2, ReviewStatus.APPROVED, now, now, about, draft)
    sender = SenderIdentity("bob@example.org", "", written_to=False)
    return DecisionContext(review, action, reason, words, message(), ACCOUNT, sender)


def test_an_edit_teaches_writing_and_says_nothing_of_the_mail() -> None:
    learned = learn_from_decision(seen(Action.EDIT, approved=BODY.replace("Best regards", "Cheers")), ())
    assert [one.rule.kind for one in learned.lessons if one.rule] == [RuleKind.SIGN_OFF]
    assert (learned.said, learned.corrected) == (MailFeedback.NOTHING, None)
    assert learn_from_decision(seen(Action.ACCEPT), ()).lessons == ()


def test_answering_what_was_to_be_ignored_corrects_the_verdict() -> None:
    learned = learn_from_decision(seen(Action.ACCEPT, decision="ignore"), ())
    assert learned.corrected == (Decision.RESPOND, Category.INQUIRY)


def test_wanting_an_answer_to_a_notice() -> None:
    notice = seen(Action.RESPOND, ReviewKind.NOTIFY, decision="notify")
    first = learn_from_decision(notice, ())
    assert (first.said, first.lessons, first.corrected) == (MailFeedback.WISHED, (), (Decision.RESPOND, Category.INQUIRY))
    again = learn_from_decision(replace(notice, wishes=(ReviewId(3),)), ())
    assert [one.rule.value for one in again.lessons if one.rule] == ["respond"]


def test_a_silent_rejection_counts_and_the_second_makes_a_rule() -> None:
    first = learn_from_decision(seen(Action.IGNORE), ())
    assert (first.said, first.lessons, first.corrected) == (MailFeedback.REJECTED, (), None)
    again = learn_from_decision(replace(seen(Action.IGNORE), rejections=(ReviewId(3),)), ())
    assert [one.evidence for one in again.lessons] == [(3, 7)]
    assert again.corrected == (Decision.IGNORE, Category.OTHER)


@pytest.mark.parametrize(("kind", "times"), [(ReviewKind.NOTIFY, DISMISSALS), (ReviewKind.QUESTION, 2)])
def test_ignoring_questions_twice_or_notices_often_makes_a_rule(kind: ReviewKind, times: int) -> None:
    before = tuple(ReviewId(10 + number) for number in range(times - 1))
    first = learn_from_decision(replace(seen(Action.IGNORE, kind), rejections=before[1:]), ())
    assert (first.said, first.lessons, first.corrected) == (MailFeedback.REJECTED, (), None)
    again = learn_from_decision(replace(seen(Action.IGNORE, kind), rejections=before), ())
    assert [one.rule.value for one in again.lessons if one.rule] == ["ignore"]
    assert again.corrected == (Decision.IGNORE, Category.OTHER)


def test_no_answer_needed_corrects_at_once_but_hides_nobody() -> None:
    learned = learn_from_decision(seen(Action.IGNORE, reason=RejectionReason.NO_ANSWER), ())
    assert (learned.said, learned.lessons, learned.corrected) == (MailFeedback.REJECTED, (), (Decision.NOTIFY, Category.OTHER))


@pytest.mark.parametrize("reason", [RejectionReason.TONE, RejectionReason.FACTS, RejectionReason.OWN_WORDS])
def test_a_bad_draft_is_not_the_senders_fault(reason: RejectionReason) -> None:
    learned = learn_from_decision(replace(seen(Action.IGNORE, reason=reason), rejections=(ReviewId(3),)), ())
    assert (learned.said, learned.lessons, learned.corrected) == (MailFeedback.NOTHING, (), None)


def test_typed_words_are_not_guessed_at() -> None:
    assert learn_from_decision(seen(Action.IGNORE, words="Too long."), ()).said is MailFeedback.NOTHING
    assert learn_from_decision(seen(Action.RESPOND, words="Shorter."), ()).said is MailFeedback.NOTHING


def test_what_a_model_is_asked_about() -> None:
    assert subject_of(seen(Action.EDIT, approved="Else.")) is Namespace.RESPONSE
    assert subject_of(seen(Action.ACCEPT)) is None
    assert subject_of(seen(Action.RESPOND, words="Shorter.")) is Namespace.RESPONSE
    assert subject_of(seen(Action.IGNORE)) is Namespace.TRIAGE
    assert subject_of(seen(Action.IGNORE, reason=RejectionReason.TONE)) is Namespace.RESPONSE
    assert subject_of(seen(Action.IGNORE, ReviewKind.NOTIFY)) is None
    assert subject_of(seen(Action.RESPOND, ReviewKind.NOTIFY)) is Namespace.TRIAGE
    meeting = seen(Action.RESPOND, ReviewKind.TOOL_CALL)
    request = replace(meeting.review.proposal, request_json='{"action": "schedule_meeting", "args": {}}')
    assert subject_of(replace(meeting, review=replace(meeting.review, proposal=request))) is Namespace.CALENDAR
