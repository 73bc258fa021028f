"""Drafting without a language model, in the user's own ways of writing. Refuses to know how drafts are made: it wraps one."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta

from app.agent.deps import Drafter
from app.agent.embedding import mail_text
from app.agent.learning.applying import Occasion, apply_preferences
from app.agent.local.letters import first_name
from app.agent.local.times import WorkingHours
from app.agent.local.words import language
from app.domain.draft import Draft, Source
from app.domain.mail import Account, Message
from app.domain.memory import Preference, RuleKind
from app.domain.ports.agents import BusyTime, Contact, OwnReply
from app.domain.quotes import newest_part
from app.domain.triage import Category, Triage


class TaughtDrafter:
    """Implements the graph's `Drafter`. `preferences` gives the response preferences in force that have a rule, `meetings` those
    about meetings; `used` hears the ids of those that changed a draft."""

    def __init__(
        self,
        drafter: Drafter,
        preferences: Callable[[], Sequence[Preference]],
        used: Callable[[Sequence[int]], None],
        meetings: Callable[[], Sequence[Preference]] = tuple,
    ) -> None:
        self._drafter = drafter
        self._meetings = meetings
        self._preferences = preferences
        self._used = used

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
        """The other's draft and sources, with the draft as the user would write it."""
        liked, used = hours_for(hours or WorkingHours(), self._meetings(), message.sender.email.lower())
        if used and busy is not None and triage.category is Category.MEETING_REQUEST:
            self._used(used)
        draft, sources = self._drafter(message, thread, account, contact, own_replies, busy, triage, hours=liked, now=now)
        changed, used = apply_preferences(draft, self._preferences(), occasion_of(message, account))
        if used:
            self._used(used)
        return changed, sources


def hours_for(hours: WorkingHours, preferences: Sequence[Preference], person: str) -> tuple[WorkingHours, tuple[int, ...]]:
    """The hours as the user likes to meet this person (an address, lower case), and the ids of what said so."""
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


def occasion_of(message: Message, account: Account) -> Occasion:
    """Whom an answer to `message` speaks to, and how."""
    text = newest_part(message.body_text)
    spoken = language(mail_text(message.subject, text))
    return Occasion(message.sender.email.lower(), str(spoken), first_name(message, text), account.signature)
