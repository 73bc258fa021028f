"""Limits for all tests: only loopback network, no real keyring, no real model, no leftover processes, no unexpected warnings."""

import gc
import logging
import os
import socket
import tempfile
import threading
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import psutil
import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from fakes.engine.processes.fork_server import shared_fork_server
from workers import Workers

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("LANGSMITH_TRACING", "false")
os.environ.setdefault("LANGCHAIN_TRACING_V2", "false")
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
if hasattr(os, "geteuid") and os.geteuid() == 0:
    # Chromium cannot start its sandbox as root; only tests and developer tools may disable it.
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")
for name in ("REPLYROOM_DATA", "REPLYROOM_GOOGLE_ENDPOINT", "REPLYROOM_GOOGLE_TOKEN", "OPENAI_API_KEY", "GEMINI_API_KEY"):
    os.environ.pop(name, None)

# Machine state goes to a temporary folder, so that the user's own stays untouched.
STATE = tempfile.TemporaryDirectory(prefix="replyroom-state-", ignore_cleanup_errors=True)
os.environ["XDG_STATE_HOME"] = STATE.name

# No deadline: on a busy machine the time of one example means nothing.
settings.register_profile("suite", deadline=None, max_examples=25)
settings.register_profile("soak", deadline=None, max_examples=200)
settings.load_profile("suite")

LOOPBACK = ("127.", "::1", "localhost")
QUIET_THREADS = (
    "asyncio_",
    "litellm-logging",
    "AnyIO",
    "pydevd",
    "Dummy-",
    "ThreadPoolExecutor",
    "QThread",
    "execnet",
    "opentelemetry",
    "OtelBatch",
)


LONG = (
    "integration/engine/search/test_file_texts.py",
    "integration/service/test_command.py",
    "integration/agent/agents/assistant/test_create_document.py",
    "integration/agent/llm/test_local_server.py",
    "end_to_end/demo/test_demo.py",
    "end_to_end/agents/test_pharmacy.py",
    "end_to_end/sending/test_send_faults.py",
    "end_to_end/security/test_network_trap.py",
    "end_to_end/security/test_obeying_agent.py",
    "end_to_end/sending/test_meetings.py",
    "integration/engine/sync/test_sync.py",
    "integration/engine/learning/test_learner.py",
    "integration/agent/test_graph.py",
    "integration/agent/tools/test_mcp.py",
    "integration/agent/agents/gmail/test_interface.py",
    "integration/engine/sync/test_syncer.py",
    "integration/engine/sync/test_numbers.py",
    "integration/engine/sync/test_rebuilding.py",
    "integration/engine/sync/test_fetching.py",
    "integration/engine/outbox/test_any_answers.py",
    "end_to_end/sending/test_letters.py",
    "end_to_end/sync/test_changes.py",
    "integration/evals/test_drafting.py",
    "end_to_end/data/test_torture.py",
    "end_to_end/data/test_faults_store.py",
    "integration/agent/llm/test_gateway.py",
    "end_to_end/sync/test_awkward_mail.py",
    "integration/agent/runtime/test_routing_rows.py",
    "integration/agent/runtime/test_early_decisions.py",
    "end_to_end/sending/test_send_once.py",
    "end_to_end/sending/test_send_choices.py",
    "end_to_end/sync/test_sync_faults.py",
    "end_to_end/sync/test_accounts.py",
    "end_to_end/data/test_mail_files.py",
    "end_to_end/data/test_faults_clock.py",
    "integration/ui/message/test_web_view.py",
    "integration/ui/pages/compose/test_new_letter.py",
    "integration/ui/window/test_main_window.py",
    "integration/ui/pages/test_base.py",
    "integration/ui/pages/settings/test_page.py",
    "integration/ui/startup/test_application.py",
    "integration/ui/message/test_body.py",
    "integration/ui/pages/test_outbox.py",
    "integration/ui/pages/activity/test_charts.py",
    "integration/ui/pages/mail/test_thread_actions.py",
    "integration/ui/pages/memory/test_memory_texts.py",
)
"""The slowest files come first, so that no worker waits for them at the end."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--forks N` runs files in N forks."""
    parser.addoption("--forks", type=int, default=0, help="run the files of tests in as many forks (Linux)")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Runs the tests in forks, if asked to."""
    options = session.config.option
    if not options.forks or options.collectonly or session.testsfailed:
        return None
    Workers(session).run(options.forks)
    return True


def pytest_configure(config: pytest.Config) -> None:
    """Gives property tests many more examples with `-m soak`, some of them made of the program's constants."""
    if config.getoption("markexpr") == "soak":
        settings.load_profile("soak")
    else:  # Hypothesis would parse every module of the program for constants, 5 s in each worker.
        providers.is_local_module_file = lru_cache(lambda path: False)


@pytest.hookimpl(tryfirst=True, specname="pytest_collection_modifyitems")
def pytest_properties_are_soaks_too(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Runs the property tests with `-m soak` as well."""
    if config.getoption("markexpr") == "soak":
        for item in items:
            if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
                item.add_marker("soak")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Freezes the objects made by the collection; garbage collection of them costs a quarter of the start and of every later
    run.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Escapes lone surrogates in captured output (odd file names, hostile headers), which would end the worker."""
    report = yield
    report.sections = [(name, text.encode(errors="backslashreplace").decode()) for name, text in report.sections]
    return report


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Moves the long files to the front; the others keep their order."""
    items.sort(key=lambda item: next((at for at, one in enumerate(LONG) if item.path.as_posix().endswith(one)), len(LONG)))


class NetworkForbidden(RuntimeError):
    """A test tried to connect to another machine."""


def _guarded_address(address: object) -> None:
    """Raises `NetworkForbidden` for internet addresses other than loopback."""
    if isinstance(address, tuple) and not str(address[0]).startswith(LOOPBACK):
        raise NetworkForbidden(f"tests may only talk to 127.0.0.1, not to {address[0]}")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """asyncio only; the program uses no other event loop."""
    return "asyncio"


@pytest.fixture(autouse=True, scope="session")
def no_network(request: pytest.FixtureRequest) -> Iterator[None]:
    """Allows connections to loopback and names of localhost only, except with `-m live`."""
    if request.config.getoption("markexpr") == "live":
        yield
        return
    connect, connect_ex, resolve = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: object) -> None:
        _guarded_address(address)
        connect(self, address)  # type: ignore[arg-type]

    def guarded_connect_ex(self: socket.socket, address: object) -> int:
        _guarded_address(address)
        return connect_ex(self, address)  # type: ignore[arg-type]

    def guarded_resolve(host: object, *args: object, **kwargs: object) -> object:
        _guarded_address((host or "localhost",))
        return resolve(host, *args, **kwargs)  # type: ignore[arg-type]

    socket.socket.connect = guarded_connect  # type: ignore[method-assign, assignment]
    socket.socket.connect_ex = guarded_connect_ex  # type: ignore[method-assign, assignment]
    socket.getaddrinfo = guarded_resolve  # type: ignore[assignment]
    yield
    socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo = connect, connect_ex, resolve  # type: ignore[method-assign]


def _offspring(pid: int) -> set[int]:
    """Descendants of a process.

    Where the kernel lists children, only those files are read, and not all processes of the machine.
    """
    if not Path(f"/proc/self/task/{threading.get_native_id()}/children").exists():
        return {child.pid for child in psutil.Process(pid).children(recursive=True)}
    found: set[int] = set()
    with suppress(OSError):  # the process, or one of its threads, may end meanwhile
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                found.update(map(int, (task / "children").read_bytes().split()))
    return found.union(*map(_offspring, found))


def _children() -> set[int]:
    """Live child processes of this worker, without the browser engine, the fork server and the test runner."""
    found = set()
    fork_server = shared_fork_server().pid if shared_fork_server.cache_info().currsize else 0
    offspring = _offspring(os.getpid())
    if offspring:  # again, because the kernel may skip one while another ends
        offspring |= _offspring(os.getpid())
    for pid in offspring - {fork_server}:
        try:
            child = psutil.Process(pid)
            if child.status() != psutil.STATUS_ZOMBIE and "QtWebEngine" not in child.name():
                found.add(pid)
        except psutil.NoSuchProcess:
            continue
    return found


def _threads() -> set[int]:
    """Threads that a test must not leave running."""
    return {t.ident or 0 for t in threading.enumerate() if t.is_alive() and not t.name.startswith(QUIET_THREADS)}


@pytest.fixture(autouse=True)
def nothing_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails a test that leaves processes or threads. Module and session fixtures may keep theirs."""
    processes, threads = _children(), _threads()
    kept = {name for name in request.fixturenames if name in {"sandbox", "qapp", "engine"}}
    yield
    if "module_processes" in request.keywords or kept:
        return
    left = _children() - processes
    for pid in list(left):
        try:
            psutil.Process(pid).wait(timeout=30)
            left.discard(pid)
        except psutil.TimeoutExpired:
            continue
        except psutil.NoSuchProcess:
            left.discard(pid)
    assert not left, f"processes left running: {sorted(left)}"
    for thread in threading.enumerate():
        if thread.ident in _threads() - threads:
            thread.join(timeout=30)
    names = [t.name for t in threading.enumerate() if (t.ident or 0) in _threads() - threads]
    assert not names, f"threads left running: {names}"


@pytest.fixture(autouse=True)
def no_log_warnings(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fails a test for warnings of our own code, unless it is marked `expects_warnings`."""
    yield
    if request.node.get_closest_marker("expects_warnings"):
        return
    loud = [
        r
        for when in ("setup", "call")
        for r in caplog.get_records(when)
        if r.levelno >= logging.WARNING and r.name.startswith("app.")
    ]
    assert not loud, f"unexpected log: {[(r.name, r.getMessage()) for r in loud]}"


@pytest.fixture
def root() -> Path:
    """The project's folder."""
    return Path(__file__).resolve().parents[1]
