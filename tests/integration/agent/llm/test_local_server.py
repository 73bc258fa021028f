"""A model file is run in a server of its own: started with the first call, bound to loopback, stopped when idle or orphaned.

The stand-in speaks llama-server's command line and HTTP.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import psutil
import pytest

from app.agent.llm import gateway as gateway_module
from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.local_server import ModelFileServer
from app.agent.llm.target import ModelTarget
from app.agent.llm.turns import ModelMisconfigured
from app.domain.agents.runs import ModelCall
from app.domain.ids import RunId
from fakes.gmail.messages import NOON

STAND_IN = f"""#!{sys.executable}
import json, os, sys
from http.server import BaseHTTPRequestHandler, HTTPServer
args, log = sys.argv[1:], os.environ["STAND_IN_LOG"]
if "broken" in args[args.index("-m") + 1]:
    sys.exit(1)
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(dict(status="ok"))
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with open(log, "a") as out:
            out.write(json.dumps(dict(pid=os.getpid(), args=args, asked=asked)) + chr(10))
        if self.headers["Authorization"] != "Bearer " + os.environ["LLAMA_API_KEY"]:
            return self.answer(dict(error="key"), 401)
        said = dict(role="assistant", content=json.dumps(dict(ok=True)))
        choice = dict(index=0, message=said, finish_reason="stop")
        self.answer(dict(id="1", object="chat.completion", created=1, model="m", choices=[choice]))
    def answer(self, body, status=200):
        packed = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(packed)))
        self.end_headers()
        self.wfile.write(packed)
    def log_message(self, *_args):
        pass
HTTPServer((args[args.index("--host") + 1], int(args[args.index("--port") + 1])), Handler).serve_forever()
"""
SCHEMA = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"], "additionalProperties": False}


class Ledger:
    """Holds the rows of calls."""

    def __init__(self) -> None:
        self.rows: list[ModelCall] = []

    def model_call(self, call: ModelCall) -> None:
        self.rows.append(call)

    def usage_today(self) -> tuple[int, int, float]:
        return len(self.rows), 0, 0.0

    usage_this_month = usage_today


class Place:
    """A folder with model files, and the stand-in on the path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.server = ModelFileServer(idle_s=0.5)
        self.ledger = Ledger()

    def file(self, name: str = "my model.gguf", start: bytes = b"GGUF") -> str:
        (self.folder / name).write_bytes(start + b"\0" * 8)
        return str(self.folder / name)

    async def ask(self, file: str) -> dict[str, object]:
        target = ModelTarget(f"gguf/{file}", timeout_s=20)
        return await LiteLlmGateway(target, self.ledger, lambda: NOON, ()).structured(
            RunId("r"), "triage", [{"role": "user", "content": "?"}], SCHEMA
        )

    def calls(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@pytest.fixture
async def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Place]:
    made = Place(tmp_path)
    program = tmp_path / "bin" / "llama-server"
    program.parent.mkdir()
    program.write_text(STAND_IN)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("STAND_IN_LOG", str(made.log))
    monkeypatch.setattr(gateway_module, "LOCAL_SERVER", made.server)
    yield made
    await made.server.close()


async def gone(pid: object) -> None:
    while psutil.pid_exists(int(str(pid))):
        await asyncio.sleep(0.05)


async def test_a_call_starts_the_server_and_idleness_ends_it(place: Place) -> None:
    file = place.file()
    assert await place.ask(file) == {"ok": True} == await place.ask(file)
    first, second = place.calls()
    assert first["pid"] == second["pid"]
    assert {one.host for one in place.ledger.rows} == {"localhost"} and place.ledger.rows[0].sent_bytes > 0
    args, asked = first["args"], first["asked"]
    assert isinstance(args, list) and args[args.index("--host") + 1] == "127.0.0.1" and args[args.index("-m") + 1] == file
    assert isinstance(asked, dict) and asked["response_format"]["json_schema"]["schema"]["required"] == ["ok"]
    assert not any("key" in one.lower() for one in args), "other users of the computer see the arguments"
    await gone(first["pid"])
    assert not place.server.running
    await place.ask(file)
    assert place.calls()[-1]["pid"] != first["pid"], "and the next call starts it again"


async def test_another_file_takes_its_place_and_a_crash_is_mended(place: Place) -> None:
    one, other = place.file("one.gguf"), place.file("other.gguf")
    await place.ask(one)
    await place.ask(other)
    first, second = place.calls()
    await gone(first["pid"])
    os.kill(int(str(second["pid"])), signal.SIGKILL)
    while place.server.running:
        await asyncio.sleep(0.02)
    assert await place.ask(other) == {"ok": True}


async def test_another_file_waits_for_the_calls_under_way(place: Place) -> None:
    one, other = place.file("one.gguf"), place.file("other.gguf")
    async with place.server.served(ModelTarget(f"gguf/{one}")) as first, httpx.AsyncClient() as client:
        later = asyncio.create_task(place.ask(other))
        await asyncio.sleep(1)
        assert not later.done()
        key = {"Authorization": f"Bearer {first.api_key}"}
        said = await client.post(f"{first.api_base}/chat/completions", headers=key, json={"messages": []})
        assert said.status_code == 200
    assert await later == {"ok": True}
    first_call, second_call = place.calls()
    assert first_call["pid"] != second_call["pid"]


async def test_only_who_has_the_key_is_answered(place: Place) -> None:
    async with place.server.served(ModelTarget(f"gguf/{place.file()}")) as target, httpx.AsyncClient() as client:
        refused = await client.post(f"{target.api_base}/chat/completions", json={"messages": []})
        assert refused.status_code == 401 and target.api_base.startswith("http://127.0.0.1:")


async def test_what_cannot_be_run_says_why(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for file, cause in (
        (str(place.folder / "missing.gguf"), "MODEL_FILE_UNREADABLE"),
        (place.file("picture.gguf", b"\x89PNG"), "MODEL_FILE_OTHER_KIND"),
        (place.file("broken.gguf"), "MODEL_FILE_NOT_LOADED"),
    ):
        with pytest.raises(ModelMisconfigured) as raised:
            await place.ask(file)
        assert raised.value.text.cause == cause
        assert not place.server.running
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ModelMisconfigured) as raised:
        await place.ask(place.file())
    assert raised.value.text.cause == "MODEL_RUNNER_MISSING"


STARTS = """
import asyncio, sys
from app.agent.llm.local_server import ModelFileServer
from app.agent.llm.target import ModelTarget
async def main():
    async with ModelFileServer().served(ModelTarget(f"gguf/{sys.argv[1]}")):
        print("ready", flush=True)
        await asyncio.sleep(60)
asyncio.run(main())
"""


async def test_it_ends_with_a_killed_engine(place: Place) -> None:
    pipe = asyncio.subprocess.PIPE
    engine = await asyncio.create_subprocess_exec(sys.executable, "-c", STARTS, place.file(), stdout=pipe)
    assert await asyncio.wait_for(engine.stdout.readline(), 30) == b"ready\n"
    keeper, server = psutil.Process(engine.pid).children(recursive=True)
    assert "keep-server" in keeper.cmdline() and "--port" in server.cmdline()
    engine.kill()
    await engine.wait()
    await gone(keeper.pid)
    await gone(server.pid)
