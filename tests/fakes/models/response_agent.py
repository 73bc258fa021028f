"""Setup for the response agent: the real graph over the real store, a scripted model, and the owner's decisions.

Decisions are written as the engine does it: composed by the real composer, in one transaction with the outbox row.
"""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from app.agent.graph import MailGraph
from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.target import ModelTarget
from app.domain.agents.runs import Route, Run, RunStatus
from app.domain.drafting.meeting import SCHEDULE_MEETING
from app.domain.drafting.review import Action, Review, ReviewKind, ReviewStatus, edited_request, request_of
from app.domain.mail.message import Message
from app.domain.mail.outbox import OutboxKind
from app.domain.mail.triage import Category, Triage
from app.domain.protocol.commands import Decide
from app.domain.record import replace
from app.engine.reviews.outbox_composer import OutboxComposer
from app.engine.reviews.review_service import memory_job
from app.engine.runtime.tables import Tables, open_tables
from app.store.requests.artifacts import ArtifactFolder
from fakes.engine.agent_mailbox import STATUS_OF, FixedTriage, Room, verdict
from fakes.models.model_server import Answer, ModelServer, calls

MEETING = verdict(category=Category.MEETING_REQUEST, maker="rule:test")
"""A fixed verdict, so that no model is asked."""


class Wishes:
    """The owner's preferences as prompts get them."""

    def read(self, account_id: int, namespace: str) -> str:
        """One line that names the namespace."""
        return f"wish about {namespace}"


@dataclass
class Office:
    """One run of the response agent. `tables` are the engine's view of the same store."""

    room: Room
    model: ModelServer
    graph: MailGraph
    tables: Tables
    run: Run
    message: Message

    async def say(self, *answers: Answer) -> RunStatus:
        """Enqueues the model's answers, then starts or continues the run."""
        self.model.enqueue(*answers)
        return await self.graph.run(self.run)

    def waiting(self) -> Review:
        """The single pending review."""
        (found,) = [one for one in self.room.all_reviews() if one.status is ReviewStatus.PENDING]
        return found

    def decide(self, action: Action, text: str = "", body: str = "", review: Review | None = None, arguments: str = "") -> Review:
        """Decides on `review` or the pending one. `body` replaces the draft's text, `arguments` (JSON) those of a meeting."""
        seen = review or self.waiting()
        word(self.tables, seen, action, text, body, arguments)
        return self.room.reviews.review(seen.id)

    def heard(self) -> list[dict[str, Any]]:
        """What the model was last given: tool results and the owner's texts, in order."""
        asked: Sequence[dict[str, Any]] = self.model.history[-1]["messages"]
        return [json.loads(one["content"]) for one in asked if one["role"] == "tool"]

    def executions(self) -> list[tuple[str, str, dict[str, Any]]]:
        """Stored tool calls: call id, tool, result."""
        rows = self.room.db.read("SELECT call_id, tool, result FROM tool_calls WHERE run_id = ? ORDER BY seq", (self.run.id,))
        return [(row[0], row[1], json.loads(row[2])) for row in rows]

    def outbox(self) -> list[bytes]:
        """The bytes of all outbox items, oldest first."""
        rows = self.room.db.read("SELECT mime FROM outbox_mime ORDER BY outbox_id")
        return [row[0] for row in rows]


def word(tables: Tables, seen: Review, action: Action, text: str = "", body: str = "", arguments: str = "") -> None:
    """Writes the owner's decision on a review as the engine does."""
    draft = seen.proposal.draft
    edited = replace(draft, body=body, spans=()) if draft and body else None
    leaving = edited or draft if action in (Action.ACCEPT, Action.EDIT) else None
    outgoing = OutboxComposer(tables, ArtifactFolder(tables.db.path.parent / "artifacts"))
    item = outgoing.item(seen, leaving, OutboxKind.SEND, tables.clock()) if leaving else None
    tool, args = request_of(edited_request(seen.proposal.request_json, arguments))
    if tool == SCHEDULE_MEETING and action in (Action.ACCEPT, Action.EDIT):
        item = outgoing.meeting(seen, args, tables.clock())
    rejects = action is Action.IGNORE and seen.proposal.kind is ReviewKind.TOOL_CALL
    status = ReviewStatus.REJECTED if rejects else STATUS_OF[action]
    decided = Decide(seen.id, seen.revision, action, edited, text, arguments=arguments)
    tables.reviews.decide(decided, item, status, memory_job(seen, decided))


@asynccontextmanager
async def office(
    room: Room,
    model: ModelServer,
    message: Message,
    triage: Triage = MEETING,
    route: Route = Route.RESPONSE_AGENT,
    **changes: Any,
) -> AsyncIterator[Office]:
    """A graph with a scripted model, and one run."""
    run = room.start(message, route=route)
    deps = room.deps(FixedTriage(triage), gateway=gateway(room, model, changes.pop("timeout_s", 20.0)), **changes)
    graph = await MailGraph.open(room.folder / "checkpoints.db", deps)
    tables = open_tables(room.folder / "mail.db", room.clock)
    try:
        yield Office(room, model, graph, tables, run, message)
    finally:
        tables.db.close()
        await graph.close()


def gateway(room: Room, model: ModelServer, timeout_s: float = 20.0) -> LiteLlmGateway:
    """The real gateway to the scripted model."""
    target = ModelTarget("openai/scripted", model.api_base, "key", timeout_s=timeout_s)
    return LiteLlmGateway(target, room.runs, room.clock, (0.0, 0.0))


def sends(message: Message, body: str = "Hello Ann,\n\nyes.\n\nMia", to: str = "ann@partner.org", **more: Any) -> Answer:
    """A turn that proposes a reply."""
    return calls(("send_email", {"email_id": str(message.id), "response_text": body, "email_address": to, **more}))


def asks(question: str) -> Answer:
    """A turn that asks the owner."""
    return calls(("Question", {"content": question}))


def looks(*dates: str) -> Answer:
    """A turn that reads the calendar."""
    return calls(("check_calendar", {"dates": list(dates)}))


def done() -> Answer:
    """The last turn."""
    return calls(("Done", {"done": True}))


def schedules(**changes: Any) -> Answer:
    """A turn that proposes a meeting on Monday the 23rd."""
    args = {
        "attendees": ["ann@partner.org"],
        "title": "Talk",
        "start_time": "2026-11-23T10:00:00",
        "end_time": "2026-11-23T11:00:00",
        "organizer_email": "me@example.com",
        "timezone": "Europe/Prague",
        **changes,
    }
    return calls(("schedule_meeting", args))
