"""Applies the user's preferences for wording and meetings to drafts made without a language model."""

from collections.abc import Callable, Sequence
from datetime import datetime, time, timedelta

from app.agent.drafting.template_draft import TEMPLATE
from app.agent.language.reply_parts import first_name, split_letter, without_signature
from app.agent.language.times import WorkingHours
from app.agent.learning.edits import FIRST
from app.agent.retrieval import mail_text
from app.agent.runtime.dependencies import Drafter
from app.domain.agents.memory import Preference, RuleKind
from app.domain.agents.owner_profile import with_closings
from app.domain.drafting.draft import Draft, Source, Span, SpanKind
from app.domain.drafting.meeting import BusyTime
from app.domain.language.words import language
from app.domain.mail.message import Account, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.triage import Category, Triage
from app.domain.ports.agents import Contact, OwnReply
from app.domain.record import Record, replace


def splice(draft: Draft, start: int, end: int, words: str) -> Draft:
    """Replaces the characters from `start` to `end` by `words`.

    Spans after the place move with their text; spans that reach into it are cut, and dropped where nothing is left. An open slot
    inside moves to `start`.
    """
    body = draft.body[:start] + words + draft.body[end:]
    moved = (_moved(span, start, end, len(words)) for span in draft.spans)
    return replace(draft, body=body, spans=tuple(span for span in moved if span is not None))


def _moved(span: Span, start: int, end: int, length: int) -> Span | None:
    """The span after the change, None where its text is gone."""
    by = length - (end - start)
    if span.kind is SpanKind.OPEN_SLOT:
        at = span.start if span.start <= start else start if span.start < end else span.start + by
        return replace(span, start=at, end=at)
    if span.end <= start:
        return span
    if span.start >= end:
        return replace(span, start=span.start + by, end=span.end + by)
    if span.start < start:
        return replace(span, end=start)
    return replace(span, start=start + length, end=span.end + by) if span.end > end else None


_FAMILIAR = (("Dobrý den,", "Ahoj,"),)
"""Fixed phrases of Czech drafts, polite and familiar."""


class ReplyContext(Record):
    """Whom the draft answers.

    `person` is an address in lower case, `language` is `en`, `cs`, `de` or `other`, `first_name` may be empty, `signature` is
    HTML.
    """

    person: str
    language: str
    first_name: str
    signature: str


def apply_preferences(draft: Draft, preferences: Sequence[Preference], occasion: ReplyContext) -> tuple[Draft, tuple[int, ...]]:
    """The draft in the user's wording, and the ids of the preferences that changed it."""
    used: list[int] = []
    for kind, put in _STEPS:
        found = _fitting(kind, preferences, occasion)
        if found is None or found.rule is None:
            continue
        changed = put(draft, found.rule.value, occasion)
        if changed != draft:
            used.append(found.id)
            draft = changed
    return draft, tuple(used)


def _fitting(kind: RuleKind, preferences: Sequence[Preference], occasion: ReplyContext) -> Preference | None:
    """The most specific rule: for the person, for the language, or general."""
    rules = {one.rule.scope: one for one in preferences if one.rule is not None and one.rule.kind is kind}
    scopes = (f"person:{occasion.person}", occasion.language, "")
    return next((rules[scope] for scope in scopes if scope in rules), None)


def _address(draft: Draft, form: str, _occasion: ReplyContext) -> Draft:
    for polite, familiar in _FAMILIAR:
        old, new = (polite, familiar) if form == "ty" else (familiar, polite)
        at = draft.body.find(old)
        if at >= 0 and not draft.body[draft.body.rfind("\n", 0, at) + 1 : at].lstrip().startswith(">"):
            draft = splice(draft, at, at + len(old), new)
    return draft


def _greet(draft: Draft, pattern: str, occasion: ReplyContext) -> Draft:
    greeting = split_letter(draft.body).greeting
    start = len(draft.body) - len(draft.body.lstrip())
    if not greeting or not draft.body.startswith(greeting, start):
        return draft
    words = pattern.replace(FIRST, occasion.first_name) if occasion.first_name else pattern.replace(f" {FIRST}", "")
    return splice(draft, start, start + len(greeting), words.replace(FIRST, "").strip())


def _sign_off(draft: Draft, words: str, occasion: ReplyContext) -> Draft:
    start = _sign_off_start(draft.body)
    if start < 0:
        end = len(draft.body.rstrip())
        return splice(draft, end, len(draft.body), f"\n\n{words}") if words and end else draft
    if not words:
        start = len(draft.body[:start].rstrip())
    return splice(draft, start, len(draft.body), words)


def _sign_off_start(body: str) -> int:
    """Offset of the sign-off, -1 where there is none."""
    sign_off = split_letter(body).sign_off
    return body.rfind(sign_off.splitlines()[0]) if sign_off else -1


def _no_signature(draft: Draft, _value: str, occasion: ReplyContext) -> Draft:
    """Removes last lines that are in the signature."""
    end = len(without_signature(draft.body, occasion.signature))
    return draft if end == len(draft.body) else splice(draft, end, len(draft.body), "")


_STEPS = (
    (RuleKind.FORM_OF_ADDRESS, _address),
    (RuleKind.GREETING, _greet),
    (RuleKind.SIGN_OFF, _sign_off),
    (RuleKind.SIGNATURE, _no_signature),
)
"""The order matters: a learned greeting overrides the form of address."""


class TaughtDrafter:
    """Implements the graph's `Drafter` with the user's preferences.

    `preferences` gives the response preferences in force that have a rule, `meetings` those about meetings. `used` is called with
    the ids of those that changed a draft.
    """

    def __init__(
        self,
        drafter: Drafter,
        preferences: Callable[[], Sequence[Preference]],
        used: Callable[[Sequence[int]], None],
        meetings: Callable[[], Sequence[Preference]] = tuple,
    ) -> None:
        self._drafter, self._meetings, self._preferences, self._used = drafter, meetings, preferences, used

    def __call__(
        self,
        message: Message,
        thread: Sequence[Message],
        account: Account,
        contact: Contact | None,
        own_replies: Sequence[OwnReply],
        busy: Sequence[BusyTime] | None,
        triage: Triage,
        *,
        hours: WorkingHours | None = None,
        now: datetime | None = None,
    ) -> tuple[Draft, tuple[Source, ...]]:
        """The draft and sources of the wrapped drafter, in the user's wording."""
        liked, used = hours_for(hours or WorkingHours(), self._meetings(), message.sender.email.lower())
        if used and busy is not None and triage.category is Category.MEETING_REQUEST:
            self._used(used)
        draft, sources = self._drafter(message, thread, account, contact, own_replies, busy, triage, hours=liked, now=now)
        known = self._preferences()
        wording = with_closings(known, account.id) if draft.maker == TEMPLATE else known
        changed, used = apply_preferences(draft, wording, occasion_of(message, account))
        if used:
            self._used(used)
        return changed, sources


def hours_for(hours: WorkingHours, preferences: Sequence[Preference], person: str) -> tuple[WorkingHours, tuple[int, ...]]:
    """The working hours with the user's preferences for this person (an address, lower case), and the ids of those
    preferences.
    """
    used: list[int] = []
    for kind in (RuleKind.MEETING_LENGTH, RuleKind.MEETING_TIME):
        rules = {one.rule.scope: one for one in preferences if one.rule is not None and one.rule.kind is kind}
        found = rules.get(f"person:{person}") or rules.get("")
        if found is None or found.rule is None:
            continue
        used.append(found.id)
        if kind is RuleKind.MEETING_LENGTH:
            hours = replace(hours, length=timedelta(minutes=int(found.rule.value)))
        else:
            hours = replace(hours, around=time.fromisoformat(found.rule.value))
    return hours, tuple(used)


def occasion_of(message: Message, account: Account) -> ReplyContext:
    text = newest_part(message.body_text)
    spoken = language(mail_text(message.subject, text))
    return ReplyContext(message.sender.email.lower(), str(spoken), first_name(message, text), account.signature)
