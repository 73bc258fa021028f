"""kill -9 around every effect of the response agent, then on: each tool once, one review, one outbox item."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fakes.agent_office import done, looks
from fakes.model_server import Answer, ModelServer, calls

POINTS = 1 + 4


class SteadyModel(ModelServer):
    """Answers by what it was told so far, however often it is asked."""

    def next_answer(self, request: Mapping[str, Any]) -> Answer:
        """The calendar, then a reply, then the end."""
        told = [json.loads(one["content"])["status"] for one in request["messages"] if one["role"] == "tool"]
        if not told:
            return looks("23-11-2026")
        if told == ["read"]:
            return calls(("send_email", {"email_id": "1", "response_text": "Yes.", "email_address": "ann@partner.org"}))
        return done() if told == ["read", "queued"] else Answer("lost", status=400)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_anywhere_everything_happens_once(root: Path, tmp_path: Path) -> None:
    program = root / "tests" / "fakes" / "killed_agent.py"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(root), str(root / "tests")))}
    with SteadyModel() as model:
        ran = subprocess.run(
            [sys.executable, str(program), str(tmp_path), model.api_base],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr
    reports = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(reports) == POINTS
    for report in reports:
        assert report["killed"] == signal.SIGKILL, report
        assert report["status"] == "done", report
        assert report["reviews"] == [["tool_call", "approved", 1]], report
        assert report["tools"] == ["check_calendar", "send_email", "mark_as_read"], report
        assert report["outbox"] == 1, report
