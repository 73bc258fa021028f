"""The assistant's worker over scripted agents, with real tables and a real review service."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from uuid import uuid4

from app.domain.agents.requests import (
    Capability,
    PlannedStep,
    Request,
    RequestStatus,
    RequestStep,
    StepResult,
    StepStatus,
    own_thread,
)
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Action, Proposal, Review, ReviewKind
from app.domain.ids import MessageId, RequestId
from app.domain.mail.outbox import OutboxState
from app.domain.protocol.assistant_commands import AskAssistant, AssistantCommand
from app.domain.protocol.commands import Decide
from app.engine.assistant.assistant_service import RequestWorker
from app.engine.assistant.request_repository import RequestRepository, SettledMail
from app.engine.outbox.outbox_writer import OutboxWriter
from app.engine.reviews.outbox_composer import OutboxComposer
from app.engine.reviews.review_service import ReviewService
from app.engine.runtime.workers import WakeUp
from app.store.requests.artifacts import ArtifactFolder
from fakes.clock.waiting import until
from fakes.engine.engine_parts import DecisionLog, FixedSettings, Parts
from fakes.engine.store.values import ANA

FIND = PlannedStep(Capability.RESEARCH, "Find the order.")
SEND = PlannedStep(Capability.GMAIL, "Send it to Ana.")


@dataclass(frozen=True)
class ScriptedPlan:
    """A plan as the worker takes it."""

    steps: tuple[PlannedStep, ...]
    maker: str = "openai/gpt-4o"


@dataclass
class ScriptedAgents:
    """Plans and runs as scripted. Each plan and step waits for `hold`, then raises the next error of `troubles`."""

    desk: RequestRepository
    plans: dict[str, tuple[PlannedStep, ...]] = field(default_factory=dict)
    troubles: deque[Exception | None] = field(default_factory=deque)
    asked: list[str] = field(default_factory=list)
    most_at_once: int = 0
    hold: asyncio.Event = field(default_factory=asyncio.Event)
    _at_once: int = 0

    async def plan(self, request: Request) -> ScriptedPlan:
        """The plan for the request's text, by default one that only searches."""
        await self._work(f"plan {request.text}")
        return ScriptedPlan(self.plans.get(request.text, (FIND,)))

    async def run(self, request_id: RequestId) -> None:
        """Runs the steps one after the other as far as possible."""
        while (step := self._next(request_id)) is not None and await asyncio.to_thread(self.desk.begin, request_id, step.index):
            await self._work(f"run {step.index}")
            if step.capability is Capability.GMAIL:
                await asyncio.to_thread(self.propose, request_id, step.index)
            else:
                await asyncio.to_thread(self.desk.finish, request_id, step.index, StepResult("{}", "On Friday."))

    def propose(self, request_id: RequestId, index: int) -> None:
        """Opens a review for the step's mail."""
        request = self.desk.request(request_id)
        body = f"Words of attempt {request.steps[index].attempt}, version {self.asked.count(f'run {index}')}."
        draft = Draft((ANA,), (), (), "The order", body, "openai/gpt-4o")
        thread = own_thread(request.number, index)
        verdict = ("respond", "other", 1.0, "You asked for it.", "openai/gpt-4o")
        about = (request.account_id, request.run_id, MessageId(0), thread, ReviewKind.REPLY)
        self.desk.propose(request_id, index, Proposal(*about, *verdict, draft))

    def _next(self, request_id: RequestId) -> RequestStep | None:
        request = self.desk.request(request_id)
        step = request.next_step if request.status is RequestStatus.RUNNING else None
        return step if step is not None and step.status in (StepStatus.OPEN, StepStatus.RUNNING) else None

    async def _work(self, what: str) -> None:
        self.asked.append(what)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            await self.hold.wait()
        finally:
            self._at_once -= 1
        trouble = self.troubles.popleft() if self.troubles else None
        if trouble is not None:
            raise trouble


class AssistantBench:
    """The worker and its dependencies. `opening` is raised when the agents are loaded."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.woken = self.looks = 0
        self.run_at_once = True
        self.desk = RequestRepository(parts.tables, parts.announcer, self._wake)
        settle = self.desk.settle_waiting

        def counted() -> list[SettledMail]:
            self.looks += 1
            return settle()

        self.desk.settle_waiting = counted  # type: ignore[method-assign]
        self.agents = ScriptedAgents(self.desk)
        self.agents.hold.set()
        self.opening: Exception | None = None
        self.settled: list[SettledMail] = []
        steps = OutboxWriter(parts.tables, parts.announcer, WakeUp())
        self.artifacts = ArtifactFolder(parts.tables.db.path.parent / "artifacts")
        around = (parts.tables, parts.announcer, OutboxComposer(parts.tables, self.artifacts))
        self.reviewer = ReviewService(*around, FixedSettings.undo_s(10), steps, DecisionLog())
        self.worker = self._worker()

    def _worker(self) -> RequestWorker:
        return RequestWorker(self.desk, self.artifacts, self._agents, self.settled.append, lambda: self.run_at_once)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[RequestWorker]:
        """Runs a new worker, as after a restart."""
        worker = self.worker = self._worker()
        wake = lambda _event: worker.wake()  # noqa: E731
        self.parts.announcer.listen(wake)
        working = asyncio.create_task(worker.run())
        try:
            yield worker
        finally:
            self.parts.announcer.unlisten(wake)
            working.cancel()
            with suppress(asyncio.CancelledError):
                await working

    async def do(self, command: AssistantCommand) -> None:
        """Handles a command of the owner."""
        await self.worker.do(command)

    async def ask(self, text: str = "Find it", *steps: PlannedStep) -> RequestId:
        """Sends a request that will be planned as `steps`."""
        if steps:
            self.agents.plans[text] = steps
        request_id = RequestId(str(uuid4()))
        await self.do(AskAssistant(request_id, self.parts.account_id, text))
        return request_id

    until = staticmethod(until)

    async def stands(self, request_id: RequestId, status: RequestStatus) -> Request:
        """Waits until a request has this status."""
        await self.until(lambda: self.request(request_id).status is status)
        return self.request(request_id)

    def request(self, request_id: RequestId) -> Request:
        return self.parts.tables.requests.get(request_id)

    def review(self, request_id: RequestId, index: int = 0) -> Review:
        """The review of a step."""
        return self.parts.tables.reviews.review(self.request(request_id).steps[index].review_id)

    async def decide(self, request_id: RequestId, action: Action, text: str = "", index: int = 0) -> None:
        """Decides on a step's mail."""
        review = self.review(request_id, index)
        await self.reviewer.decide(Decide(review.id, review.revision, action, None, text))

    async def leave(self, request_id: RequestId, index: int = 0) -> None:
        """Marks a step's mail as sent, state by state as the sender does."""
        steps = OutboxWriter(self.parts.tables, self.parts.announcer, WakeUp())
        item = self.parts.tables.outbox.for_review(self.review(request_id, index).id)
        assert item is not None
        for state in (OutboxState.DRAFTING, OutboxState.DRAFTED, OutboxState.SENDING, OutboxState.SENT):
            item = await steps.move(item, state)

    async def _agents(self) -> ScriptedAgents:
        if self.opening is not None:
            raise self.opening
        return self.agents

    def _wake(self) -> None:
        self.woken += 1
