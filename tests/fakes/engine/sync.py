"""The parts of sync in one process, over a local server, a real store and the real client, without an engine."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from app.domain.ids import AccountId, GmailId, GmailThreadId
from app.domain.wire import Event
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables, open_tables
from app.engine.sync.fetching import Fetcher
from app.engine.sync.mirror import MailboxMirror
from app.mail.gmail.auth import static_credentials
from app.mail.gmail.client import GmailClient, connect
from app.mail.gmail.endpoint import Endpoint
from app.mail.gmail.pacing import UnitBucket
from app.store.mail.sync_page import SyncPage, ToFetch
from fakes.gmail.sandbox import Sandbox, running_sandbox
from performance.generated_mail import ME, write_mbox


async def _no_pause(_: float) -> None:
    await asyncio.sleep(0)


@dataclass
class SyncStage:
    """`now` is the tested clock in seconds; `told` has the reported counts of messages that could not be fetched."""

    sandbox: Sandbox
    tables: Tables
    account: AccountId
    mirror: MailboxMirror
    client: GmailClient
    bucket: UnitBucket
    events: list[Event] = field(default_factory=list)
    told: list[tuple[int, str]] = field(default_factory=list)
    now: float = 1000.0

    def fetcher(self) -> Fetcher:
        return Fetcher(self.client, self.mirror, lambda: self.now, lambda count, code: self.told.append((count, code)))

    async def note(self, reason: str = "listed", priority: int = 0) -> list[ToFetch]:
        """Puts everything that the server lists on the to-fetch list and returns it."""
        rows: list[ToFetch] = []
        token = ""
        while True:
            page = await self.client.list_messages("", (), token, include_spam_trash=True)
            rows += [ToFetch(one.gmail_id, one.gmail_thread_id, reason, priority) for one in page.entries]
            token = page.next_page_token
            if not token:
                break
        await self.mirror.apply(SyncPage(to_fetch=tuple(rows)))
        return rows

    async def drained(self, fetcher: Fetcher, all_listed: bool = True) -> None:
        """Fetches until nothing is due."""
        while await fetcher.fetch(all_listed) is not None:
            pass

    def labels(self) -> dict[str, frozenset[str]]:
        """Labels by message in the local copy."""
        messages = self.tables.messages
        found = (messages.by_gmail_id(self.account, one) for one in messages.have(self.account))
        return {one.gmail_id: one.labels for one in found if one is not None}

    def served(self) -> dict[str, frozenset[str]]:
        """Labels by message on the server."""
        return {one["id"]: frozenset(one["labelIds"]) for one in self.sandbox.dump()["messages"]}

    def outgoing(self, gmail_id: str) -> bool:
        """Whether a stored message counts as the owner's own."""
        sql = "SELECT outgoing FROM messages WHERE gmail_id = ?"
        return bool(self.tables.db.read(sql, (gmail_id,))[0][0])

    def waiting(self) -> tuple[ToFetch, ...]:
        """The to-fetch list."""
        return self.tables.messages.to_fetch(self.account, 10_000)

    def requests(self, method: str) -> list[str]:
        """The requested paths of one API method, in order."""
        return [one["path"] for one in self.sandbox.log() if one["method"] == f"gmail.users.{method}"]


@asynccontextmanager
async def sync_stage(folder: Path, messages: int, budget: int = 10_000_000) -> AsyncIterator[SyncStage]:
    """A setup whose server holds generated mail."""
    write_mbox(folder / "mail.mbox", messages)
    with running_sandbox("--mbox", folder / "mail.mbox", "--me", ME) as sandbox:
        tables = open_tables(folder / "mail.db", lambda: datetime.now(UTC))
        account = tables.accounts.add(ME, "Mia", (ME,), "", "#336699")
        events: list[Event] = []
        mirror = MailboxMirror(account, tables, EventBus(events.append), lambda *_: None)
        bucket = UnitBucket(lambda: budget, asyncio.get_running_loop().time)
        client = connect(Endpoint(f"{sandbox.url}/"), static_credentials(sandbox.token), bucket, sleep=_no_pause)
        try:
            yield SyncStage(sandbox, tables, account, mirror, client, bucket, events)
        finally:
            await client.close()
            tables.close()


def row(gmail_id: str, thread: str = "", **more: object) -> ToFetch:
    """An entry of the to-fetch list."""
    reason, priority = str(more.get("reason", "listed")), int(str(more.get("priority", 0)))
    return ToFetch(GmailId(gmail_id), GmailThreadId(thread or gmail_id), reason, priority)
