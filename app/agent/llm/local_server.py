"""Runs a model file (GGUF) of the owner's in llama.cpp's server, as a process of its own, and stops it when it is idle.

The server is `llama-server` where it is installed, else the one in the package `xllamacpp` (the extra `local`). It listens on
loopback only, wants a key made for this start, and is never told to download anything. The command `keep-server` starts it and
ends it together with the process that asked for it, also where that was killed.
"""

import asyncio
import os
import secrets
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import httpx

from app.agent.llm.target import ModelTarget
from app.agent.llm.turns import ModelMisconfigured
from app.config.paths import own_command
from app.domain.agents.model_providers import GGUF
from app.domain.error_texts import Cause
from app.domain.record import replace

IDLE_S = 300.0
"""A model takes gigabytes of memory: without a call for so long its server is stopped."""
START_S = 120.0
STOP_S = 3.0
POLL_S = 0.1
CONTEXT_TOKENS = 8192
MAGIC = b"GGUF"
KEY_NAME = "LLAMA_API_KEY"
PACKAGE = "xllamacpp"
KEEP = "keep-server"
"""The command of the program that runs `keep_server`."""


class ModelFileServer:
    """One model file at a time. Calls hold it open; another file takes its place between calls."""

    def __init__(self, idle_s: float = IDLE_S) -> None:
        self._idle_s = idle_s
        self._changing = asyncio.Condition()
        self._process: asyncio.subprocess.Process | None = None
        self._file = self._address = self._key = ""
        self._calls = 0
        self._stopping: asyncio.Task[None] | None = None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @asynccontextmanager
    async def served(self, target: ModelTarget) -> AsyncIterator[ModelTarget]:
        """The target at the address of its server, started where it is needed. Other targets stay as they are.

        Raises `ModelMisconfigured` where the file cannot be run.
        """
        if target.provider != GGUF:
            yield target
            return
        file = target.model.partition("/")[2]
        async with self._changing:
            await self._changing.wait_for(lambda: file == self._file or not self._calls)
            await self._start(file)
            self._calls += 1
        try:
            yield replace(target, model="openai/local", api_base=f"{self._address}/v1", api_key=self._key)
        finally:
            self._calls -= 1
            if not self._calls:
                self._stopping = asyncio.create_task(self._stop_idle())
                async with self._changing:
                    self._changing.notify_all()

    async def _stop_idle(self) -> None:
        await asyncio.sleep(self._idle_s)
        async with self._changing:
            if not self._calls:
                self._stopping = None
                await self.close()

    async def close(self) -> None:
        if self._stopping is not None:
            self._stopping.cancel()
            self._stopping = None
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()  # at this its keeper ends it
        try:
            await asyncio.wait_for(process.wait(), STOP_S)
        except TimeoutError:
            process.kill()
            await process.wait()

    async def _start(self, file: str) -> None:
        if self._stopping is not None:
            self._stopping.cancel()
            self._stopping = None
        if self.running and file == self._file:
            return
        await self.close()
        await asyncio.to_thread(_check, file)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._file, self._address, self._key = file, f"http://127.0.0.1:{port}", secrets.token_urlsafe(24)
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        env = {**os.environ, KEY_NAME: self._key, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[3]), *sys.path])}
        self._process = await asyncio.create_subprocess_exec(
            *_command(file, port), stdin=pipe, stdout=nothing, stderr=nothing, env=env
        )
        try:
            await self._ready(self._process)
        except BaseException:
            await self.close()
            raise

    async def _ready(self, process: asyncio.subprocess.Process) -> None:
        """Waits until the model is loaded."""
        until = time.monotonic() + START_S
        async with httpx.AsyncClient(timeout=2, trust_env=False) as client:
            while process.returncode is None and time.monotonic() < until:
                with suppress(httpx.HTTPError):
                    if (await client.get(f"{self._address}/health")).status_code == 200:
                        return
                await asyncio.sleep(POLL_S)
        raise ModelMisconfigured(Cause.MODEL_FILE_NOT_LOADED, Path(self._file).name)


def _check(file: str) -> None:
    """Raises `ModelMisconfigured` where a file is no model."""
    try:
        with Path(file).open("rb") as opened:
            is_model = opened.read(len(MAGIC)) == MAGIC
    except OSError:
        raise ModelMisconfigured(Cause.MODEL_FILE_UNREADABLE, file) from None
    if not is_model:
        raise ModelMisconfigured(Cause.MODEL_FILE_OTHER_KIND, Path(file).name)


def _command(file: str, port: int) -> list[str]:
    """The command of the server. Raises `ModelMisconfigured` where none is installed."""
    keeper = [*own_command(), KEEP]
    if program := shutil.which("llama-server"):
        options = {"-m": file, "--host": "127.0.0.1", "--port": port, "-c": CONTEXT_TOKENS, "-np": 1, "-t": _threads()}
        return [*keeper, program, *(str(word) for option in options.items() for word in option), "--jinja"]
    if find_spec(PACKAGE) is not None:
        return [*keeper, PACKAGE, file, str(port)]
    raise ModelMisconfigured(Cause.MODEL_RUNNER_MISSING)


def _threads() -> int:
    """Threads to compute with. One core stays free for the window."""
    return max(1, (os.cpu_count() or 2) - 1)


LOCAL_SERVER = ModelFileServer()
"""The one of this process: two models at once would not fit into most computers' memory."""


def keep_server(command: list[str]) -> int:
    """Runs a server until standard input is closed, as it is when the starting process ends. Returns its exit code."""
    if command[0] == PACKAGE:
        xllamacpp = import_module(PACKAGE)
        params = xllamacpp.CommonParams()
        params.model.path = command[1]
        wanted = {"hostnames": ["127.0.0.1"], "port": int(command[2]), "api_keys": [os.environ[KEY_NAME]]}
        wanted |= {"n_ctx": CONTEXT_TOKENS, "n_parallel": 1, "ui": False, "offline": True, "use_jinja": True}
        threads = {"n_threads": _threads()}
        for part, values in ((params, wanted), (params.cpuparams, threads), (params.cpuparams_batch, threads)):
            for name, value in values.items():
                setattr(part, name, value)
        server = xllamacpp.Server(params)  # listens until the process ends
        sys.stdin.buffer.read()
        assert server is not None
        os._exit(0)  # its threads would wait for the end of an answer
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)

    def end() -> None:
        sys.stdin.buffer.read()
        child.kill()

    threading.Thread(target=end, daemon=True).start()
    try:
        return child.wait()
    finally:
        child.kill()
