"""What may still leave is found without going through what has left, and approvals without going through all decisions."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.outbox import OutboxState
from app.store.mailbox import SqliteMailbox
from app.store.outbox import Outbox
from fakes.lively_store import LivelyStore, lively_store
from fakes.query_plans import gone_through

STATES = {"sent": OutboxState.SENT, "queued": OutboxState.QUEUED, "held": OutboxState.HELD, "uncertain": OutboxState.UNCERTAIN}


@pytest.fixture
def lively(tmp_path: Path) -> Iterator[LivelyStore]:
    """Four items: sent, queued, held, uncertain."""
    made = lively_store(tmp_path / "mail.db")
    yield made
    made.close()


def test_open_items_come_first_and_each_knows_when_it_was_approved(lively: LivelyStore) -> None:
    reader = SqliteMailbox(lively.path)
    states = [one.item.state for one in reader.outbox()]
    assert sorted(states[:3]) == sorted([OutboxState.QUEUED, OutboxState.HELD, OutboxState.UNCERTAIN])
    assert states[3:] == [OutboxState.SENT]
    ids = [one.item.id for one in reader.outbox()]
    assert ids[:3] == sorted(ids[:3], reverse=True)
    assert [one.id for one in reader.open_items()] == ids[:3]
    assert [one.item.id for one in reader.outbox(2)] == ids[:2]
    assert (list(reader.outbox_ids()), list(reader.outbox_ids(2))) == (ids, ids[:2])
    assert reader.outbox_of([ids[1], 999]) == {ids[1]: reader.outbox()[1]}
    rows = lively.db.read("SELECT max(decided_at) AS at FROM decisions GROUP BY outbox_id HAVING outbox_id = ?", (ids[0],))
    assert int(reader.outbox()[0].approved_at.timestamp() * 1000) == rows[0]["at"]
    assert (reader.counts().outbox_waiting, reader.counts().outbox_attention) == (1, 2)
    reader.close()


def test_an_item_without_a_decision_was_approved_when_it_was_made(lively: LivelyStore) -> None:
    lively.db.read("SELECT 1")
    with lively.db.transaction() as connection:
        connection.execute("DELETE FROM decisions")
    reader = SqliteMailbox(lively.path)
    assert all(one.approved_at == one.item.created_at for one in reader.outbox())
    assert Outbox(lively.db, lively.clock).get(reader.outbox()[0].item.id).id == reader.outbox()[0].item.id
    reader.close()


def test_neither_decisions_nor_what_was_sent_are_gone_through(lively: LivelyStore) -> None:
    reader = SqliteMailbox(lively.path)
    with reader.reading() as connection:
        assert connection is not None
        assert "d" not in gone_through(connection, reader.outbox)
        assert gone_through(connection, reader.open_items) <= {"outbox"}  # by the two indexes of open items
        assert "messages" in gone_through(connection, reader.counts)
        plan = " ".join(row[3] for row in connection.execute("EXPLAIN QUERY PLAN SELECT id FROM outbox WHERE state = 'held'"))
        assert "outbox_held" in plan
    reader.close()
