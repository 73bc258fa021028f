"""From the to-fetch list into the mirror, cheapest first within what is wanted first.

A message that cannot be had now goes back on the list with the reason; it holds nothing else up and is never forgotten.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from app.domain.ids import GmailId, GmailThreadId
from app.domain.ports.gmail import Fetched, MailServer
from app.domain.syncing import Listed, plan_fetch
from app.engine.sync.choosing import NEW, wants_triage
from app.engine.sync.mirror import Mirror
from app.store.pages import SyncPage, ToFetch

log = logging.getLogger(__name__)

MESSAGES_A_BATCH = 20
THREADS_A_BATCH = 5
CHUNK = 100
FIRST_RETRY_S = 5.0
LONGEST_RETRY_S = 3600.0

T = TypeVar("T")


class Fetcher:
    """Takes what is due from the list. `now_s` is a monotonic clock in seconds."""

    def __init__(self, server: MailServer, mirror: Mirror, now_s: Callable[[], float]) -> None:
        self._server = server
        self._mirror = mirror
        self._now_s = now_s
        self._not_before: dict[GmailId, float] = {}

    async def drain(self) -> bool:
        """Fetch the next chunk; whether there was anything due. Raises what the server's port raises, with nothing lost."""
        rows = await self._due()
        if not rows:
            return False
        known = {row.gmail_id: row for row in rows}
        since_ms = (await self._mirror.state()).triage_since_ms
        plan = plan_fetch([Listed(row.gmail_id, row.gmail_thread_id) for row in rows])
        for ids in _batches(plan.messages, MESSAGES_A_BATCH):
            await self._write(await self._server.fetch_messages(ids), known, since_ms)
        for threads in _batches(plan.threads, THREADS_A_BATCH):
            for thread_id, outcomes in await self._server.fetch_threads(threads):
                await self._write(_named(thread_id, outcomes, known), known, since_ms)
        return True

    def next_due_s(self) -> float | None:
        """Seconds until a message that failed may be tried again; None when none waits."""
        return max(min(self._not_before.values()) - self._now_s(), 0.0) if self._not_before else None

    async def _due(self) -> Sequence[ToFetch]:
        """The next rows, without those that failed a moment ago."""
        rows = await self._mirror.to_fetch(CHUNK + len(self._not_before))
        now = self._now_s()
        due = [row for row in rows if self._not_before.get(row.gmail_id, 0.0) <= now]
        top = due[0].priority if due else 0
        return [row for row in due if row.priority == top][:CHUNK]

    async def _write(self, outcomes: Sequence[Fetched], known: dict[GmailId, ToFetch], since_ms: int | None) -> None:
        """One batch's outcomes in one transaction."""
        messages = tuple(one.message for one in outcomes if one.message is not None)
        failed = [(one, known[one.gmail_id]) for one in outcomes if one.message is None and not one.gone]
        route = frozenset(
            message.gmail_id
            for message in messages
            if wants_triage(message, since_ms, message.gmail_id in known and known[message.gmail_id].reason == NEW)
        )
        page = SyncPage(
            messages=messages,
            to_fetch=tuple(_again(row, one) for one, row in failed),
            fetched=tuple(one.gmail_id for one in outcomes if one.gone),
            route=route,
        )
        await self._mirror.apply(page)
        for one in outcomes:
            self._not_before.pop(one.gmail_id, None)
        for one, row in failed:
            self._set_aside(one, row.attempts)

    def _set_aside(self, one: Fetched, attempts: int) -> None:
        wait_s = min(FIRST_RETRY_S * 4 ** min(attempts, 10), LONGEST_RETRY_S)
        self._not_before[one.gmail_id] = self._now_s() + wait_s
        log.info("message %s set aside for %.0f s: %s", one.gmail_id, wait_s, one.code)


def _again(row: ToFetch, one: Fetched) -> ToFetch:
    """The row to put back. A new mail stays new, whatever went wrong with fetching it."""
    reason = NEW if row.reason == NEW else f"{one.code}"
    return ToFetch(row.gmail_id, row.gmail_thread_id, reason, row.priority, row.attempts)


def _named(thread_id: GmailThreadId, outcomes: Sequence[Fetched], known: dict[GmailId, ToFetch]) -> list[Fetched]:
    """The outcomes of a thread by message. What was wanted of it and did not come is gone, or failed with the whole thread."""
    missing = {row.gmail_id for row in known.values() if row.gmail_thread_id == thread_id}
    missing -= {one.gmail_id for one in outcomes}
    whole = next((one for one in outcomes if not one.gmail_id), None)
    found = [one for one in outcomes if one.gmail_id and (one.message is not None or one.gone or one.gmail_id in known)]
    if whole is None:
        return [*found, *(Fetched(gmail_id, None, gone=True) for gmail_id in sorted(missing))]
    return [*found, *(Fetched(gmail_id, None, whole.gone, whole.code, whole.detail) for gmail_id in sorted(missing))]


def _batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[at : at + size] for at in range(0, len(items), size))
