"""kill -9 at every node, before and after its log row, then on: one review, each tool once, every step once."""

import json
import os
import signal
from pathlib import Path

import pytest

from fakes.engine.processes.fork_server import THINKING, ran

REPLY = ["route", "classify", "retrieve", "decide", "execute_tools", "generate", "review"]
WANTED = {
    "new": ([["reply", "dismissed", 1]], [*REPLY, "gate"]),
    "notify": ([["notify", "dismissed", 1]], ["route", "classify", "triage_interrupt", "triage_gate"]),
    "decided": ([["reply", "saved_as_draft", 2]], [*REPLY, "gate", "dispatch"]),
    "answered": ([["reply", "dismissed", 2]], [*REPLY, "gate", "generate", "review", "gate"]),
}
POINTS = (len(REPLY) + 2) + 2 + 3 + 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_anywhere_everything_happens_once(tmp_path: Path) -> None:
    done = ran("fakes.models.killed.mail_graph", [str(tmp_path)], (*THINKING, "fakes.engine.agent_mailbox"))
    assert done.returncode == 0, done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(reports) == POINTS
    for report in reports:
        stage = report["point"].split(":")[0]
        reviews, steps = WANTED[stage]
        assert report["killed"] == signal.SIGKILL, report
        assert report["reviews"] == reviews, report
        # A crash between a review and its checkpoint is carried on from the review's row, without the step of its gate.
        assert report["steps"] in (steps, steps[:-1] if steps[-1].endswith("gate") else steps), report
        assert report["tools"] == ([] if stage == "notify" else ["get_contact", "create_draft"]), report
