"""The Gmail service as the program builds it, over a room's store and a scripted model, in the test's event loop; and its
client.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from app.agent.agents.gmail.graph import build_gmail_graph
from app.agent.agents.gmail.remote import RemoteGmailAgent
from app.agent.agents.gmail.service_client import ServiceAddress
from app.agent.tools.registry import Toolbox
from app.config.paths import DataFolder, service_checkpoints
from app.config.settings import ModelSettings, Settings
from app.mail.file_process import DocumentReader
from app.service.asgi import LOOPBACK_NAMES, build_app
from app.service.dependencies import opened_parts, target_of
from app.service.server import listening, opened_threads, server_for, url_of
from app.store.requests.artifacts import ArtifactFolder
from app.store.runs.audit import AuditTable
from fakes.engine.agent_mailbox import FixedTriage, Room, verdict
from fakes.models.graph_service import TOKEN, no_signals
from fakes.models.model_server import ModelServer


@asynccontextmanager
async def service_of(folder: Path, model: ModelServer) -> AsyncIterator[str]:
    """Runs the service and yields its address."""
    data = DataFolder(folder)
    settings = Settings(model=ModelSettings(name="openai/scripted", api_base=model.api_base))
    ready = asyncio.Event()
    with opened_parts(data, settings, target_of(settings, "")) as parts, listening("127.0.0.1", 0) as listener:
        async with opened_threads(build_gmail_graph(parts), service_checkpoints(data)) as threads:
            server = server_for(build_app(threads, TOKEN, LOOPBACK_NAMES, parts.corpus), ready.set)
            server.capture_signals = no_signals  # type: ignore[method-assign]
            serving = asyncio.create_task(server.serve(sockets=[listener]))
            await ready.wait()
            try:
                yield url_of(listener)
            finally:
                server.should_exit = True
                await serving


@asynccontextmanager
async def remote_agent(room: Room, url: str, token: str = TOKEN) -> AsyncIterator[RemoteGmailAgent]:
    """The client agent of the room's engine."""
    files = ArtifactFolder(room.folder / "artifacts")
    box = Toolbox(AuditTable(room.db, room.clock), artifacts=files, texts=DocumentReader(files.locate))
    deps = room.deps(FixedTriage(verdict()), toolbox=box)
    agent = RemoteGmailAgent(ServiceAddress.of(url), token, deps, room.messages.by_gmail_id)
    try:
        yield agent
    finally:
        await agent.close()
