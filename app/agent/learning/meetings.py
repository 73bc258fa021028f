"""What an edited meeting says about how the user meets: how long, and at what time of day.

Rules only; each becomes one preference that code follows. What is new holds for everybody at first; where something else holds
already, for the guest alone, until a second guest says the same. Refuses to read a wish into a time that was taken.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.domain.busy import busy_times, overlapping
from app.domain.errors import Refused
from app.domain.meeting import SCHEDULE_MEETING, Meeting, meeting_from
from app.domain.memory import Lesson, Preference, Rule, RuleKind, lesson_of
from app.domain.review import Review, request_of


@dataclass(frozen=True, slots=True)
class Rescheduled:
    """The proposed and the approved meeting with `person` (an address, lower case); `taken`: the proposed time was not free."""

    proposed: Meeting
    approved: Meeting
    person: str
    taken: bool


def rescheduled(review: Review, person: str) -> Rescheduled | None:
    """What the user changed of a meeting; None where it was none, or nothing was changed."""
    try:
        before, after = (_meeting(one) for one in (review.proposed_request, review.proposal.request_json))
    except Refused:
        return None
    if before is None or after is None or before == after:
        return None
    taken = overlapping(busy_times(review.proposal.tools), before.start, before.end)
    return Rescheduled(before, after, person, bool(taken))


def learn_from_meeting(seen: Rescheduled, known: Sequence[Preference]) -> tuple[Lesson, ...]:
    """The lessons of one edited meeting; `known` are the preferences in force."""
    rules = [one.rule for one in known if one.rule is not None]
    return tuple(lesson_of(rule) for rule in _rules(seen, rules))


def _rules(seen: Rescheduled, rules: Sequence[Rule]) -> Iterator[Rule]:
    before, after = seen.proposed, seen.approved
    if before.length != after.length:
        yield from _scoped(RuleKind.MEETING_LENGTH, str(int(after.length.total_seconds() // 60)), seen.person, rules)
    if not seen.taken and f"{before.start:%H:%M}" != f"{after.start:%H:%M}":
        yield from _scoped(RuleKind.MEETING_TIME, f"{after.start:%H:%M}", seen.person, rules)


def _scoped(kind: RuleKind, value: str, person: str, rules: Sequence[Rule]) -> Iterator[Rule]:
    """The rule for everybody or for the person, or none where it would say nothing new."""
    general = next((one for one in rules if (one.kind, one.scope) == (kind, "")), None)
    own = f"person:{person}"
    others = [one for one in rules if one.kind is kind and one.value == value and one.scope.startswith("person:")]
    if general is None or any(one.scope != own for one in others):
        yield Rule(kind, "", value)
    elif general.value != value:
        yield Rule(kind, own, value)


def _meeting(request_json: str) -> Meeting | None:
    tool, arguments = request_of(request_json)
    return meeting_from(arguments) if tool == SCHEDULE_MEETING else None
