"""MCP servers of profiles: they start once the user consented, and follow the rules file.

The SDK is imported, off the loop, only when a server may start.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.config.consents import ConsentFile
from app.config.paths import DataFolder
from app.domain.agents.tools import AgentProfile, ServerState, ServerStatus, hidden, launch_of, line_of
from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed, NotFound
from app.domain.protocol.agent_commands import AllowServer, AllowTool, FileError, ForbidServer, ProfileCommand, ProfilesAnswer
from app.domain.protocol.events import ProfilesChanged
from app.engine.rules.rules_file import RulesFile, profiles_fingerprint
from app.engine.runtime.background_imports import preload
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables

if TYPE_CHECKING:
    from app.agent.tools.mcp_servers import McpServers
    from app.agent.tools.registry import RegisteredTool


class ToolServers:
    """Create it on the loop. `run` follows the profiles."""

    def __init__(self, folder: DataFolder, rules: RulesFile, tables: Tables, announcer: EventBus) -> None:
        self._rules, self._tables, self._announcer = rules, tables, announcer
        self._consents = ConsentFile(folder.consents)
        self._servers: McpServers | None = None
        self._wanted = asyncio.Event()
        rules.listen(self._wanted.set)

    async def run(self) -> None:
        """Starts and stops servers with the profiles until cancelled."""
        while True:
            self._wanted.clear()
            active = await self._tables.run(self._rules.look)
            profiles = tuple(profile for profile in active.profiles if profile.enabled)
            servers = [launch_of(server) for one in profiles for server in one.mcp_servers]
            if self._servers is None and any(map(self._consents.granted, servers)):
                await preload("app.agent.tools.mcp_servers")
                from app.agent.tools.mcp_servers import McpServers

                self._servers = McpServers(self._consents, self._tell)
            if self._servers is not None:
                await self._servers.use(profiles)
            self._tell()
            await self._wanted.wait()

    def served(self, profile: AgentProfile) -> "Sequence[RegisteredTool]":
        """The available and approved tools of a profile's servers."""
        return () if self._servers is None else self._servers.tools(profile)

    async def now(self) -> ProfilesAnswer:
        active = await self._tables.run(self._rules.look)
        fault = active.error
        return ProfilesAnswer(
            path=str(self._rules.path),
            profiles=tuple(map(hidden, active.profiles)),
            servers=self._statuses(active.profiles),
            error=None if fault is None else FileError(fault.line, fault.text),
            rules=active.rules.rules,
            fingerprint=await self._tables.run(profiles_fingerprint, self._rules.path, active.profiles),
        )

    async def do(self, command: ProfileCommand) -> None:
        """Gives or revokes consent. Raises `NotFound` for a server that is gone, `NotAllowed` or `DiskFull`."""
        match command:
            case AllowServer(launch):
                line = next((one.line for one in (await self.now()).servers if one.launch == launch), None)
                if line is None:
                    raise NotFound(Cause.SERVER_GONE)
                await self._tables.run(self._consents.grant, launch, line)
            case ForbidServer(launch):
                await self._tables.run(self._consents.revoke, launch)
            case AllowTool(launch, tool, digest):
                shown = [
                    each for one in (await self.now()).servers if one.launch == launch for each in one.tools if each.name == tool
                ]
                if not shown or shown[0].digest != digest:
                    raise NotAllowed(Cause.TOOL_DESCRIBED_ANEW)
                await self._tables.run(self._consents.pin, launch, {tool: digest})
        if self._servers is not None:
            await self._servers.look_again(command.launch)
        self._wanted.set()

    async def close(self) -> None:
        if self._servers is not None:
            await self._servers.close()

    def _statuses(self, profiles: tuple[AgentProfile, ...]) -> tuple[ServerStatus, ...]:
        if self._servers is not None:
            return self._servers.statuses()
        return tuple(
            ServerStatus(
                profile=profile.name,
                server=server.name,
                launch=launch_of(server),
                line=line_of(server),
                env_names=tuple(name for name, _ in server.env),
                state=ServerState.STARTING if self._consents.granted(launch_of(server)) else ServerState.NEEDS_CONSENT,
            )
            for profile in profiles
            if profile.enabled
            for server in profile.mcp_servers
        )

    def _tell(self) -> None:
        self._announcer.tell(ProfilesChanged())
