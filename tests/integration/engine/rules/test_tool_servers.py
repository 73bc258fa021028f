"""Profiles and their servers in the engine: shown, started on consent, followed when the file changes."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from app.config.paths import DataFolder
from app.domain.agents.tools import ServerState, ToolState
from app.domain.errors import NotAllowed, NotFound
from app.domain.protocol.agent_commands import AllowServer, AllowTool, ForbidServer, ProfilesAnswer, ReadProfiles
from app.domain.protocol.events import ProfilesChanged
from app.engine.rules.rules_service import RulesService
from fakes.engine.engine_parts import Parts

pytestmark = pytest.mark.expects_warnings

SCRIPT = Path(__file__).resolve().parents[3] / "fakes" / "models" / "mcp_tools.py"


def written(folder: Path) -> None:
    """A file with one profile and one server."""
    (folder / "shop.txt").write_text("Be kind.", encoding="utf-8")
    (folder / "routing.yaml").write_text(
        f"""agent:
  profiles:
    shop:
      system_prompt_file: shop.txt
      tools: [escalate]
      mcp_servers:
        tools:
          command: {sys.executable}
          args: [{SCRIPT}, {folder}]
          env: {{SHELF: B4}}
""",
        encoding="utf-8",
    )


@asynccontextmanager
async def following(room: RulesService) -> AsyncIterator[RulesService]:
    """A room whose servers follow the file."""
    task = asyncio.create_task(room.servers.run())
    try:
        yield room
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await room.servers.close()


@pytest.fixture
async def room(parts: Parts, tmp_path: Path) -> AsyncIterator[RulesService]:
    written(tmp_path)
    async with following(RulesService(DataFolder(tmp_path), parts.tables, parts.announcer)) as made:
        yield made


async def now(room: RulesService) -> ProfilesAnswer:
    answer = await room.answer(ReadProfiles())
    assert isinstance(answer, ProfilesAnswer)
    return answer


async def until(room: RulesService, held: Callable[[ProfilesAnswer], bool]) -> ProfilesAnswer:
    async with asyncio.timeout(30):
        while not held(found := await now(room)):
            await asyncio.sleep(0.05)
    return found


def running(found: ProfilesAnswer) -> bool:
    return bool(found.servers) and found.servers[0].state is ServerState.RUNNING


async def test_profiles_are_shown_with_servers_that_wait_for_consent(room: RulesService) -> None:
    found = await now(room)
    (profile,) = found.profiles
    assert (profile.name, profile.system_prompt, profile.tools, profile.max_iterations) == ("shop", "Be kind.", ("escalate",), 10)
    (server,) = found.servers
    assert (server.profile, server.server, server.state) == ("shop", "tools", ServerState.NEEDS_CONSENT)
    assert str(SCRIPT) in server.line
    assert server.env_names == ("SHELF",)
    assert "B4" not in repr(found)
    assert room.servers.served(room.profiles()[0]) == ()


async def test_consent_starts_the_server_and_taking_it_back_ends_it(room: RulesService, parts: Parts, tmp_path: Path) -> None:
    launch = (await now(room)).servers[0].launch
    with pytest.raises(NotFound):
        await room.do(AllowServer("0" * 64))
    await room.do(AllowServer(launch))
    found = await until(room, running)
    assert {tool.name for tool in found.servers[0].tools if tool.state is ToolState.AGREED} >= {"shout", "add"}
    (profile,) = room.profiles()
    assert "tools__shout" in {tool.definition.name for tool in room.servers.served(profile)}
    assert parts.events(ProfilesChanged)
    await room.do(ForbidServer(launch))
    assert (await now(room)).servers[0].state is ServerState.NEEDS_CONSENT
    assert room.servers.served(profile) == ()


async def test_a_changed_tool_is_agreed_to_only_as_it_was_shown(parts: Parts, tmp_path: Path) -> None:
    written(tmp_path)
    for described in ("", "Other words."):
        if described:
            (tmp_path / "description.txt").write_text(described, encoding="utf-8")
        async with following(RulesService(DataFolder(tmp_path), parts.tables, parts.announcer)) as room:
            launch = (await now(room)).servers[0].launch
            await room.do(AllowServer(launch))
            found = await until(room, running)
            shout = next(tool for tool in found.servers[0].tools if tool.name == "shout")
            assert shout.state is (ToolState.CHANGED if described else ToolState.AGREED)
            with pytest.raises(NotAllowed):
                await room.do(AllowTool(launch, "shout", "0" * 64))
            await room.do(AllowTool(launch, "shout", shout.digest))
            await until(room, lambda one: {tool.name: tool.state for tool in one.servers[0].tools}["shout"] is ToolState.AGREED)
