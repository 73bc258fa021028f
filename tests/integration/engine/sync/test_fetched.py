"""What becomes of a fetch: which mail is routed, when its text is indexed, when what failed comes again and what is told."""

from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from app.domain.ids import GmailId
from app.engine.runtime.event_bus import EventBus
from app.engine.sync.fetching import (
    LONGEST_RETRY_S,
    NEW_PRIORITY,
    Fetcher,
)
from app.engine.sync.listing import NEW
from app.engine.sync.mirror import MailboxMirror
from app.store.mail.sync_page import SyncPage, ToFetch
from fakes.engine.sync import SyncStage, row, sync_stage
from fakes.gmail.sending import question


@dataclass
class Bringing:
    """A fetcher over a stage. `pages` are what it wrote."""

    stage: SyncStage
    pages: list[SyncPage] = field(default_factory=list)

    def __post_init__(self) -> None:
        stage, told = self.stage, EventBus(self.stage.events.append)
        self.mirror = MailboxMirror(stage.account, stage.tables, told, lambda _account, page, _applied: self.pages.append(page))
        self.fetcher = Fetcher(stage.client, self.mirror, lambda: stage.now, lambda *told: stage.told.append(told))

    async def once(self, all_listed: bool = True) -> SyncPage:
        """The page of one fetch."""
        assert await self.fetcher.fetch(all_listed) == 0.0
        return self.pages[-1]

    async def put(self, *rows: ToFetch) -> None:
        """Put rows on the list."""
        await self.stage.mirror.apply(SyncPage(to_fetch=rows))

    def refuse(self, *ids: str) -> None:
        """The server refuses these messages from now on, and no others."""
        self.stage.sandbox.faults.clear()
        for one in ids:
            self.stage.sandbox.faults.add("403-permission", "gmail.users.messages.get", place="inner", times=0, about=one)

    async def fail(self, times: int) -> None:
        """Try what is due so many times, each in its time."""
        for _ in range(times):
            self.stage.now += LONGEST_RETRY_S
            await self.stage.drained(self.fetcher)


@asynccontextmanager
async def bringing(folder: Path, messages: int, budget: int = 10_000_000) -> AsyncIterator[Bringing]:
    """A stage with a fetcher, and everything the server has on the list."""
    async with sync_stage(folder, messages, budget) as stage:
        yield Bringing(stage)


def largest(rows: Iterable[ToFetch]) -> list[ToFetch]:
    """The rows of the largest thread."""
    ((thread, _),) = Counter(one.gmail_thread_id for one in rows).most_common(1)
    return [one for one in rows if one.gmail_thread_id == thread]


async def test_unread_mail_and_what_has_just_come_is_routed_and_nothing_before_consent(tmp_path: Path) -> None:
    async with bringing(tmp_path, 0) as it:
        stage = it.stage
        ids = [GmailId(stage.sandbox.deliver(question(number))["id"]) for number in range(4)]
        stage.sandbox.mail.label(ids[2], ids[3], remove=["UNREAD"])
        stage.tables.accounts.set_consent(stage.account, None)
        await it.put(row(ids[0], reason=NEW, priority=NEW_PRIORITY))
        assert (await it.once()).route == frozenset()
        stage.tables.accounts.set_consent(stage.account, 0)
        await it.put(row(ids[1]), row(ids[2]), row(ids[3], reason=NEW))
        assert (await it.once()).route == {ids[1], ids[3]}
        jobs = stage.tables.db.read("SELECT key FROM jobs WHERE kind = 'route'", ())
        assert len(jobs) == 2
