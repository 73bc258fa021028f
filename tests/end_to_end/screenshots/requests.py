"""Requests to the assistant for the pictures: one in each state."""

import json
from datetime import datetime, timedelta

from app.domain.agents.requests import ALL_MAIL, Capability, MailScope, PlannedStep, Request, StepResult, completion_contract
from app.domain.agents.runs import ModelCall
from app.domain.drafting.draft import Source, SourceKind
from app.domain.error_texts import Cause, ErrorText
from app.domain.ids import RequestId
from app.domain.mail.files import ArtifactHandle
from app.domain.protocol.assistant_commands import AskAssistant
from app.store.requests.requests import Requests, RequestSteps
from app.store.runs.model_calls import ModelCalls
from fakes.engine.store.sample_store import LivelyStore

MODEL = "openai/gpt-4o-mini"
LOOK, MAKE, MAIL, SAY = Capability.RESEARCH, Capability.CREATE_DOCUMENT, Capability.GMAIL, Capability.DIRECT_ANSWER
SUMMARY = """## Delivery of order 4411

Ana asked **twice** when the order arrives; she needs it before 27 November.

- 12 sets were ordered on 14 November
- You promised to ship on Monday, 16 November
- She asks for the tracking number

Her shop's page is https://partner.example/shops/brno, and she also wrote of https://partner.example/opening."""
REQUESTS = ("", "-running", "-waiting", "-done", "-failed", "-stopped", "-no-plan", "-long")
"""The names of their pictures, the newest first; the newest is a plan that waits for the owner."""


class Asker:
    """The engine's side of the requests at any time of the past."""

    def __init__(self, store: LivelyStore) -> None:
        self._store = store
        self._now = store.now
        self.requests = Requests(store.db, self._clock)
        self.steps = RequestSteps(store.db, self._clock)

    def ask(
        self, minutes: int, text: str, *plan: PlannedStep, run: bool = True, maker: str = MODEL, scope: MailScope = ALL_MAIL
    ) -> Request:
        """A request of some minutes ago with its plan."""
        self._now = self._store.now - timedelta(minutes=minutes)
        name = RequestId(f"00000000-0000-4000-8000-{minutes:012}")
        made = self.requests.add(AskAssistant(name, self._store.account_id, text, scope=scope))
        if plan:
            self.requests.plan(name, plan, maker, run=False)
            self._call(made)
            if run:
                self.requests.run(name)
        return made

    @property
    def month_ago(self) -> datetime:
        return self._store.now - timedelta(days=30)

    def work(self, request: Request, index: int, seconds: float, result: StepResult | None) -> None:
        """A step runs, and ends with a result."""
        self.steps.begin(request.id, index)
        self._now += timedelta(seconds=seconds)
        if result is not None:
            self.steps.finish(request.id, index, result)

    def _call(self, request: Request) -> None:
        call = ModelCall(request.run_id, "plan", MODEL, 1_240, 160, 0.0019, 900.0, "api.openai.com", 5_200, "", self._now)
        ModelCalls(self._store.db, self._clock).model_call(call)

    def _clock(self) -> datetime:
        return self._now


def ask_for_things(store: LivelyStore) -> None:
    """One in each state, the oldest first."""
    asker = Asker(store)
    for ask in (_long, _no_plan, _stopped, _failed, _done, _waiting, _running, _proposed):
        ask(asker, store)


def _cited(store: LivelyStore, *keys: str) -> tuple[Source, ...]:
    mails = [store.mails[key] for key in keys]
    return tuple(Source(SourceKind.MESSAGE, one.subject, one.body_text[:200], one.id) for one in mails)


def _result(capability: Capability, answer: str, sources: tuple[Source, ...] = (), *files: ArtifactHandle) -> StepResult:
    return StepResult(completion_contract(capability, {"result": "done"}), answer, sources, files)


def _proposed(asker: Asker, _store: LivelyStore) -> None:
    plan = (
        PlannedStep(LOOK, "Find what Tom Harding wrote about the scratch on the frame, and what was promised to him."),
        PlannedStep(MAKE, "Write a one-page summary of it with the dates."),
        PlannedStep(MAIL, "Send the summary to Lee Wong with two sentences of explanation."),
    )
    scope = MailScope(inbox=True, sent=True, since=asker.month_ago)
    asker.ask(4, "Sum up Tom's complaint about the frame and send it to Lee", *plan, run=False, scope=scope)


def _running(asker: Asker, store: LivelyStore) -> None:
    plan = (
        PlannedStep(LOOK, "Find all mails of the last month about order 4411."),
        PlannedStep(LOOK, "Compare the dates in them."),
    )
    made = asker.ask(9, "When did I promise what about order 4411?", *plan)
    asker.work(made, 0, 2.4, _result(LOOK, "Five mails are about order 4411.", _cited(store, "m01", "m02", "m03")))
    asker.work(made, 1, 1.0, None)


def _waiting(asker: Asker, store: LivelyStore) -> None:
    plan = (
        PlannedStep(LOOK, "Find the newest question of Ana Novák that is not answered."),
        PlannedStep(MAIL, "Answer it: the order ships on Monday."),
    )
    made = asker.ask(35, "Tell Ana that the order ships on Monday", *plan)
    asker.work(made, 0, 1.7, _result(LOOK, "Ana asks when order 4411 arrives.", _cited(store, "m03")))
    asker.work(made, 1, 3.2, None)
    asker.steps.wait(made.id, 1, store.reviews["plain"])


def _done(asker: Asker, store: LivelyStore) -> None:
    plan = (
        PlannedStep(LOOK, "Find the mails about the delivery of order 4411."),
        PlannedStep(MAKE, "Write a report of what was asked and promised."),
    )
    scope = MailScope(store.mails["m03"].id)
    made = asker.ask(160, "What is the state of order 4411? Make me a short report of it.", *plan, scope=scope)
    source = Source(SourceKind.MESSAGE, "Re: Delivery", "See https://partner.example/shops/brno for it.", store.mails["m03"].id)
    asker.work(made, 0, 3.1, _result(LOOK, SUMMARY, (*_cited(store, "m01", "m02"), source)))
    handle = ArtifactHandle("a" * 64, "Order 4411.md", "a" * 64, 2_140)
    asker.work(made, 1, 6.8, _result(MAKE, "The report has one page.", (), handle))


def _failed(asker: Asker, store: LivelyStore) -> None:
    plan = (
        PlannedStep(LOOK, "Find the last invoice of Parts & More."),
        PlannedStep(MAKE, "List its positions in a table."),
        PlannedStep(MAIL, "Send the table to the accountant."),
    )
    made = asker.ask(60 * 26, "Send our accountant the positions of the last invoice", *plan)
    asker.work(made, 0, 1.2, _result(LOOK, "The newest mail of Parts & More is no invoice.", _cited(store, "m06")))
    asker.work(made, 1, 0.4, None)
    asker.steps.fail(made.id, 1, ErrorText.of(Cause.UNUSABLE_TWICE, "openai/gpt-4o-mini"))


def _stopped(asker: Asker, store: LivelyStore) -> None:
    plan = (PlannedStep(LOOK, "Find all mails with photos."), PlannedStep(SAY, "Say how many there are of each month."))
    made = asker.ask(60 * 30, "How many photos did I get each month?", *plan)
    asker.work(made, 0, 2.0, _result(LOOK, "Two mails have photos.", _cited(store, "m05")))
    asker.requests.stop(made.id)


def _no_plan(asker: Asker, _store: LivelyStore) -> None:
    made = asker.ask(60 * 50, "Do everything that is to be done")
    asker.requests.fail_plan(made.id, ErrorText.of(Cause.UNUSABLE_TWICE, "openai/gpt-4o-mini"))


def _long(asker: Asker, store: LivelyStore) -> None:
    words = "Find every mail in which a customer asks about the opening hours in winter. " * 6
    made = asker.ask(60 * 24 * 8, words.strip(), PlannedStep(LOOK, words.strip()), maker="rules")
    found = json.dumps({"result": "found"})
    asker.work(
        made, 0, 0.2, StepResult(found, "\n".join(one.subject for one in store.mails.values()), _cited(store, *store.mails))
    )
