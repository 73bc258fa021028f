"""The self-test of the built program, run from the sources: each part works, and one that does not is named."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.self_test import outside, storage
from app.cli.self_test.run import CHECKS, CheckContext, CheckFailed, run_self_test
from app.config.paths import DataFolder
from app.main import engine_command


def test_all_parts_work() -> None:
    """In a process of its own, as the build runs it."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-m", "app", "--self-test"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=170)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout
    assert [line.split(":")[0] for line in lines[: len(CHECKS)]] == [f"ok     {name}" for name, _, _ in CHECKS]
    assert lines[-1] == "all parts work"


@pytest.mark.expects_warnings
def test_a_broken_part_is_named_and_the_others_still_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    def lost(_room: CheckContext) -> str:
        raise ImportError("no module\nnamed lost")

    def wrong(_room: CheckContext) -> str:
        raise CheckFailed("it says no")

    parts = [("first", lost), ("second", lambda room: room.program), ("third", wrong)]
    assert run_self_test(["none"], "9.9", parts) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[:3] == [
        "FAILED first: ImportError: no module named lost",
        "ok     second: 9.9",
        "FAILED third: CheckFailed: it says no",
    ]
    assert said[-1] == "failed: first, third"


@pytest.fixture
def room(tmp_path: Path) -> CheckContext:
    """An empty folder."""
    return CheckContext(tmp_path, engine_command(DataFolder(tmp_path))[:-3], "1.0")


def test_a_model_that_is_not_understood_is_named(room: CheckContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "WORD", "something else")
    with pytest.raises(CheckFailed, match="openai/scripted: ready"):
        outside.language_models(room)


def test_a_built_program_knows_its_version(room: CheckContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert storage.program_files(room).startswith("Replyroom 1.0, built")
    with pytest.raises(CheckFailed, match="its version"):
        storage.program_files(CheckContext(room.folder, room.ourselves, "0.1.0+source"))


def test_a_keyring_that_was_left_out_is_missed(room: CheckContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "KEYRINGS", {sys.platform: "Lost"})
    with pytest.raises(CheckFailed, match="Lost is not among"):
        outside.keyring(room)
