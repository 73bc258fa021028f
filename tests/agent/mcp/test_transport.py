"""The way to a server: what a child gets of the environment, and streamable HTTP that goes away and comes back."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from app.domain.errors import ServerTrouble
from app.domain.servers import ServerState
from app.domain.tools import McpServer
from fakes.mcp_stage import SCRIPT, child, stage

pytestmark = pytest.mark.anyio


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


async def test_the_child_gets_no_keys_and_results_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("REPLYROOM_GOOGLE_TOKEN", "secret")
    async with stage(tmp_path, child(tmp_path)) as made:
        told = await made.call("variables")
        assert isinstance(told, dict)
        names = set(str(told["text"]).split())
        assert "SHELF" in names
        assert names <= {"SHELF", "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LC_CTYPE", "PWD", "OLDPWD", "_", "SHLVL"}
        flood = await made.call("flood")
        assert isinstance(flood, dict)
        assert flood["truncated"] is True
        assert len(str(flood["text"])) == 20_000


async def test_a_server_over_http_comes_back_too(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, str(SCRIPT), str(tmp_path), "http", str(port)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    far = subprocess.Popen(command, env={"PATH": os.environ["PATH"]}, **quiet)  # type: ignore[call-overload]
    try:
        async with stage(tmp_path, McpServer("tools", url=f"http://127.0.0.1:{port}/mcp")) as made:
            assert await made.call("shout", text="far") == {"text": "FAR"}
            far.kill()
            far.wait()
            with pytest.raises(ServerTrouble):
                await made.call("shout", text="gone")
            await made.until(lambda: made.status.state is ServerState.RETRYING)
            far = subprocess.Popen(command, env={"PATH": os.environ["PATH"]}, **quiet)  # type: ignore[call-overload]
            await made.running()
            assert await made.call("shout", text="back") == {"text": "BACK"}
    finally:
        far.kill()
        far.wait()
