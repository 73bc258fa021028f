"""All tables of the store, opened together over one database file, and the threads that their calls run on."""

from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from app.domain.errors import DiskFull, ExpectedError
from app.domain.ports.agents import Clock
from app.engine.runtime.store_executor import StoreExecutor
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
