"""Setup for typed requests: the real assistant graph, agents, tools and store, and a scripted model over HTTP.

The queue writes the same rows as the engine's, without events.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from app.agent.agents.assistant.graph import Supervisor
from app.agent.agents.gmail.interface import GmailAgent
from app.domain.agents.requests import Capability, PlannedStep, Request, RequestStep, StepResult
from app.domain.drafting.review import Proposal, Review, ReviewStatus
from app.domain.error_texts import ErrorText
from app.domain.errors import DiskFull
from app.domain.ids import RequestId, ReviewId
from app.domain.mail.files import ArtifactHandle
from app.domain.protocol.assistant_commands import AskAssistant
from app.domain.record import replace
from app.engine.runtime.tables import Tables, open_tables
from fakes.engine.agent_mailbox import Room
from fakes.models.gmail_agent import Stage, stage
from fakes.models.model_server import Answer, ModelServer, calls, structured

NO_TOOLS: Mapping[str, Any] = {}


@dataclass
class RowsDesk:
    """Implements `RequestQueue` over the tables and records its calls. `full`: the disk has no space for a proposal."""

    tables: Tables
    words: list[str] = field(default_factory=list)
    full: bool = False

    def request(self, request_id: RequestId) -> Request:
        return self.tables.requests.get(request_id)

    def begin(self, request_id: RequestId, index: int) -> bool:
        return self.tables.request_steps.begin(request_id, index)

    def finish(self, request_id: RequestId, index: int, result: StepResult) -> None:
        self.tables.request_steps.finish(request_id, index, result)

    def fail(self, request_id: RequestId, index: int, error: ErrorText) -> None:
        self.tables.request_steps.fail(request_id, index, error)

    def propose(self, request_id: RequestId, index: int, proposal: Proposal) -> ReviewId:
        """Opens a review, or revises the one whose changes were asked for."""
        if self.full:
            raise DiskFull("The disk is full.")
        step = self.request(request_id).steps[index]
        review_id = step.review_id or self.tables.reviews.open(proposal, f"step-{index}-{step.attempt}")
        if step.review_id and self.tables.reviews.standing(review_id)[0] is ReviewStatus.ANSWERED:
            self.tables.reviews.revise(review_id, proposal)
        self.tables.request_steps.wait(request_id, index, review_id)
        return review_id

    def told(self, request_id: RequestId, index: int, words: str) -> None:
        """Records progress for the owner."""
        self.words.append(words)


@dataclass
class Requests:
    """The parts of the assistant; `gmail` is the agent that its graph calls."""

    room: Room
    model: ModelServer
    stage: Stage
    tables: Tables
    desk: RowsDesk
    supervisor: Supervisor

    def asked(self, text: str, files: tuple[ArtifactHandle, ...] = ()) -> Request:
        """Stores a request to be planned."""
        return self.tables.requests.add(AskAssistant(RequestId(str(uuid4())), self.room.account_id, text), files)

    def planned(self, text: str, *steps: tuple[Capability, str], files: tuple[ArtifactHandle, ...] = ()) -> RequestId:
        """Stores a request with a plan that was started."""
        request = self.asked(text, files)
        self.tables.requests.plan(request.id, [PlannedStep(*one) for one in steps], "openai/scripted", run=True)
        return request.id

    async def run(self, request_id: RequestId, *answers: Answer) -> Request:
        """Enqueues the model's answers and runs the request as far as possible."""
        self.model.enqueue(*answers)
        await self.supervisor.run(request_id)
        return self.desk.request(request_id)

    async def step(self, text: str, capability: Capability, *answers: Answer, instruction: str = "") -> RequestStep:
        """Runs a request of one step."""
        (step,) = (await self.run(self.planned(text, (capability, instruction or text)), *answers)).steps
        return step

    def review(self, step: RequestStep) -> Review:
        return self.tables.reviews.review(step.review_id)

    def offered(self, at: int = -1) -> list[str]:
        """The tools offered in one of the model's turns."""
        return [one["function"]["name"] for one in self.model.history[at].get("tools", ())]


@asynccontextmanager
async def requests_at(
    room: Room, model: ModelServer, gmail: GmailAgent | None = None, tools: Mapping[str, Any] = NO_TOOLS, **changes: Any
) -> AsyncIterator[Requests]:
    """An assistant over the room's store, by default with the Gmail agent of this process.

    `tools` replaces backends in the toolbox, `changes` other dependencies.
    """
    async with stage(room, model, **changes) as behind:
        tables = open_tables(room.folder / "mail.db", room.clock)
        desk = RowsDesk(tables)
        try:
            assert behind.deps.toolbox is not None
            deps = replace(behind.deps, toolbox=replace(behind.deps.toolbox, **tools))
            yield Requests(room, model, behind, tables, desk, Supervisor(deps, desk, gmail or behind.agent))
        finally:
            tables.db.close()


def looks(query: str = "order", **more: Any) -> Answer:
    """A turn that searches the owner's mail."""
    return calls(("mail_search", {"query": query, **more}))


def answers(text: str, *mails: int) -> Answer:
    """A turn that ends research."""
    return calls(("answer", {"text": text, "mails": list(mails)}))


def says(text: str) -> Answer:
    """A direct answer."""
    return structured(text=text)


def document(content: str, name: str = "report", kind: str = "md") -> Answer:
    return structured(name=name, kind=kind, content=content)


def plans(*steps: tuple[str, str]) -> Answer:
    return structured(steps=[{"capability": one, "instruction": words} for one, words in steps])
