"""Drafting without a language model, in the user's own ways of writing. Refuses to know how drafts are made: it wraps one."""

from collections.abc import Callable, Sequence
from datetime import datetime

from app.agent.deps import Drafter
from app.agent.embedding import mail_text
from app.agent.learning.applying import Occasion, apply_preferences
from app.agent.local.letters import first_name
from app.agent.local.times import WorkingHours
from app.agent.local.words import language
from app.domain.draft import Draft, Source
from app.domain.mail import Account, Message
from app.domain.memory import Preference
from app.domain.ports.agents import BusyTime, Contact, OwnReply
from app.domain.quotes import newest_part
from app.domain.triage import Triage


class TaughtDrafter:
    """Implements the graph's `Drafter`. `preferences` gives the response preferences in force that have a rule; `used` hears the
    ids of those that changed a draft."""

    def __init__(
        self, drafter: Drafter, preferences: Callable[[], Sequence[Preference]], used: Callable[[Sequence[int]], None]
    ) -> None:
        self._drafter = drafter
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
        draft, sources = self._drafter(message, thread, account, contact, own_replies, busy, triage, hours=hours, now=now)
        changed, used = apply_preferences(draft, self._preferences(), occasion_of(message, account))
        if used:
            self._used(used)
        return changed, sources


def occasion_of(message: Message, account: Account) -> Occasion:
    """Whom an answer to `message` speaks to, and how."""
    text = newest_part(message.body_text)
    spoken = language(mail_text(message.subject, text))
    return Occasion(message.sender.email.lower(), str(spoken), first_name(message, text), account.signature)
