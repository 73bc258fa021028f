"""What was read is told again until the next commit, and never from before one.

What agents read: neighbours that may be used, and the owner's answers that followed.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from app.domain.agents.runs import AgentRun, AgentStatus, Route, Run, RunRecord, RunStatus, StepLog
from app.domain.drafting.review import Action, ReviewStatus
from app.domain.ids import AccountId, GmailId, MessageId, RunId, ThreadId
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.protocol.commands import Decide
from app.domain.record import replace
from app.store.accounts import Accounts
from app.store.contacts import Contacts
from app.store.db.database import Database
from app.store.db.jobs import Jobs
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.reviews.reviews import Reviews
from app.store.runs.audit import AuditTable
from app.store.runs.runs import Runs, RunStart
from app.store.search.corpus import RecentCache, StoreCorpus, questions_of, vector_kinds
from app.store.search.vectors import VectorKind, Vectors
from fakes.engine.store.rows import add_event, cancel_job
from fakes.engine.store.values import ANA, ME, NOON, HandClock, new_outbox, proposal, remote


def rename(db: Database, account: AccountId, name: str) -> None:
    """One commit."""
    db.write("UPDATE accounts SET name = ? WHERE id = ?", (name, account))


class Reader:
    """Reads an account's name through `RecentCache`, and counts."""

    def __init__(self, db: Database, most: int = 8) -> None:
        self._db = db
        self.recent = RecentCache(db, most)
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
    runs.queue(RunStart(run, "classify", "1", "{}", 0))
    verdict = Triage(Decision.RESPOND, Category.INQUIRY, 0.9, "asks", "m")
    runs.keep(RunRecord(run.id, (StepLog(run.id, "n", 1, "{}", "{}", 1.0, "", NOON),), verdict=(ids[0], verdict)))
    add_event(runs, ids[0], run.id, "k", "{}")
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
    cancel_job(jobs, "classify", "1")
    jobs.release_leases()
    assert db.mail_commits == commits
    assert seen() == before


MAIL = (
    remote("q1", "t1", text="When does it arrive?"),
    remote("a1", "t1", text="On Friday.", sender=ME, labels=("SENT",), minutes=5),
    remote("a2", "t1", text="Sorry, Monday.", sender=ME, labels=("SENT",), minutes=9),
    remote("q2", "t2", text="Where is it?", minutes=20),
    remote("q3", "t3", text="When, please?", minutes=30),
    remote("s", "t4", text="spam", labels=("SPAM",), minutes=31),
)
X = [1.0, 0.0, 0.0]


@pytest.fixture
def vectors(tmp_path: Path) -> Iterator[Vectors]:
    """An empty vector store."""
    with closing(Vectors.open(tmp_path / "chroma", "m", 3)) as opened:
        yield opened


def test_the_corpus(db: Database, account: AccountId, vectors: Vectors) -> None:
    """All of the port on one mailbox."""
    corpus = StoreCorpus(db, vectors)
    assert corpus.similar(account, X, 5, ThreadId(0)) == ()
    ids = Messages(db).apply(account, SyncPage(messages=MAIL)).new_ids
    kinds = vector_kinds(db, ids)
    assert [kinds[one] for one in ids] == [VectorKind.ANSWERED] + [VectorKind.OTHER] * 5
    vectors.upsert(account, [(one, [1.0, at / 10, 0.0], kinds[one]) for at, one in enumerate(ids)])
    by_key = {one.gmail_id: one for one in Messages(db).many(ids).values()}

    similar = corpus.similar(account, X, 9, by_key[GmailId("q3")].thread_id)
    assert [one.gmail_id for one, _ in similar] == ["q1", "a1", "a2", "q2"]
    assert similar[0][1] == pytest.approx(1.0, abs=1e-3)
    assert len(corpus.similar(account, X, 2, ThreadId(0))) == 2

    (reply,) = corpus.own_replies(account, X, 5, by_key[GmailId("q3")].thread_id)
    assert (reply.question.gmail_id, reply.answer.gmail_id) == ("q1", "a1")
    assert corpus.own_replies(account, X, 5, by_key[GmailId("q1")].thread_id) == ()
    assert corpus.own_replies(account, X, 0, ThreadId(0)) == ()

    assert corpus.account(account).email == ME.email
    assert corpus.message(ids[0]) == by_key[GmailId("q1")]
    assert [one.gmail_id for one in corpus.thread(by_key[GmailId("q1")].thread_id)] == ["q1", "a1", "a2"]
    assert corpus.contact(account, ANA.email).received == 4  # type: ignore[union-attr]


def test_a_later_answer_turns_questions(db: Database, account: AccountId) -> None:
    """When the owner's answer arrives, the mails it follows are to be indexed again."""
    first = Messages(db).apply(account, SyncPage(messages=(remote("q", "t"), remote("other", "u")))).new_ids
    assert vector_kinds(db, first) == {first[0]: VectorKind.OTHER, first[1]: VectorKind.OTHER}
    sent = Messages(db).apply(account, SyncPage(messages=(remote("a", "t", sender=ME, labels=("SENT",), minutes=1),))).new_ids
    assert questions_of(db, sent) == (first[0],)
    assert questions_of(db, first) == ()
    assert vector_kinds(db, [*first, MessageId(99)])[first[0]] == VectorKind.ANSWERED


def test_gone_messages_are_no_neighbours(db: Database, account: AccountId, vectors: Vectors) -> None:
    """A vector whose message was deleted or thrown away is passed over."""
    ids = Messages(db).apply(account, SyncPage(messages=MAIL)).new_ids
    vectors.upsert(account, [(one, X, VectorKind.ANSWERED) for one in ids])
    Messages(db).apply(account, SyncPage(delete=(GmailId("q1"),)))
    Messages(db).modify_local([ids[3]], ("TRASH",), ())
    corpus = StoreCorpus(db, vectors)
    assert {one.gmail_id for one, _ in corpus.similar(account, X, 9, ThreadId(0))} == {"a1", "a2", "q3"}
    assert corpus.own_replies(account, X, 9, ThreadId(0)) == ()


def test_own_mail_is_the_same_tuple_until_there_is_another(db: Database, account: AccountId, vectors: Vectors) -> None:
    """And a thread's mails are known one by one once it was read."""
    messages = Messages(db)
    messages.apply(account, SyncPage(messages=MAIL))
    corpus = StoreCorpus(db, vectors)
    first = corpus.own_mail(account, 5)
    assert [one.gmail_id for one in first] == ["a2", "a1"]
    assert corpus.own_mail(account, 5) is first
    messages.apply(account, SyncPage(messages=(remote("a3", "t3", text="Soon.", sender=ME, labels=("SENT",), minutes=40),)))
    assert [one.gmail_id for one in corpus.own_mail(account, 5)] == ["a3", "a2", "a1"]
    assert corpus.own_mail(account, 1)[0].gmail_id == "a3"
    thread = corpus.thread(first[0].thread_id)
    assert all(corpus.message(one.id) is one for one in thread)
