"""The states of the pictures: which files lie in the data folder, how the engine stands, and what it tells.

`damaged` is the engine gone, with a database and a settings file that cannot be read.
"""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from pathlib import Path

from app.config.paths import DataFolder
from app.domain.agents.runs import Route, Run, RunStatus, StepLog
from app.domain.error_texts import Cause, ErrorText
from app.domain.ids import AccountId, RunId
from app.domain.mail.outbox import OutboxState
from app.domain.protocol.commands import ModelTest
from app.domain.protocol.events import (
    CommandFailed,
    ConnectionChanged,
    ConnectionState,
    EngineReady,
    ErrorReported,
    IndexProgress,
    SyncPhase,
    SyncProgress,
    WorkChanged,
)
from app.domain.wire import Event
from app.store.outbox import Outbox
from app.store.runs.runs import Runs
from end_to_end.screenshots.mailbox import MODEL, connected, filled
from fakes.engine.store.rows import add_step, start_run
from fakes.engine.store.sample_store import NOW, LivelyStore

RULES = """\
routing:
  rules:
    - name: builds
      match:
        sender_domain: forgehub.example
        header_match:
          X-Build-Status: "^(failed|broken)$"
      route: pipeline
    - name: meetings
      match:
        subject_contains: meeting
      route: response_agent
    - name: orders of medicines
      match:
        sender_domain: pharmacy.example
      route: agent
      profile: pharmacy
agent:
  profiles:
    pharmacy:
      model: gemini/gemini-2.5-pro
      system_prompt_file: pharmacy.txt
      tools: [mail_search, create_draft, escalate]
      mcp_servers:
        stock:
          command: stock-server
          args: [--read-only]
"""
SETTINGS = f"""\
[model]
name = "{MODEL}"

[calendar]
connected = true
time_zone = "Europe/Prague"

[drafting]
background = "I run a small bicycle workshop with my sister. We are open Tuesday to Saturday."
"""
ONLINE, WORKS = ConnectionState.ONLINE, ModelTest(412.0, True, True)


class State(StrEnum):
    """What a picture shows."""

    EMPTY = "empty"
    NORMAL = "normal"
    BUSY = "busy"
    OFFLINE = "offline"
    ERROR = "error"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Staging:
    """One state: the connection, what else the engine says, what a test of the model says (None: nothing), is it there."""

    connection: ConnectionState
    events: tuple[Event, ...] = ()
    model: ModelTest | None = WORKS
    alive: bool = True


def staging(state: State, account: AccountId) -> Staging:
    """How the engine stands and what it tells; the connection is told besides."""
    current = SyncProgress(account, SyncPhase.CURRENT, 0, 0, -1.0)
    work = WorkChanged(0, 0, False, 14, 21_350, 0.03)
    match state:
        case State.EMPTY:
            return Staging(ONLINE, (current,))
        case State.NORMAL:
            return Staging(ONLINE, (current, work))
        case State.BUSY:
            backfill = SyncProgress(account, SyncPhase.BACKFILL, 4_113, 21_340, 380.0)
            busy = WorkChanged(12, 3, False, 1_204, 2_100_350, 1_234.5)
            return Staging(ONLINE, (backfill, IndexProgress(2_040, 4_113), busy))
        case State.OFFLINE:
            return Staging(ConnectionState.OFFLINE, (work,), None)
        case State.ERROR:
            return Staging(ConnectionState.LOGIN_NEEDED, (WorkChanged(5, 0, True, 14, 21_350, 0.03),), None)
        case State.DAMAGED:
            return Staging(ConnectionState.ONLINE, alive=False)


def trouble(state: State, page: str) -> Event | None:
    """What goes wrong while a page is on show, told as the engine tells it."""
    if state is not State.ERROR:
        return None
    if page.startswith("review"):
        return CommandFailed("Decide", "stale_decision", ErrorText.of("The draft has revision 3."))
    if page.startswith("welcome"):
        return CommandFailed("ConnectGmail", "bad_file", ErrorText.of(Cause.WEB_CLIENT))
    return ErrorReported("model_unavailable", ErrorText.of("openai/gpt-4o-mini: connection refused."))


def write_folder(state: State, folder: DataFolder) -> AccountId:
    """Fill a new data folder for a state; the account in it."""
    folder.prepare()
    store = connected(folder.database) if state is State.EMPTY else filled(folder.database)
    if state is State.BUSY:
        _work(store)
    store.close()
    if state is State.EMPTY:
        return store.account_id
    folder.settings.write_text(SETTINGS, encoding="utf-8")
    folder.rules.write_text(RULES, encoding="utf-8")
    (folder.root / "pharmacy.txt").write_text("Answer orders of medicines.\n", encoding="utf-8")
    if state is State.ERROR:
        folder.settings.write_text(f"{SETTINGS}paused = true\n", encoding="utf-8")
        folder.rules.write_text(RULES.replace("route: response_agent", "route: nobody"), encoding="utf-8")
    if state is State.DAMAGED:
        folder.settings.write_text(SETTINGS.replace("connected = true", "connected = perhaps"), encoding="utf-8")
        _damage(folder.database)
    return store.account_id


def connection_of(staged: Staging, account: AccountId) -> ConnectionChanged:
    """The event of a state's connection."""
    since = NOW - timedelta(hours=2)
    return ConnectionChanged(account, staged.connection, int(since.timestamp() * 1000), "gmail.googleapis.com")


def ready(state: State) -> EngineReady:
    """The engine's greeting."""
    return EngineReady(310.0, "" if state is State.EMPTY else MODEL)


def _work(store: LivelyStore) -> None:
    """Runs under way and queued, and a mail that is just leaving."""
    runs = Runs(store.db, store.clock)
    for number, (key, status) in enumerate(
        (("z1", RunStatus.RUNNING), ("m10", RunStatus.RUNNING), ("m07", RunStatus.QUEUED), ("m06", RunStatus.QUEUED))
    ):
        message, at = store.mails[key], store.now - timedelta(seconds=20 * number)
        run_id = RunId(f"busy-{key}")
        start_run(runs, Run(run_id, store.account_id, message.id, message.thread_id, Route.PIPELINE, "", "", status, 1, at))
        if status is RunStatus.RUNNING and number:
            add_step(runs, StepLog(run_id, "route", 0, "{}", "{}", 2.0, "", at))
            add_step(runs, StepLog(run_id, "triage", 1, "{}", "{}", 64.0, "", at))
    store.queue_send("plain", OutboxState.QUEUED)
    outbox = Outbox(store.db, store.clock)
    for row in store.db.read("SELECT id FROM outbox WHERE state = 'queued' ORDER BY id DESC LIMIT 1"):
        outbox.move(row[0], OutboxState.QUEUED, OutboxState.DRAFTING)


def _damage(file: Path) -> None:
    """Overwrite the middle of the file; its header stays."""
    size = file.stat().st_size
    with file.open("r+b") as out:
        out.seek(4096)
        out.write(b"\xa5" * (size - 4096))
