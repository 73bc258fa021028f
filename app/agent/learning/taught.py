"""Triage that follows what the user taught: the classifier refitted on corrections, and rules about senders above it.

Refuses to hold a model of its own: it stands before `LocalTriage` and may be given another one at any time, from any thread.
"""

from collections.abc import Callable, Sequence

from app.agent.local.classifier import Correction, LocalTriage
from app.domain.mail import Account, Message
from app.domain.memory import Preference, settle_by_rules
from app.domain.ports.agents import Contact
from app.domain.triage import Category, Decision, Triage


class TaughtTriage:
    """Implements the graph's `Triager`. `rules` gives the triage preferences in force that have a rule; `used` hears the id
    of each that settled a mail."""

    def __init__(
        self, triage: LocalTriage, rules: Callable[[], Sequence[Preference]], used: Callable[[Sequence[int]], None]
    ) -> None:
        self._triage = triage
        self._rules = rules
        self._used = used

    @property
    def examples(self) -> int:
        """How many examples the classifier learned from."""
        return self._triage.examples

    def learn(self, corrections: Sequence[Correction]) -> None:
        """Refit on these corrections and the seeds; some milliseconds each that is new. Call it off the loop."""
        self._triage = self._triage.learn(corrections)

    def rule(self, message: Message, account: Account) -> Triage | None:
        """The verdict where headers or the user's rules settle it."""
        settled = self._triage.rule(message, account)
        verdict = settled or self._unsettled()
        taught, by = settle_by_rules(verdict, message, written_to=False, known=self._rules())
        return taught if by else settled

    def judge(
        self, message: Message, thread: Sequence[Message], account: Account, vector: Sequence[float], contact: Contact | None
    ) -> Triage:
        """The verdict on any mail; where headers or the user's rules settled it, its maker starts with `rule:`."""
        verdict = self._triage.judge(message, thread, account, vector, contact)
        written_to = contact is not None and contact.sent > 0
        taught, by = settle_by_rules(verdict, message, written_to, self._rules())
        if by:
            self._used((by,))
        return taught

    def _unsettled(self) -> Triage:
        """A verdict that says nothing, for a rule to settle."""
        return Triage(Decision.NOTIFY, Category.OTHER, 0.0, "", self._triage.maker)
