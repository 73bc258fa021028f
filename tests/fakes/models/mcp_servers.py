"""MCP servers of one profile as real child processes; the test gives consent."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from app.agent.tools.mcp_servers import McpServers
from app.agent.tools.registry import RegisteredTool
from app.config.consents import ConsentFile
from app.domain.agents.tools import (
    AgentProfile,
    CallApproval,
    Json,
    McpServer,
    ServerState,
    ServerStatus,
    ServerTool,
    launch_of,
    line_of,
)

SCRIPT = Path(__file__).resolve().parent / "mcp_tools.py"


def child(folder: Path, *words: str, **ask: CallApproval) -> McpServer:
    return McpServer("tools", sys.executable, (str(SCRIPT), str(folder), *words), (("SHELF", "B4"),), ask=ask)


def profile(*servers: McpServer, name: str = "shop") -> AgentProfile:
    return AgentProfile(name, Path("shop.txt"), "Be kind.", (), mcp_servers=servers)


class Stage:
    """The servers of one profile, with consent where the test gives it."""

    def __init__(self, folder: Path, server: McpServer) -> None:
        self.consents = ConsentFile(folder / "mcp.json")
        self.profile = profile(server)
        self.launch = launch_of(server)
        self.server = server
        self.changes = asyncio.Event()
        self.servers = McpServers(self.consents, self.changes.set, 0.05)

    def grant(self) -> None:
        self.consents.grant(self.launch, line_of(self.server))

    @property
    def status(self) -> ServerStatus:
        return self.servers.statuses()[0]

    @property
    def tools(self) -> dict[str, RegisteredTool]:
        return {tool.definition.name: tool for tool in self.servers.tools(self.profile)}

    def tool(self, name: str) -> ServerTool:
        return next(one for one in self.status.tools if one.name == name)

    async def until(self, held: Callable[[], bool]) -> None:
        async with asyncio.timeout(30):
            while not held():
                self.changes.clear()
                await self.changes.wait()

    async def running(self) -> None:
        await self.until(lambda: self.status.state is ServerState.RUNNING)

    async def call(self, name: str, **arguments: object) -> Json:
        return await self.tools[f"tools__{name}"].handler(**arguments)


@asynccontextmanager
async def stage(folder: Path, server: McpServer) -> AsyncIterator[Stage]:
    made = Stage(folder, server)
    made.grant()
    await made.servers.use((made.profile,))
    try:
        await made.running()
        yield made
    finally:
        await made.servers.close()
