"""Numbers by day out of a real file: runs, decisions, calls of models.

What may still leave is found without going through what has left, and approvals without going through all decisions.

What the window reads of requests besides their rows: what their model calls came to, and where documents lie.

A long list of preferences is ordered by SQLite, and its rows are read when they are seen.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

import pytest

from app.config.paths import DataFolder
from app.domain.agents.memory import Namespace
from app.domain.agents.requests import Capability, PlannedStep
from app.domain.agents.runs import ModelCall, RunStatus, StepLog
from app.domain.drafting.review import Action, ReviewStatus
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, RequestId, RunId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.outbox import OutboxState
from app.domain.protocol.assistant_commands import AskAssistant
from app.domain.protocol.commands import Decide
from app.domain.record import replace
from app.store.db.database import Database
from app.store.learning.preferences import Preferences
from app.store.mail.label_actions import Actions
from app.store.outbox import Outbox
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.store.requests.artifacts import ArtifactFolder
from app.store.requests.requests import Requests
from app.store.runs.model_calls import ModelCalls
from app.store.runs.runs import Runs
from fakes.engine.store.query_plans import gone_through
from fakes.engine.store.rows import add_step
from fakes.engine.store.sample_store import LivelyStore, lively_store
from fakes.engine.store.values import HandClock


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


def test_no_file_has_no_days(tmp_path: Path) -> None:
    reader = SqliteMailboxReader(tmp_path / "none.db")
    assert reader.days_of_work(datetime(2026, 1, 1).astimezone()) == ()


def test_a_day_counts_its_mails_by_category(store: LivelyStore, reader: SqliteMailboxReader) -> None:
    (day,) = reader.days_of_work(midnight(store))
    assert day.day == store.now.astimezone().date()
    assert day.mails == store.db.read("SELECT count(*) FROM runs")[0][0]
    assert day.of("meeting_request") == 1
    assert reader.days_of_work(store.now + timedelta(days=1)) == ()


def test_the_time_is_the_median_of_the_runs(store: LivelyStore, reader: SqliteMailboxReader) -> None:
    (before,) = reader.days_of_work(midnight(store))
    assert before.time_ms == pytest.approx(336.0)
    runs = Runs(store.db, store.clock)
    for order, name in enumerate(("slots", "plain", "meeting", "flagged", "notify")):
        add_step(runs, StepLog(RunId(f"run-{name}"), "dispatch", 9, "{}", "{}", 1000.0 + order, "", store.now))
    times = sorted([336.0, 336.0, 336.0, *(1336.0 + order for order in range(5))])
    assert len(times) == len(store.db.read("SELECT DISTINCT run_id FROM run_steps"))
    (after,) = reader.days_of_work(midnight(store))
    assert after.time_ms == pytest.approx(median(times))


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


def test_calls_of_models_stand_on_their_day(store: LivelyStore, reader: SqliteMailboxReader) -> None:
    calls = ModelCalls(store.db, store.clock)
    for days in (0, 0, 3):
        at = store.now - timedelta(days=days)
        calls.model_call(ModelCall(RunId("r"), "draft", "m", 100, 20, 0.25, 5.0, "h", 1, "", at))
    found = reader.days_of_work(midnight(store) - timedelta(days=5))
    assert [(one.calls, one.tokens, one.cost_usd) for one in found] == [(1, 120, 0.25), (2, 240, 0.5)]
    assert found[0].mails == 0


STATES = {"sent": OutboxState.SENT, "queued": OutboxState.QUEUED, "held": OutboxState.HELD, "uncertain": OutboxState.UNCERTAIN}


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


def test_an_item_without_a_decision_was_approved_when_it_was_made(store: LivelyStore) -> None:
    store.db.read("SELECT 1")
    store.db.write("DELETE FROM decisions")
    reader = SqliteMailboxReader(store.path)
    assert all(one.approved_at == one.item.created_at for one in reader.outbox())
    assert Outbox(store.db, store.clock).get(reader.outbox()[0].item.id).id == reader.outbox()[0].item.id
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


ID = RequestId("11111111-0000-4000-8000-00000000000a")


def test_only_its_own_calls_count(db: Database, clock: HandClock, account: AccountId) -> None:
    requests, calls = Requests(db, clock), ModelCalls(db, clock)
    request = requests.add(AskAssistant(ID, account, "Find it."))
    call = ModelCall(request.run_id, "plan", "openai/gpt-4o", 100, 20, 0.25, 10.0, "api.openai.com", 900, "", clock())
    for one in (call, call, replace(call, run_id=RunId("mail-1-0")), replace(call, at=clock() - timedelta(hours=1))):
        calls.model_call(one)
    reader = SqliteMailboxReader(db.path)
    assert reader.spent_on(request) == (2, 240, 0.5)
    requests.plan(ID, (PlannedStep(Capability.RESEARCH, "Find it."),), "rules", run=False)
    requests.stop(ID)
    assert reader.spent_on(requests.get(ID)) == (2, 240, 0.5)
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


ORDER = (Namespace.RESPONSE, Namespace.TRIAGE)


def test_ids_by_group_the_newest_first_and_rows_by_id(db: Database, tmp_path: Path) -> None:
    kept = Preferences(db, lambda: datetime(2026, 3, 12, tzinfo=UTC))
    ids = [kept.add(group, f"{group} {number}") for number in range(2) for group in (Namespace.TRIAGE, Namespace.RESPONSE)]
    kept.delete(ids[0])
    reader = SqliteMailboxReader(tmp_path / "mail.db")
    assert list(reader.preference_ids(ORDER)) == [ids[3], ids[1], ids[2]]
    rows = reader.preferences_of([ids[1], ids[0], 99])
    assert list(rows) == [ids[1]]
    assert rows[ids[1]] == next(one for one in reader.preferences() if one.id == ids[1])
    assert SqliteMailboxReader(tmp_path / "none.db").preference_ids(ORDER).tolist() == []
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
