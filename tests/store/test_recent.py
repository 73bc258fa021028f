"""What was read is told again until the next commit, and never from before one."""

from dataclasses import replace

import pytest

from app.domain.audit import AgentRun, AgentStatus
from app.domain.commands import Decide
from app.domain.errors import NotFound
from app.domain.ids import AccountId, MessageId, RunId
from app.domain.review import Action, ReviewStatus
from app.domain.runs import Route, Run, RunStatus, StepLog, Trail
from app.domain.triage import Category, Decision, Triage
from app.store.accounts import Accounts
from app.store.audit import AuditTable
from app.store.contacts import Contacts
from app.store.database import Database
from app.store.jobs import Jobs
from app.store.messages import Messages
from app.store.pages import SyncPage
from app.store.recent import Recent
from app.store.reviews import Reviews
from app.store.runs import Runs, Start
from fakes.stored_mail import NOON, HandClock, new_outbox, proposal, remote


def rename(db: Database, account: AccountId, name: str) -> None:
    """One commit."""
    with db.transaction() as connection:
        connection.execute("UPDATE accounts SET name = ? WHERE id = ?", (name, account))


class Reader:
    """Reads an account's name through `Recent`, and counts."""

    def __init__(self, db: Database, most: int = 8) -> None:
        self._db = db
        self.recent = Recent[int, str](db, most)
        self.reads = 0

    def name(self, account: int) -> str:
        """The name, read or remembered."""
        return self.recent.get(account, lambda: self._read(account))

    def _read(self, account: int) -> str:
        self.reads += 1
        return Accounts(self._db).get(AccountId(account)).name


def test_read_once_until_a_commit(db: Database, account: AccountId) -> None:
    reader = Reader(db)
    assert [reader.name(account), reader.name(account), reader.reads] == ["Me", "Me", 1]
    rename(db, account, "Mia")
    assert [reader.name(account), reader.name(account), reader.reads] == ["Mia", "Mia", 2]


def test_a_commit_while_reading_is_not_missed(db: Database, account: AccountId) -> None:
    """What was read before a commit and comes in after it is told once, but not remembered."""
    reader = Reader(db)

    def overtaken() -> str:
        found = Accounts(db).get(account).name
        rename(db, account, "Mia")
        return found

    assert reader.recent.get(account, overtaken) == "Me"
    assert reader.name(account) == "Mia"


def test_what_was_rolled_back_changes_nothing(db: Database, account: AccountId) -> None:
    reader = Reader(db)
    reader.name(account)
    with pytest.raises(ZeroDivisionError), db.transaction() as connection:
        connection.execute("UPDATE accounts SET name = 'Nobody'")
        raise ZeroDivisionError
    assert [reader.name(account), reader.reads] == ["Me", 1]


def test_trouble_passes_and_is_not_remembered(db: Database, account: AccountId) -> None:
    reader = Reader(db)
    for _ in range(2):
        with pytest.raises(NotFound):
            reader.name(99)
    assert reader.reads == 2


def test_no_more_than_the_newest(db: Database) -> None:
    accounts = [Accounts(db).add(f"{at}@example.org", f"N{at}", (f"{at}@example.org",), "", "#336699") for at in range(4)]
    reader = Reader(db, most=3)
    assert [reader.name(one) for one in accounts] == ["N0", "N1", "N2", "N3"]
    assert reader.recent.known(accounts)[1] == {one: f"N{at}" for at, one in enumerate(accounts) if at}
    reader.name(accounts[0])
    assert reader.reads == 5


def test_work_alone_forgets_nothing(db: Database, account: AccountId) -> None:
    """A run's own writes change nothing of what is held."""
    reader = Reader(db)
    reader.name(account)
    with db.transaction(work_only=True) as connection:
        connection.execute(
            "INSERT INTO jobs (kind, key, id, payload, priority, newest, run_at) VALUES ('k', '1', 1, '', 0, 0, 0)"
        )
    assert [reader.name(account), reader.reads] == ["Me", 1]


def test_what_runs_write_changes_no_mail_no_card_and_no_account(db: Database, account: AccountId, clock: HandClock) -> None:
    """Everything that says `work_only` is called once; what agents read is the same before and after."""
    Messages(db).apply(account, SyncPage(messages=(remote("a"), remote("b", "t2"))))
    ids = [MessageId(row[0]) for row in db.read("SELECT id FROM messages ORDER BY id")]

    def seen() -> list[object]:
        messages = Messages(db).many(ids)
        cards = [Contacts(db).card(account, one.sender.email) for one in messages.values()]
        return [messages, [Messages(db).thread(one.thread_id) for one in messages.values()], cards, Accounts(db).get(account)]

    before, commits = seen(), db.mail_commits
    runs, reviews, jobs = Runs(db, clock), Reviews(db, clock), Jobs(db, clock)
    thread = Messages(db).get(ids[0]).thread_id
    run = Run(RunId("run-1"), account, ids[0], thread, Route.PIPELINE, "", "", RunStatus.QUEUED, 1, NOON)
    runs.queue(Start(run, "classify", "1", "{}", 0))
    verdict = Triage(Decision.RESPOND, Category.INQUIRY, 0.9, "asks", "m")
    runs.keep(Trail(run.id, (StepLog(run.id, "n", 1, "{}", "{}", 1.0, "", NOON),), verdict=(ids[0], verdict)))
    runs.event(ids[0], run.id, "k", "{}")
    AuditTable(db, clock).finish(AgentRun(run.id, "p", AgentStatus.COMPLETED, (), "", 1), ids[0])
    review_id = reviews.open(replace(proposal(), run_id=run.id, message_id=ids[0], thread_id=thread, account_id=account), "reply")
    reviews.decide(Decide(review_id, 1, Action.ACCEPT), new_outbox(), ReviewStatus.APPROVED, "{}")
    reviews.undo(review_id)
    reviews.revise(review_id, reviews.review(review_id).proposal)
    reviews.supersede(thread)
    runs.set_status(run.id, RunStatus.DONE)
    job = jobs.claim("classify", 60)
    assert job is not None
    jobs.again(job, "e", NOON)
    jobs.fail(job.id, "e", None)
    jobs.done(job.id)
    jobs.cancel("classify", "1")
    jobs.release_leases()
    assert db.mail_commits == commits
    assert seen() == before
