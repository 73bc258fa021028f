"""The store's tables in one bundle, opened together over one file."""

from dataclasses import dataclass
from pathlib import Path

from app.domain.errors import ExpectedError
from app.domain.ports.agents import Clock
from app.store.account_marks import AccountMarks
from app.store.accounts import Accounts
from app.store.actions import Actions
from app.store.archives import Archives
from app.store.contacts import Contacts
from app.store.database import Database, OnDamage, unheard
from app.store.downloads import Downloads
from app.store.html_sources import HtmlSources
from app.store.jobs import Jobs
from app.store.lessons import Lessons
from app.store.local_labels import LocalLabels
from app.store.messages import Messages
from app.store.outbox import Outbox
from app.store.preferences import Preferences
from app.store.request_steps import RequestSteps
from app.store.requests import Requests
from app.store.reviews import Reviews
from app.store.runs import Runs
from app.store.snoozes import Snoozes


@dataclass(frozen=True, slots=True)
class Tables:
    """Every table the engine writes. `clock` is the one they stamp rows with."""

    db: Database
    clock: Clock
    accounts: Accounts
    account_marks: AccountMarks
    messages: Messages
    html_sources: HtmlSources
    contacts: Contacts
    jobs: Jobs
    runs: Runs
    reviews: Reviews
    outbox: Outbox
    preferences: Preferences
    lessons: Lessons
    actions: Actions
    snoozes: Snoozes
    local_labels: LocalLabels
    downloads: Downloads
    archives: Archives
    requests: Requests
    request_steps: RequestSteps


def open_tables(path: Path, clock: Clock, damaged: OnDamage = unheard) -> Tables:
    """Open the file and free what a dead engine held; `damaged` is called when a query meets damage. Raises `StoreTooNew`,
    `StoreDamaged`, `DiskFull`."""
    db = Database.open(path, damaged)
    html_sources = HtmlSources(db, _clean)
    tables = Tables(
        db=db,
        clock=clock,
        accounts=Accounts(db),
        account_marks=AccountMarks(db),
        messages=Messages(db, html_sources, clock),
        html_sources=html_sources,
        contacts=Contacts(db),
        jobs=Jobs(db, clock),
        runs=Runs(db, clock),
        reviews=Reviews(db, clock),
        outbox=Outbox(db, clock),
        preferences=Preferences(db, clock),
        lessons=Lessons(db, clock),
        actions=Actions(db, clock),
        snoozes=Snoozes(db, clock),
        local_labels=LocalLabels(db, clock),
        downloads=Downloads(db, clock),
        archives=Archives(db),
        requests=Requests(db, clock),
        request_steps=RequestSteps(db, clock),
    )
    try:
        tables.jobs.release_leases()
        tables.outbox.release_leases()
    except ExpectedError:
        db.close()
        raise
    return tables


def _clean(source: str) -> str:
    """Cleaning, imported when the first HTML is wanted."""
    from app.mail.clean import clean_html

    return clean_html(source)
