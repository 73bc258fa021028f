"""kill -9 around every effect of a profile's agent, then on: each tool, reservation, draft, result and event once."""

import json
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fakes.engine.processes.fork_server import SPEAKING, ran
from fakes.models.model_server import Answer, ModelServer, calls
from fakes.models.profile_agent import PARALEN

POINTS = 2 + 6


class SteadyModel(ModelServer):
    """Answers by what it was told so far, however often it is asked."""

    def next_answer(self, request: Mapping[str, Any]) -> Answer:
        """A search, a reservation, a draft, the end."""
        told = sum(one["role"] == "tool" for one in request["messages"])
        letter = {"to": "jana@patients.example", "subject": "Re: Nový dotaz", "body": "Rezervováno."}
        turns = (
            calls(("search_drugs", {"query": "paralen 500"})),
            calls(("manage_reservation", {"action": "create", "drug_name": PARALEN.code})),
            calls(("create_draft", letter)),
            Answer("Hotovo."),
        )
        return turns[told]


@pytest.mark.soak
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_anywhere_everything_happens_once(tmp_path: Path) -> None:
    with SteadyModel() as model:
        finished = ran(
            "fakes.models.killed.profile_agent", [str(tmp_path), model.api_base], (*SPEAKING, "fakes.engine.agent_mailbox")
        )
    assert finished.returncode == 0, finished.stderr
    reports = [json.loads(line) for line in finished.stdout.splitlines()]
    assert len(reports) == POINTS
    for report in reports:
        assert report["killed"] == signal.SIGKILL, report
        assert report["status"] == "done", report
        assert report["reviews"] == [["tool_call", "approved", 1], ["reply", "pending", 1]], report
        assert report["tools"] == ["search_drugs", "manage_reservation", "create_draft"], report
        assert report["audit"] == [
            ["search_drugs", "ran", ""],
            ["manage_reservation", "ran", "user"],
            ["create_draft", "ran", ""],
        ], report
        assert (report["reservations"], report["results"], report["events"]) == (1, [["completed", 4]], 1), report
