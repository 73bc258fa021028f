"""When the store is copied: in quiet moments, and not while a mailbox is fetched for the first time."""

import asyncio
import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.ids import GmailId, GmailThreadId
from app.domain.record import replace
from app.engine.process.maintenance import OVERDUE, Maintenance, copy_now
from app.engine.runtime.background_imports import still_loading
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables, open_tables
from app.store.mail.sync_page import SyncPage, ToFetch
from app.store.requests.artifacts import ArtifactFolder
from fakes.engine.store.values import HandClock, draft, proposal


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    tables = open_tables(tmp_path / "mail.db", HandClock())
    yield tables
    tables.close()


def fetch_on(tables: Tables) -> None:
    """Mail waits to be fetched."""
    account = tables.accounts.add("me@example.org", "Me", ("me@example.org",), "", "#123456")
    tables.messages.apply(account, SyncPage(to_fetch=(ToFetch(GmailId("g1"), GmailThreadId("t1"), "listed"),)))


def test_half_a_mailbox_is_not_copied(tables: Tables) -> None:
    fetch_on(tables)
    began = tables.clock()
    assert not copy_now(tables, began)
    assert not copy_now(tables, began - OVERDUE + timedelta(minutes=1))
    assert copy_now(tables, began - OVERDUE)


async def test_a_check_ends_before_the_store_is_closed(tables: Tables) -> None:
    with tables.db.transaction() as connection:
        connection.execute("CREATE TABLE large (b)")
        numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT randomblob(2000) FROM n"
        connection.execute(f"INSERT INTO large {numbers}")
    artifacts = ArtifactFolder(tables.db.path.parent / "artifacts")
    running = asyncio.create_task(Maintenance(tables, EventBus(lambda _: None), True, artifacts).run())
    while not still_loading():
        await asyncio.sleep(0)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    tables.db.close()
    assert not tables.db.path.with_name("mail.db-wal").exists(), "the check still had it open"


async def test_documents_go_a_month_after_nothing_names_them_any_more(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engine.process.maintenance.LOOK_S", 0.01)
    artifacts = ArtifactFolder(tables.db.path.parent / "artifacts")
    waiting, forgotten, fresh = (artifacts.write(f"{name}.md", name.encode()) for name in ("waiting", "forgotten", "fresh"))
    tables.reviews.open(proposal("ask-1", message=0, thread=-1, what=replace(draft(), attachments=(waiting,))), "step-1")
    old = tables.clock().timestamp() - 31 * 86400
    for one in (*artifacts._root.rglob("*"), artifacts._root):
        os.utime(one, (old, old) if fresh.name not in one.name and fresh.id not in one.name else None)
    running = asyncio.create_task(Maintenance(tables, EventBus(lambda _: None), False, artifacts).run())
    try:
        while artifacts.has(forgotten.id):
            await asyncio.sleep(0.02)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert artifacts.has(waiting.id) and artifacts.has(fresh.id)
