"""What an edited meeting teaches: its length and its time of day, for everybody or for one guest; and how drafts follow it."""

import json
from datetime import UTC, datetime, time, timedelta

import pytest

from app.agent.learning.drafter import hours_for
from app.agent.learning.meetings import learn_from_meeting, rescheduled
from app.agent.local.times import WorkingHours, free_times
from app.domain.ids import AccountId, MessageId, ReviewId, RunId, ThreadId
from app.domain.memory import Lesson, Namespace, Preference, Rule, RuleKind, lesson_of
from app.domain.ports.agents import BusyTime
from app.domain.review import Proposal, Review, ReviewKind, ReviewStatus, ToolStep

NOW = datetime(2026, 11, 20, 8, tzinfo=UTC)
ANN = "ann@partner.org"


def arguments(start: str = "2026-11-26T09:00:00", end: str = "2026-11-26T10:00:00") -> str:
    """A request to schedule a meeting."""
    args = {
        "attendees": [ANN],
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


def taught(after: str, busy: str = "[]", known: tuple[Rule, ...] = ()) -> list[Rule | None]:
    """The rules that an edit teaches."""
    seen = rescheduled(review(after, busy), ANN)
    assert seen is not None
    rules = [preference(number, rule) for number, rule in enumerate(known, 1)]
    lessons: tuple[Lesson, ...] = learn_from_meeting(seen, rules)
    assert all(one.namespace is Namespace.CALENDAR and one.text for one in lessons)
    return [one.rule for one in lessons]


def preference(number: int, rule: Rule) -> Preference:
    """A rule as a preference in force."""
    return Preference(number, Namespace.CALENDAR, lesson_of(rule).text, ReviewId(1), NOW, 0, rule)


def test_a_shorter_meeting_teaches_its_length() -> None:
    assert taught(arguments(end="2026-11-26T09:30:00")) == [Rule(RuleKind.MEETING_LENGTH, "", "30")]


def test_another_hour_teaches_the_time_of_day_and_another_day_teaches_nothing() -> None:
    assert taught(arguments("2026-11-26T11:00:00", "2026-11-26T12:00:00")) == [Rule(RuleKind.MEETING_TIME, "", "11:00")]
    assert taught(arguments("2026-11-27T09:00:00", "2026-11-27T10:00:00")) == []


def test_a_time_that_was_taken_is_no_wish() -> None:
    busy = json.dumps([{"start": "2026-11-26T08:30:00+00:00", "end": "2026-11-26T09:00:00+00:00", "title": "x"}])
    assert taught(arguments("2026-11-26T11:00:00", "2026-11-26T12:00:00"), busy) == []


@pytest.mark.parametrize(
    ("known", "learned"),
    [
        ((Rule(RuleKind.MEETING_LENGTH, "", "45"),), [Rule(RuleKind.MEETING_LENGTH, f"person:{ANN}", "30")]),
        ((Rule(RuleKind.MEETING_LENGTH, "", "30"),), []),
        (
            (Rule(RuleKind.MEETING_LENGTH, "", "45"), Rule(RuleKind.MEETING_LENGTH, "person:bob@x.org", "30")),
            [Rule(RuleKind.MEETING_LENGTH, "", "30")],
        ),
    ],
)
def test_what_holds_already_is_kept_for_the_others(known: tuple[Rule, ...], learned: list[Rule]) -> None:
    assert taught(arguments(end="2026-11-26T09:30:00"), known=known) == learned


def test_nothing_changed_and_other_actions_teach_nothing() -> None:
    assert rescheduled(review(arguments()), ANN) is None
    assert rescheduled(review('{"action": "send_email", "args": {}}'), ANN) is None
    assert rescheduled(review(arguments(), before='{"action": "schedule_meeting", "args": {"title": 5}}'), ANN) is None


def test_drafts_offer_times_as_they_were_taught() -> None:
    rules = [
        preference(1, Rule(RuleKind.MEETING_LENGTH, "", "30")),
        preference(2, Rule(RuleKind.MEETING_TIME, "", "11:00")),
        preference(3, Rule(RuleKind.MEETING_TIME, "person:bob@x.org", "15:00")),
    ]
    hours, used = hours_for(WorkingHours(), rules, ANN)
    assert (hours.length, hours.around, used) == (timedelta(minutes=30), time(11), (1, 2))
    assert hours_for(WorkingHours(), rules, "bob@x.org")[0].around == time(15)
    busy = (BusyTime(datetime(2026, 11, 23, 10, 45, tzinfo=UTC), datetime(2026, 11, 23, 11, 15, tzinfo=UTC)),)
    offered = free_times(busy, NOW, hours)
    assert [f"{one:%d %H:%M}" for one in offered] == ["23 11:30", "24 11:00", "25 11:00"]
