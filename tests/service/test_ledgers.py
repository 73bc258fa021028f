"""Calls are counted together with the store's, by day and month."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.ids import RunId
from app.domain.runs import ModelCall
from app.service.ledgers import ServiceBook, ServiceLedger
from app.store.database import Database
from fakes.mailroom import NOON, Room

CALL = ModelCall(RunId("ask-1"), "agent", "openai/x", 100, 20, 0.5, 10.0, "host", 900, "", NOON)


@pytest.fixture
def beside(tmp_path: Path) -> Iterator[Database]:
    with Room(tmp_path) as room:
        room.runs.model_call(CALL)
        db = Database.open_beside(tmp_path / "mail.db")
        yield db
        db.close()


def test_both_are_counted(beside: Database) -> None:
    ledger = ServiceLedger(beside, lambda: NOON)
    assert ledger.usage_today() == (1, 120, 0.5)
    ledger.model_call(replace(CALL, error="Timeout"))
    ledger.model_call(replace(CALL, at=NOON - timedelta(days=2)))
    assert ledger.usage_today() == (2, 240, 1.0)
    assert ledger.usage_this_month() == (3, 360, 1.5)


def test_sends_of_the_hour_are_the_stores(beside: Database) -> None:
    assert ServiceBook(beside, lambda: NOON).sends_since(NOON - timedelta(hours=1)) == 0
