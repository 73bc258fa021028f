"""A sign-in that dies after a week is recognised as Testing's, and the next one's end is told a day before, once."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.domain.ids import AccountId
from app.domain.protocol.events import ErrorReported, Event
from app.engine.accounts.sign_in import ENDING, TESTING, SignInMonitor
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import open_tables

pytestmark = pytest.mark.anyio
SIGNED_IN = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


class Scene:
    """A guard over a store whose clock is moved by hand."""

    def __init__(self, folder: Path) -> None:
        self.now = SIGNED_IN
        self.tables = open_tables(folder / "mail.db", lambda: self.now)
        self.events: list[Event] = []
        self.account = self.tables.accounts.add("me@example.org", "", (), "", "")
        self.tables.accounts.signed_in(self.account, SIGNED_IN)
        self.guard = SignInMonitor(self.tables, EventBus(self.events.append))

    async def looked(self, refused: AccountId | None = None) -> list[str]:
        """The codes told by one look at the accounts."""
        self.events.clear()
        if refused is not None:
            self.guard.refused(refused)
        await self.guard.look()
        return [one.code for one in self.events if isinstance(one, ErrorReported)]


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    """With an account that signed in just now."""
    made = Scene(tmp_path)
    yield made
    made.tables.threads.close()
    made.tables.db.close()


async def test_a_week_old_sign_in_that_is_refused_was_in_testing(scene: Scene) -> None:
    scene.now = SIGNED_IN + timedelta(days=7, hours=2)
    assert await scene.looked(scene.account) == [TESTING]
    assert scene.tables.accounts.get(scene.account).short_lived


@pytest.mark.parametrize("age", [timedelta(hours=3), timedelta(days=30)])
async def test_a_sign_in_that_is_refused_at_another_age_was_revoked(scene: Scene, age: timedelta) -> None:
    scene.now = SIGNED_IN + age
    assert await scene.looked(scene.account) == []
    assert not scene.tables.accounts.get(scene.account).short_lived


async def test_the_next_end_is_told_a_day_before_and_once(scene: Scene) -> None:
    scene.tables.accounts.ended_early(scene.account)
    scene.now = SIGNED_IN + timedelta(days=5)
    assert await scene.looked() == []
    scene.now = SIGNED_IN + timedelta(days=6, hours=1)
    assert await scene.looked() == [ENDING]
    assert await scene.looked() == []
    again = scene.now
    scene.tables.accounts.signed_in(scene.account, again)
    scene.now = again + timedelta(days=6, hours=1)
    assert await scene.looked() == [ENDING]


async def test_it_looks_at_once_when_one_was_refused(scene: Scene) -> None:
    looking = asyncio.create_task(scene.guard.run())
    scene.now = SIGNED_IN + timedelta(days=7, hours=2)
    scene.guard.refused(scene.account)
    async with asyncio.timeout(60):
        while not scene.events:
            await asyncio.sleep(0.02)
    looking.cancel()
    await asyncio.gather(looking, return_exceptions=True)
    assert [one.code for one in scene.events if isinstance(one, ErrorReported)] == [TESTING]


async def test_a_sign_in_of_a_published_client_is_never_warned_of(scene: Scene) -> None:
    scene.now = SIGNED_IN + timedelta(days=6, hours=20)
    assert await scene.looked() == []
