"""A trail is written whole or not at all, and moves no run that has ended.

A mail's history is numbered by mail and tells its runs apart.
"""

import pytest

from app.domain.agents.runs import RunRecord, RunStatus, StepLog, ToolExecution
from app.domain.errors import NotFound
from app.domain.ids import JobId, MessageId, RunId
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.record import replace
from app.store.db.database import Database
from app.store.db.jobs import Jobs
from app.store.reviews.reviews import COUNT
from app.store.runs.runs import FINAL, Runs, has_event, note_event, write_trail
from fakes.engine.agent_mailbox import NOON, Room, mail
from fakes.engine.store.rows import mail_events
from fakes.engine.store.values import HandClock

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


def test_an_empty_trail_says_so() -> None:
    assert RunRecord(RUN).empty
    assert not RunRecord(RUN, job=JobId("1:classify:1")).empty
    assert not RunRecord(RUN, status=RunStatus.DONE).empty
    assert not RunRecord(RUN, (STEP,)).empty


ONE, TWO = MessageId(1), MessageId(2)


def test_numbered_by_mail(db: Database, clock: HandClock) -> None:
    with db.transaction() as connection:
        for message_id, run, kind in ((ONE, "a", "routed"), (TWO, "b", "routed"), (ONE, "c", "agent_run"), (ONE, "a", "routed")):
            note_event(connection, message_id, RunId(run), kind, "{}", 5)
        assert has_event(connection, ONE, RunId("c"), "agent_run")
        assert not has_event(connection, TWO, RunId("c"), "agent_run")
        assert not has_event(connection, ONE, RunId("a"), "agent_run")
    assert [(one.run_id, one.kind) for one in mail_events(Runs(db, clock), ONE)] == [
        ("a", "routed"),
        ("c", "agent_run"),
        ("a", "routed"),
    ]
    assert [row[0] for row in db.read("SELECT id FROM email_events WHERE message_id = 1 ORDER BY id")] == [1, 2, 3]


def test_what_cannot_be_stored_becomes_a_question_mark(db: Database) -> None:
    with db.transaction() as connection:
        note_event(connection, ONE, RunId(""), "k", '"\ud800"', 5)
    assert db.read("SELECT detail FROM email_events")[0][0] == '"?"'


def test_the_days_cap_reads_its_own_index(db: Database) -> None:
    """However many events there are, only approvals by rule are counted."""
    sql = "EXPLAIN QUERY PLAN " + COUNT
    assert "email_events_approved" in db.read(sql, (1,))[0]["detail"]
