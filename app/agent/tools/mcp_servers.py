"""The MCP servers of all agent profiles: starts and stops them, shares one process between equal launches, lists tools by
profile.
"""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from app.agent.tools.execution import RegisteredTool
from app.agent.tools.mcp_connection import FIRST_WAIT_S, Connection, definition
from app.config.consents import ConsentFile
from app.domain.agents.tools import (
    AgentProfile,
    CallApproval,
    Json,
    McpServer,
    ServerState,
    ServerStatus,
    ToolState,
    launch_of,
    line_of,
)
from app.domain.record import replace

HANDLER_S = 60.0


class McpServers:
    """Connections by launch. `changed` is called when the state or tools of any server change."""

    def __init__(self, consents: ConsentFile, changed: Callable[[], None], first_wait_s: float = FIRST_WAIT_S) -> None:
        self._consents, self._changed, self._first_wait_s = consents, changed, first_wait_s
        self._profiles: tuple[AgentProfile, ...] = ()
        self._connections: dict[tuple[str, str], Connection] = {}

    async def use(self, profiles: Iterable[AgentProfile]) -> None:
        """Starts the servers of these profiles and closes those no profile names any more."""
        in_force = tuple(profiles)
        wanted = {_key(server): server for profile in in_force for server in profile.mcp_servers}
        gone = [self._connections.pop(key) for key in [*self._connections] if key not in wanted]
        for key, server in wanted.items():
            if key not in self._connections:
                self._connections[key] = Connection(server, self._consents, self._changed, self._first_wait_s)
        # `statuses` may be called while others close: every server listed needs its connection.
        self._profiles = in_force
        await asyncio.gather(*(one.close() for one in gone))
        for connection in [*self._connections.values()]:
            connection.start()

    async def look_again(self, launch: str) -> None:
        """Applies a changed consent: starts, lists again or closes the servers with this launch."""
        for connection in self._connections.values():
            if connection.launch != launch:
                continue
            if self._consents.granted(launch):
                connection.start()
                connection.recheck()
            else:
                await connection.close()
                connection.start()

    def tools(self, profile: AgentProfile) -> tuple[RegisteredTool, ...]:
        """The agreed tools of the profile's running servers."""
        return tuple(tool for server in profile.mcp_servers for tool in self._offered(server))

    def statuses(self) -> tuple[ServerStatus, ...]:
        return tuple(self._status(profile, server) for profile in self._profiles for server in profile.mcp_servers)

    async def close(self) -> None:
        await asyncio.gather(*(one.close() for one in self._connections.values()))
        self._connections = {}

    def _offered(self, server: McpServer) -> Iterable[RegisteredTool]:
        connection = self._connections.get(_key(server))
        if connection is None or connection.state is not ServerState.RUNNING:
            return
        for tool, known in connection.tools.values():
            if known.state is ToolState.AGREED:
                yield RegisteredTool(definition(server, tool), partial(_call, connection, tool.name), HANDLER_S)

    def _status(self, profile: AgentProfile, server: McpServer) -> ServerStatus:
        connection = self._connections[_key(server)]
        return ServerStatus(
            profile=profile.name,
            server=server.name,
            launch=launch_of(server),
            line=line_of(server),
            env_names=tuple(name for name, _ in server.env),
            state=connection.state,
            detail=connection.detail,
            tools=tuple(replace(one, asking=server.ask.get(one.name, CallApproval.ASK)) for _, one in connection.tools.values()),
        )


def _key(server: McpServer) -> tuple[str, str]:
    """Servers with the same name and launch share a process."""
    return server.name, launch_of(server)


async def _call(connection: Connection, tool: str, /, **arguments: Any) -> Json:
    return await connection.call(tool, arguments)
