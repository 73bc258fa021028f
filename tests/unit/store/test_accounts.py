"""The life of a mail through all tables of one file, closed and opened between the steps as after a crash.

Accounts, their sync state and their end.

Rows are looked up in the table that a command's field means, and never for two accounts at once.

An undo touches the account that the change was made in, whatever another one has under the same ids.

Cards of correspondents.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

from app.domain.agents.runs import Route, Run, RunStatus
from app.domain.drafting.review import Action, ReviewStatus
from app.domain.ids import AccountId, GmailDraftId, GmailId, HistoryId, MessageId, OutboxId, ReviewId, RunId, ThreadId
from app.domain.mail.message import Address
from app.domain.mail.outbox import OutboxState
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.ports.services import PeopleChanges, Person
from app.domain.ports.window import MailView
from app.domain.protocol.commands import Decide
from app.domain.record import replace
from app.engine.runtime.tables import open_tables
from app.store.accounts import Accounts, SyncState, owner_of
from app.store.contacts import Contacts
from app.store.db.database import Database
from app.store.db.jobs import Jobs
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.outbox import Outbox
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.store.reviews.reviews import Reviews
from app.store.runs.runs import Runs
from fakes.engine.store.empty import prepared
from fakes.engine.store.rows import remove_account, start_run
from fakes.engine.store.values import ANA, ME, NOON, HandClock, draft, new_outbox, proposal, remote

ACCOUNT, MESSAGE, THREAD = AccountId(1), MessageId(1), ThreadId(1)


@contextmanager
def engine(path: Path) -> Iterator[Database]:
    """One life of the engine."""
    with closing(Database.open(path)) as db:
        yield db


def test_from_arrival_to_sent(tmp_path: Path) -> None:
    """Each step finds what the step before left, and the window sees each."""
    path, clock = tmp_path / "mail.db", HandClock()
    mailbox = SqliteMailboxReader(path)
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
        assert (job.key, job.attempts) == (str(MESSAGE), 2)
        start_run(
            Runs(db, clock), Run(RunId("run-1"), ACCOUNT, MESSAGE, THREAD, Route.PIPELINE, "", "", RunStatus.RUNNING, 1, NOON)
        )
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
        assert (found.state, found.draft_id, found.mime) == (OutboxState.SENDING, "r1", new_outbox().mime)
        outbox.move(item, OutboxState.SENDING, OutboxState.SENT, sent_gmail_id=GmailId("s"))
        Runs(db, clock).set_status(RunId("run-1"), RunStatus.DONE)
        Messages(db).apply(ACCOUNT, SyncPage(messages=(remote("s", "t", sender=ME, to=(ANA,), labels=("SENT",), minutes=1),)))
    assert len(mailbox.thread_ids(MailView.SENT)) == 1
    assert mailbox.review(ReviewId(review)).proposal.draft == draft("Friday.")  # type: ignore[union-attr]
    assert mailbox.counts().pending_reviews == mailbox.counts().outbox_waiting == 0
    mailbox.close()


def test_sync_state(db: Database, account: AccountId) -> None:
    """Each part is set by itself and survives updating the account."""
    accounts = Accounts(db)
    assert accounts.sync_state(account) == SyncState(None, "", "listing", None)
    Messages(db).apply(account, SyncPage(cursor=HistoryId(12), backfill_state='{"page": "p2"}'))
    accounts.set_phase(account, "current")
    accounts.set_consent(account, 1000)
    accounts.add("me@example.org", "Mia", (), "", "")
    assert accounts.sync_state(account) == SyncState(HistoryId(12), '{"page": "p2"}', "current", 1000)
    assert (accounts.sync_state(account).cursor, accounts.sync_state(account).triage_since_ms) == (12, 1000)
    accounts.set_consent(account, None)
    assert (accounts.sync_state(account).cursor, accounts.sync_state(account).triage_since_ms) == (12, None)


def test_removing_wipes(db: Database, account: AccountId, clock: HandClock) -> None:
    """Nothing of the account is left in any table; the other account keeps everything."""
    other = Accounts(db).add("other@example.org", "Other", (), "", "")
    for one in (account, other):
        page = SyncPage(messages=(remote("a", files=("x.pdf",)),), cursor=HistoryId(1))
        Messages(db).apply(one, page)
    review = Reviews(db, clock).open(proposal(), "reply")
    Outbox(db, clock).add(new_outbox(review=review))
    remove_account(Accounts(db), account)
    assert Accounts(db).all() == (Accounts(db).get(other),)
    for table in ("messages", "threads", "bodies", "attachments", "contacts", "sync_state"):
        assert db.read(f"SELECT count(*) FROM {table}")[0][0] == 1, table
    for table in ("reviews", "review_revisions", "outbox", "outbox_mime", "outbox_steps"):
        assert db.read(f"SELECT count(*) FROM {table}")[0][0] == 0, table
    assert db.read("SELECT count(*) FROM mail_fts WHERE mail_fts MATCH 'text'")[0][0] == 1


def test_rows_of_one_account_have_its_owner_and_others_none(tmp_path: Path) -> None:
    tables = open_tables(prepared(tmp_path / "mail.db"), HandClock())
    try:
        for number, email in enumerate((ME.email, "other@example.org"), 1):
            tables.accounts.add(email, "", (email,), "", "#112233")
            tables.messages.apply(AccountId(number), SyncPage(messages=(remote("a", "t"), remote("b", "u"))))
        own, other = ([row[0] for row in tables.db.read("SELECT id FROM threads WHERE account_id = ?", (one,))] for one in (1, 2))
        assert [owner_of(tables.db, "thread_ids", ids) for ids in (own, other, own + other, [999])] == [1, 2, 0, 0]
    finally:
        tables.db.close()


def test_a_card_counts_both_ways(db: Database, account: AccountId) -> None:
    """Received and sent, the newest name, the last date; case of the address does not matter."""
    ben = Address("ben@b.org")
    messages = (
        remote("a", sender=Address(ANA.email, "A. N.")),
        remote("b", minutes=5),
        remote("c", sender=ME, to=(ANA,), cc=(ben, ANA), labels=("SENT",), minutes=9),
    )
    Messages(db).apply(account, SyncPage(messages=messages))
    card = Contacts(db).card(account, "ANA@partner.org")
    assert (card.address, card.received, card.sent) == (ANA, 2, 1)
    assert card.last_contact == NOON + timedelta(minutes=9)
    assert Contacts(db).card(account, ben.email).sent == 1  # type: ignore[union-attr]
    assert Contacts(db).card(account, ME.email) is None
    assert Contacts(db).card(AccountId(9), ANA.email) is None


def person(resource: str, email: str, organization: str = "", etag: str = "1") -> Person:
    """A contact of the address book."""
    return Person((Address(email, "Name"),), organization, "note", resource, etag)


def test_an_address_book_is_kept_in_step(db: Database, account: AccountId) -> None:
    """Whole, then changes; what is gone leaves the card as the mail made it."""
    Messages(db).apply(account, SyncPage(messages=(remote("a"),)))
    contacts = Contacts(db)
    assert contacts.sync_token(account) == ""
    both = (person("people/1", ANA.email, "Partner"), person("people/2", "new@x.org", "X"))
    assert contacts.apply(account, PeopleChanges(both, (), "t1", whole=True), lambda: NOON) == 2
    assert contacts.sync_token(account) == "t1"
    assert contacts.apply(account, PeopleChanges(both, (), "t2", whole=True), lambda: NOON) == 0
    moved = person("people/2", "new@y.org", "Y", "2")
    assert contacts.apply(account, PeopleChanges((moved,), ("people/1",), "t3", whole=False), lambda: NOON) == 2
    card = contacts.card(account, ANA.email)
    assert (card.organization, card.notes, card.received) == ("", "", 1)
    assert contacts.card(account, "new@x.org") is None
    assert contacts.card(account, "new@y.org").organization == "Y"  # type: ignore[union-attr]
    assert contacts.apply(account, PeopleChanges((), (), "t4", whole=True), lambda: NOON) == 1
    assert contacts.card(account, "new@y.org") is None


def test_a_note_is_the_users_and_stays_through_the_address_book(db: Database, account: AccountId) -> None:
    contacts = Contacts(db)
    contacts.note(account, "Eve@x.org", "  Likes mornings. ", NOON)
    contacts.apply(account, PeopleChanges((person("people/1", "eve@x.org", "X"),), (), "t", whole=True), lambda: NOON)
    card = contacts.card(account, "eve@x.org")
    assert (card.own_note, card.organization) == ("Likes mornings.", "X")
    contacts.note(account, "eve@x.org", "", NOON)
    assert contacts.card(account, "eve@x.org").own_note == ""  # type: ignore[union-attr]


def test_promises_are_open_until_the_owner_wrote_again(db: Database, account: AccountId) -> None:
    """Only the owner's own words, only to this person, only while nothing followed in the conversation."""
    said = "Hello,\n\nI will send the invoice by Friday.\n\nMia"
    messages = (
        remote("a"),
        remote("b", sender=ME, to=(ANA,), labels=("SENT",), minutes=1, text=said, thread="t1"),
        remote("c", sender=ME, to=(Address("other@x.org"),), labels=("SENT",), minutes=1, text=said, thread="t2"),
    )
    Messages(db).apply(account, SyncPage(messages=messages))
    contacts = Contacts(db)
    card = contacts.full_card(account, ANA.email, NOON + timedelta(days=1))
    assert card is not None
    assert [(one.text, one.sent) for one in card.promises] == [
        ("I will send the invoice by Friday.", NOON + timedelta(minutes=1))
    ]
    assert contacts.card(account, ANA.email).promises == ()  # type: ignore[union-attr]
    assert contacts.full_card(account, ANA.email, NOON + timedelta(days=90)).promises == ()  # type: ignore[union-attr]
    done = remote("d", sender=ME, to=(ANA,), labels=("SENT",), minutes=9, text="Here it is.", thread="t1")
    Messages(db).apply(account, SyncPage(messages=(done,)))
    assert contacts.full_card(account, ANA.email, NOON + timedelta(days=1)).promises == ()  # type: ignore[union-attr]
