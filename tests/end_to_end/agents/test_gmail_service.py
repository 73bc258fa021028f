"""A typed request whose mail is written by the Gmail service in a process of its own, beside the engine over the same folder."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.agents.requests import RequestStatus
from fakes.engine.assistant_process import assistant_stage, attached

pytestmark = pytest.mark.timeout(170)
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> int:
    """Where the engine is told to find the service."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        found = int(free.getsockname()[1])
    monkeypatch.setenv("GMAIL_SERVICE_URL", f"http://127.0.0.1:{found}")
    monkeypatch.setenv("GMAIL_SERVICE_TOKEN", "a-token-that-is-long-enough")
    return found


@pytest.fixture
def services() -> Iterator[list["subprocess.Popen[str]"]]:
    """Those that were started; they end with the test."""
    started: list[subprocess.Popen[str]] = []
    yield started
    for one in started:
        one.kill()
        one.communicate()


def start(data: Path, port: int) -> "subprocess.Popen[str]":
    """A service that answers."""
    command = [sys.executable, "-m", "app", "serve-gmail", "--data", str(data), "--port", str(port)]
    made = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, text=True)
    assert f":{port}" in made.stdout.readline()
    return made


async def test_the_service_writes_the_engine_sends(tmp_path: Path, port: int, services: list["subprocess.Popen[str]"]) -> None:
    data = tmp_path / "data"
    async with assistant_stage(data) as stage:
        stage.model.document = "pdf"
        request_id = await stage.run()
        held = await stage.until(request_id, lambda one: len(one.steps) == 3 and one.steps[1].status.value == "done")
        assert held.status is RequestStatus.RUNNING, "the service is not there yet"
        services.append(start(data, port))
        waiting = await stage.stands(request_id, RequestStatus.WAITING)
        review = stage.review(waiting.steps[2])
        assert review.proposal.draft.attachments == waiting.steps[1].documents
        assert stage.sent() == []
        services[0].send_signal(signal.SIGKILL)
        await stage.decide(request_id)
        await stage.stands(request_id, RequestStatus.DONE)
        (file,) = waiting.steps[1].documents
        assert attached(stage) == (file.name, stage.artifact(file))
        assert stage.artifact(file).startswith(b"%PDF")
        assert stage.model.kinds().count("gmail") == 1
    assert not (data / "gmail-checkpoints.db").exists()
    assert (data / "service-checkpoints.db").exists()
