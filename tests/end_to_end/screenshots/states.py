"""The states of the pictures: which files lie in the data folder, how the engine stands, and what it tells.

`damaged` is the engine gone, with a database and a settings file that cannot be read.
"""

from datetime import timedelta
from enum import StrEnum
from typing import NamedTuple

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
WORKS = ModelTest(412.0, True, True)


class State(StrEnum):
    """What a picture shows."""

    EMPTY = "empty"
    NORMAL = "normal"
    BUSY = "busy"
    OFFLINE = "offline"
    ERROR = "error"
    DAMAGED = "damaged"


class Staging(NamedTuple):
    """One state: what the engine says, what a test of the model says (None: nothing), and whether the engine is there."""

    events: tuple[Event, ...] = ()
    model: ModelTest | None = WORKS
    alive: bool = True


def staging(state: State, account: AccountId) -> Staging:
    """How the engine stands and what it tells."""
    if state is State.DAMAGED:
        return Staging(alive=False)
    since_ms = int((NOW - timedelta(hours=2)).timestamp() * 1000)
    connections = {State.OFFLINE: ConnectionState.OFFLINE, State.ERROR: ConnectionState.LOGIN_NEEDED}
    connection = connections.get(state, ConnectionState.ONLINE)
    greeting = EngineReady(310.0, "" if state is State.EMPTY else MODEL)
    first = (greeting, ConnectionChanged(account, connection, since_ms, "gmail.googleapis.com"))
    current = SyncProgress(account, SyncPhase.CURRENT, 0, 0, -1.0)
    work = WorkChanged(0, 0, False, 14, 21_350, 0.03)
    backfill = SyncProgress(account, SyncPhase.BACKFILL, 4_113, 21_340, 380.0)
    busy = WorkChanged(12, 3, False, 1_204, 2_100_350, 1_234.5)
    then: dict[State, tuple[Event, ...]] = {
        State.EMPTY: (current,),
        State.NORMAL: (current, work),
        State.BUSY: (backfill, IndexProgress(2_040, 4_113), busy),
        State.OFFLINE: (work,),
        State.ERROR: (WorkChanged(5, 0, True, 14, 21_350, 0.03),),
    }
    return Staging((*first, *then[state]), None if state in connections else WORKS)


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
        with folder.database.open("r+b") as out:  # the header stays
            out.seek(4096)
            out.write(b"\xa5" * (folder.database.stat().st_size - 4096))
    return store.account_id


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
