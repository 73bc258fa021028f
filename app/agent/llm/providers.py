"""What is known of each provider and model while the program runs: pauses after failures, what a model accepts, its form.

A provider that fails is left alone for a while, so that a mail is never delayed by a server that is known to be down. One call
then tries it again. A model that does not keep the form of an answer is no longer asked for that kind.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256

from app.agent.llm.target import ModelTarget
from app.agent.llm.trust import HOSTED, LOCAL, MOST_ANSWERS, Trust
from app.agent.llm.turns import ModelMisconfigured, UnusableAnswer
from app.domain.error_texts import NO_TEXT, Cause, ErrorText
from app.domain.errors import CapReached, ExpectedError, ModelUnavailable
from app.store.runs.model_calls import ModelCalls

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

ROOM_TO_THINK = 6000
"""Tokens more for a model that was cut off before its answer: it thinks first."""
ROOM_TO_END = 400
"""Tokens more for a model on this computer that was cut off within its answer."""

SPARE_CALLS = 2
CALLS_PER_SPARE = 8
"""Second calls about the same mail (a repair, a retry, a draft sent back): a few, and one for every so many first calls."""

OF_MODEL = frozenset({Cause.MODEL_UNKNOWN.name, Cause.MODEL_NOT_ALLOWED.name})
"""Refusals of one model, whose provider serves others."""

Tell = Callable[[ExpectedError], None]
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


@dataclass
class ModelRecord:
    """What a model was found to accept, and how well it answers.

    `refused` are request parameters that the server rejected. `room` are tokens that its answers need beyond the limit of their
    kind, `endless` says that it finds no end with them either. `refusal` is why it is not asked until `asked_at_s`.
    """

    trust: Trust
    refused: set[str] = field(default_factory=set)
    room: int = 0
    endless: bool = False
    whole_answers: bool = False
    context_tokens: int = 0
    forms: dict[str, AnswerForm] = field(default_factory=dict)
    calls: int = 0
    second_calls: int = 0
    refusal: ModelUnavailable | None = None
    asked_at_s: float = 0.0

    def was_cut(self, begun: bool, again: bool) -> None:
        """An answer ended at its limit: before it began, since the model thinks first, or on this computer in its middle.

        `again`: it had more room already. A small model that finds no end would take minutes, and find none.
        """
        if not begun:
            self.room = ROOM_TO_THINK
        elif again:
            self.endless, self.room = True, self.room if self.room > ROOM_TO_END else 0
        elif not self.endless:
            self.room = max(self.room, ROOM_TO_END)

    def spare(self) -> bool:
        """Takes one of the second calls that are left. Without one, code takes the model's place."""
        left = self.second_calls < SPARE_CALLS + self.calls // CALLS_PER_SPARE
        self.second_calls += left
        return left


class Provider:
    """One server with one key: its pause, and its models."""

    def __init__(self, parallel: int, now_s: Seconds, tell: Tell, trust: Callable[[str], Trust]) -> None:
        """`trust` makes that of a model by its name."""
        self._trust = trust
        self._slots = asyncio.Semaphore(parallel)
        self._alone = asyncio.Lock()
        self._now_s, self._tell = now_s, tell
        self._failures = 0
        self._pauses = 0
        self._open_at_s = self._next_at_s = self._gap_s = 0.0
        self._error: ModelUnavailable | None = None
        self._capped = False
        self._models: dict[str, ModelRecord] = {}

    def model(self, name: str) -> ModelRecord:
        """The record of a model. Reads the store for a new one: call it in a thread."""
        if name not in self._models:
            self._models[name] = ModelRecord(self._trust(name))
        return self._models[name]

    @property
    def waits_s(self) -> float:
        """Seconds until it may be called, 0 where it may be now."""
        return max(0.0, self._open_at_s - self._now_s()) if self._error is not None else 0.0

    @property
    def in_doubt(self) -> bool:
        return bool(self._failures)

    def refusal(self, model: str) -> ErrorText:
        """What the last call found wrong with the set-up; empty for anything that passes."""
        error = self._error or self.model(model).refusal
        return error.text if isinstance(error, ModelMisconfigured) else NO_TEXT

    def check(self, model: str = "") -> None:
        """Raises the error that paused the provider or the model, while the pause lasts."""
        record = self._models.get(model)
        refusal = record.refusal if record is not None and self._now_s() < record.asked_at_s else None
        error = self._error if self.waits_s else refusal
        if error is not None:
            raise type(error)(error.text)

    @asynccontextmanager
    async def call(self) -> AsyncIterator[None]:
        """Limits the calls at once: to one while the last call failed. Raises as `check`."""
        async with self._slots:
            self.check()
            now_s = self._now_s()
            at_s = max(now_s, self._next_at_s)
            self._next_at_s = at_s + self._gap_s
            if at_s > now_s:  # the server has said that there are too many calls
                await asyncio.sleep(at_s - now_s)
            if not self._failures:
                yield
                return
            async with self._alone:
                self.check()
                yield

    def capped(self, error: CapReached) -> None:
        """Tells once, until a call is answered again."""
        if not self._capped:
            self._capped = True
            self._tell(error)

    def worked(self) -> None:
        self._capped = False
        self._failures = self._pauses = 0
        self._error = None
        self._gap_s = self._gap_s * GAP_SHRINKS if self._gap_s > FIRST_GAP_S / 2 else 0.0

    def refused(self, model: str, error: ModelMisconfigured) -> None:
        """Pauses one model that the provider does not have, and tells of it once."""
        record = self.model(model)
        if record.refusal is None:
            self._tell(error)
        record.refusal, record.asked_at_s = error, self._now_s() + MISCONFIGURED_PAUSE_S

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


class Providers:
    """The providers in use, by address and key. One for the whole program, so that all gateways know of a pause."""

    def __init__(
        self, tell: Tell = lambda _error: None, now_s: Seconds = time.monotonic, answers: ModelCalls | None = None
    ) -> None:
        """`answers` keeps what models said of mail whose decision is known; without it that is forgotten at the end."""
        self._answers, self._tell, self._now_s = answers, tell, now_s
        self._known: dict[tuple[str, str], Provider] = {}

    def of(self, target: ModelTarget) -> Provider:
        key = (target.host, sha256(target.api_key.encode()).hexdigest())
        if key not in self._known:
            trust = partial(self._trust, target)
            self._known[key] = Provider(1 if target.keyless else PARALLEL, self._now_s, self._tell, trust)
        return self._known[key]

    def _trust(self, target: ModelTarget, model: str) -> Trust:
        prior = LOCAL if target.keyless and not target.api_key else HOSTED
        if self._answers is None:
            return Trust(prior)
        return Trust(
            prior,
            self._answers.model_answers(target.host, model, MOST_ANSWERS),
            partial(self._answers.model_said, target.host, model),
        )
