"""Numbers by day out of a real file: runs, decisions, calls of models."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median

import pytest

from app.domain.commands import Decide
from app.domain.ids import RunId
from app.domain.review import Action, ReviewStatus
from app.domain.runs import ModelCall, StepLog
from app.store.mailbox import SqliteMailbox
from app.store.model_calls import ModelCalls
from app.store.runs import Runs
from fakes.lively_store import LivelyStore, lively_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LivelyStore]:
    """A mailbox with runs of one day."""
    made = lively_store(tmp_path / "mail.db")
    yield made
    made.close()


@pytest.fixture
def reader(store: LivelyStore) -> Iterator[SqliteMailbox]:
    """The window's handle on it."""
    made = SqliteMailbox(store.path)
    yield made
    made.close()


def midnight(store: LivelyStore) -> datetime:
    """When the store's day began in the machine's time zone."""
    return store.now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)


def test_no_file_has_no_days(tmp_path: Path) -> None:
    reader = SqliteMailbox(tmp_path / "none.db")
    assert reader.days_of_work(datetime(2026, 1, 1).astimezone()) == ()


def test_a_day_counts_its_mails_by_category(store: LivelyStore, reader: SqliteMailbox) -> None:
    (day,) = reader.days_of_work(midnight(store))
    assert day.day == store.now.astimezone().date()
    assert day.mails == store.db.read("SELECT count(*) FROM runs")[0][0]
    assert day.of("meeting_request") == 1
    assert reader.days_of_work(store.now + timedelta(days=1)) == ()


def test_the_time_is_the_median_of_the_runs(store: LivelyStore, reader: SqliteMailbox) -> None:
    (before,) = reader.days_of_work(midnight(store))
    assert before.time_ms == pytest.approx(336.0)
    runs = Runs(store.db, store.clock)
    for order, name in enumerate(("slots", "plain", "meeting", "flagged", "notify")):
        runs.step(StepLog(RunId(f"run-{name}"), "dispatch", 9, "{}", "{}", 1000.0 + order, "", store.now))
    times = sorted([336.0, 336.0, 336.0, *(1336.0 + order for order in range(5))])
    assert len(times) == len(store.db.read("SELECT DISTINCT trace_id FROM agent_logs"))
    (after,) = reader.days_of_work(midnight(store))
    assert after.time_ms == pytest.approx(median(times))


def test_decisions_about_drafts_count_until_they_are_undone(store: LivelyStore, reader: SqliteMailbox) -> None:
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


def test_calls_of_models_stand_on_their_day(store: LivelyStore, reader: SqliteMailbox) -> None:
    calls = ModelCalls(store.db, store.clock)
    for days in (0, 0, 3):
        at = store.now - timedelta(days=days)
        calls.model_call(ModelCall(RunId("r"), "draft", "m", 100, 20, 0.25, 5.0, "h", 1, "", at))
    found = reader.days_of_work(midnight(store) - timedelta(days=5))
    assert [(one.calls, one.tokens, one.cost_usd) for one in found] == [(1, 120, 0.25), (2, 240, 0.5)]
    assert found[0].mails == 0
