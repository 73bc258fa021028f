"""Requests to the assistant for the pictures: one in each state."""

from datetime import timedelta

from app.domain.agents.requests import (
    ALL_MAIL,
    Capability,
    MailScope,
    PlannedStep,
    Request,
    StepResult,
    StepStatus,
    completion_contract,
)
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
        self._store, self._now = store, store.now
        self.requests, self.steps = Requests(store.db, lambda: self._now), RequestSteps(store.db, lambda: self._now)

    def ask(
        self, minutes: int, text: str, *plan: PlannedStep, run: bool = True, maker: str = MODEL, scope: MailScope = ALL_MAIL
    ) -> Request:
        """A request of some minutes ago with its plan."""
        self._now = self._store.now - timedelta(minutes=minutes)
        name = RequestId(f"00000000-0000-4000-8000-{minutes:012}")
        made = self.requests.add(AskAssistant(name, self._store.account_id, text, scope=scope))
        if plan:
            self.requests.plan(name, plan, maker, run=run)
            call = ModelCall(made.run_id, "plan", MODEL, 1_240, 160, 0.0019, 900.0, "api.openai.com", 5_200, "", self._now)
            ModelCalls(self._store.db, lambda: self._now).model_call(call)
        return made

    def work(self, request: Request, seconds: float, answer: str = "", *cited: str, file: ArtifactHandle | None = None) -> None:
        """The next step runs. With an answer it ends; `cited` are keys of the store's mail."""
        index = next(step.index for step in self.requests.get(request.id).steps if step.status is StepStatus.OPEN)
        self.steps.begin(request.id, index)
        self._now += timedelta(seconds=seconds)
        if answer:
            mails = [self._store.mails[key] for key in cited]
            sources = tuple(Source(SourceKind.MESSAGE, one.subject, one.body_text[:200], one.id) for one in mails)
            contract = completion_contract(MAKE if file else LOOK, {"result": "done"})
            self.steps.finish(request.id, index, StepResult(contract, answer, sources, (file,) if file else ()))


def ask_for_things(store: LivelyStore) -> None:
    """One in each state, the oldest first."""
    asker = Asker(store)
    words = ("Find every mail in which a customer asks about the opening hours in winter. " * 6).strip()
    long = asker.ask(60 * 24 * 8, words, PlannedStep(LOOK, words), maker="rules")
    asker.work(long, 0.2, "\n".join(one.subject for one in store.mails.values()), *store.mails)

    unplanned = asker.ask(60 * 50, "Do everything that is to be done")
    asker.requests.fail_plan(unplanned.id, ErrorText.of(Cause.UNUSABLE_TWICE, MODEL))

    plan: tuple[PlannedStep, ...] = (
        PlannedStep(LOOK, "Find all mails with photos."),
        PlannedStep(SAY, "Say how many there are of each month."),
    )
    stopped = asker.ask(60 * 30, "How many photos did I get each month?", *plan)
    asker.work(stopped, 2.0, "Two mails have photos.", "m05")
    asker.requests.stop(stopped.id)

    plan = (
        PlannedStep(LOOK, "Find the last invoice of Parts & More."),
        PlannedStep(MAKE, "List its positions in a table."),
        PlannedStep(MAIL, "Send the table to the accountant."),
    )
    failed = asker.ask(60 * 26, "Send our accountant the positions of the last invoice", *plan)
    asker.work(failed, 1.2, "The newest mail of Parts & More is no invoice.", "m06")
    asker.work(failed, 0.4)
    asker.steps.fail(failed.id, 1, ErrorText.of(Cause.UNUSABLE_TWICE, MODEL))

    plan = (
        PlannedStep(LOOK, "Find the mails about the delivery of order 4411."),
        PlannedStep(MAKE, "Write a report of what was asked and promised."),
    )
    about = MailScope(store.mails["m03"].id)
    done = asker.ask(160, "What is the state of order 4411? Make me a short report of it.", *plan, scope=about)
    asker.work(done, 3.1, SUMMARY, "m01", "m02")
    asker.work(done, 6.8, "The report has one page.", file=ArtifactHandle("a" * 64, "Order 4411.md", "a" * 64, 2_140))

    plan = (
        PlannedStep(LOOK, "Find the newest question of Ana Novák that is not answered."),
        PlannedStep(MAIL, "Answer it: the order ships on Monday."),
    )
    waiting = asker.ask(35, "Tell Ana that the order ships on Monday", *plan)
    asker.work(waiting, 1.7, "Ana asks when order 4411 arrives.", "m03")
    asker.work(waiting, 3.2)
    asker.steps.wait(waiting.id, 1, store.reviews["plain"])

    plan = (
        PlannedStep(LOOK, "Find all mails of the last month about order 4411."),
        PlannedStep(LOOK, "Compare the dates in them."),
    )
    running = asker.ask(9, "When did I promise what about order 4411?", *plan)
    asker.work(running, 2.4, "Five mails are about order 4411.", "m01", "m02", "m03")
    asker.work(running, 1.0)

    plan = (
        PlannedStep(LOOK, "Find what Tom Harding wrote about the scratch on the frame, and what was promised to him."),
        PlannedStep(MAKE, "Write a one-page summary of it with the dates."),
        PlannedStep(MAIL, "Send the summary to Lee Wong with two sentences of explanation."),
    )
    month = MailScope(inbox=True, sent=True, since=store.now - timedelta(days=30))
    asker.ask(4, "Sum up Tom's complaint about the frame and send it to Lee", *plan, run=False, scope=month)
