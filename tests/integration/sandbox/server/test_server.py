"""The process: its announcement, its token, its orderly end, and what it says when it cannot start."""

import http.client
import json
import subprocess
import sys
from pathlib import Path

import pytest

from app.sandbox.server.server import serve
from fakes.gmail.sandbox import running_sandbox


def _start(root: Path, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "app.sandbox", *arguments]
    return subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_it_ends_with_its_parents_pipe(root: Path) -> None:
    process = _start(root, "--json", "--parent-pipe", "--token", "given-token")
    assert process.stdout is not None
    hello = json.loads(process.stdout.readline())
    assert (hello["token"], hello["account"], hello["messages"]) == ("given-token", "me@example.com", 0)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, b"")


def test_it_ends_with_sigterm_and_answers_the_terminal(root: Path) -> None:
    process = _start(root)
    assert process.stdout is not None
    lines = [process.stdout.readline().decode() for _ in range(4)]
    assert lines[1].startswith("Address: http://127.0.0.1:")
    process.terminate()
    process.communicate(timeout=20)
    assert process.returncode == 0


def test_it_does_not_wait_for_open_connections() -> None:
    with running_sandbox() as sandbox:
        connection = http.client.HTTPConnection(sandbox.url.removeprefix("http://"))
        connection.request("GET", "/gmail/v1/users/me/profile")
        connection.getresponse().read()
        assert sandbox.stop() == 0
        connection.close()


def test_a_taken_port_and_a_bad_source_are_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with running_sandbox() as sandbox:
        assert serve(["--port", sandbox.url.rpartition(":")[2]]) == 2
    assert serve(["--mbox", str(tmp_path / "missing.mbox")]) == 2
    assert serve(["--sample", str(tmp_path)]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert [line.startswith("The sandbox cannot start: ") for line in errors] == [True] * 3
    assert "missing.mbox" in errors[1]
    assert "owner.yaml" in errors[2]


def test_mbox_over_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "x.mbox"
    file.write_bytes(b"From a Sun Mar 15 08:30:00 2026\nFrom: ann@x.example\nSubject: mine\n\ntext\n")
    with running_sandbox("--mbox", file, "--me", "ann@x.example") as sandbox:
        assert sandbox.messages == 1
        assert sandbox.dump()["messages"][0]["labelIds"] == ["SENT"]
