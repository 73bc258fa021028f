"""Pages of sync: whole or absent, repeatable, and always in step with index, summaries, contacts and jobs."""

import sqlite3
from collections import Counter

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from app.domain.ids import AccountId, GmailId, GmailThreadId, HistoryId, MessageId
from app.domain.mail.message import Address, Label, RemoteMessage
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.record import replace
from app.store.accounts import Accounts
from app.store.contacts import Contacts
from app.store.db.database import Database
from app.store.db.jobs import Jobs
from app.store.db.times import to_ms
from app.store.mail.mail_rows import ALL_MAIL
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage, ToFetch
from fakes.engine.store.rows import label_ids
from fakes.engine.store.state_machine import StoreMachine
from fakes.engine.store.values import ANA, ME, HandClock, remote

VERDICT = Triage(Decision.RESPOND, Category.INQUIRY, 0.91, "Asks when.", "local:212")


def check_index(db: Database) -> None:
    """FTS5's own comparison of the index with the text in the tables; raises when they differ."""
    db.write("INSERT INTO mail_fts (mail_fts, rank) VALUES ('integrity-check', 1)")


def hits(db: Database, text: str) -> int:
    """How many messages the index finds."""
    return int(db.read("SELECT count(*) FROM mail_fts WHERE mail_fts MATCH ?", (text,))[0][0])


def test_a_label_deleted_elsewhere_goes_from_its_mail(db: Database, account: AccountId) -> None:
    messages, inbox = Messages(db), Label("INBOX", "INBOX", "system")
    trips, work = Label("Label_1", "Trips", "user"), Label("Label_2", "Work", "user")
    other = Accounts(db).add("other@x.example", "", (), "", "#000000")
    for one in (account, other):
        messages.apply(
            one, SyncPage(labels=(inbox, trips, work), messages=(remote("a", labels=("INBOX", "Label_1", "Label_2")),))
        )
    assert messages.apply(account, SyncPage(labels=(trips,))).thread_ids == (), "no list of a whole mailbox"
    messages.apply(account, SyncPage(labels=(inbox, trips, work)))
    changed = messages.apply(account, SyncPage(labels=(inbox, work))).thread_ids
    assert len(changed) == 1
    kept = {one: messages.by_gmail_id(one, GmailId("a")) for one in (account, other)}
    assert {one: sorted(found.labels) for one, found in kept.items() if found} == {
        account: ["INBOX", "Label_2"],
        other: ["INBOX", "Label_1", "Label_2"],
    }
    assert db.read("SELECT count(*) FROM thread_labels WHERE label = 'Label_1'")[0][0] == 1


def test_a_message_comes_back_as_it_went_in(db: Database, account: AccountId) -> None:
    """Every field survives, broken characters replaced."""
    ben = Address("ben@b.org", 'Ben "B" O\'Neil')
    came = remote("a", text="Žluť\n" * 3000, html="<p>x</p>" * 2000, cc=(ben,), files=("a.pdf", "b\u202e.png"))
    came = replace(came, bcc=(ANA,), reply_to=(ben,), in_reply_to="<q@x>", subject="Bad \ud800 name")
    applied = Messages(db).apply(account, SyncPage(messages=(came,)))
    message = Messages(db).get(applied.new_ids[0])
    for name in ("gmail_id", "gmail_thread_id", "date", "sender", "to", "cc", "bcc", "reply_to", "snippet", "body_text"):
        assert getattr(message, name) == getattr(came, name), name
    for name in ("body_html", "rfc822_id", "in_reply_to", "references", "headers", "labels"):
        assert getattr(message, name) == getattr(came, name), name
    assert message.subject == "Bad ? name"
    assert [part.filename for part in message.attachments] == ["a.pdf", "b\u202e.png"]
    assert message.account_id == account
    assert Messages(db).by_gmail_id(account, GmailId("a")) == message
    assert Messages(db).many([message.id, MessageId(99)]) == {message.id: message}


def test_the_same_page_again_changes_nothing(db: Database, account: AccountId) -> None:
    """A page that is applied twice leaves the database as it was after the first time."""
    page = SyncPage(messages=(remote("a"), remote("b", "t-a", minutes=1)), cursor=HistoryId(9), route=frozenset({GmailId("a")}))
    first = Messages(db).apply(account, page)
    tables = ("messages", "bodies", "message_labels", "threads", "thread_labels", "contacts", "jobs", "attachments")
    before = {name: [tuple(row) for row in db.read(f"SELECT * FROM {name}")] for name in tables}
    again = Messages(db).apply(account, page)
    assert len(first.new_ids) == 2
    assert again.new_ids == again.gone_ids == again.thread_ids == ()
    assert before == {name: [tuple(row) for row in db.read(f"SELECT * FROM {name}")] for name in tables}
    check_index(db)


def test_a_message_decoded_anew_replaces_its_text(db: Database, account: AccountId) -> None:
    """Other content under a known id is written, and its triage and id stay."""
    messages = Messages(db)
    first = messages.apply(account, SyncPage(messages=(remote("a", text="zebra"),))).new_ids[0]
    messages.set_triage(first, VERDICT)
    messages.apply(account, SyncPage(messages=(remote("a", text="giraffe", labels=("INBOX",), sender=ME),)))
    assert messages.get(first).body_text == "giraffe"
    assert messages.get(first).labels == {"INBOX"}
    assert messages.triage(first) == VERDICT
    assert (hits(db, "zebra"), hits(db, "giraffe")) == (0, 1)
    assert Contacts(db).card(account, ANA.email) is None
    check_index(db)


def test_jobs_for_new_mail(db: Database, account: AccountId, clock: HandClock) -> None:
    """An index job for what may be a source, a route job for what the page names, newest mail first."""
    page = SyncPage(
        messages=(remote("old"), remote("new", minutes=9), remote("junk", labels=("SPAM",))), route=frozenset({GmailId("new")})
    )
    ids = Messages(db).apply(account, page).new_ids
    jobs = Jobs(db, clock)
    assert jobs.counts() == {"index": 2, "route": 1}
    assert [job.key for job in jobs.claim_many("index", 60, 9)] == [str(ids[1]), str(ids[0])]
    Messages(db).apply(account, SyncPage(delete=(GmailId("old"), GmailId("new"))))
    assert jobs.counts() == {}


def test_a_page_that_fails_leaves_nothing(db: Database, account: AccountId) -> None:
    """A failure at the last step takes messages, index rows and cursor back."""
    db.write("CREATE TRIGGER late BEFORE UPDATE OF cursor ON sync_state BEGIN SELECT raise(ABORT, 'late'); END")
    with pytest.raises(sqlite3.IntegrityError, match="late"):
        Messages(db).apply(account, SyncPage(messages=(remote("a", text="zebra"),), cursor=HistoryId(5)))
    assert Messages(db).have(account) == set()
    assert hits(db, "zebra") == 0
    assert Accounts(db).sync_state(account).cursor is None


def test_local_changes_come_ahead_of_the_server(db: Database, account: AccountId) -> None:
    """`modify_local` names the threads; the server's own word later changes nothing."""
    messages = Messages(db)
    ids = messages.apply(account, SyncPage(messages=(remote("a", "t"), remote("b", "u")))).new_ids
    touched = messages.modify_local([*ids, MessageId(99)], ("STARRED",), ("INBOX", "UNREAD"))
    assert len(touched) == 2
    assert label_ids(messages, ids[0]) == {"STARRED"}
    assert messages.unread_inbox_since(account, 0) == []


def test_the_fetch_list(db: Database, account: AccountId) -> None:
    """Priority, then fewest attempts, then arrival; a fetched or gone message comes off, and nothing else does."""
    messages = Messages(db)
    thread = GmailThreadId("t")
    wanted = (
        ToFetch(GmailId("a"), thread, "archive"),
        ToFetch(GmailId("b"), thread, "archive"),
        ToFetch(GmailId("c"), thread, "inbox", priority=5),
    )
    messages.apply(account, SyncPage(to_fetch=wanted))
    messages.apply(account, SyncPage(to_fetch=(ToFetch(GmailId("a"), thread, "server_trouble", attempts=1),)))
    assert [one.gmail_id for one in messages.to_fetch(account, 9)] == ["c", "b", "a"]
    assert messages.to_fetch(account, 9)[2] == ToFetch(GmailId("a"), thread, "server_trouble", 0, 1)
    assert len(messages.to_fetch(account, 1)) == 1
    assert [one.gmail_id for one in messages.to_fetch(account, 1, whole_threads=True)] == ["c", "a", "b"]
    messages.apply(account, SyncPage(messages=(remote("c", "t"),), fetched=(GmailId("b"),)))
    assert [one.gmail_id for one in messages.to_fetch(account, 9)] == ["a"]
    assert messages.fetch_count(account) == 1


def test_ids_are_never_used_twice(db: Database, account: AccountId) -> None:
    """The id of a deleted message, which runs remember, does not come back."""
    first = Messages(db).apply(account, SyncPage(messages=(remote("a"),))).new_ids
    assert Messages(db).apply(account, SyncPage(delete=(GmailId("a"),))).gone_ids == first
    assert Messages(db).apply(account, SyncPage(messages=(remote("b"),))).new_ids[0] > first[0]


KEYS = st.sampled_from("abcdefgh")
LABELS = st.sets(st.sampled_from(["INBOX", "UNREAD", "STARRED", "TRASH", "SPAM", "SENT", "Label_1"]), max_size=4)
PEOPLE = st.sampled_from([ANA, ME, Address("ben@b.org", "Ben"), Address("", "")])
SETTINGS = settings(max_examples=15, stateful_step_count=20, deadline=None)


class MirrorMachine(StoreMachine):
    """Any mix of pages against a plain dictionary of messages."""

    def __init__(self) -> None:
        super().__init__()
        self.account = Accounts(self.db).add(ME.email, "Me", (), "", "")
        self.model: dict[str, RemoteMessage] = {}

    @rule(
        keys=st.lists(KEYS, min_size=1, max_size=4),
        thread=st.sampled_from("xyz"),
        labels=LABELS,
        sender=PEOPLE,
        to=PEOPLE,
        files=st.booleans(),
        text=st.sampled_from(["", "red fox", "blue whale"]),
    )
    def arrive(
        self, keys: list[str], thread: str, labels: set[str], sender: Address, to: Address, files: bool, text: str
    ) -> None:
        """Messages come, some for the second time with other content."""
        came = [
            remote(
                key,
                f"{thread}{key in 'abcd'}",
                text=text,
                labels=tuple(labels),
                sender=sender,
                to=(to,),
                minutes=ord(key),
                files=("a.pdf",) * files,
            )
            for key in keys
        ]
        Messages(self.db).apply(self.account, SyncPage(messages=tuple(came)))
        self.model.update({one.gmail_id: one for one in came})

    @rule(key=KEYS, add=LABELS, remove=LABELS)
    def relabel(self, key: str, add: set[str], remove: set[str]) -> None:
        """Labels change, though SENT cannot."""
        add, remove = add - {"SENT"}, remove - {"SENT"}
        page = SyncPage(add_labels=((GmailId(key), frozenset(add - remove)),), remove_labels=((GmailId(key), frozenset(remove)),))
        Messages(self.db).apply(self.account, page)
        if key in self.model:
            self.model[key] = replace(self.model[key], labels=(self.model[key].labels | (add - remove)) - remove)

    @rule(keys=st.sets(KEYS, max_size=3))
    def vanish(self, keys: set[str]) -> None:
        """Messages are deleted."""
        gone = Messages(self.db).apply(self.account, SyncPage(delete=tuple(GmailId(key) for key in keys))).gone_ids
        assert len(gone) == len(keys & self.model.keys())
        for key in keys:
            self.model.pop(key, None)

    @invariant()
    def messages_are_the_models(self) -> None:
        """Ids, labels and texts."""
        assert Messages(self.db).have(self.account) == set(self.model)
        for key, wanted in self.model.items():
            message = Messages(self.db).by_gmail_id(self.account, GmailId(key))
            assert (message.labels, message.body_text) == (wanted.labels, wanted.body_text)
            assert message.gmail_thread_id == wanted.gmail_thread_id

    @invariant()
    def threads_are_sums_of_their_messages(self) -> None:
        """Count, date, flags and labels of every thread."""
        wanted = {}
        for thread in {one.gmail_thread_id for one in self.model.values()}:
            parts = [one for one in self.model.values() if one.gmail_thread_id == thread]
            shown = [one for one in parts if not one.labels & {"SPAM", "TRASH"}]
            labels = {label for one in shown for label in one.labels} | ({ALL_MAIL} if shown else set())
            labels |= {label for one in parts for label in one.labels & {"SPAM", "TRASH"}}
            wanted[thread] = (
                len(parts),
                max(to_ms(one.date) for one in parts),
                any("UNREAD" in one.labels for one in parts),
                "STARRED" in labels,
                any(one.attachments for one in parts),
                labels,
            )
        found = {}
        for row in self.db.read("SELECT * FROM threads"):
            rows = self.db.read("SELECT label, last_date FROM thread_labels WHERE thread_id = ?", (row["id"],))
            assert {label["last_date"] for label in rows} <= {row["last_date"]}
            flags = (bool(row["unread"]), bool(row["starred"]), bool(row["has_attachment"]))
            found[row["gmail_thread_id"]] = (row["message_count"], row["last_date"], *flags, {label["label"] for label in rows})
        assert found == wanted

    @invariant()
    def contacts_are_counted(self) -> None:
        """Received and sent per address."""
        counted: Counter[tuple[str, bool]] = Counter()
        for one in self.model.values():
            sent = "SENT" in one.labels
            for address in {person.email for person in (one.to if sent else (one.sender,))} - {""}:
                counted[address, sent] += 1
        for row in self.db.read("SELECT * FROM contacts"):
            assert (row["received"], row["sent"]) == (counted[row["email"], False], counted[row["email"], True])
        assert {email for email, _ in counted} <= {row["email"] for row in self.db.read("SELECT email FROM contacts")}

    @invariant()
    def the_index_agrees(self) -> None:
        """The full-text index has exactly the text of the tables."""
        check_index(self.db)
        assert hits(self.db, "fox") == sum("fox" in one.body_text for one in self.model.values())


TestMirror = MirrorMachine.TestCase
TestMirror.settings = SETTINGS
