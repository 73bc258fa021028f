"""All tables of the store, opened together over one database file, and the threads that their calls run on.

The engine waits for the threads before it closes the database. While the disk is full, a write waits for free space and is then
repeated: a transaction that did not fit left nothing behind. Work that the user waits for raises `DiskFull` at once instead.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar
from weakref import WeakSet

from app.domain.errors import DiskFull, ExpectedError
from app.domain.ports.agents import Clock
from app.store.accounts import Accounts
from app.store.archives import Archives
from app.store.contacts import Contacts
from app.store.db.database import Database, OnDamage, ignore_error
from app.store.db.jobs import Jobs
from app.store.learning.corrections import Corrections, OwnerModels
from app.store.learning.lessons import Lessons
from app.store.learning.preferences import Preferences
from app.store.letters.waiting import WaitingMail
from app.store.mail.files import Downloads, FileTexts
from app.store.mail.label_actions import Actions, LocalLabels
from app.store.mail.mail_writing import HtmlSources
from app.store.mail.messages import Messages
from app.store.mail.snoozes import MutedThreads, Snoozes
from app.store.outbox import Outbox
from app.store.requests.requests import Requests, RequestSteps
from app.store.reviews.reviews import Reviews
from app.store.runs.runs import Runs

P = ParamSpec("P")
T = TypeVar("T")


ROOM_S = 3.0
"""Seconds between two tries while the disk is full."""


class StoreExecutor:
    """A few threads for short, blocking store calls. Cancelling a caller does not stop its transaction.

    `full` is called once when the disk is full, and again only after a write has worked.
    """

    def __init__(self, count: int = 3, full: Callable[[DiskFull], object] = lambda _error: None) -> None:
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="store")
        self._full = full
        self._waiting = 0
        self._stop_waiting = asyncio.Event()
        self._impatient: WeakSet[asyncio.Task[object]] = WeakSet()

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs the function on a thread and returns its result. Waits while the disk is full.

        Pass whole transactions only, since the function may be called again.
        """
        loop, work = asyncio.get_running_loop(), partial(function, *args, **kwargs)
        try:
            return await loop.run_in_executor(self._pool, work)
        except DiskFull as error:
            if self._stop_waiting.is_set() or asyncio.current_task() in self._impatient:
                raise
            if not self._waiting:
                self._full(error)
        self._waiting += 1
        try:
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(ROOM_S):
                        await self._stop_waiting.wait()
                try:
                    return await loop.run_in_executor(self._pool, work)
                except DiskFull:
                    if self._stop_waiting.is_set():
                        raise
        finally:
            self._waiting -= 1

    @contextmanager
    def without_waiting(self) -> Iterator[None]:
        """Within this context the current task gets `DiskFull` instead of waiting."""
        task = asyncio.current_task()
        assert task is not None
        self._impatient.add(task)
        try:
            yield
        finally:
            self._impatient.discard(task)

    def stop_waiting(self) -> None:
        """Makes calls that wait for free space raise `DiskFull`, because the engine ends."""
        self._stop_waiting.set()

    def close(self) -> None:
        """Waits for running calls and accepts no more."""
        self._pool.shutdown(wait=True, cancel_futures=True)


class Tables:
    """Every table that the engine writes. Rows are stamped with `clock`. Calls of tables block, so run them on `threads`."""

    def __init__(self, db: Database, clock: Clock, full: Callable[[DiskFull], None]) -> None:
        self.db = db
        self.threads = StoreExecutor(full=full)
        self.clock = clock
        self.accounts = Accounts(db)
        self.html_sources = HtmlSources(db, _clean)
        self.messages = Messages(db, self.html_sources, clock)
        self.contacts = Contacts(db)
        self.jobs = Jobs(db, clock)
        self.runs = Runs(db, clock)
        self.reviews = Reviews(db, clock)
        self.outbox = Outbox(db, clock)
        self.preferences = Preferences(db, clock)
        self.lessons = Lessons(db, clock)
        self.corrections = Corrections(db, clock)
        self.owner_models = OwnerModels(db, clock)
        self.actions = Actions(db, clock)
        self.snoozes = Snoozes(db, clock)
        self.waiting = WaitingMail(db, clock)
        self.muted = MutedThreads(db, clock)
        self.local_labels = LocalLabels(db, clock)
        self.downloads = Downloads(db, clock)
        self.file_texts = FileTexts(db)
        self.archives = Archives(db)
        self.requests = Requests(db, clock)
        self.request_steps = RequestSteps(db, clock)

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs a transaction on a thread, as `StoreExecutor.run`."""
        return await self.threads.run(function, *args, **kwargs)

    def close(self) -> None:
        """Waits for running calls and closes the database."""
        self.threads.close()
        self.db.close()


def open_tables(
    path: Path, clock: Clock, damaged: OnDamage = ignore_error, full: Callable[[DiskFull], None] = lambda _: None
) -> Tables:
    """Opens the database and releases leases that an earlier engine left behind.

    `damaged` is called when a query meets damage, `full` when the disk is full. Raises `StoreTooNew`, `StoreDamaged` or
    `DiskFull`.
    """
    db = Database.open(path, damaged)
    tables = Tables(db, clock, full)
    try:
        tables.jobs.release_leases()
        tables.outbox.release_leases()
    except ExpectedError:
        db.close()
        raise
    return tables


def _clean(source: str) -> str | None:
    """Cleans HTML; None if that takes too long. The cleaner is imported at the first call."""
    from app.mail.html.bounds import TooSlow
    from app.mail.html.clean import clean_html

    try:
        return clean_html(source)
    except TooSlow:
        return None
