"""The assistant's agents in the engine: built when they are first wanted, and anew with the settings of now."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.agent.llm.litellm_setup import close_litellm
from app.agent.runtime.checkpoints import kept_runs
from app.config.paths import DataFolder, gmail_checkpoints
from app.config.secrets import Secrets
from app.domain.agents.requests import RequestStatus
from app.domain.drafting.review import Action, ReviewStatus
from app.domain.ids import OutboxId, RequestId
from app.domain.protocol.assistant_commands import AskAssistant, RunPlan
from app.domain.protocol.commands import Decide
from app.domain.protocol.events import ReviewDecided
from app.domain.wire import Event
from app.engine.assistant.assistant_service import AssistantService
from app.engine.assistant.gmail_agent_choice import GmailAgentChoice
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import open_tables
from app.engine.runtime.workers import WorkerSupervisor
from fakes.clock.waiting import until
from fakes.engine.agent_mailbox import Room
from fakes.engine.engine_parts import FixedSettings
from fakes.models.gmail_agent import SENDS, Stage, stage, writes
from fakes.models.model_server import ModelServer, structured

ID = RequestId("11111111-0000-4000-8000-00000000000b")
PLAN = structured(steps=[{"capability": "gmail", "instruction": "Write to ann@partner.org."}])


class Opened:
    """An office at work over a room's store; `opening` is what loading the agents raises."""

    def __init__(self, behind: Stage, folder: DataFolder) -> None:
        self.behind = behind
        self.tables = open_tables(behind.room.folder / "mail.db", behind.room.clock)
        self.told: list[Event] = []
        announcer = EventBus(self.told.append)
        self.workers = WorkerSupervisor(announcer)
        self.opening: Exception | None = None
        self.opened = 0
        self.announcer = announcer
        gmail = GmailAgentChoice(folder, self.tables, Secrets(), {}, FixedSettings())
        self.office = AssistantService(gmail, behind.files, self.tables, announcer, self._open, lambda: None)

    async def close(self) -> None:
        """End it in order."""
        await self.workers.stop()
        await self.office.close()
        self.announcer.flush()
        self.tables.threads.close()
        self.tables.db.close()

    async def stands(self, status: RequestStatus) -> None:
        """Wait until the request stands so."""
        await self.until(lambda: self.tables.requests.get(ID).status is status)

    until = staticmethod(until)

    async def _open(self) -> None:
        self.opened += 1
        if self.opening is not None:
            raise self.opening


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Opened]:
    (tmp_path / "room").mkdir()
    (tmp_path / "office").mkdir()
    with Room(tmp_path / "room") as room, ModelServer() as model:
        async with stage(room, model) as behind:
            opened = Opened(behind, DataFolder(tmp_path / "office"))
            opened.workers.start("assistant", opened.office.run)
            try:
                yield opened
            finally:
                await opened.close()
                await close_litellm()


async def ask(opened: Opened) -> None:
    """A request that becomes one mail."""
    opened.behind.model.enqueue(PLAN)
    await opened.office.do(AskAssistant(ID, opened.behind.room.account_id, "Write to ann@partner.org."))


async def test_the_agents_are_built_anew_and_the_mail_s_author_hears_its_end(opened: Opened, tmp_path: Path) -> None:
    opened.office.assemble(opened.behind.deps)
    await ask(opened)
    await opened.stands(RequestStatus.PROPOSED)
    opened.office.assemble(opened.behind.deps)
    opened.behind.model.enqueue(SENDS, writes())
    await opened.office.do(RunPlan(ID))
    await opened.stands(RequestStatus.WAITING)
    kept = await kept_runs(gmail_checkpoints(DataFolder(tmp_path / "office")))
    assert len(kept) == 1
    review_id = opened.tables.requests.get(ID).steps[0].review_id
    opened.tables.reviews.decide(Decide(review_id, 1, Action.IGNORE), None, ReviewStatus.REJECTED, None)
    opened.announcer.tell(ReviewDecided(review_id, ReviewStatus.REJECTED, OutboxId(0), 0))
    await opened.stands(RequestStatus.DONE)
    async with asyncio.timeout(60):
        while await kept_runs(gmail_checkpoints(DataFolder(tmp_path / "office"))):
            await asyncio.sleep(0.02)
