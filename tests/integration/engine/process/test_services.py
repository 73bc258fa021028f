"""The agents open again after a cause that passes: a disk that was full at the start must not leave mail without runs."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from app.config.paths import DataFolder
from app.config.secrets import Secrets
from app.domain.errors import DiskFull
from app.domain.protocol.events import ErrorReported
from app.domain.wire import Event
from app.engine.process import services as services_module
from app.engine.process.services import EngineServices
from app.engine.runs.agent_runtime import AgentRuntime
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.process_control import EngineExit
from app.engine.runtime.tables import open_tables
from fakes.engine.engine_parts import HandClock


@pytest.mark.expects_warnings
async def test_agents_that_could_not_be_opened_are_opened_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []
    opened = AgentRuntime._open_models

    def full(runtime: AgentRuntime) -> Any:
        tries.append(1)
        if len(tries) < 3:
            raise DiskFull("The disk is full.")
        return opened(runtime)

    monkeypatch.setattr(AgentRuntime, "_open_models", full)
    monkeypatch.setattr(services_module, "FIRST_RETRY_S", 0.01)
    told: list[Event] = []
    folder = DataFolder(tmp_path)
    tables = open_tables(folder.database, HandClock())
    services = EngineServices(folder, {}, EventBus(told.append), tables, EngineExit(), Secrets())
    try:
        services.want_agents()
        async with asyncio.timeout(60):
            while len(tries) < 3 or services._runner is None:
                await asyncio.sleep(0.01)
    finally:
        await services.close()
        tables.close()
    assert [one.code for one in told if isinstance(one, ErrorReported)] == ["disk_full"]
