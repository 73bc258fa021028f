"""Which Gmail agent works: here, at a service that the environment or the settings name, or none with a reason."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import pytest

from app.agent.agents.gmail.interface import GmailProposed
from app.agent.agents.gmail.remote import RemoteGmailAgent
from app.agent.llm.litellm_setup import close_litellm
from app.config.paths import DataFolder, gmail_checkpoints
from app.config.secrets import Secrets
from app.config.settings import AssistantSettings, Settings
from app.domain.errors import StoreDamaged
from app.engine.assistant.gmail_agent_choice import GmailAgentChoice
from app.engine.runtime.tables import Tables, open_tables
from fakes.engine.agent_mailbox import FixedTriage, Room, verdict
from fakes.engine.engine_parts import FixedSettings
from fakes.models.gmail_agent import SENDS, task, writes
from fakes.models.gmail_service import service_of
from fakes.models.graph_service import TOKEN
from fakes.models.model_server import ModelServer


@asynccontextmanager
async def choice(room: Room, environment: Mapping[str, str], url: str = "") -> AsyncIterator[GmailAgentChoice]:
    tables: Tables = open_tables(room.folder / "mail.db", room.clock)
    settings = Settings(assistant=AssistantSettings(gmail_service=url))
    made = GmailAgentChoice(DataFolder(room.folder), tables, Secrets(), environment, FixedSettings(settings))
    try:
        yield made
    finally:
        await made.close()
        tables.db.close()


async def test_damage_to_the_file_of_proposals_is_told_in_words(room: Room) -> None:
    deps = room.deps(FixedTriage(verdict()))
    async with choice(room, {}) as made:
        agent = await made.agent(deps)
        for file in gmail_checkpoints(DataFolder(room.folder)).parent.glob(f"{gmail_checkpoints(DataFolder(room.folder)).name}*"):
            file.write_bytes(b"no database " * 4000)
        for work in (agent.work(task()), agent.settle(task(), {"status": "sent"})):
            with pytest.raises(StoreDamaged):
                await work


@pytest.mark.parametrize("by", ["environment", "settings"])
async def test_a_named_service_does_the_work(room: Room, by: str) -> None:
    deps = room.deps(FixedTriage(verdict()))
    with ModelServer() as model:
        model.enqueue(SENDS, writes(subject="From the service"))
        async with service_of(room.folder, model) as url:
            named = {"GMAIL_SERVICE_URL": url} if by == "environment" else {}
            environment = {"GMAIL_SERVICE_TOKEN": TOKEN, **named}
            async with choice(room, environment, "" if named else url) as made:
                agent = await made.agent(deps)
                assert isinstance(agent, RemoteGmailAgent)
                assert await made.agent(deps) is agent
                found = await agent.work(task())
        await close_litellm()  # the model's server ends with its last connection
    assert isinstance(found, GmailProposed)
    assert found.mail.subject == "From the service"
