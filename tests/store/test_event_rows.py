"""A mail's history is numbered by mail and tells its runs apart."""

from app.domain.ids import MessageId, RunId
from app.store.approvals import COUNT
from app.store.database import Database
from app.store.event_rows import has_event, note_event
from app.store.runs import Runs
from fakes.stored_mail import HandClock

ONE, TWO = MessageId(1), MessageId(2)


def test_numbered_by_mail(db: Database, clock: HandClock) -> None:
    with db.transaction() as connection:
        for message_id, run, kind in ((ONE, "a", "routed"), (TWO, "b", "routed"), (ONE, "c", "agent_run"), (ONE, "a", "routed")):
            note_event(connection, message_id, RunId(run), kind, "{}", 5)
        assert has_event(connection, ONE, RunId("c"), "agent_run")
        assert not has_event(connection, TWO, RunId("c"), "agent_run")
        assert not has_event(connection, ONE, RunId("a"), "agent_run")
    assert [(one.run_id, one.kind) for one in Runs(db, clock).events(ONE)] == [
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
