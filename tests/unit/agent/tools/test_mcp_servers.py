"""Servers built with either major version of the official SDK, each in an environment of its own.

Needs a package index, so it runs only when asked for with `-m soak`.
"""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.agent.tools.mcp_servers import McpServers
from app.config.consents import ConsentFile
from app.domain.agents.tools import AgentProfile, McpServer, ServerState, ToolState, launch_of, line_of
from app.domain.errors import ServerError

pytestmark = pytest.mark.soak

SCRIPT = Path(__file__).resolve().parents[3] / "fakes" / "models" / "mcp_tools.py"


@pytest.fixture(params=["1", "2"])
def python(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """An interpreter that has the SDK of one major version and nothing of ours."""
    major = int(request.param)
    folder = tmp_path_factory.mktemp(f"sdk{major}") / "venv"
    uv = shutil.which("uv") or str(Path(sys.executable).with_name("uv"))
    made = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    for command in (
        [uv, "venv", "-q", "--python", sys.executable, str(folder)],
        [uv, "pip", "install", "-q", "--python", str(made), f"mcp>={major},<{major + 1}"],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"no environment with the SDK's version {major}: {done.stderr[-300:]}")
    told = subprocess.run(
        [str(made), "-c", "import importlib.metadata as m; print(m.version('mcp'))"], capture_output=True, text=True, check=True
    )
    assert told.stdout.startswith(f"{major}.")
    return str(made)


async def test_listing_calling_crashing_and_changing(python: str, tmp_path: Path) -> None:
    consents = ConsentFile(tmp_path / "mcp.json")
    server = McpServer("tools", python, (str(SCRIPT), str(tmp_path), "sdk"))
    profile = AgentProfile("shop", Path("shop.txt"), "Be kind.", (), mcp_servers=(server,))
    launch = launch_of(server)
    consents.grant(launch, line_of(server))
    for round_, described in enumerate(("", "Something else.")):
        if described:
            (tmp_path / "description.txt").write_text(described)
        servers = McpServers(consents, lambda: None, 0.05)
        await servers.use((profile,))
        await until_running(servers, tmp_path, 2 * round_ + 1)
        states = {tool.name: tool.state for tool in servers.statuses()[0].tools}
        assert states["shout"] is (ToolState.CHANGED if described else ToolState.AGREED)
        tools = {tool.definition.name: tool for tool in servers.tools(profile)}
        assert ("tools__shout" in tools) is not bool(described)
        assert await tools["tools__add"].handler(a=2, b=3) == {"text": "5"}
        with pytest.raises(ServerError):
            await tools["tools__crash"].handler()
        await until_running(servers, tmp_path, 2 * round_ + 2)
        await servers.close()


async def until_running(servers: McpServers, folder: Path, starts: int) -> None:
    """Wait until the server runs and was started so often."""
    async with asyncio.timeout(60):
        while servers.statuses()[0].state is not ServerState.RUNNING or (folder / "starts.txt").read_text() != str(starts):
            await asyncio.sleep(0.05)
