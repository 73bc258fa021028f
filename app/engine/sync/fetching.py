"""Fetches messages of the to-fetch list into the local copy, cheapest first within each priority.

A message that fails goes back on the list with the reason; it delays no other message and is never dropped. Google answers a
batch as a whole, and one message may spoil it for the others. So batches that fail are halved until that message is alone.
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

log = logging.getLogger(__name__)

MOST_ALONE = 3
"""If more calls for a single id than this fail in a row, the server is the cause."""

Id = TypeVar("Id", bound=str)
Found = TypeVar("Found")
_BATCH_ERRORS = (ServerError, RejectedByServer, Offline)


class BatchSize(Generic[Id]):
    """Adapts the number of ids per call, at most `most`. `probe` is a cheap call that raises if the server does not answer."""

    def __init__(self, most: int, probe: Callable[[], Awaitable[object]]) -> None:
        self._most = self._now = most
        self._probe = probe
        self._failed_alone = 0

    async def each(
        self, ids: Sequence[Id], ask: Callable[[Sequence[Id]], Awaitable[Found]]
    ) -> AsyncIterator[tuple[Sequence[Id], Found | ExpectedError]]:
        """Yields pieces of the ids, each with the answer or an error.

        An error comes with an id that fails alone while the server answers. Raises what `ask` or `probe` raises where the ids are
        not the cause.
        """
        waiting = list(ids)
        while waiting:
            piece = waiting[: self._now]
            try:
                found: Found | ExpectedError = await ask(piece)
                self._now, self._failed_alone = min(self._now * 2, self._most), 0
            except _BATCH_ERRORS as error:
                await self._probe()
                if len(piece) > 1:
                    self._now = len(piece) // 2
                    continue
                self._failed_alone += 1
                if self._failed_alone > MOST_ALONE:
                    self._failed_alone = 0
                    raise
                found = error
            yield piece, found
            waiting = waiting[len(piece) :]


UNITS_AT_ONCE = (2400, 1200, 600, 300)
"""Upper bounds for the quota units of one fetch. The first that the quota has room for is used, so that little of a minute's
quota stays unspent. 1,200 units are a few batches and one transaction of 60 to 150 messages."""
UNITS_AT_FIRST = 1200
"""The bound for the newest mail, which the user wants to see without waiting for more."""
UNITS_A_ROW = 10
"""Least average cost of a message in quota units; sets how many rows are read."""
MESSAGES_A_CALL = 50
THREADS_A_CALL = 25
"""The result of one call is kept even if the next fails."""
NEW_PRIORITY = 100
"""Priority of newly arrived mail, which does not wait for the backfill's share of the quota."""
FIRST_RETRY_S = 5.0
LONGEST_RETRY_S = 3600.0
INDEX_EVERY_S = 5.0
"""Longest delay of the full-text index for old mail, which is indexed many messages at a time."""
STUBBORN = 3
"""Failed attempts after which the failure is reported."""
TRIED = 2
"""Failed attempts after which a message gets its own call."""
APART = "apart"
"""Reason for fetching a message by itself: its conversation came without it. It may be in spam or trash, or in another
conversation."""

Known = dict[GmailId, ToFetch]


class Fetcher:
    """Fetches what is due from the to-fetch list.

    `now_s` is a monotonic clock in seconds. `stubborn` gets the number of messages that keep failing, and the last error code.
    """

    def __init__(
        self, server: MailServer, mirror: MailboxMirror, now_s: Callable[[], float], stubborn: Callable[[int, str], None]
    ) -> None:
        self._server, self._mirror, self._now_s, self._stubborn = server, mirror, now_s, stubborn
        self._not_before: dict[GmailId, float] = {}
        self._failing: set[GmailId] = set()
        self._indexed_at = float("-inf")
        self._to_index = False
        self._messages: BatchSize[GmailId] = BatchSize(MESSAGES_A_CALL, server.profile)
        self._threads: BatchSize[GmailThreadId] = BatchSize(THREADS_A_CALL, server.profile)
        self.top_priority = 0

    async def fetch(self, all_listed: bool, least: int = 0) -> float | None:
        """Fetches and stores the next messages of at least priority `least`.

        Returns 0 after something was written, the seconds until the quota has room, or None if nothing is due. While not
        everything is listed, two messages of a conversation already make `threads.get` worthwhile. Raises the errors of the Gmail
        port, after writing what came before them.
        """
        most = UNITS_AT_FIRST if len(self._mirror.have) < HEAD_START else max(UNITS_AT_ONCE)
        steps = [units for units in UNITS_AT_ONCE if units <= most]
        at_once = next((units for units in steps if self._server.room_s(units) <= 0), steps[-1])
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
        """Makes failed messages due now."""
        self._not_before.clear()

    def next_due_s(self) -> float | None:
        """Seconds until a failed message may be tried again, None when there is none."""
        return max(min(self._not_before.values()) - self._now_s(), 0.0) if self._not_before else None

    async def _fetch_messages(self, ids: Sequence[GmailId], known: Known, outcomes: list[Fetched]) -> None:
        """Appends the outcomes of messages. Those that failed before come last, each in its own call."""
        tried = [one for one in ids if known[one].attempts >= TRIED]
        for piece in ([one for one in ids if known[one].attempts < TRIED], *([one] for one in tried)):
            async for asked, found in self._messages.each(piece, self._server.fetch_messages):
                outcomes += [_failed(one, found) for one in asked] if isinstance(found, ExpectedError) else found

    async def _fetch_threads(self, ids: Sequence[GmailThreadId], known: Known, outcomes: list[Fetched]) -> None:
        """Appends the outcomes of the conversations' messages."""
        of_thread: dict[GmailThreadId, set[GmailId]] = defaultdict(set)
        for row in known.values():
            of_thread[row.gmail_thread_id].add(row.gmail_id)
        async for asked, found in self._threads.each(ids, self._server.fetch_threads):
            if isinstance(found, ExpectedError):
                found = tuple((one, (_failed(GmailId(""), found),)) for one in asked)
            for thread_id, messages in found:
                outcomes += self._named(of_thread[thread_id], messages, known)

    async def _due(self, most: int) -> list[ToFetch]:
        """The next rows with the rest of their conversations, without those that failed recently."""
        limit = most + len(self._not_before)
        rows = await self._mirror.to_fetch(limit)
        if self._not_before and len(rows) < limit:  # this is the whole list, so ids that are missing from it no longer wait
            listed = {row.gmail_id for row in rows}
            self._not_before = {one: at for one, at in self._not_before.items() if one in listed}
        now = self._now_s()
        return [row for row in rows if self._not_before.get(row.gmail_id, 0.0) <= now]

    async def _write(self, outcomes: Sequence[Fetched], known: Known) -> None:
        """Stores the outcomes in one transaction. What failed goes back on the list."""
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
        # New mail keeps its reason. A quota that is spent is no attempt.
        again = tuple(
            ToFetch(
                row.gmail_id,
                row.gmail_thread_id,
                NEW if row.reason == NEW else one.code,
                row.priority,
                0 if one.code == QuotaReached.code else 1,
            )
            for one, row in failed
        )
        now = self._now_s()  # the full-text index may wait for more messages, but never for new mail
        later = self._to_index = self.top_priority < NEW_PRIORITY and now - self._indexed_at < INDEX_EVERY_S
        if not later:
            self._indexed_at = now
        await self._mirror.apply(SyncPage(messages, delete=gone, to_fetch=again, fetched=gone, route=route, index_later=later))
        for one in outcomes:
            self._not_before.pop(one.gmail_id, None)
        self._failing -= {one.gmail_id for one in outcomes} - {row.gmail_id for _, row in failed}
        for one, row in failed:
            self._set_aside(one, row.attempts)

    async def _index(self) -> None:
        """Indexes waiting messages before a rest."""
        if self._to_index:
            self._to_index = False
            await self._mirror.apply(SyncPage())

    def _named(self, wanted: set[GmailId], outcomes: Sequence[Fetched], known: Known) -> list[Fetched]:
        """Returns the outcomes of a conversation by message, without those already stored.

        A `wanted` message that did not come failed with the whole conversation, or is asked for by itself: only its own 404
        proves that it is gone.
        """
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
    """Plans the conversations of the first rows, as many as `most_units` allow, at least one.

    The messages of a conversation that failed are fetched one by one, so that a bad message does not block the others.
    """
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
