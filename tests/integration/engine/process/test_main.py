"""The engine process from start to end: ready before anything heavy, one per folder, ended in order whoever ends it."""

import asyncio
import json
import os
import signal
import sqlite3
import sys
from pathlib import Path

import pytest

from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId
from app.domain.protocol.account_commands import CancelSignIn
from app.domain.protocol.commands import (
    ChangeSettings,
    ConnectGmail,
    DraftReply,
    PauseAgents,
    PreviewDrafting,
    SearchMail,
    Shutdown,
    SyncNow,
    ThreadIds,
)
from app.domain.protocol.events import CommandFailed, EngineReady, ErrorReported, SettingsChanged, SignInOpened, WorkChanged
from app.domain.wire import Event
from fakes.engine.engine_process import (
    PATIENCE_S,
    THINKING,
    engine_client,
    environment,
    ready_engine,
    running_engine,
    start_engine,
)

SLOW_LIBRARIES = ("googleapiclient", "langgraph", "chromadb", "litellm", "onnxruntime", "sqlalchemy", "keyring")


async def test_ready_needs_nothing_heavy(tmp_path: Path, root: Path) -> None:
    code = f"import app.engine.process.main, sys; print([m for m in {SLOW_LIBRARIES!r} if m in sys.modules])"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, cwd=root, stdout=asyncio.subprocess.PIPE)
    out, _ = await process.communicate()
    assert out.decode().strip() == "[]"


async def test_it_is_ready_without_account_and_answers(tmp_path: Path) -> None:
    async with running_engine(tmp_path / "data") as engine:
        ready = await engine.event(EngineReady)
        assert ready.model_label == ""
        assert ready.start_ms > 0
        assert await engine.client.ask(SearchMail("from:ann")) == ThreadIds(())
        with pytest.raises(NotAllowed):
            await engine.client.ask(SearchMail("before:whenever"))
        preview = await engine.client.ask(PreviewDrafting(AccountId(1), 7))
        assert (preview.mails, preview.drafts, preview.cost_usd) == (0, 0, 0.0)  # type: ignore[union-attr]


@pytest.mark.parametrize("how", ["eof", "shutdown", "sigterm"])
async def test_it_ends_in_order(tmp_path: Path, how: str) -> None:
    engine = await start_engine(tmp_path / "data")
    engine.reader.close()  # the last connection to close removes the log, and a reader cannot
    if how == "sigterm":
        os.kill(engine.client.pid, signal.SIGTERM)
    elif how == "shutdown":
        engine.client.send(Shutdown())
    assert await (engine.close() if how == "eof" else engine.client.wait()) == 0
    assert not (tmp_path / "data" / "mail.db-wal").exists(), "the database was closed"
    assert "ending" in engine.log()


async def test_nobody_waits_for_a_sign_in(tmp_path: Path) -> None:
    places = {
        "auth_uri": "http://localhost:9/auth",
        "token_uri": "http://localhost:9/token",
        "redirect_uris": ["http://localhost"],
    }
    (tmp_path / "client.json").write_text(json.dumps({"installed": {"client_id": "1.example", "client_secret": "s", **places}}))
    data = tmp_path / "data"
    engine = await ready_engine(data, {**environment("", ""), "BROWSER": "true"})
    signing_in = engine.client.send(ConnectGmail(tmp_path / "client.json"))
    await engine.do(SyncNow())
    async with asyncio.timeout(PATIENCE_S / 2):
        engine.client.send(Shutdown())
        await signing_in
        assert await engine.client.wait() == 0
    assert [one.command for one in engine.seen if isinstance(one, CommandFailed)] == ["ConnectGmail"]
    engine.reader.close()


@pytest.mark.parametrize(("browser", "opened"), [("true", True), ("false", False)])
async def test_a_waiting_sign_in_is_told_and_can_be_cancelled(tmp_path: Path, browser: str, opened: bool) -> None:
    """The address can be copied, and whether a browser took it is known."""
    places = {"auth_uri": "http://localhost:9/auth", "token_uri": "http://localhost:9/token"}
    (tmp_path / "client.json").write_text(json.dumps({"installed": {"client_id": "1.example", "client_secret": "s", **places}}))
    engine = await ready_engine(tmp_path / "data", {**environment("", ""), "BROWSER": browser})
    signing_in = engine.client.send(ConnectGmail(tmp_path / "client.json"))
    told = await engine.event(SignInOpened)
    assert told.opened is opened
    assert told.address.startswith("http://localhost:9/auth?")
    assert 0 < told.wait_s <= 600
    assert await engine.do(CancelSignIn()) is None
    await signing_in
    failed = [one for one in engine.seen if isinstance(one, CommandFailed)]
    assert [(one.command, one.code) for one in failed] == [("ConnectGmail", "sign_in_cancelled")]
    assert await engine.close() == 0


async def test_it_ends_while_the_agents_still_load(tmp_path: Path) -> None:
    engine = await start_engine(tmp_path / "data", settings=THINKING)
    assert await engine.close() == 0


async def test_a_second_engine_in_the_same_folder_says_so_and_ends(tmp_path: Path, root: Path) -> None:
    data = tmp_path / "data"
    async with running_engine(data):
        second = await engine_client("app", ["engine", "--data", str(data)], environment("", ""), data)
        said: list[Event] = []
        second.subscribe(said.append)
        assert await second.wait() == 3
        assert [event.code for event in said if isinstance(event, ErrorReported)] == ["already_running"]
        assert not any(isinstance(event, EngineReady) for event in said)
    async with running_engine(data) as third:
        await third.event(EngineReady)


async def test_a_crash_leaves_no_lock(tmp_path: Path) -> None:
    engine = await start_engine(tmp_path / "data")
    await engine.kill()
    async with running_engine(tmp_path / "data") as again:
        await again.event(EngineReady)


async def test_a_database_of_a_newer_program_is_not_touched(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with sqlite3.connect(data / "mail.db") as connection:
        connection.execute("PRAGMA user_version = 9999")
    before = (data / "mail.db").read_bytes()
    client = await engine_client("app", ["engine", "--data", str(data)], environment("", ""), data)
    said: list[Event] = []
    client.subscribe(said.append)
    assert await client.wait() == 3
    assert [event.code for event in said if isinstance(event, ErrorReported)] == ["store_too_new"]
    assert (data / "mail.db").read_bytes() == before


async def test_settings_change_or_say_why_not(tmp_path: Path) -> None:
    async with running_engine(tmp_path / "data") as engine:
        await engine.do(ChangeSettings((("sending.undo_s", "25"),)))
        await engine.event(SettingsChanged)
        assert "undo_s = 25" in (tmp_path / "data" / "settings.toml").read_text()
        await engine.do(ChangeSettings((("sending.undo_s", "-1"),)))
        failed = await engine.event(CommandFailed)
        assert (failed.command, failed.code) == ("ChangeSettings", "bad_file")
        await engine.do(DraftReply(MessageId(77)))
        await engine.event(CommandFailed, lambda one: one.command == "DraftReply" and one.code == "not_found")


async def test_broken_settings_are_told_with_their_line_and_defaults_hold(tmp_path: Path) -> None:
    async with running_engine(tmp_path / "data", settings="[sync]\npoll_s = 'often'\n[drafting]\npaused = true\n") as engine:
        trouble = await engine.event(ErrorReported)
        assert trouble.code == "bad_file"
        assert "settings.toml:2" in str(trouble.text)


async def test_agents_that_were_paused_load_when_they_are_wanted(tmp_path: Path) -> None:
    async with running_engine(tmp_path / "data") as engine:
        await engine.do(PauseAgents(False))
        await engine.event(WorkChanged, lambda one: not one.paused)
        await engine.do(PauseAgents(True))
        await engine.event(WorkChanged, lambda one: one.paused)
