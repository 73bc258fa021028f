"""The real program with its network trapped: it calls Google's endpoint and the chosen model, and nobody else.

The environment asks every library to report home; home is a server that counts.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from app.domain.drafting.draft import fill_slots
from app.domain.drafting.review import Action
from app.domain.ids import GmailId, MessageId
from app.domain.mail.outbox import OutboxState
from app.domain.protocol.commands import Decide, DraftReply
from app.domain.protocol.events import EngineReady, ReviewReady, SyncPhase, SyncProgress
from app.store.mail.messages import Messages
from fakes.engine.engine_process import THINKING, EngineProcess, environment
from fakes.engine.processes.engine_client import EngineClient
from fakes.engine.processes.network_trap import STRACE, Trap, elsewhere
from fakes.gmail.mbox_file import MBOX
from fakes.gmail.sandbox import Sandbox, running_sandbox
from fakes.gmail.sending import opened, question
from fakes.gmail.web_server import Visited, visited
from fakes.models.model_process import AnsweringServer

pytestmark = pytest.mark.timeout(240)


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path / "trap")


@pytest.fixture
def home() -> Iterator[Visited]:
    with visited() as server:
        yield server


def port(address: str) -> int:
    return urlsplit(address).port or 0


async def trapped(trap: Trap, root: Path, data: Path, sandbox: Sandbox, home: Visited, api_base: str) -> EngineProcess:
    """The engine, with agents and a model, in the trap."""
    data.mkdir()
    (data / "settings.toml").write_text(f'{THINKING}[model]\nname = "openai/scripted"\napi_base = "{api_base}"\n')
    command = trap.under([sys.executable, "-m", "app", "engine", "--data", str(data)])
    around = {**environment(sandbox.url, sandbox.token), **trap.environment(root, home)}
    engine = EngineProcess(await EngineClient.start(command, around, "tests"), data)
    await engine.event(EngineReady)
    await engine.event(SyncProgress, lambda one: one.phase is SyncPhase.CURRENT)
    return engine


def mirrored(engine: EngineProcess, gmail_id: GmailId) -> MessageId | None:
    """A message's id once it is in the store."""
    accounts = engine.reader.accounts()
    if not accounts:
        return None
    with opened(engine.data) as db:
        found = Messages(db).by_gmail_id(accounts[0].id, gmail_id)
    return found.id if found else None


async def test_the_engine_calls_google_and_the_model_and_nobody_else(
    tmp_path: Path, root: Path, trap: Trap, home: Visited
) -> None:
    with running_sandbox() as sandbox, AnsweringServer() as model:
        delivered = sandbox.deliver(question(1))
        engine = await trapped(trap, root, tmp_path / "data", sandbox, home, model.api_base)
        try:
            message = await engine.until(lambda: mirrored(engine, GmailId(delivered["id"])))
            await engine.do(DraftReply(message))
            ready = await engine.event(ReviewReady)
            review = engine.reader.review(ready.review_id)
            assert review.proposal.draft is not None
            draft = fill_slots(review.proposal.draft, ("Friday",) * 9)
            await engine.do(Decide(review.id, review.revision, Action.EDIT, draft))
            await engine.until(lambda: [row for row in engine.reader.outbox() if row.item.state is OutboxState.SENT])
        finally:
            await engine.close()
        assert model.history, "the model was not asked"
        assert trap.python_ran
        assert STRACE is None or trap.kernel_saw
        assert elsewhere(trap.called(), {port(sandbox.url), port(model.api_base)}) == []
    assert home.visits == []


@pytest.mark.soak
def test_the_window_and_its_engine_call_nobody_either(tmp_path: Path, root: Path, trap: Trap, home: Visited) -> None:
    mbox = tmp_path / "one.mbox"
    mbox.write_bytes(MBOX)
    words = ["--headless", "--limit-s", "150", "--mbox", str(mbox), "--me", "me@example.com", "--triage-all"]
    command = trap.under([sys.executable, "-m", "app", "demo", *words, "--shots", str(tmp_path / "shots")])
    around = {**os.environ, **trap.environment(root, home), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, cwd=root, env=around, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert trap.python_ran
    assert STRACE is None or trap.kernel_saw
    assert elsewhere(trap.called()) == []
    assert home.visits == []


def test_the_trap_catches(tmp_path: Path, root: Path, trap: Trap, home: Visited) -> None:
    """Python's own connections by its hook; those of other code, here a C library's, by the kernel."""
    code = f"import socket, urllib.request; urllib.request.urlopen('http://{home.host}', timeout=5).read()"
    away = "\nanother = socket.socket()\nanother.settimeout(0.01)\nanother.connect_ex(('192.0.2.7', 9))"
    command = trap.under([sys.executable, "-c", code + away])
    subprocess.run(command, env={**os.environ, **trap.environment(root, home)}, check=True)
    assert ("127.0.0.1", int(home.host.split(":")[1])) in trap.called()
    assert elsewhere(trap.called()) == [("192.0.2.7", 9)]
    assert len(home.visits) == 1
