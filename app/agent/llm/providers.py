"""What is known of each provider and model while the program runs: pauses after failures, what a model accepts, its form.

A provider that fails is left alone for a while, so that a mail is never delayed by a server that is known to be down. One call
then tries it again. A model that does not keep the form of an answer is no longer asked for that kind.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256

from app.agent.llm.target import ModelTarget
from app.agent.llm.turns import ModelMisconfigured, UnusableAnswer
from app.domain.error_texts import Cause
from app.domain.errors import ModelUnavailable
from app.domain.mail.triage import Decision, Triage

MOST_FAILURES = 3
"""Failures in a row after which a provider is left alone. At most one more call is under way then."""
FIRST_PAUSE_S = 15.0
LONGEST_PAUSE_S = 900.0
MISCONFIGURED_PAUSE_S = 3600.0
"""After a refused key or an unknown model. A change of key, model or address ends it at once."""
PARALLEL = 4
"""Calls at once to a provider on the network. A local server gets one: it would only share its processor among several."""

FIRST_GAP_S = 0.5
LONGEST_GAP_S = 20.0
GAP_SHRINKS = 0.8
"""Seconds between calls once a server said that there are too many: twice as many each time, fewer with each answer."""

FORM_CALLS = 20
"""First calls of a kind by which a model is judged."""
MOST_MISSES = 5
"""Answers in a row of the wrong form after which a model is not asked for that kind."""
FORM_PAUSE_S = 3600.0

SPARE_CALLS = 2
CALLS_PER_SPARE = 8
"""Second calls about the same mail (a repair, a retry, a draft sent back): a few, and one for every so many first calls."""

SURE = 0.7
"""Confidence of a local verdict from which a model is measured by it: 92 of 100 such verdicts are right on the sample mailbox."""
SAME_NEEDS = 0.6
"""From this on, category and reason are the model's where it agrees with the local decision."""
HOSTED_PRIOR = (0.95, 6)
LOCAL_PRIOR = (0.7, 4)
"""How often a new model is taken to be right, and how many verdicts that counts for. Models that run on the owner's computer are
small; those of a provider, or behind a key, are believed until they were wrong a few times.
"""

Tell = Callable[[ModelUnavailable], None]
Seconds = Callable[[], float]


@dataclass
class AnswerForm:
    """How well a model keeps the form of one kind of answer."""

    calls: int = 0
    misses: int = 0
    in_a_row: int = 0
    told: bool = False
    paused_until_s: float = 0.0

    @property
    def poor(self) -> bool:
        """Whether the owner should be told to use the model for other things."""
        return self.in_a_row >= MOST_MISSES or (self.calls <= FORM_CALLS and self.misses * 2 > FORM_CALLS)


class Trust:
    """How often a model says what is known to be right: by sure local verdicts, or by what the owner did with a past mail.

    A strong model soon counts more than a local verdict; one that says the same of all mail, or guesses, never does.
    """

    def __init__(self, prior: tuple[float, int] = HOSTED_PRIOR) -> None:
        self._right, self._counts = prior
        self._said: Counter[tuple[Decision, Decision]] = Counter()

    def learn(self, right: Decision, said: Decision) -> None:
        self._said[right, said] += 1

    def likelihood(self, said: Decision) -> float:
        """How likely this answer is right, if all decisions were equally frequent."""
        shares = {right: self._share(right, said) for right in Decision}
        return shares[said] / sum(shares.values())

    def _share(self, right: Decision, said: Decision) -> float:
        """How often the model says this of mail for which another decision, or this one, is right."""
        expected = self._right if right is said else (1 - self._right) / 2
        counted = sum(self._said[right, one] for one in Decision)
        return (self._said[right, said] + self._counts * expected) / (counted + self._counts)

    def weighed(self, local: Triage, said: Triage) -> Triage:
        """The model's verdict, or the local one where that is more likely to be right. Learns from a sure local one."""
        trusted = self.likelihood(said.decision)
        if local.confidence >= SURE:
            self.learn(local.decision, said.decision)
        needed = SAME_NEEDS if said.decision is local.decision else local.confidence
        return said if trusted >= needed else local


@dataclass
class ModelRecord:
    """What a model was found to accept, and how well it answers.

    `refused` are request parameters that the server rejected. `needs_room`: it thinks before it answers, so short limits cut it.
    """

    trust: Trust = field(default_factory=Trust)
    refused: set[str] = field(default_factory=set)
    needs_room: bool = False
    whole_answers: bool = False
    context_tokens: int = 0
    forms: dict[str, AnswerForm] = field(default_factory=dict)
    calls: int = 0
    second_calls: int = 0

    def spare(self) -> bool:
        """Takes one of the second calls that are left. Without one, code takes the model's place."""
        left = self.second_calls < SPARE_CALLS + self.calls // CALLS_PER_SPARE
        self.second_calls += left
        return left


class Provider:
    """One server with one key: its pause, and its models."""

    def __init__(self, parallel: int, now_s: Seconds, tell: Tell, prior: tuple[float, int] = HOSTED_PRIOR) -> None:
        self._prior = prior
        self._slots = asyncio.Semaphore(parallel)
        self._alone = asyncio.Lock()
        self._now_s = now_s
        self._tell = tell
        self._failures = 0
        self._pauses = 0
        self._open_at_s = self._next_at_s = self._gap_s = 0.0
        self._error: ModelUnavailable | None = None
        self._models: dict[str, ModelRecord] = {}

    def model(self, name: str) -> ModelRecord:
        """The record of a model."""
        return self._models.setdefault(name, ModelRecord(Trust(self._prior)))

    @property
    def waits_s(self) -> float:
        """Seconds until it may be called, 0 where it may be now."""
        return max(0.0, self._open_at_s - self._now_s()) if self._error is not None else 0.0

    @property
    def in_doubt(self) -> bool:
        """Whether the last call failed."""
        return bool(self._failures)

    def check(self) -> None:
        """Raises the error that paused the provider, while the pause lasts."""
        if self._error is not None and self.waits_s:
            raise type(self._error)(self._error.text)

    @asynccontextmanager
    async def call(self) -> AsyncIterator[None]:
        """Limits the calls at once: to one while the last call failed. Raises as `check`."""
        async with self._slots:
            self.check()
            await self._turn()
            if not self._failures:
                yield
                return
            async with self._alone:
                self.check()
                yield

    async def _turn(self) -> None:
        """Waits for the time of the next call, where the server has said that there are too many."""
        now_s = self._now_s()
        at_s = max(now_s, self._next_at_s)
        self._next_at_s = at_s + self._gap_s
        if at_s > now_s:
            await asyncio.sleep(at_s - now_s)

    def worked(self) -> None:
        """A call was answered."""
        self._failures = self._pauses = 0
        self._error = None
        self._gap_s = self._gap_s * GAP_SHRINKS if self._gap_s > FIRST_GAP_S / 2 else 0.0

    def failed(self, error: ModelUnavailable, retry_after_s: float | None = None) -> None:
        """Counts a failure, and pauses the provider where it was not the first few. Tells of the beginning of a pause once."""
        self._failures += 1
        if isinstance(error, ModelMisconfigured):
            pause_s = MISCONFIGURED_PAUSE_S
        else:
            tried = self._failures >= MOST_FAILURES
            pause_s = min(FIRST_PAUSE_S * 2**self._pauses, LONGEST_PAUSE_S) if tried else 0.0
            if retry_after_s is not None:
                pause_s = max(pause_s, min(retry_after_s, MISCONFIGURED_PAUSE_S))
                self._gap_s = min(max(2 * self._gap_s, FIRST_GAP_S), LONGEST_GAP_S)
            if not pause_s:
                return
        new = self._error is None
        self._pauses += 1
        self._error = error
        self._open_at_s = self._now_s() + pause_s
        if new:
            self._tell(error)

    def check_form(self, model: str, call_type: str) -> None:
        """Raises `UnusableAnswer` while the model is not asked for this kind of answer."""
        form = self.model(model).forms.get(call_type)
        if form is not None and self._now_s() < form.paused_until_s:
            raise UnusableAnswer(Cause.FORM_PAUSED, model)

    def note_form(self, model: str, call_type: str, kept: bool) -> None:
        """Counts an answer that kept the form or did not. Proposes once to use a poor model for other things."""
        form = self.model(model).forms.setdefault(call_type, AnswerForm())
        form.calls += 1
        form.misses += not kept
        form.in_a_row = 0 if kept else form.in_a_row + 1
        if form.in_a_row >= MOST_MISSES:
            form.paused_until_s = self._now_s() + FORM_PAUSE_S
        if form.poor and not form.told:
            form.told = True
            cause = Cause.FORM_POOR_SORTING if call_type == "triage" else Cause.FORM_POOR
            self._tell(UnusableAnswer(cause, model, form.calls - form.misses, form.calls))


def unheard(_error: ModelUnavailable) -> None:
    """Tells nobody."""


class Providers:
    """The providers in use, by address and key. One for the whole program, so that all gateways know of a pause."""

    def __init__(self, tell: Tell = unheard, now_s: Seconds = time.monotonic) -> None:
        self._tell = tell
        self._now_s = now_s
        self._known: dict[tuple[str, str], Provider] = {}

    def of(self, target: ModelTarget) -> Provider:
        """The provider of a target."""
        key = (target.host, sha256(target.api_key.encode()).hexdigest())
        if key not in self._known:
            prior = LOCAL_PRIOR if target.keyless and not target.api_key else HOSTED_PRIOR
            self._known[key] = Provider(1 if target.keyless else PARALLEL, self._now_s, self._tell, prior)
        return self._known[key]
