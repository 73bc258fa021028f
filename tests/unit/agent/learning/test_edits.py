"""What an edited reply says about how its owner writes.

What an edited meeting teaches: its length and its time of day, for everybody or for one guest; and how drafts follow it.

What each kind of decision teaches, and what it does not.
"""

import json
from datetime import UTC, datetime, time, timedelta

import pytest

from app.agent.language.times import WorkingHours, free_times
from app.agent.learning.decisions import DISMISSALS, DecisionContext, learn_from_decision, subject_of
from app.agent.learning.drafter import hours_for
from app.agent.learning.edits import ReplyEdit, learn_from_edit, learn_from_meeting, rescheduled
from app.domain.agents.memory import (
    Lesson,
    MailFeedback,
    Namespace,
    Preference,
    PreferenceRule,
    RejectionReason,
    RuleKind,
    SenderIdentity,
    lesson_of,
    sentence,
)
from app.domain.drafting.draft import Draft
from app.domain.drafting.meeting import BusyTime
from app.domain.drafting.review import Action, Proposal, Review, ReviewKind, ReviewStatus, ToolStep
from app.domain.ids import AccountId, MessageId, ReviewId, RunId, ThreadId
from app.domain.mail.triage import Category, Decision
from app.domain.record import replace
from fakes.engine.store.accounts import ACCOUNT, message

PROPOSED = "Hello Ann,\n\nThank you for your message.\n\nIt arrives on Friday.\n\nBest regards,\nMia"
CZECH = "Dobrý den,\n\nděkuji za vaši zprávu.\n\nZboží vám přijde v pátek.\n\nS pozdravem,\nMia"
ANN, BEN = "ann@partner.org", "ben@other.org"


def learned(
    proposed: str, approved: str, *known: PreferenceRule, person: str = ANN, name: str = "Ann", signature: str = ""
) -> list[PreferenceRule]:
    """The rules of one edit."""
    rows = [
        Preference(n, Namespace.RESPONSE, sentence(one), ReviewId(n), datetime(2026, 11, 1, tzinfo=UTC), 0, one)
        for n, one in enumerate(known, 1)
    ]
    lessons: tuple[Lesson, ...] = learn_from_edit(ReplyEdit(proposed, approved, person, name, signature), rows)
    return [one.rule for one in lessons if one.rule is not None]


def test_a_changed_sign_off_holds_for_the_language() -> None:
    assert learned(PROPOSED, PROPOSED.replace("Best regards", "Cheers")) == [
        PreferenceRule(RuleKind.SIGN_OFF, "en", "Cheers,\nMia")
    ]
    assert learned(CZECH, CZECH.replace("S pozdravem", "Hezký den")) == [
        PreferenceRule(RuleKind.SIGN_OFF, "cs", "Hezký den,\nMia")
    ]


@pytest.mark.parametrize("end", ["\n\nBest regards,\nMia", "\nBest regards,\nMia", "\nMia"])
@pytest.mark.parametrize(
    "sentence", ["Thank you for the photos of the wheel.", "Thanks for the photos, Ann", "See you on Friday!"]
)
def test_a_sentence_of_one_letter_is_no_sign_off(sentence: str, end: str) -> None:
    rules = learned(PROPOSED, PROPOSED.replace("\n\nBest regards,\nMia", f"\n\n{sentence}{end}"))
    assert [one.value for one in rules if sentence in one.value] == []


def test_a_left_out_sign_off_is_a_wish_only_while_the_text_is_kept() -> None:
    short = PROPOSED.replace("\n\nBest regards,\nMia", "")
    assert learned(PROPOSED, short) == [PreferenceRule(RuleKind.SIGN_OFF, "en", "")]
    assert learned(PROPOSED, "No, and please do not ask me again about this order.") == []


def test_a_greeting_holds_for_the_person_and_from_the_second_on_for_the_language() -> None:
    ann = PreferenceRule(RuleKind.GREETING, f"person:{ANN}", "Hi {first},")
    assert learned(PROPOSED, PROPOSED.replace("Hello", "Hi")) == [ann]
    ben = PROPOSED.replace("Ann", "Ben")
    assert learned(ben, ben.replace("Hello", "Hi"), ann, person=BEN, name="Ben") == [
        PreferenceRule(RuleKind.GREETING, "en", "Hi {first},")
    ]


@pytest.mark.parametrize("greeting", ["Dear Ms Berg,", "Dobrý den, paní Bergová,"])
def test_a_name_is_never_carried_over(greeting: str) -> None:
    """A title with a surname stays with the person, whoever else gets the same words."""
    ann = PreferenceRule(RuleKind.GREETING, f"person:{ANN}", greeting)
    (rule,) = learned(PROPOSED, PROPOSED.replace("Hello Ann,", greeting), ann, person=BEN, name="Ann")
    assert rule.scope == f"person:{BEN}"


def test_czech_forms_of_address_are_heard() -> None:
    approved = CZECH.replace("vaši", "tvou").replace("vám", "ti").replace("Dobrý den", "Ahoj")
    rules = learned(CZECH, approved, name="")
    assert PreferenceRule(RuleKind.FORM_OF_ADDRESS, f"person:{ANN}", "ty") in rules
    assert PreferenceRule(RuleKind.GREETING, f"person:{ANN}", "Ahoj,") in rules
    assert [one.value for one in learned(approved, CZECH, name="") if one.kind is RuleKind.FORM_OF_ADDRESS] == ["vy"]


def test_lines_of_the_signature_are_left_out() -> None:
    signature = "<div>Mia Example<br>Workshop &amp; Sons</div>"
    proposed = "Hello Ann,\n\nIt arrives on Friday.\n\nBest regards,\nMia Example\nWorkshop & Sons"
    approved = "Hello Ann,\n\nIt arrives on Friday.\n\nBest regards,"
    assert learned(proposed, approved, signature=signature) == [PreferenceRule(RuleKind.SIGNATURE, "", "")]
    assert [one.kind for one in learned(proposed, approved)] == [RuleKind.SIGN_OFF]


def test_nothing_is_learned_from_other_words_between() -> None:
    assert learned(PROPOSED, PROPOSED.replace("Friday", "Monday")) == []
    assert learned(PROPOSED, PROPOSED) == []
    other = "Bonjour,\n\nmerci pour votre message. Vous avez la commande vendredi et pas plus tard.\n\nCordialement\nMia"
    assert learned(other, other.replace("Cordialement", "Bien cordialement")) == []


NOW = datetime(2026, 11, 20, 8, tzinfo=UTC)
ANN_MEETINGS = "ann@partner.org"


def arguments(start: str = "2026-11-26T09:00:00", end: str = "2026-11-26T10:00:00") -> str:
    """A request to schedule a meeting."""
    args = {
        "attendees": [ANN_MEETINGS],
        "title": "Talk",
        "start_time": start,
        "end_time": end,
        "organizer_email": "me@example.com",
        "timezone": "Europe/Prague",
    }
    return json.dumps({"action": "schedule_meeting", "args": args})


def review(after: str, busy: str = "[]", before: str = "") -> Review:
    """A decided review whose request was edited."""
    proposal = Proposal(
        AccountId(1),
        RunId("r"),
        MessageId(1),
        ThreadId(1),
        ReviewKind.TOOL_CALL,
        "respond",
        "meeting_request",
        0.9,
        "",
        "m",
        request_json=after,
        tools=(ToolStep("check_calendar", "{}", f'{{"busy": {busy}}}', "", 1.0),),
    )
    return Review(ReviewId(1), 2, ReviewStatus.APPROVED, NOW, NOW, proposal, None, before or arguments())


def taught(after: str, busy: str = "[]", known: tuple[PreferenceRule, ...] = ()) -> list[PreferenceRule | None]:
    """The rules that an edit teaches."""
    seen = rescheduled(review(after, busy), ANN_MEETINGS)
    assert seen is not None
    rules = [preference(number, rule) for number, rule in enumerate(known, 1)]
    lessons: tuple[Lesson, ...] = learn_from_meeting(seen, rules)
    assert all(one.namespace is Namespace.CALENDAR and one.text for one in lessons)
    return [one.rule for one in lessons]


def preference(number: int, rule: PreferenceRule) -> Preference:
    """A rule as a preference in force."""
    return Preference(number, Namespace.CALENDAR, lesson_of(rule).text, ReviewId(1), NOW, 0, rule)


def test_another_hour_teaches_the_time_of_day_and_another_day_teaches_nothing() -> None:
    assert taught(arguments("2026-11-26T11:00:00", "2026-11-26T12:00:00")) == [PreferenceRule(RuleKind.MEETING_TIME, "", "11:00")]
    assert taught(arguments("2026-11-27T09:00:00", "2026-11-27T10:00:00")) == []


def test_a_time_that_was_taken_is_no_wish() -> None:
    busy = json.dumps([{"start": "2026-11-26T08:30:00+00:00", "end": "2026-11-26T09:00:00+00:00", "title": "x"}])
    assert taught(arguments("2026-11-26T11:00:00", "2026-11-26T12:00:00"), busy) == []


@pytest.mark.parametrize(
    ("known", "learned"),
    [
        (
            (PreferenceRule(RuleKind.MEETING_LENGTH, "", "45"),),
            [PreferenceRule(RuleKind.MEETING_LENGTH, f"person:{ANN_MEETINGS}", "30")],
        ),
        ((PreferenceRule(RuleKind.MEETING_LENGTH, "", "30"),), []),
        (
            (
                PreferenceRule(RuleKind.MEETING_LENGTH, "", "45"),
                PreferenceRule(RuleKind.MEETING_LENGTH, "person:bob@x.org", "30"),
            ),
            [PreferenceRule(RuleKind.MEETING_LENGTH, "", "30")],
        ),
    ],
)
def test_what_holds_already_is_kept_for_the_others(known: tuple[PreferenceRule, ...], learned: list[PreferenceRule]) -> None:
    assert taught(arguments(end="2026-11-26T09:30:00"), known=known) == learned


def test_drafts_offer_times_as_they_were_taught() -> None:
    rules = [
        preference(1, PreferenceRule(RuleKind.MEETING_LENGTH, "", "30")),
        preference(2, PreferenceRule(RuleKind.MEETING_TIME, "", "11:00")),
        preference(3, PreferenceRule(RuleKind.MEETING_TIME, "person:bob@x.org", "15:00")),
    ]
    hours, used = hours_for(WorkingHours(), rules, ANN_MEETINGS)
    assert (hours.length, hours.around, used) == (timedelta(minutes=30), time(11), (1, 2))
    assert hours_for(WorkingHours(), rules, "bob@x.org")[0].around == time(15)
    busy = (BusyTime(datetime(2026, 11, 23, 10, 45, tzinfo=UTC), datetime(2026, 11, 23, 11, 15, tzinfo=UTC)),)
    offered = free_times(busy, NOW, hours)
    assert [f"{one:%d %H:%M}" for one in offered] == ["23 11:30", "24 11:00", "25 11:00"]


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


@pytest.mark.parametrize(("kind", "times"), [(ReviewKind.NOTIFY, DISMISSALS), (ReviewKind.QUESTION, 2)])
def test_ignoring_questions_twice_or_notices_often_makes_a_rule(kind: ReviewKind, times: int) -> None:
    before = tuple(ReviewId(10 + number) for number in range(times - 1))
    first = learn_from_decision(replace(seen(Action.IGNORE, kind), rejections=before[1:]), ())
    assert (first.said, first.lessons, first.corrected) == (MailFeedback.REJECTED, (), None)
    again = learn_from_decision(replace(seen(Action.IGNORE, kind), rejections=before), ())
    assert [one.rule.value for one in again.lessons if one.rule] == ["ignore"]
    assert again.corrected == (Decision.IGNORE, Category.OTHER)


@pytest.mark.parametrize("reason", [RejectionReason.TONE, RejectionReason.FACTS, RejectionReason.OWN_WORDS])
def test_a_bad_draft_is_not_the_senders_fault(reason: RejectionReason) -> None:
    learned = learn_from_decision(replace(seen(Action.IGNORE, reason=reason), rejections=(ReviewId(3),)), ())
    assert (learned.said, learned.lessons, learned.corrected) == (MailFeedback.NOTHING, (), None)


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
