"""From the to-fetch list into the mirror, cheapest first within what is wanted first.

A message that cannot be had now goes back on the list with the reason; it holds nothing else up and is never forgotten.

How much one call asks for: less where whole answers fail, until the one message that breaks them stands alone.

Google answers a batch as a whole, and one message may spoil it for the others each time.
"""

import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from app.domain.errors import ExpectedError, Offline, QuotaReached, RejectedByServer, ServerError
from app.domain.ids import GmailId, GmailThreadId
from app.domain.ports.gmail import Fetched, MailServer
from app.domain.sync import THREAD_FETCH_FROM, UNITS, FetchPlan, Listed, plan_fetch
from app.engine.sync.backfill import HEAD_START
from app.engine.sync.listing import NEW, wants_triage
from app.engine.sync.mirror import MailboxMirror
from app.store.mail.sync_page import SyncPage, ToFetch

MOST_ALONE = 3
"""So many calls for a single thing may fail in a row before it is the server's fault after all."""

Id = TypeVar("Id", bound=str)
Found = TypeVar("Found")
_SPOILT = (ServerError, RejectedByServer, Offline)


class BatchSize(Generic[Id]):
    """`most` ids a call; `probe` asks the server something small and raises what its port raises."""

    def __init__(self, most: int, probe: Callable[[], Awaitable[object]]) -> None:
        self._most = self._now = most
        self._probe = probe
        self._alone = 0

    async def each(
        self, ids: Sequence[Id], ask: Callable[[Sequence[Id]], Awaitable[Found]]
    ) -> AsyncIterator[tuple[Sequence[Id], Found | ExpectedError]]:
        """The ids piece by piece with the answer; one whose own call fails while the server answers, with that error. Raises what
        `ask` raises where it is not the ids' fault."""
        waiting = list(ids)
        while waiting:
            piece = waiting[: self._now]
            try:
                found: Found | ExpectedError = await ask(piece)
                self._now, self._alone = min(self._now * 2, self._most), 0
            except _SPOILT as error:
                await self._probe()
                if len(piece) > 1:
                    self._now = len(piece) // 2
                    continue
                self._alone += 1
                if self._alone > MOST_ALONE:
                    self._alone = 0
                    raise
                found = error
            yield piece, found
            waiting = waiting[len(piece) :]


log = logging.getLogger(__name__)

UNITS_AT_ONCE = (2400, 1200, 600, 300)
"""What one fetch costs at most: the first that the quota has room for, so that little of a minute's rest stays unspent. 1,200 are
a few batches and one transaction of 60 to 150 messages."""
UNITS_AT_FIRST = 1200
"""The most for the newest mail: what is to be read first is not kept waiting for more."""
UNITS_A_ROW = 10
"""What a message costs at least, on the average; so many rows are looked at."""
MESSAGES_A_CALL = 50
THREADS_A_CALL = 25
"""What one call brings is kept, whatever becomes of the next."""
NEW_PRIORITY = 100
"""Of mail that arrived while the mailbox was mirrored; it does not wait for the background's share of the quota."""
FIRST_RETRY_S = 5.0
LONGEST_RETRY_S = 3600.0
INDEX_EVERY_S = 5.0
"""The full text of old mail is indexed so often at least, many messages at once."""
STUBBORN = 3
"""Failed attempts after which the user is told."""
TRIED = 2
"""Failed attempts after which a message is asked for in a call of its own."""
APART = "apart"
"""Why a message is asked for by itself: its thread came without it. It may lie in spam or trash, or in another thread by now."""

Known = dict[GmailId, ToFetch]


class Fetcher:
    """Takes what is due from the list. `now_s` is a monotonic clock in seconds; `stubborn` is told how many messages keep
    failing, and with which code."""

    def __init__(
        self, server: MailServer, mirror: MailboxMirror, now_s: Callable[[], float], stubborn: Callable[[int, str], None]
    ) -> None:
        self._server = server
        self._mirror = mirror
        self._now_s = now_s
        self._stubborn = stubborn
        self._not_before: dict[GmailId, float] = {}
        self._failing: set[GmailId] = set()
        self._indexed_at = float("-inf")
        self._to_index = False
        self._messages: BatchSize[GmailId] = BatchSize(MESSAGES_A_CALL, server.profile)
        self._threads: BatchSize[GmailThreadId] = BatchSize(THREADS_A_CALL, server.profile)
        self.top_priority = 0

    async def fetch(self, all_listed: bool, least: int = 0) -> float | None:
        """Fetch what is due next: 0 after it was written, seconds until the quota has room for it, None if nothing is due of at
        least that priority.

        While not everything is listed, two messages already make a thread worth fetching. Raises what the server's port raises,
        after what came was written.
        """
        at_once = self._units_at_once()
        rows = [row for row in await self._due(at_once // UNITS_A_ROW) if row.priority >= least]
        self.top_priority = rows[0].priority if rows else 0
        if not rows:
            await self._index()
            return None
        known = {row.gmail_id: row for row in rows}
        plan = _plan(rows, THREAD_FETCH_FROM if all_listed else 2, at_once)
        if self.top_priority < NEW_PRIORITY and (wait_s := self._server.room_s(plan.units)) > 0:
            await self._index()
            return wait_s
        outcomes: list[Fetched] = []
        try:
            await self._fetch_messages(plan.messages, known, outcomes)
            await self._fetch_threads(plan.threads, known, outcomes)
        finally:
            await self._write(outcomes, known)
        spent = next((one for one in outcomes if one.code == QuotaReached.code), None)
        if spent is not None:
            raise QuotaReached(spent.detail, spent.retry_after_s)
        return 0.0

    def retry(self) -> None:
        """Try what failed again now, not when its time has come."""
        self._not_before.clear()

    def next_due_s(self) -> float | None:
        """Seconds until a message that failed may be tried again; None when none waits."""
        return max(min(self._not_before.values()) - self._now_s(), 0.0) if self._not_before else None

    async def _fetch_messages(self, ids: Sequence[GmailId], known: Known, outcomes: list[Fetched]) -> None:
        """Add the messages' outcomes; those that failed before come last, each in a call of its own."""
        tried = [one for one in ids if known[one].attempts >= TRIED]
        for piece in ([one for one in ids if known[one].attempts < TRIED], *([one] for one in tried)):
            async for asked, found in self._messages.each(piece, self._server.fetch_messages):
                outcomes += [_failed(one, found) for one in asked] if isinstance(found, ExpectedError) else found

    async def _fetch_threads(self, ids: Sequence[GmailThreadId], known: Known, outcomes: list[Fetched]) -> None:
        """Add the outcomes of the threads' messages."""
        of_thread: dict[GmailThreadId, set[GmailId]] = defaultdict(set)
        for row in known.values():
            of_thread[row.gmail_thread_id].add(row.gmail_id)
        async for asked, found in self._threads.each(ids, self._server.fetch_threads):
            if isinstance(found, ExpectedError):
                found = tuple((one, (_failed(GmailId(""), found),)) for one in asked)
            for thread_id, messages in found:
                outcomes += self._named(of_thread[thread_id], messages, known)

    def _units_at_once(self) -> int:
        """The price up to which is fetched at once; the least if there is no room now."""
        most = UNITS_AT_FIRST if len(self._mirror.have) < HEAD_START else max(UNITS_AT_ONCE)
        steps = [units for units in UNITS_AT_ONCE if units <= most]
        return next((units for units in steps if self._server.room_s(units) <= 0), steps[-1])

    async def _due(self, most: int) -> list[ToFetch]:
        """The next rows with the rest of their threads, without those that failed a moment ago."""
        limit = most + len(self._not_before)
        rows = await self._mirror.to_fetch(limit)
        if self._not_before and len(rows) < limit:  # this is the whole list: what is not on it any more is nobody's to wait for
            listed = {row.gmail_id for row in rows}
            self._not_before = {one: at for one, at in self._not_before.items() if one in listed}
        now = self._now_s()
        return [row for row in rows if self._not_before.get(row.gmail_id, 0.0) <= now]

    async def _write(self, outcomes: Sequence[Fetched], known: Known) -> None:
        """All outcomes in one transaction."""
        if not outcomes:
            return
        since_ms = (await self._mirror.state()).triage_since_ms
        messages = tuple(one.message for one in outcomes if one.message is not None)
        failed = [(one, known[one.gmail_id]) for one in outcomes if one.message is None and not one.gone]
        gone = tuple(one.gmail_id for one in outcomes if one.gone)
        route = frozenset(
            message.gmail_id
            for message in messages
            if wants_triage(message, since_ms, message.gmail_id in known and known[message.gmail_id].reason == NEW)
        )
        again = tuple(_again(row, one) for one, row in failed)
        later = self._to_index = self._indexes_later()
        await self._mirror.apply(SyncPage(messages, delete=gone, to_fetch=again, fetched=gone, route=route, index_later=later))
        for one in outcomes:
            self._not_before.pop(one.gmail_id, None)
        self._failing -= {one.gmail_id for one in outcomes} - {row.gmail_id for _, row in failed}
        for one, row in failed:
            self._set_aside(one, row.attempts)

    def _indexes_later(self) -> bool:
        """Whether the index may wait for more: not with new mail, and not for long."""
        now = self._now_s()
        if self.top_priority < NEW_PRIORITY and now - self._indexed_at < INDEX_EVERY_S:
            return True
        self._indexed_at = now
        return False

    async def _index(self) -> None:
        """Index what waits, before a rest."""
        if self._to_index:
            self._to_index = False
            await self._mirror.apply(SyncPage())

    def _named(self, wanted: set[GmailId], outcomes: Sequence[Fetched], known: Known) -> list[Fetched]:
        """The outcomes of a thread by message, without those mirrored already. What was `wanted` of it and did not come failed
        with the whole thread, or is to be asked for by itself: only its own 404 says that a message is gone."""
        missing = wanted - {one.gmail_id for one in outcomes}
        whole = next((one for one in outcomes if not one.gmail_id), None)
        have = self._mirror.have
        found = [one for one in outcomes if one.gmail_id and (one.gmail_id in known or one.gmail_id not in have)]
        if whole is None or whole.gone:
            whole = Fetched(GmailId(""), None, code=APART)
        return [*found, *(whole._replace(gmail_id=gmail_id) for gmail_id in sorted(missing))]

    def _set_aside(self, one: Fetched, attempts: int) -> None:
        if one.code == APART:
            return
        wait_s = min(FIRST_RETRY_S * 4 ** min(attempts, 10), LONGEST_RETRY_S)
        self._not_before[one.gmail_id] = self._now_s() + wait_s
        log.info("message %s set aside for %.0f s: %s", one.gmail_id, wait_s, one.code)
        if attempts + 1 >= STUBBORN:
            self._failing.add(one.gmail_id)
            if attempts + 1 == STUBBORN:
                self._stubborn(len(self._failing), one.code)


def _plan(rows: Sequence[ToFetch], thread_from: int, most_units: int) -> FetchPlan:
    """The plan for the threads of the first rows, as many as the price allows; at least one. A thread that failed is asked for
    message by message: one that cannot be had holds none of the others up."""
    threads: dict[GmailThreadId, list[Listed]] = {}
    for row in rows:
        threads.setdefault(row.gmail_thread_id, []).append(Listed(row.gmail_id, row.gmail_thread_id))
    first, units = rows[0].priority, 0
    chosen: list[Listed] = []
    singly: list[GmailId] = []
    urgent = {row.gmail_thread_id for row in rows if row.priority == first}
    failed = {row.gmail_thread_id for row in rows if row.attempts}
    for thread_id, entries in threads.items():
        price = len(entries) * UNITS["messages.get"]
        units += price if thread_id in failed else min(price, UNITS["threads.get"])
        if (chosen or singly) and (units > most_units or thread_id not in urgent):
            break
        if thread_id in failed:
            singly += [entry.gmail_id for entry in entries]
        else:
            chosen += entries
    plan = plan_fetch(chosen, thread_from=thread_from)
    return FetchPlan(plan.threads, (*plan.messages, *singly), plan.units + len(singly) * UNITS["messages.get"])


def _failed(gmail_id: GmailId, error: ExpectedError) -> Fetched:
    return Fetched(gmail_id, None, code=error.code, detail=error.detail)


def _again(row: ToFetch, one: Fetched) -> ToFetch:
    """The row to put back, with one more attempt unless only the quota was in the way. A new mail stays new, whatever went
    wrong with fetching it."""
    reason = NEW if row.reason == NEW else one.code
    return ToFetch(row.gmail_id, row.gmail_thread_id, reason, row.priority, 0 if one.code == QuotaReached.code else 1)
