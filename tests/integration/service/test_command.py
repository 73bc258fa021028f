"""`serve-gmail` as a process of its own, beside a store that somebody else writes: start, token, kill -9, end, refusals."""

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from langgraph.pregel.remote import RemoteGraph
from langgraph.types import Command

from app.agent.agents.gmail.interface import state_of
from app.domain.errors import NotAllowed
from app.service.server import host_names
from fakes.engine.agent_mailbox import Room
from fakes.engine.processes import secret_service
from fakes.engine.processes.fork_server import SPEAKING, ran
from fakes.engine.processes.secret_service import MISSING, UNLOCKED, under
from fakes.models.gmail_agent import SENDS, task, writes
from fakes.models.model_server import ModelServer

ROOT = Path(__file__).resolve().parents[3]
TOKEN = "a-token-that-is-long-enough"
ANY_PORT = ("serve-gmail", "--port", "0")


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """A data folder whose store is open elsewhere."""
    with Room(tmp_path):
        yield tmp_path


def configure(data: Path, model: ModelServer) -> None:
    (data / "settings.toml").write_text(f'[model]\nname = "openai/scripted"\napi_base = "{model.api_base}"\n')


def said(data: Path, *words: str, token: str = TOKEN) -> "subprocess.CompletedProcess[str]":
    return ran("app", [*ANY_PORT, "--data", str(data), *words], (*SPEAKING, "app.service.server"), GMAIL_SERVICE_TOKEN=token)


class Running:
    """The process, once it answers."""

    def __init__(self, data: Path) -> None:
        command = [sys.executable, "-m", "app", *ANY_PORT, "--data", str(data)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "GMAIL_SERVICE_TOKEN": TOKEN}
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        first = self.process.stdout.readline()
        found = re.search(r"http://\S+", first)
        assert found, first + (self.process.communicate()[1] if self.process.poll() is not None else "")
        self.url = found.group()
        self.remote = RemoteGraph("gmail", url=self.url, api_key=TOKEN)

    def end(self, number: int) -> tuple[int, str]:
        self.process.send_signal(number)
        return self.process.wait(30), self.process.communicate()[1]


def test_a_proposal_outlives_kill_9_and_the_service_ends_in_order(data: Path) -> None:
    config: Any = {"configurable": {"thread_id": str(uuid4())}}
    with ModelServer() as model:
        configure(data, model)
        model.enqueue(SENDS, writes(subject="Over and out"))
        first = Running(data)
        first.remote.invoke(state_of(task()), config)
        assert first.end(signal.SIGKILL)[0] == -signal.SIGKILL
        second = Running(data)
        waiting = second.remote.get_state(config).interrupts[0]
        assert waiting.value["args"]["subject"] == "Over and out"
        left = second.remote.invoke(Command(resume={waiting.id: {"status": "sent"}}), config)
        assert left["context"]["results"]["data"]["status"] == "sent"
        assert len(model.history) == 2
        code, errors = second.end(signal.SIGTERM)
    assert (code, errors) == (0, "")
    assert second.process.stdout is not None
    log = "".join(path.read_text() for path in (data / "logs").glob("gmail-service.log*"))
    with closing(sqlite3.connect(data / "service.db")) as records:
        assert records.execute("SELECT run_id, count(*) FROM llm_calls").fetchall() == [("ask-1", 2)]
    assert not re.search(r"Over and out|partner\.org|a-token", log)
    assert all(path.stat().st_mode & 0o077 == 0 for path in data.glob("service*"))


def test_two_for_one_folder_and_a_run_that_is_cut_by_the_end(data: Path) -> None:
    with ModelServer() as model:
        configure(data, model)
        slow = writes()
        model.enqueue(type(slow)(tool_calls=slow.tool_calls, wait_s=14.0))
        running = Running(data)
        again = said(data)
        assert (again.returncode, again.stdout) == (2, "")
        assert "already works in" in again.stderr
        with httpx.Client(headers={"x-api-key": TOKEN}, trust_env=False) as client:
            body = {"assistant_id": "gmail", "input": {"messages": [{"role": "user", "content": "Write to Ann."}]}}
            with client.stream("POST", f"{running.url}/runs/stream", json=body):
                while not model.history:
                    time.sleep(0.02)
                began = time.monotonic()
                code, _ = running.end(signal.SIGINT)
        assert code == 0
        assert time.monotonic() - began < 12


@pytest.mark.parametrize(
    ("settings", "words", "sentence"),
    [
        ("", (), "needs a language model, and none is chosen"),
        ('[model]\nname = "openai/gpt"\n', (), "There is no key for OpenAI"),
        ('[model]\nname = "ollama/x"\n', ("--host", "0.0.0.0"), "--allow-host NAME"),
        ('[model]\nname = "ollama/x"\n', ("--host", "my-server"), "not an IP address"),
        ("[model]\nnome = 1\n", (), "settings.toml"),
    ],
)
def test_what_it_cannot_start_with(data: Path, settings: str, words: tuple[str, ...], sentence: str) -> None:
    (data / "settings.toml").write_text(settings)
    done = said(data, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_without_a_mailbox_is_not_made(tmp_path: Path) -> None:
    done = said(tmp_path / "nothing")
    assert done.returncode == 2
    assert "There is no mailbox" in done.stderr
    assert not (tmp_path / "nothing").exists()


def test_without_a_keyring_a_token_must_be_given(data: Path) -> None:
    done = said(data, "--show-token", token="")
    assert done.returncode == 2
    assert "GMAIL_SERVICE_TOKEN" in done.stderr
    short = said(data, "--show-token", token="short")
    assert (short.returncode, short.stdout) == (2, "")


@pytest.mark.skipif(bool(MISSING), reason=f"not installed: {MISSING}")
def test_the_token_is_made_once_and_kept_in_the_keyring(data: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    words = f"{sys.executable} -m app serve-gmail --data {data}"
    script = f"{words} --show-token; {words} --show-token; echo {TOKEN} | {words} --keep-token https://mail.example:8443"
    settings = secret_service.environment(home, {**os.environ, "PYTHONPATH": str(ROOT)})
    settings.pop("GMAIL_SERVICE_TOKEN", None)
    done = subprocess.run(
        under(UNLOCKED, "sh", "-c", script), cwd=ROOT, env=settings, capture_output=True, text=True, timeout=90, check=False
    )
    first, second, kept = done.stdout.splitlines()
    assert first == second
    assert len(first) >= 40
    assert kept == "The token for mail.example:8443 is kept."
    shutil.rmtree(home)


def test_names_by_which_it_may_be_called() -> None:
    own = ("127.0.0.1", "localhost", "::1")
    assert host_names("127.0.0.1", ()) == (*own, "127.0.0.1")
    assert host_names("10.0.0.5", ["mail.lan"]) == (*own, "10.0.0.5", "mail.lan")
    assert host_names("::", ["mail.lan"]) == (*own, "mail.lan")
    with pytest.raises(NotAllowed, match="needs a name"):
        host_names("0.0.0.0", ())
