"""kill -9 around every effect of an agent, then on: each tool, review, outbox item, reservation, result and event once."""

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
from fakes.models.response_agent import done, looks

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


class SteadyModel(ModelServer):
    """Answers by how much it was told so far, however often it is asked."""

    turns: tuple[Answer, ...]

    def next_answer(self, request: Mapping[str, Any]) -> Answer:
        """The turn that follows."""
        return self.turns[sum(one["role"] == "tool" for one in request["messages"])]


def reports(agent: str, turns: tuple[Answer, ...], folder: Path, points: int) -> list[dict[str, Any]]:
    """What each killed and continued run left."""
    with SteadyModel() as model:
        model.turns = turns
        modules = (*SPEAKING, "fakes.engine.agent_mailbox")
        finished = ran(f"fakes.models.killed.{agent}", [str(folder), model.api_base], modules)
    assert finished.returncode == 0, finished.stderr
    found = [json.loads(line) for line in finished.stdout.splitlines()]
    assert len(found) == points
    for report in found:
        assert (report["killed"], report["status"]) == (signal.SIGKILL, "done"), report
    return found


def test_the_response_agent_killed_anywhere_does_everything_once(tmp_path: Path) -> None:
    reply = {"email_id": "1", "response_text": "Yes.", "email_address": "ann@partner.org"}
    turns = (looks("23-11-2026"), calls(("send_email", reply)), done())
    for report in reports("response_agent", turns, tmp_path, 1 + 4):
        assert report["reviews"] == [["tool_call", "approved", 1]], report
        assert report["tools"] == ["check_calendar", "send_email", "mark_as_read"], report
        assert report["outbox"] == 1, report


@pytest.mark.soak
def test_a_profiles_agent_killed_anywhere_does_everything_once(tmp_path: Path) -> None:
    letter = {"to": "jana@patients.example", "subject": "Re: Nový dotaz", "body": "Rezervováno."}
    turns = (
        calls(("search_drugs", {"query": "paralen 500"})),
        calls(("manage_reservation", {"action": "create", "drug_name": PARALEN.code})),
        calls(("create_draft", letter)),
        Answer("Hotovo."),
    )
    for report in reports("profile_agent", turns, tmp_path, 2 + 6):
        assert report["reviews"] == [["tool_call", "approved", 1], ["reply", "pending", 1]], report
        assert report["tools"] == ["search_drugs", "manage_reservation", "create_draft"], report
        assert report["audit"] == [
            ["search_drugs", "ran", ""],
            ["manage_reservation", "ran", "user"],
            ["create_draft", "ran", ""],
        ], report
        assert (report["reservations"], report["results"], report["events"]) == (1, [["completed", 4]], 1), report
