"""A trail is written whole or not at all, and moves no run that has ended.

A mail's history is numbered by mail and tells its runs apart.
"""

import pytest

from app.domain.agents.runs import RunRecord, RunStatus, StepLog, ToolExecution
from app.domain.errors import NotFound
from app.domain.ids import MessageId, RunId
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.record import replace
from app.store.db.jobs import Jobs
from app.store.runs.runs import FINAL, write_trail
from fakes.engine.agent_mailbox import NOON, Room, mail

RUN = RunId("run-1")
STEP = StepLog(RUN, "classify", 2, "{}", '{"decision": "respond"}', 1.0, "", NOON)
TOOL = ToolExecution(RUN, "get_contact", "get_contact", "{}", '{"known": true}', "", 1.0, NOON)
VERDICT = Triage(Decision.RESPOND, Category.INQUIRY, 0.7, "Asks.", "local:83")


def write(room: Room, trail: RunRecord) -> None:
    with room.db.transaction() as connection:
        write_trail(connection, trail, 5)


def test_everything_of_it_is_written(room: Room) -> None:
    (message,) = room.put(mail("Price?"))
    room.start(message)
    jobs = Jobs(room.db, room.clock)
    jobs.put("classify", "1", "{}")
    job = jobs.next_due(("classify",), ())
    write(room, RunRecord(RUN, (STEP,), (TOOL,), (message.id, VERDICT), RunStatus.WAITING, job.id))
    assert room.runs.steps(RUN) == (STEP,)
    assert room.runs.tool_result(RUN, "get_contact") == TOOL
    assert room.messages.triage(message.id) == VERDICT
    assert room.runs.get(RUN).status is RunStatus.WAITING
    assert not jobs.open(job.id)


def test_a_mail_that_is_gone_leaves_nothing_behind(room: Room) -> None:
    (message,) = room.put(mail("Price?"))
    room.start(message)
    with pytest.raises(NotFound):
        write(room, RunRecord(RUN, (STEP,), verdict=(MessageId(99), VERDICT), status=RunStatus.DONE))
    assert room.runs.steps(RUN) == ()
    assert room.runs.get(RUN).status is RunStatus.QUEUED


@pytest.mark.parametrize("status", FINAL)
def test_a_run_that_has_ended_keeps_its_end(room: Room, status: RunStatus) -> None:
    (message,) = room.put(mail("Price?"))
    room.start(message)
    room.runs.set_status(RUN, status, "why")
    write(room, RunRecord(RUN, (STEP,), status=RunStatus.WAITING))
    run = room.runs.get(RUN)
    assert (run.status, run.error) == (status, "why")
    assert room.runs.steps(RUN) == (STEP,)


def test_a_node_that_ran_again_replaces_its_row_and_a_tool_keeps_its_first_word(room: Room) -> None:
    (message,) = room.put(mail("Price?"))
    room.start(message)
    write(room, RunRecord(RUN, (STEP,), (TOOL,)))
    again = replace(STEP, output_state='{"decision": "ignore"}')
    write(room, RunRecord(RUN, (again,), (replace(TOOL, result='{"known": false}'),)))
    assert room.runs.steps(RUN) == (again,)
    assert room.runs.tool_result(RUN, "get_contact") == TOOL
