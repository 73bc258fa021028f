"""How far a model's verdict counts, by its answers on mail whose right decision is known.

A model is weighed against a set of characters: one knows the decision of a share of all mail, and says of the rest what it leans
to, or anything. Each answer makes some of them likelier. So one that says the same of all mail, or guesses, is found out in a few
answers, while a strong one loses nothing by a single error.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable
from math import exp, log
from operator import mul

from app.domain.mail.triage import Decision, Triage

SURE = 0.7
"""Confidence of a local verdict from which a model is measured by it: 90 of 100 such verdicts are right on the sample mailbox."""
KNOWN = 0.93
"""How often a decision that a model is measured by is right."""
SAME_NEEDS = 0.6
"""From this on, category and reason are the model's where it agrees with the local decision."""
MOST_ANSWERS = 200
"""Newest answers that count: another model may stand behind the same name later."""

SHARES = (0.96, 0.9, 0.75, 0.5, 0.25, 0.0)
"""Shares of mail whose decision a model may know."""
HOSTED = (0.5, 0.25, 0.1, 0.05, 0.05, 0.05)
LOCAL = (0.1, 0.15, 0.2, 0.2, 0.2, 0.15)
"""How likely each share is for a new model. Those that run on the owner's computer are small; those of a provider, or behind a
key, are believed until they were wrong a few times.
"""
LEANS: dict[Decision | None, float] = {None: 0.7, **dict.fromkeys(Decision, 0.1)}
"""What a model may say where it does not know, and how likely that is: anything, or mostly one decision."""
MOSTLY = 0.94

Answered = tuple[Decision, Decision]
"""What is right, and what the model said."""
_CHARACTERS = tuple((share, lean) for share in SHARES for lean in LEANS)


def _says(share: float, lean: Decision | None, right: Decision, said: Decision) -> float:
    """How likely such a model says this of mail for which another decision, or this one, is right."""
    even = 1 / len(Decision)
    other = even if lean is None else MOSTLY if said is lean else (1 - MOSTLY) / 2
    return share * (said is right) + (1 - share) * other


def _seen(share: float, lean: Decision | None, right: Decision, said: Decision) -> float:
    """The same where the right decision is known by a sure local verdict or by what the owner did."""
    wrong = (1 - KNOWN) / (len(Decision) - 1)
    return sum((KNOWN if one is right else wrong) * _says(share, lean, one, said) for one in Decision)


_PAIRS = tuple((right, said) for right in Decision for said in Decision)
_SAID = {pair: tuple(_says(*one, *pair) for one in _CHARACTERS) for pair in _PAIRS}
_LOGS = {pair: tuple(log(_seen(*one, *pair)) for one in _CHARACTERS) for pair in _PAIRS}


class Trust:
    """What is known of one model's verdicts. `keep` stores each answer, `known` are those of earlier."""

    def __init__(
        self,
        prior: tuple[float, ...] = HOSTED,
        known: Iterable[Answered] = (),
        keep: Callable[[Decision, Decision], None] = lambda _right, _said: None,
    ) -> None:
        self._prior = tuple(log(share * lean) for share in prior for lean in LEANS.values())
        self._answers: deque[Answered] = deque(known, MOST_ANSWERS)
        self._keep = keep

    @property
    def measured(self) -> int:
        return len(self._answers)

    def learn(self, right: Decision, said: Decision) -> None:
        """Counts an answer. Writes to the store: call it in a thread."""
        self._answers.append((right, said))
        self._keep(right, said)

    def learn_from(self, local: Triage, said: Triage) -> None:
        """Counts an answer where the local verdict is sure. Writes as `learn`."""
        if local.confidence >= SURE:
            self.learn(local.decision, said.decision)

    def likelihood(self, said: Decision) -> float:
        """How likely this answer is right, if all decisions were equally frequent."""
        shares = self._shares(said)
        return shares[said] / sum(shares.values())

    def _shares(self, said: Decision) -> dict[Decision, float]:
        """How likely the model says this, by the right decision."""
        logs = self._prior
        for pair, times in Counter(self._answers).items():
            logs = tuple(one + times * more for one, more in zip(logs, _LOGS[pair], strict=True))
        most = max(logs)
        weights = [exp(one - most) for one in logs]
        return {right: sum(map(mul, weights, _SAID[right, said])) / sum(weights) for right in Decision}

    def weighed(self, local: Triage, said: Triage) -> Triage:
        """The model's verdict where it is likelier than the local one, given how sure that is."""
        shares = self._shares(said.decision)
        if said.decision is local.decision:
            return said if shares[said.decision] >= SAME_NEEDS * sum(shares.values()) else local
        other = (1 - local.confidence) / (len(Decision) - 1)
        return said if other * shares[said.decision] > local.confidence * shares[local.decision] else local
