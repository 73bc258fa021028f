"""The main job end to end: the demo's own session with every real part, and the server's word on it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.gmail.mbox_file import MBOX


def _demo(root: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "app", "demo", "--headless", "--limit-s", "150", *words]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.timeout(240)
def test_the_sample_mailbox_from_sync_to_sent(root: Path, tmp_path: Path) -> None:
    report_file, shots = tmp_path / "report.json", tmp_path / "shots"
    done = _demo(root, "--report", str(report_file), "--shots", str(shots))
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(report_file.read_text(encoding="utf-8"))
    assert report["ok"]
    assert report["problems"] == []
    assert report["mails"]["missing"] == 0
    assert report["actions"] == {"approved": 2, "edited": 2, "undone": 1, "rejected": 1}
    assert len(report["sent"]) == 4
    assert all(entry["threadId"] and entry["inReplyTo"] for entry in report["sent"])
    assert report["drafts"]["complete"] >= 14
    assert report["learned"] == len(report["lessons"]) >= 1
    assert "Greetings from the workshop," in report["lessons"][0]
    assert report["used_at_once"]
    assert (report["asked"]["status"], report["asked"]["maker"]) == ("done", "rules")
    assert report["asked"]["found"]
    assert set(report["decisions"]) == {"respond", "notify", "ignore"}
    assert all(verdict["reason"] for verdict in report["verdicts"])
    for name in ("review-light.png", "review-dark.png", "inbox-light.png", "settings-dark.png"):
        assert (shots / name).stat().st_size > 10_000


@pytest.mark.soak
@pytest.mark.timeout(240)
def test_a_mailbox_without_own_replies_is_a_valid_demo(root: Path, tmp_path: Path) -> None:
    mbox, report_file = tmp_path / "one.mbox", tmp_path / "report.json"
    mbox.write_bytes(MBOX)
    done = _demo(root, "--mbox", str(mbox), "--me", "me@example.com", "--triage-all", "--report", str(report_file))
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(report_file.read_text(encoding="utf-8"))
    assert report["mails"]["mirrored"] >= 1
    assert sum(report["decisions"].values()) == 1
    assert mbox.read_bytes() == MBOX
