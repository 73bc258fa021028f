"""A warm interpreter that forks our programs, which saves each test seconds of imports for every engine it starts.

The fork is a process of its own with its own pipes, signals and exit code, and starts like `python -m MODULE ...`. Linux only,
and only for tests that do not test the start itself. `python fork_server.py` is the interpreter: it reads requests from its
standard input, a socket, each with four file descriptors (input, output, errors, the pipe for the exit code).
"""

import atexit
import errno
import gc
import importlib
import json
import os
import random
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NoReturn

ROOT = Path(__file__).resolve().parents[4]
TESTS = ROOT / "tests"
BYTES = 1 << 20
POSSIBLE = sys.platform == "linux"

PLAIN = (
    "app.main",
    "app.engine.process.main",
    "app.engine.process.services",
    "app.engine.accounts.google",
    "app.mail.gmail.client",
    "googleapiclient.http",
)
THINKING = (
    "app.agent.graph",
    "app.agent.retrieval",
    "app.agent.triage.classifier",
    "app.agent.learning.drafter",
    "app.engine.runs.agent_runtime",
)
SPEAKING = (
    *THINKING,
    "litellm",
    "anyio._backends._asyncio",
    "litellm.responses.mcp.chat_completions_handler",
    "litellm.proxy._experimental.mcp_server.utils",
)
"""With a language model, and what litellm imports at its first call."""

SANDBOX = ("app.sandbox.server.server", "uvicorn.protocols.http.auto")


@dataclass
class Born:
    """A forked program with the interface of `subprocess.Popen`."""

    pid: int
    stdin: IO[bytes]
    stdout: IO[bytes]
    _told: int
    returncode: int | None = None

    def poll(self) -> int | None:
        """The exit code, None while it runs."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """Waits for the exit code. Raises `subprocess.TimeoutExpired`."""
        code = self._ended(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0)
        return code

    def terminate(self) -> None:
        """Sends SIGTERM."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """Sends SIGKILL."""
        self._signal(signal.SIGKILL)

    def told_fd(self) -> int:
        """A file descriptor that is readable once the program has ended; -1 once its exit code is known."""
        return self._told

    def _signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._told], [], [], timeout)[0]:
            told = os.read(self._told, 64)
            os.close(self._told)
            self._told = -1
            self.returncode = int(told or b"-9")
        return self.returncode


class ForkServer:
    """This process's warm interpreter. It ends with this process or with `close`."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
        self._process: subprocess.Popen[bytes] = subprocess.Popen(
            [sys.executable, __file__], stdin=theirs.fileno(), env=environment, cwd=ROOT
        )
        theirs.close()
        atexit.register(self.close)

    @property
    def pid(self) -> int:
        """The warm interpreter's process id."""
        return self._process.pid

    def born(
        self, module: str, arguments: Sequence[str], environment: Mapping[str, str], warm: Iterable[str], errors: int = 2
    ) -> Born:
        """Starts `python -m module arguments` with this environment.

        Its standard error is the descriptor `errors`. The modules in `warm` are imported before the fork, once for all programs.
        """
        ours_in, ours_out, told = os.pipe(), os.pipe(), os.pipe()
        request = {"module": module, "arguments": list(arguments), "environment": dict(environment), "warm": list(warm)}
        theirs = [ours_in[0], ours_out[1], errors, told[1]]
        socket.send_fds(self._socket, [json.dumps(request).encode()], theirs)
        for fd in (ours_in[0], ours_out[1], told[1]):
            os.close(fd)
        answer = self._socket.recv(BYTES)
        if not answer:
            raise RuntimeError("the warm interpreter is gone")
        return Born(int(answer), os.fdopen(ours_in[1], "wb", 0), os.fdopen(ours_out[0], "rb"), told[0])

    def close(self) -> None:
        """Ends the interpreter. Its programs end when their pipes close."""
        self._socket.close()
        self._process.wait()


@cache
def shared_fork_server() -> ForkServer:
    """The fork server of this process, started at the first call."""
    return ForkServer()


def ran(module: str, arguments: Sequence[str], warm: Iterable[str], **more: str) -> "subprocess.CompletedProcess[str]":
    """Runs `python -m module arguments` to its end, with `more` in its environment."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(TESTS))), **more}
    command = [sys.executable, "-m", module, *arguments]
    if not POSSIBLE:
        return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    with TemporaryFile() as errors:
        born = shared_fork_server().born(module, arguments, environment, warm, errors.fileno())
        with born.stdin, born.stdout:
            said = born.stdout.read().decode()
        code = born.wait()
        errors.seek(0)
        return subprocess.CompletedProcess(command, code, said, errors.read().decode())


def main() -> None:
    """Forks a program for each request until the socket is closed."""
    sys.path[:1] = [str(ROOT), str(TESTS)]
    requests = socket.socket(fileno=os.dup(0))
    woken, waker = os.pipe()
    for fd in (woken, waker):
        os.set_blocking(fd, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker)
    children: dict[int, int] = {}
    while True:
        ready = select.select([requests.fileno(), woken], [], [])[0]
        if woken in ready:
            os.read(woken, BYTES)
        _reap(children)
        if requests.fileno() not in ready:
            continue
        data, fds, _, _ = socket.recv_fds(requests, BYTES, 4)
        if not data:
            return
        request = json.loads(data)
        _warm(request["warm"])
        pid = os.fork()
        if not pid:
            for fd in (woken, waker, requests.detach(), *children.values(), fds[3]):
                os.close(fd)
            _become(request, fds[:3])
        children[pid] = fds[3]
        for fd in fds[:3]:
            os.close(fd)
        requests.send(str(pid).encode())


def _warm(names: Iterable[str]) -> None:
    """Imports missing modules and freezes them for the garbage collectors of the forks."""
    if not sys.modules.keys() >= set(names):
        for name in names:
            importlib.import_module(name)
        gc.collect()
        gc.freeze()


def _reap(children: dict[int, int]) -> None:
    """Reports the exit codes of ended programs."""
    while children:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        told = children.pop(pid)
        with suppress(BrokenPipeError):
            os.write(told, str(os.waitstatus_to_exitcode(status)).encode())
        os.close(told)


def _become(request: Mapping[str, object], fds: Sequence[int]) -> None:
    """In the fork: sets up what `python -m` would find, runs the module and exits."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for target, fd in enumerate(fds):
        os.dup2(fd, target)
        os.close(fd)
    # The parent's stream objects keep properties of the files they were opened on.
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    environment, arguments = request["environment"], request["arguments"]
    assert isinstance(environment, dict)
    assert isinstance(arguments, list)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    random.seed()
    sys.argv = [str(request["module"]), *arguments]
    _end(_ran_to(str(request["module"])))


def _ran_to(module: str) -> int:
    """Runs a module as the program. Returns its exit code."""
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as ending:
        if ending.code is None or isinstance(ending.code, int):
            return ending.code or 0
        print(ending.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _end(code: int) -> NoReturn:
    """Waits for threads, runs exit handlers and exits at once.

    A normal exit would take hundreds of inherited modules apart, which takes longer than many programs run.
    """
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    try:
        main()
    except OSError as failure:
        if failure.errno != errno.ECONNRESET:
            raise
