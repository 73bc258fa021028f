"""Setup for the Gmail agent: its real graph over the real store, search and files, and a scripted model over HTTP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from app.agent.agents.gmail.graph import LocalGmailAgent
from app.agent.agents.gmail.interface import GmailTask
from app.agent.runtime.dependencies import Deps
from app.agent.tools.registry import Toolbox
from app.domain.agents.runs import CallAudit
from app.domain.ids import RunId
from app.domain.mail.files import ArtifactHandle
from app.domain.policy.policy import Budget
from app.engine.runtime.tables import open_tables
from app.engine.search.mail_search import HybridSearch
from app.mail.file_process import DocumentReader
from app.store.requests.artifacts import ArtifactFolder
from app.store.runs.audit import AuditTable
from app.store.search.vectors import Vectors
from fakes.engine.agent_mailbox import FixedTriage, LetterEmbedder, Room, verdict
from fakes.engine.store.rows import audited_calls
from fakes.models.model_server import Answer, ModelServer, calls, structured
from fakes.models.response_agent import gateway

RUN = RunId("ask-1")
THREAD = "0b0e8a1e-0000-4000-8000-000000000001"
SEARCHES = structured(intent="search_email")
SENDS = structured(intent="send_email")
CHECKPOINTS = "gmail-checkpoints.db"


def searches(query: str = "invoice", **more: Any) -> Answer:
    """A turn that searches."""
    return calls(("gmail_search", {"query": query, **more}))


def ends(answer: str, *ids: int) -> Answer:
    """A turn that ends a search."""
    return calls(("Done", {"answer": answer, "message_ids": list(ids)}))


def writes(to: Any = "ann@partner.org", subject: str = "Invoice", body: str = "Hello Ann.", **more: Any) -> Answer:
    """A turn that proposes a mail."""
    return calls(("gmail_send", {"to": to, "subject": subject, "body": body, **more}))


def task(instruction: str = "Write to ann@partner.org.", *, thread: str = THREAD, **changes: Any) -> GmailTask:
    """A task of the room's account."""
    request = changes.pop("request", instruction)
    values: dict[str, Any] = {
        "thread": thread,
        "run_id": RUN,
        "account_id": 1,
        "request": request,
        "messages": (("human", instruction),),
        **changes,
    }
    return GmailTask(**values)


@dataclass
class Stage:
    """The agent and its dependencies."""

    room: Room
    model: ModelServer
    agent: LocalGmailAgent
    deps: Deps
    files: ArtifactFolder
    book: AuditTable
    paused: list[bool] = field(default_factory=lambda: [False])

    def heard(self) -> list[str]:
        """The last tool results given to the model."""
        return [one["content"] for one in self.model.history[-1]["messages"] if one["role"] == "tool"]

    def offered(self, at: int = -1) -> list[str]:
        """The tools offered in one of the model's turns."""
        return [one["function"]["name"] for one in self.model.history[at]["tools"]]

    def audit(self) -> list[tuple[str, str, str]]:
        """The outcome of each call."""
        return [told(one) for one in audited_calls(self.book, RUN)]

    def file(self, name: str = "report.md", words: str = "The report.") -> ArtifactHandle:
        """Stores an artifact."""
        return self.files.write(name, words.encode())


def told(one: CallAudit) -> tuple[str, str, str]:
    """Tool, reason and outcome of an audited call."""
    return (one.tool, one.why.value, one.outcome.value)


@asynccontextmanager
async def stage(room: Room, model: ModelServer, budget: Budget | None = None, **changes: Any) -> AsyncIterator[Stage]:
    """An agent over the room's store; `changes` replace dependencies."""
    tables = open_tables(room.folder / "mail.db", room.clock)
    embedder = LetterEmbedder()
    vectors = Vectors.open(room.folder / "chroma", embedder.model_id, embedder.dimension)
    finder = HybridSearch(tables, embedder, vectors)
    files, book, paused = ArtifactFolder(room.folder / "artifacts"), AuditTable(tables.db, room.clock), [False]
    backends: dict[str, Any] = {"search": finder, "artifacts": files, "texts": DocumentReader(files.locate)}
    box = Toolbox(book, **backends, paused=lambda: paused[0], budget=budget or Budget())
    deps = room.deps(FixedTriage(verdict()), **{"gateway": gateway(room, model), "toolbox": box, **changes})
    agent = await LocalGmailAgent.open(room.folder / CHECKPOINTS, deps)
    try:
        yield Stage(room, model, agent, deps, files, book, paused)
    finally:
        await agent.close()
        finder.close()
        vectors.close()
        tables.db.close()
