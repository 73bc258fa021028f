"""Lessons from edits by rule: how long and when the user meets, and greeting, sign-off, form of address and signature of replies.

A meeting rule holds for everybody at first; where another one already does, for the guest, until a second guest confirms it. A
wording rule holds for the person first, or for the language where none was known; a second person makes it hold for the language.
Nothing is followed before two decisions teach it. A sign-off is a short formula that names nothing and nobody.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from app.agent.language.reply_parts import LetterParts, closing_only, form_of_address, line_key, parts_of, signature_lines
from app.domain.agents.memory import Lesson, Preference, PreferenceRule, RuleKind, lesson_of
from app.domain.drafting.meeting import SCHEDULE_MEETING, Meeting, busy_times, meeting_from, overlapping
from app.domain.drafting.review import Review, request_of
from app.domain.errors import NotAllowed
from app.domain.language.words import Language, language
from app.domain.record import Record


class Rescheduled(Record):
    """The proposed and the approved meeting with `person` (an address, lower case). `taken`: the proposed time was not free."""

    proposed: Meeting
    approved: Meeting
    person: str
    taken: bool


def rescheduled(review: Review, person: str) -> Rescheduled | None:
    """The user's change of a meeting, None where the review is about none or nothing changed."""
    try:
        before, after = (_meeting(one) for one in (review.proposed_request, review.proposal.request_json))
    except NotAllowed:
        return None
    if before is None or after is None or before == after:
        return None
    taken = overlapping(busy_times(review.proposal.tools), before.start, before.end)
    return Rescheduled(before, after, person, bool(taken))


def learn_from_meeting(seen: Rescheduled, known: Sequence[Preference]) -> tuple[Lesson, ...]:
    """The lessons of one edited meeting. `known` are the preferences in force."""
    return tuple(_lesson(rule, known) for rule in _meeting_rules(seen, known))


def _lesson(rule: PreferenceRule, known: Sequence[Preference]) -> Lesson:
    """The lesson that sets a rule. For a wider scope, the decisions about single persons count as well."""
    others = (one for one in known if one.rule is not None and (one.rule.kind, one.rule.value) == (rule.kind, rule.value))
    wider = not rule.scope.startswith("person:")
    evidence = [
        review for one in others if wider and one.rule and one.rule.scope.startswith("person:") for review in one.evidence
    ]
    return lesson_of(rule, tuple(dict.fromkeys(evidence)))


def _meeting_rules(seen: Rescheduled, known: Sequence[Preference]) -> Iterator[PreferenceRule]:
    before, after = seen.proposed, seen.approved
    if before.length != after.length:
        yield from _scoped_rule(RuleKind.MEETING_LENGTH, str(int(after.length.total_seconds() // 60)), "", seen.person, known)
    if not seen.taken and f"{before.start:%H:%M}" != f"{after.start:%H:%M}":
        yield from _scoped_rule(RuleKind.MEETING_TIME, f"{after.start:%H:%M}", "", seen.person, known)


def _meeting(request_json: str) -> Meeting | None:
    tool, arguments = request_of(request_json)
    return meeting_from(arguments) if tool == SCHEDULE_MEETING else None


LONGEST = 120
"""Characters of a greeting or sign-off that can be learned."""

FIRST = "{first}"
_WORD = re.compile(r"[^\W\d_]+")


class ReplyEdit(Record):
    """The proposed and the approved body of a reply.

    `person` is an address in lower case, `first_name` theirs (may be empty), `signature` the account's as HTML.
    """

    proposed: str
    approved: str
    person: str
    first_name: str
    signature: str


def learn_from_edit(edit: ReplyEdit, known: Sequence[Preference]) -> tuple[Lesson, ...]:
    """The lessons of one edited reply. `known` are the response preferences in force."""
    spoken = language("\n".join(line for line in edit.approved.splitlines() if not line.lstrip().startswith(">")))
    if spoken is Language.OTHER or edit.proposed.strip() == edit.approved.strip():
        return ()
    before = parts_of(edit.proposed)
    after = parts_of(edit.approved, before)
    return tuple(_lesson(rule, known) for rule in _wording_rules(edit, before, after, spoken, known))


def _wording_rules(
    edit: ReplyEdit, before: LetterParts, after: LetterParts, spoken: Language, known: Sequence[Preference]
) -> Iterator[PreferenceRule]:
    signature = signature_lines(edit.signature)
    if _only_signature_removed(edit, signature):
        yield PreferenceRule(RuleKind.SIGNATURE, "", "")
    elif before.sign_off != after.sign_off and (closing_only(after.sign_off) if after.sign_off else _alike(before, after)):
        yield from _scoped_rule(RuleKind.SIGN_OFF, after.sign_off, spoken.value, edit.person, known)
    greeting = _pattern(after.greeting, edit.first_name)
    if greeting and greeting != _pattern(before.greeting, edit.first_name):
        yield from _scoped_rule(RuleKind.GREETING, greeting, spoken.value, edit.person, known)
    if spoken is Language.CS:
        said, told = form_of_address(edit.proposed), form_of_address(edit.approved)
        if told and said and told != said:
            yield PreferenceRule(RuleKind.FORM_OF_ADDRESS, f"person:{edit.person}", told)


def _scoped_rule(kind: RuleKind, value: str, scope: str, person: str, known: Sequence[Preference]) -> Iterator[PreferenceRule]:
    """The rule for the scope or for the person. Nothing where it is already followed."""
    if len(value) > LONGEST:
        return
    rules = [one.rule for one in known if one.rule is not None]
    followed = [one.rule for one in known if one.rule is not None and one.confirmed]
    general = next((one for one in followed if (one.kind, one.scope) == (kind, scope)), None)
    own = f"person:{person}"
    others = [one for one in rules if one.kind is kind and one.value == value and one.scope.startswith("person:")]
    elsewhere, greets = any(one.scope != own for one in others), kind is RuleKind.GREETING
    # A greeting holds for others only if it names nobody: no capitalised word after the first.
    named = greets and any(word[0].isupper() for word in _WORD.findall(value.replace(FIRST, ""))[1:])
    if (elsewhere or (general is None and not greets)) and not named:
        yield PreferenceRule(kind, scope, value)
    elif general is None or general.value != value:
        yield PreferenceRule(kind, own, value)


def _pattern(greeting: str, first_name: str) -> str:
    """The greeting with the first name replaced by `{first}`."""
    if not first_name:
        return greeting
    return re.sub(rf"(?<!\w){re.escape(first_name)}(?!\w)", FIRST, greeting, count=1)


def _only_signature_removed(edit: ReplyEdit, signature: Collection[str]) -> bool:
    """Whether the user only removed last lines that are in the signature."""
    before, after = _lines(edit.proposed), _lines(edit.approved)
    gone = before[len(after) :]
    return bool(gone) and before[: len(after)] == after and all(line in signature for line in gone)


def _lines(text: str) -> list[str]:
    return [key for line in text.splitlines() if (key := line_key(line))]


def _alike(before: LetterParts, after: LetterParts) -> bool:
    """Whether the end of the body was kept, so that a missing sign-off was left out on purpose."""
    old, new = _lines(before.body), _lines(after.body)
    kept = set(old) & set(new)
    return bool(kept) and old[-1] == new[-1] and 2 * len(kept) >= len(set(old))
