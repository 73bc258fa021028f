"""What the window reads of work: numbers by day, what may still leave, documents."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from app.config.paths import DataFolder
from app.domain.agents.runs import RunStatus
from app.domain.drafting.review import Action, ReviewStatus
from app.domain.errors import NotAllowed
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.outbox import OutboxState
from app.domain.protocol.commands import Decide
from app.domain.record import replace
from app.store.mail.label_actions import Actions
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.store.requests.artifacts import ArtifactFolder
from app.store.runs.runs import Runs
from fakes.engine.store.query_plans import gone_through
from fakes.engine.store.sample_store import LivelyStore, lively_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LivelyStore]:
    """A mailbox with runs of one day, and four outbox items: sent, queued, held, uncertain."""
    made = lively_store(tmp_path / "mail.db")
    yield made
    made.close()


@pytest.fixture
def reader(store: LivelyStore) -> Iterator[SqliteMailboxReader]:
    """The window's handle on it."""
    made = SqliteMailboxReader(store.path)
    yield made
    made.close()


def midnight(store: LivelyStore) -> datetime:
    """When the store's day began in the machine's time zone."""
    return store.now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)


def test_decisions_about_drafts_count_until_they_are_undone(store: LivelyStore, reader: SqliteMailboxReader) -> None:
    (before,) = reader.days_of_work(midnight(store))
    desk = store.desk()
    for name, action, status in (
        ("plain", Action.IGNORE, ReviewStatus.REJECTED),
        ("meeting", Action.IGNORE, ReviewStatus.REJECTED),
        ("notify", Action.IGNORE, ReviewStatus.REJECTED),
    ):
        desk.decide(Decide(store.reviews[name], desk.review(store.reviews[name]).revision, action), None, status, None)
    store.db.read("SELECT 1")
    (after,) = reader.days_of_work(midnight(store))
    assert (after.kept, after.edited, after.rejected) == (before.kept, 0, 2), "a notice is no draft"
    desk.undo(store.reviews["meeting"])
    assert reader.days_of_work(midnight(store))[0].rejected == 1


def test_open_items_come_first_and_each_knows_when_it_was_approved(store: LivelyStore) -> None:
    reader = SqliteMailboxReader(store.path)
    states = [one.item.state for one in reader.outbox()]
    assert sorted(states[:3]) == sorted([OutboxState.QUEUED, OutboxState.HELD, OutboxState.UNCERTAIN])
    assert states[3:] == [OutboxState.SENT]
    ids = [one.item.id for one in reader.outbox()]
    assert ids[:3] == sorted(ids[:3], reverse=True)
    assert [one.id for one in reader.open_items()] == ids[:3]
    assert [one.item.id for one in reader.outbox(2)] == ids[:2]
    assert (list(reader.outbox_ids()), list(reader.outbox_ids(2))) == (ids, ids[:2])
    assert reader.outbox_of([ids[1], 999]) == {ids[1]: reader.outbox()[1]}
    rows = store.db.read("SELECT max(decided_at) AS at FROM decisions GROUP BY outbox_id HAVING outbox_id = ?", (ids[0],))
    assert int(reader.outbox()[0].approved_at.timestamp() * 1000) == rows[0]["at"]
    Actions(store.db, store.clock).change("archive", (store.mails["m05"].thread_id,), (), ("INBOX",))
    assert list(reader.outbox_ids()) == ids, "an archived conversation is no mail to send, and not counted as one"
    assert (reader.counts().outbox_waiting, reader.counts().outbox_attention) == (1, 2)
    reader.close()


def test_neither_decisions_nor_what_was_sent_are_gone_through(store: LivelyStore) -> None:
    reader = SqliteMailboxReader(store.path)
    with reader.reading() as connection:
        assert connection is not None
        assert "d" not in gone_through(connection, reader.outbox)
        assert gone_through(connection, reader.open_items) <= {"outbox"}  # by the two indexes of open items
        assert "messages" in gone_through(connection, reader.counts)
        plan = " ".join(row[3] for row in connection.execute("EXPLAIN QUERY PLAN SELECT id FROM outbox WHERE state = 'held'"))
        assert "outbox_held" in plan
    reader.close()


def test_a_document_is_what_its_handle_says(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    made = ArtifactFolder(data.artifacts).write("report.md", b"# Report")
    reader = SqliteMailboxReader(data.database)
    found = reader.document(made)
    assert (found.name, found.read_bytes()) == ("report.md", b"# Report")
    assert reader.document(ArtifactHandle("b" * 64, "gone.md", "b" * 64, 1)) is None
    assert reader.document(replace(made, id="../../etc/passwd")) is None
    found.write_bytes(b"other")
    again = reader.document(made)
    assert again is not None and again.read_bytes() == b"# Report", "what is changed elsewhere is a copy"
    (data.artifacts / made.id / made.name).write_bytes(b"other")
    with pytest.raises(NotAllowed):
        reader.document(made)
    reader.close()


def test_a_run_whose_decision_was_undone_waits_again(store: LivelyStore, reader: SqliteMailboxReader) -> None:
    review = store.desk().review(store.reviews["meeting"])
    run_id = review.proposal.run_id
    store.desk().decide(Decide(review.id, review.revision, Action.IGNORE), None, ReviewStatus.REJECTED, None)
    Runs(store.db, store.clock).set_status(run_id, RunStatus.DONE)
    status = {run.id: run.status for run in reader.runs()}
    assert status[run_id] is RunStatus.DONE
    store.desk().undo(review.id)
    assert {run.id: run.status for run in reader.runs()}[run_id] is RunStatus.WAITING
