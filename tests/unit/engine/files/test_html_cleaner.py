"""HTML is made ready for the mail that is opened, and ahead for the newest; old mail stays as it came until somebody asks."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.ids import AccountId, MessageId
from app.domain.protocol.events import MailChanged
from app.domain.record import replace
from app.domain.wire import Event
from app.engine.files.html_cleaner import HtmlCleaner
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables, open_tables
from app.store.mail.sync_page import SyncPage
from fakes.engine.store.values import NOON, remote

SOURCE = "<p onclick=steal()>Hello</p><script>steal()</script>"


@dataclass
class Room:
    """A store with mail that came uncleaned."""

    tables: Tables
    account: AccountId
    cleaning: HtmlCleaner
    events: list[Event] = field(default_factory=list)

    def came(self, key: str, minutes: int) -> MessageId:
        """A mail with a stranger's HTML, so long after noon."""
        page = SyncPage(messages=(replace(remote(key, minutes=minutes), html_source=SOURCE),))
        return self.tables.messages.apply(self.account, page).new_ids[0]

    def waiting(self) -> set[MessageId]:
        """What is not cleaned yet."""
        return set(self.tables.html_sources.waiting(0, 100))


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    """The clock stands an hour after noon."""
    tables = open_tables(tmp_path / "mail.db", lambda: NOON + timedelta(hours=1))
    events: list[Event] = []
    account = tables.accounts.add("me@example.org", "", (), "", "")
    announcer = EventBus(events.append)
    yield Room(tables, account, HtmlCleaner(tables, announcer), events)
    announcer.flush()
    tables.close()


async def test_an_opened_mail_is_made_ready_and_told(room: Room) -> None:
    number = room.came("a", minutes=-60 * 24 * 90)
    await room.cleaning.prepare(number)
    async with asyncio.timeout(60):
        while not room.events:
            await asyncio.sleep(0.02)
    message = room.tables.messages.get(number)
    assert (message.html_waits, message.body_html) == (False, "<p>Hello</p>")
    assert [one.thread_ids for one in room.events if isinstance(one, MailChanged)] == [(message.thread_id,)]
