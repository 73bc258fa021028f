"""The life of a mail through all tables of one file, closed and opened between the steps as after a crash."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from app.domain.commands import Decide
from app.domain.ids import AccountId, GmailDraftId, GmailId, HistoryId, MessageId, OutboxId, ReviewId, RunId, ThreadId
from app.domain.outbox import OutboxState
from app.domain.ports.window import MailView
from app.domain.review import Action, ReviewStatus
from app.domain.runs import Route, Run, RunStatus
from app.domain.triage import Category, Decision, Triage
from app.store.accounts import Accounts
from app.store.database import Database
from app.store.jobs import Jobs
from app.store.mailbox import SqliteMailbox
from app.store.messages import Messages
from app.store.outbox import Outbox
from app.store.pages import SyncPage
from app.store.reviews import Reviews
from app.store.runs import Runs
from fakes.stored_mail import ANA, ME, NOON, HandClock, draft, new_outbox, proposal, remote

ACCOUNT, MESSAGE, THREAD = AccountId(1), MessageId(1), ThreadId(1)


@contextmanager
def engine(path: Path) -> Iterator[Database]:
    """One life of the engine."""
    with closing(Database.open(path)) as db:
        yield db


def test_from_arrival_to_sent(tmp_path: Path) -> None:
    """Each step finds what the step before left, and the window sees each."""
    path, clock = tmp_path / "mail.db", HandClock()
    mailbox = SqliteMailbox(path)
    with engine(path) as db:
        Accounts(db).add(ME.email, "Me", (), "", "")
        page = SyncPage(messages=(remote("a", "t", text="When?"),), cursor=HistoryId(9), route=frozenset({GmailId("a")}))
        Messages(db).apply(ACCOUNT, page)
        assert Jobs(db, clock).claim("route", 60) is not None
    with engine(path) as db:
        jobs = Jobs(db, clock)
        assert jobs.claim("route", 60) is None
        jobs.release_leases()
        job = jobs.claim("route", 60)
        assert job is not None
        assert (job.key, job.attempts) == (str(MESSAGE), 2)
        Runs(db, clock).start(Run(RunId("run-1"), ACCOUNT, MESSAGE, THREAD, Route.PIPELINE, "", "", RunStatus.RUNNING, 1, NOON))
        jobs.done(job.id)
    with engine(path) as db:
        assert [run.id for run in Runs(db, clock).open_runs()] == ["run-1"]
        Messages(db).set_triage(MESSAGE, Triage(Decision.RESPOND, Category.INQUIRY, 0.9, "Asks when.", "local:83"))
        review = Reviews(db, clock).open(proposal("run-1"), "reply")
        Runs(db, clock).set_status(RunId("run-1"), RunStatus.WAITING)
    assert list(mailbox.review_ids()) == [review]
    assert mailbox.thread_rows([THREAD])[THREAD].decision == "respond"
    with engine(path) as db:
        reviews = Reviews(db, clock)
        assert reviews.open(proposal("run-1"), "reply") == review
        later = replace(new_outbox(), not_before=NOON + timedelta(seconds=10))
        decided = reviews.decide(Decide(review, 1, Action.EDIT, draft("Friday.")), later, ReviewStatus.APPROVED, "{}")
    item = OutboxId(decided.outbox_id)
    assert mailbox.outbox()[0].item.state is OutboxState.QUEUED
    with engine(path) as db:
        outbox = Outbox(db, clock)
        assert outbox.claim_due("w1", 60) is None
        clock.pass_s(10)
        assert outbox.claim_due("w1", 60) is not None
        outbox.move(item, OutboxState.QUEUED, OutboxState.DRAFTING)
        outbox.move(item, OutboxState.DRAFTING, OutboxState.DRAFTED, draft_id=GmailDraftId("r1"))
        outbox.move(item, OutboxState.DRAFTED, OutboxState.SENDING)
    with engine(path) as db:
        outbox = Outbox(db, clock)
        outbox.release_leases()
        found = outbox.claim_due("w2", 60)
        assert found is not None
        assert (found.state, found.draft_id, found.mime) == (OutboxState.SENDING, "r1", new_outbox().mime)
        outbox.move(item, OutboxState.SENDING, OutboxState.SENT, sent_gmail_id=GmailId("s"))
        Runs(db, clock).set_status(RunId("run-1"), RunStatus.DONE)
        Messages(db).apply(ACCOUNT, SyncPage(messages=(remote("s", "t", sender=ME, to=(ANA,), labels=("SENT",), minutes=1),)))
    assert len(mailbox.thread_ids(MailView.SENT)) == 1
    assert mailbox.review(ReviewId(review)).proposal.draft == draft("Friday.")  # type: ignore[union-attr]
    assert mailbox.counts().pending_reviews == mailbox.counts().outbox_waiting == 0
    mailbox.close()
