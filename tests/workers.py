"""Runs the tests in forks of this process: the tests and what they test are imported once. Linux only.

A worker takes one file after another and writes its reports to a pipe. Windows have workers of their own: a browser engine's late
events must not meet a process whose windows are gone.
"""

import atexit
import os
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from multiprocessing.connection import Connection, Pipe, wait
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest
from _pytest.config import create_terminal_writer

WINDOWS = ("tests/integration/ui/", "tests/end_to_end/window/")
NUMBER_BYTES = 4


class Kind(Enum):
    """What a worker runs."""

    OTHERS = 1
    WINDOWS = 2
    READY_WINDOW = 3


def _kind(test: pytest.Item) -> Kind:
    if test.get_closest_marker("ready_window"):
        return Kind.READY_WINDOW
    return Kind.WINDOWS if test.nodeid.startswith(WINDOWS) else Kind.OTHERS


class Files:
    """Files with tests of one kind. A pipe holds the numbers of those that no worker has taken."""

    def __init__(self, kind: Kind, files: list[list[pytest.Item]]) -> None:
        self.kind, self.files, self.left = kind, files, len(files)
        self._read, write = os.pipe()
        os.write(write, b"".join(number.to_bytes(NUMBER_BYTES, "big") for number in range(len(files))))
        os.close(write)

    def take(self) -> int | None:
        """The number of the next file, None when all are taken."""
        told = os.read(self._read, NUMBER_BYTES)
        return int.from_bytes(told, "big") if told else None


class Reporter:
    """In a worker: tells the first process which files it takes and what became of their tests."""

    def __init__(self, config: pytest.Config, pipe: "Connection[tuple[str, Any], None]") -> None:
        self._config, self._tell = config, pipe.send

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._tell(("report", self._config.hook.pytest_report_to_serializable(config=self._config, report=report)))

    def pytest_runtest_logfinish(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        self._tell(("finish", (nodeid, location)))

    def items(self, files: Files) -> Iterator[pytest.Item]:
        """The tests of every file that this worker gets."""
        while (number := files.take()) is not None:
            self._tell(("take", number))
            yield from files.files[number]

    def lost(self, test: pytest.Item, code: int) -> None:
        """Tells that the process of a test ended without its report."""
        self.pytest_runtest_logreport(_lost(test, code))
        self.pytest_runtest_logfinish(test.nodeid, test.location)


def _lost(test: pytest.Item, code: int) -> pytest.TestReport:
    words = f"the worker ended with {code} in this test, or in one before it in this file"
    return pytest.TestReport(test.nodeid, test.location, dict(test.keywords), "failed", words, "call")


@dataclass
class Worker:
    """A fork as the first process sees it."""

    pid: int
    reports: "Connection[None, tuple[str, Any]]"
    files: Files
    took: bool = False
    open: dict[str, pytest.Item] = field(default_factory=dict)
    """Tests of its files that have not ended."""


class Workers:
    """Starts workers, passes their reports on and reports tests that a dead one left."""

    def __init__(self, session: pytest.Session) -> None:
        self._session, self._hook = session, session.config.hook
        self._workers: dict[Connection[None, tuple[str, Any]], Worker] = {}
        files: dict[tuple[Kind, str], list[pytest.Item]] = {}
        for item in session.items:
            files.setdefault((_kind(item), item.nodeid.partition("::")[0]), []).append(item)
        self._queues = [Files(kind, [items for (one, _), items in files.items() if one is kind]) for kind in Kind]

    def run(self, count: int) -> None:
        """Runs all tests in as many workers."""
        session = self._session
        try:
            for _ in range(count):
                self._start()
            while self._workers:
                for pipe in wait(list(self._workers)):
                    self._hear(self._workers[pipe])
                if session.shouldfail:
                    raise session.Failed(session.shouldfail)
        finally:
            for worker in self._workers.values():
                os.kill(worker.pid, signal.SIGKILL)
                os.waitpid(worker.pid, 0)

    def _start(self) -> None:
        """Forks a worker for the first queue with files left."""
        files = next((one for one in self._queues if one.left), None)
        if files is None:
            return
        reports, told = Pipe(duplex=False)
        if not (pid := os.fork()):
            _work(self._session, files, told)
        told.close()
        self._workers[reports] = Worker(pid, reports, files)

    def _hear(self, worker: Worker) -> None:
        """Reads one message of a worker. At its end starts the next one."""
        try:
            kind, told = worker.reports.recv()
        except EOFError:
            self._end(worker)
            return
        if kind == "take":
            worker.took = True
            worker.files.left -= 1
            worker.open |= {item.nodeid: item for item in worker.files.files[told]}
        elif kind == "report":
            report = self._hook.pytest_report_from_serializable(config=self._session.config, data=told)
            self._hook.pytest_runtest_logreport(report=report)
        else:
            nodeid, location = told
            worker.open.pop(nodeid, None)
            self._hook.pytest_runtest_logfinish(nodeid=nodeid, location=location)

    def _end(self, worker: Worker) -> None:
        """Reports the tests that an ended worker left, and starts another one."""
        del self._workers[worker.reports]
        worker.reports.close()
        code = os.waitstatus_to_exitcode(os.waitpid(worker.pid, 0)[1])
        if code and not worker.took:  # the next one would end like it
            raise self._session.Interrupted(f"a worker ended with {code} before its first test")
        for item in worker.open.values():
            self._hook.pytest_runtest_logreport(report=_lost(item, code))
        self._start()


def _work(session: pytest.Session, files: Files, pipe: "Connection[tuple[str, Any], None]") -> NoReturn:
    """In a fork: runs files until none is left, and exits without undoing what the first process made."""
    code = 1
    try:
        atexit._clear()
        reporter = Reporter(session.config, pipe)
        _separate(session.config, reporter)
        run = _run_forked if files.kind is Kind.READY_WINDOW else _run
        run(session, reporter, files)
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        code = 0
    except BaseException:
        session.config.pluginmanager.getplugin("capturemanager").stop_global_capturing()
        traceback.print_exc()
    finally:
        os._exit(code)


def _run(session: pytest.Session, reporter: Reporter, files: Files) -> None:
    tests = reporter.items(files)
    test = next(tests, None)
    while test is not None and not session.shouldfail:
        following = next(tests, None)
        session.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
        test = following


def _run_forked(session: pytest.Session, reporter: Reporter, files: Files) -> None:
    """Makes a window and runs each test in a fork that has it."""
    from fakes.window.ready_window import make_ready  # imports Qt

    make_ready(session.config._tmp_path_factory.mktemp("ready"))
    for test in reporter.items(files):
        if not (pid := os.fork()):
            session.config.hook.pytest_runtest_protocol(item=test, nextitem=None)
            os._exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if code:
            reporter.lost(test, code)


def _separate(config: pytest.Config, reporter: Reporter) -> None:
    """Gives a fork its own output and state; reports go to the first process only."""
    plugins = config.pluginmanager
    capture = plugins.getplugin("capturemanager")
    capture.stop_global_capturing()  # the files behind it are common to all forks
    capture.start_global_capturing()
    plugins.unregister(name="terminalreporter")
    plugins.register(SimpleNamespace(_tw=create_terminal_writer(config, sys.stderr)), "terminalreporter")  # for pytest-timeout
    plugins.register(reporter)
    os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(dir=os.environ["XDG_STATE_HOME"])
