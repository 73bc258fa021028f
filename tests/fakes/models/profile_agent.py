"""Setup for a profile's agent: the real graph, registry, tools and store, a scripted model, and the owner's decisions."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from app.agent.graph import MailGraph
from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.target import ModelTarget
from app.agent.tools.registry import Toolbox
from app.domain.agents.runs import Route
from app.domain.agents.tools import TOOL_NAMES, AgentProfile
from app.domain.mail.message import Address, Message, RemoteMessage
from app.domain.pharmacy import Drug, Pharmacy
from app.domain.record import replace
from app.engine.runtime.tables import open_tables
from app.mail.file_process import DocumentReader
from app.store.pharmacy import DrugTable, ReservationTable, StockLine
from app.store.requests.artifacts import ArtifactFolder
from app.store.runs.audit import AuditTable
from fakes.engine.agent_mailbox import FixedTriage, Room, mail, verdict
from fakes.models.model_server import ModelServer
from fakes.models.response_agent import Office

PARALEN = Drug("0254045", "PARALEN", "500MG", "TBL NOB", "24", "paracetamol", "N02BE01", price_czk=39.0)
STRONG = Drug("0254046", "PARALEN", "650MG", "TBL NOB", "24", "paracetamol", "N02BE01", price_czk=49.0)
ANGEL = Pharmacy("P1", "Lékárna U Anděla")
CRISP = Address("no-reply@crisp.chat", "Crisp")
PROFILE = AgentProfile("pharmacy", Path("pharmacy.txt"), "You work for a pharmacy.", tuple(sorted(TOOL_NAMES)), "openai/scripted")


def inquiry(words: str, **more: Any) -> RemoteMessage:
    """A mail forwarded by Crisp."""
    head = "New message from Jana Nováková\n\nName: Jana Nováková\nEmail: jana@patients.example\n\nMessage:\n"
    body = f"{head}{words}\n"
    return mail(body, sender=CRISP, subject="Nový dotaz", **more)


def toolbox(room: Room, **changes: Any) -> Toolbox:
    """The pharmacy's backends over the room's store."""
    drugs = DrugTable(room.db, room.clock)
    drugs.replace((PARALEN, STRONG), (ANGEL,), (StockLine(PARALEN.code, "P1", 3),))
    backends: dict[str, Any] = {
        "book": AuditTable(room.db, room.clock),
        "drugs": drugs,
        "reservations": ReservationTable(room.db, room.clock),
        "artifacts": (files := ArtifactFolder(room.folder / "artifacts")),
        "texts": DocumentReader(files.locate),
        **changes,
    }
    return Toolbox(**backends)


@asynccontextmanager
async def agency(
    room: Room, model: ModelServer, message: Message, profile: AgentProfile = PROFILE, box: Toolbox | None = None, **changes: Any
) -> AsyncIterator[Office]:
    """A graph whose profile has a scripted model, and one run."""
    run = room.start(message, route=Route.AGENT, profile=profile.name, rule="pharmacy_support")
    timeout_s = changes.pop("timeout_s", 20.0)

    def gateway(asked: AgentProfile) -> LiteLlmGateway:
        target = ModelTarget(
            asked.model, model.api_base, "key", timeout_s, max_tokens=asked.max_tokens, temperature=asked.temperature
        )
        return LiteLlmGateway(target, room.runs, room.clock, (0.0, 0.0))

    values: dict[str, Any] = {
        "gateway": gateway(profile),
        "profile": {profile.name: profile}.get,
        "profile_gateway": gateway,
        "toolbox": box or toolbox(room),
        **changes,
    }
    graph = await MailGraph.open(room.folder / "checkpoints.db", room.deps(FixedTriage(verdict()), **values))
    tables = open_tables(room.folder / "mail.db", room.clock)
    try:
        yield Office(room, model, graph, tables, run, message)
    finally:
        tables.db.close()
        await graph.close()


def limited(*tools: str, **more: Any) -> AgentProfile:
    """The profile with other tools or settings."""
    return replace(PROFILE, tools=tools or PROFILE.tools, **more)


def agent_row(room: Room) -> dict[str, Any]:
    """The single row of `agent_runs` with its log decoded."""
    (row,) = room.db.read("SELECT * FROM agent_runs")
    return {**dict(row), "tool_calls_log": json.loads(row["tool_calls_log"])}
