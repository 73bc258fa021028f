"""kill -9 around every effect of the response agent, then on: each tool once, one review, one outbox item."""

import json
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fakes.engine.processes.fork_server import SPEAKING, ran
from fakes.models.model_server import Answer, ModelServer, calls
from fakes.models.response_agent import done, looks

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
def test_killed_anywhere_everything_happens_once(tmp_path: Path) -> None:
    with SteadyModel() as model:
        finished = ran(
            "fakes.models.killed.response_agent", [str(tmp_path), model.api_base], (*SPEAKING, "fakes.engine.agent_mailbox")
        )
    assert finished.returncode == 0, finished.stderr
    reports = [json.loads(line) for line in finished.stdout.splitlines()]
    assert len(reports) == POINTS
    for report in reports:
        assert report["killed"] == signal.SIGKILL, report
        assert report["status"] == "done", report
        assert report["reviews"] == [["tool_call", "approved", 1]], report
        assert report["tools"] == ["check_calendar", "send_email", "mark_as_read"], report
        assert report["outbox"] == 1, report
