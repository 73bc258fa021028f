"""The owner's changes in the store: what they touch, what waits, and the exact way back."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.domain.agents.routing import RuleAction
from app.domain.errors import NotAllowed
from app.domain.ids import GmailId, OutboxId, ThreadId
from app.domain.mail.message import Label, Message, RemoteMessage
from app.domain.mail.outbox import OutboxKind, OutboxState
from app.domain.protocol.changes import CreateLabel
from app.domain.record import replace
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.mail.label_actions import LOCAL, Actions, LocalLabels
from app.store.mail.label_rows import all_sent, give_back, take_behind
from app.store.mail.messages import Messages
from app.store.mail.snoozes import MutedThreads, Snoozes
from app.store.mail.sync_page import SyncPage
from app.store.outbox import Outbox
from fakes.engine.agent_mailbox import mail
from fakes.engine.store.empty import prepared
from fakes.engine.store.rows import account_labels, snoozed_until

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Desk:
    """A store with threads t0, t1, ... and the tables that change them."""

    def __init__(self, path: Path) -> None:
        self.now = NOON
        self.db = Database.open(prepared(path))
        self.accounts = Accounts(self.db)
        self.account = self.accounts.add("me@example.com", "Me", (), "", "#111111")
        self.messages = Messages(self.db)
        self.outbox = Outbox(self.db, lambda: self.now)
        self.actions = Actions(self.db, lambda: self.now)
        self.snoozes = Snoozes(self.db, lambda: self.now)
        self.muted = MutedThreads(self.db, lambda: self.now)
        self.labels = LocalLabels(self.db, lambda: self.now)

    def put(self, *mails: RemoteMessage) -> list[Message]:
        """Mirror mails."""
        self.messages.apply(self.account, SyncPage(messages=mails))
        return [self.message(one.gmail_id) for one in mails]

    def message(self, gmail_id: str) -> Message:
        """One of them as it is now."""
        found = self.messages.by_gmail_id(self.account, GmailId(gmail_id))
        assert found is not None
        return found

    def threads(self, count: int) -> list[ThreadId]:
        """Threads of one unread mail each."""
        made = self.put(*(mail("x", key=f"m{n}", thread=f"t{n}") for n in range(count)))
        return [one.thread_id for one in made]

    def doubted(self) -> list[str]:
        """The messages in doubt of each item, as they are written."""
        return [row[0] for row in self.db.read("SELECT doubted FROM outbox ORDER BY id")]

    def to_fetch(self) -> list[tuple[str, str, str, int]]:
        """What is to be read again, and why."""
        rows = self.db.read("SELECT gmail_id, gmail_thread_id, reason, priority FROM to_fetch ORDER BY gmail_id")
        return [(row[0], row[1], row[2], row[3]) for row in rows]

    def waiting(self) -> list[tuple[str, tuple[str, ...], tuple[str, ...], int]]:
        """What waits for the sender: kind, labels on, labels off, messages."""
        rows = self.db.read("SELECT id FROM outbox WHERE state = 'queued' ORDER BY id")
        items = [self.outbox.get(row[0]) for row in rows]
        return [(str(one.kind), one.add_labels, one.remove_labels, len(one.message_gmail_ids)) for one in items]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "mail.db")
    yield made
    made.db.close()


def test_only_a_change_on_its_way_that_is_contradicted_is_in_doubt(desk: Desk) -> None:
    """What waits here will be sent and is the last word; what is on its way may have arrived before the other's. The doubt stands
    in the file, and with the very step that says the change has left the message is to be read again."""
    (thread,) = desk.threads(1)
    desk.actions.change("k", (thread,), ("STARRED",), ("INBOX",))
    gid = desk.message("m0").gmail_id
    other = SyncPage(add_labels=((gid, frozenset({"INBOX"})),), remove_labels=((gid, frozenset({"STARRED"})),))
    ours = SyncPage(add_labels=((gid, frozenset({"STARRED"})),), remove_labels=((gid, frozenset({"INBOX"})),))
    desk.messages.apply(desk.account, other)
    item = desk.outbox.claim_due("sender", 60.0)
    assert item is not None
    desk.messages.apply(desk.account, ours)
    assert desk.doubted() == [""]
    desk.messages.apply(desk.account, other)
    desk.messages.apply(desk.account, other)
    assert desk.doubted() == [f'["{gid}"]']
    assert desk.message("m0").labels == {"UNREAD", "STARRED"}
    assert desk.to_fetch() == []
    desk.outbox.release(item.id, desk.now)
    desk.outbox.release_leases()
    assert (desk.doubted(), desk.to_fetch()) == ([f'["{gid}"]'], [])
    desk.outbox.move(item.id, item.state, OutboxState.SENT)
    assert (desk.doubted(), desk.to_fetch()) == ([""], [(gid, item.gmail_thread_id, "refused", 90)])


def test_undo_is_exact(desk: Desk) -> None:
    """Only the mail that lay in the inbox comes back to it."""
    desk.put(mail("a", key="a", labels=frozenset()), mail("b", key="b", labels=frozenset({"INBOX"})))
    thread = desk.message("a").thread_id
    desk.actions.change("k", (thread,), (), ("INBOX",))
    desk.actions.undo("k")
    assert {row[0] for row in desk.db.read("SELECT label FROM thread_labels WHERE thread_id = ?", (thread,))} == {"*", "INBOX"}
    assert desk.message("a").labels == set()
    assert desk.message("b").labels == {"INBOX"}
    with pytest.raises(NotAllowed):
        desk.actions.undo("k")
    with pytest.raises(NotAllowed):
        desk.actions.undo("never made")


@pytest.mark.parametrize("state", ["under way", "sent", "crashed", "answer lost"])
def test_what_may_have_left_is_reversed(desk: Desk, state: str) -> None:
    (thread,) = desk.threads(1)
    desk.actions.change("k", (thread,), (), ("INBOX",))
    item = desk.outbox.claim_due("sender", 60)
    assert item is not None
    if state == "sent":
        desk.outbox.move(item.id, OutboxState.QUEUED, OutboxState.SENT)
    elif state == "crashed":
        desk.outbox.release_leases()
    elif state == "answer lost":
        desk.outbox.release(item.id, desk.now)
    assert desk.actions.undo("k").outbox_ids[-1] == _ids(desk)[-1]
    assert "INBOX" in desk.message("m0").labels
    assert desk.waiting()[-1] == ("modify", ("INBOX",), (), 1)
    assert (desk.outbox.claim_due("sender", 60) is None) is (state == "under way")


def test_a_key_is_used_once(desk: Desk) -> None:
    (thread,) = desk.threads(1)
    desk.actions.change("k", (thread,), (), ("UNREAD",))
    with pytest.raises(NotAllowed):
        desk.actions.change("k", (thread,), ("UNREAD",), ())
    assert desk.message("m0").labels == {"INBOX"}


def test_mail_of_an_archive_is_not_changed(desk: Desk) -> None:
    (thread,) = desk.threads(1)
    desk.db.write("UPDATE accounts SET kind = 'archive'")
    with pytest.raises(NotAllowed, match="archive"):
        desk.actions.change("k", (thread,), (), ("INBOX",))
    with pytest.raises(NotAllowed, match="archive"):
        desk.snoozes.put("s", (thread,), NOON + timedelta(days=1))
    with pytest.raises(NotAllowed, match="archive"):
        desk.labels.create(CreateLabel("c", desk.account, "New"))


def test_a_snoozed_thread_comes_back_once_and_unread(desk: Desk) -> None:
    desk.put(
        mail("a", key="a", labels=frozenset()),
        mail("b", key="b", labels=frozenset({"INBOX"})),
        mail("c", key="c", labels=frozenset({"INBOX"}), at=NOON + timedelta(hours=1)),
    )
    thread = desk.message("a").thread_id
    until = NOON + timedelta(days=1)
    desk.snoozes.put("s", (thread,), until)
    assert desk.message("b").labels == set()
    assert (desk.snoozes.next_due(), snoozed_until(desk.snoozes, thread)) == (until, until)
    assert desk.snoozes.wake_due().threads == {}
    desk.now = until
    assert desk.snoozes.wake_due().threads == {desk.account: (thread,)}
    assert [desk.message(key).labels for key in "abc"] == [set(), {"INBOX"}, {"INBOX", "UNREAD"}]
    assert desk.snoozes.next_due() is None
    assert desk.snoozes.wake_due().threads == {}


def test_a_new_label_is_used_at_once_and_renamed_later(desk: Desk) -> None:
    one, two = desk.threads(2)
    desk.labels.create(CreateLabel("k", desk.account, " Trips / 2026 ", (one,), ("INBOX",)))
    local = f"{LOCAL}k"
    assert desk.message("m0").labels == {"UNREAD", local}
    assert [kind for kind, *_ in desk.waiting()] == ["create_label", "modify"]
    desk.messages.apply(desk.account, SyncPage(labels=(Label("INBOX", "INBOX", "system"),)))
    assert Label(local, "Trips/2026", "user") in account_labels(desk.accounts, desk.account)
    desk.actions.change("more", (two,), (local,), ())
    assert set(desk.labels.adopt(desk.account, local, Label("Label_5", "Trips/2026", "user"))) == {one, two}
    assert desk.message("m0").labels == {"UNREAD", "Label_5"}
    assert [add for _, add, _, _ in desk.waiting()][1:] == [("Label_5",), ("Label_5",)]
    assert [label.gmail_label_id for label in account_labels(desk.accounts, desk.account)] == ["INBOX", "Label_5"]
    desk.actions.undo("k")
    assert desk.message("m0").labels == {"UNREAD", "INBOX"}


def test_changes_leave_in_order_and_together(desk: Desk) -> None:
    threads = desk.threads(4)
    for number, thread in enumerate(threads[:3]):
        desk.actions.change(f"k{number}", (thread,), (), ("INBOX",))
    desk.labels.create(CreateLabel("new", desk.account, "New", (threads[3],)))
    other = desk.accounts.add("you@example.com", "You", (), "", "#222222")
    desk.messages.apply(other, SyncPage(messages=(replace(mail("z", key="z", thread="z")),)))
    theirs = desk.messages.by_gmail_id(other, GmailId("z"))
    desk.actions.change("theirs", (theirs.thread_id,), (), ("INBOX",))
    head = desk.outbox.claim_due("sender", 60)
    assert head is not None
    behind = take_behind(desk.db, head)
    assert [one.message_gmail_ids for one in (head, *behind)] == [("m0",), ("m1",), ("m2",)]
    assert all(one.kind is OutboxKind.MODIFY for one in behind)
    second = desk.outbox.claim_due("sender", 60)
    assert second.account_id == other
    assert desk.outbox.claim_due("sender", 60) is None
    assert desk.outbox.next_due() == desk.now + timedelta(seconds=60)
    give_back(desk.db, behind)
    assert len(take_behind(desk.db, head)) == 2
    all_sent(desk.db, behind, desk.now)
    desk.outbox.move(head.id, OutboxState.QUEUED, OutboxState.SENT)
    label = desk.outbox.claim_due("sender", 60)
    assert label.kind is OutboxKind.CREATE_LABEL


def test_an_older_word_of_the_server_does_not_undo_what_waits(desk: Desk) -> None:
    (thread,) = desk.threads(1)
    desk.actions.change("k", (thread,), ("STARRED",), ("INBOX",))
    desk.put(mail("x, again", key="m0", thread="t0"))
    assert desk.message("m0").labels == {"UNREAD", "STARRED"}
    desk.messages.apply(desk.account, SyncPage(add_labels=((GmailId("m0"), frozenset({"INBOX", "Label_3"})),)))
    assert desk.message("m0").labels == {"UNREAD", "STARRED", "Label_3"}
    item = desk.outbox.claim_due("sender", 60)
    desk.outbox.move(item.id, OutboxState.QUEUED, OutboxState.SENT)
    desk.put(mail("x, again", key="m0", thread="t0"))
    assert desk.message("m0").labels == {"UNREAD", "INBOX"}


def test_a_label_that_is_not_made_after_all_goes_from_everywhere(desk: Desk) -> None:
    one, two = desk.threads(2)
    local = f"{LOCAL}k"
    desk.labels.create(CreateLabel("k", desk.account, "Trips", (one,), ("INBOX",)))
    desk.actions.change("more", (two,), (local,), ())
    made = next(item for item in map(desk.outbox.get, _ids(desk)) if item.kind is OutboxKind.CREATE_LABEL)
    withdrawn = desk.labels.withdraw(made)
    assert set(withdrawn.thread_ids) == {one, two}
    assert desk.message("m0").labels == {"UNREAD"}
    assert desk.message("m1").labels == {"UNREAD", "INBOX"}
    assert account_labels(desk.accounts, desk.account) == ()
    assert desk.waiting() == [("modify", (), ("INBOX",), 1)]
    states = [desk.outbox.get(each).state for each in withdrawn.outbox_ids]
    assert states == [OutboxState.CANCELLED, OutboxState.CANCELLED]
    with pytest.raises(NotAllowed):
        desk.labels.withdraw(made)


def _ids(desk: Desk) -> list[OutboxId]:
    return [OutboxId(row[0]) for row in desk.db.read("SELECT id FROM outbox ORDER BY id")]


def test_new_mail_of_a_muted_thread_skips_the_inbox_and_is_not_routed(desk: Desk) -> None:
    (thread, other) = desk.threads(2)
    muted = desk.muted.put("m", (thread,))
    assert muted.threads == {desk.account: (thread,)}
    assert "INBOX" not in desk.message("m0").labels
    page = SyncPage(
        messages=(mail("x", key="n0", thread="t0"), mail("x", key="n1", thread="t1")),
        route=frozenset({GmailId("n0"), GmailId("n1")}),
    )
    applied = desk.messages.apply(desk.account, page)
    assert (desk.message("n0").labels, "INBOX" in desk.message("n1").labels) == ({"UNREAD"}, True)
    assert [desk.outbox.get(one).message_gmail_ids for one in applied.outbox_ids] == [("n0",)]
    routed = [row[0] for row in desk.db.read("SELECT key FROM jobs WHERE kind = 'route'")]
    assert routed == [str(desk.message("n1").id)]
    assert desk.messages.apply(desk.account, page).outbox_ids == (), "a page that comes twice"
    assert other != thread


def test_a_rule_is_applied_to_messages_here_and_undone_whole(desk: Desk) -> None:
    first, second, other = desk.put(*(mail("x", key=f"r{n}", thread=f"t{n}") for n in range(3)))
    before = {one.gmail_id: one.labels for one in (first, second, other)}
    changed = desk.actions.apply_to("k", (first.id, second.id), "Shops", (RuleAction.ARCHIVE, RuleAction.MARK_READ))
    assert sorted(changed.threads[desk.account]) == sorted((first.thread_id, second.thread_id))
    for one in (first, second):
        assert not {"INBOX", "UNREAD"} & desk.message(one.gmail_id).labels
    assert desk.message(first.gmail_id).labels == desk.message(second.gmail_id).labels != before[first.gmail_id]
    assert desk.message(other.gmail_id).labels == before[other.gmail_id]
    desk.actions.undo("k")
    for one in (first, second):
        assert {"INBOX", "UNREAD"} <= desk.message(one.gmail_id).labels


def test_undo_of_a_snooze_and_of_a_second_one(desk: Desk) -> None:
    (thread,) = desk.threads(1)
    desk.snoozes.put("s", (thread,), NOON + timedelta(days=1))
    desk.snoozes.put("t", (thread,), NOON + timedelta(days=2))
    assert snoozed_until(desk.snoozes, thread) == NOON + timedelta(days=2)
    assert desk.message("m0").labels == {"UNREAD"}
    desk.actions.undo("t")
    assert snoozed_until(desk.snoozes, thread) is None
    assert desk.message("m0").labels == {"INBOX", "UNREAD"}


def test_a_new_mail_or_another_client_ends_a_snooze(desk: Desk) -> None:
    threads = desk.threads(3)
    desk.snoozes.put("s", threads, NOON + timedelta(days=1))
    back = SyncPage(add_labels=((GmailId("m1"), frozenset({"INBOX"})),))
    desk.put(mail("again", key="m9", thread="t0"))
    desk.messages.apply(desk.account, back)
    assert [snoozed_until(desk.snoozes, one) is None for one in threads] == [True, False, False], (
        "our own change has not arrived yet"
    )
    item = desk.outbox.claim_due("sender", 60)
    desk.outbox.move(item.id, OutboxState.QUEUED, OutboxState.SENT)
    desk.messages.apply(desk.account, back)
    assert [snoozed_until(desk.snoozes, one) is None for one in threads] == [True, True, False]


def test_stars_and_unread_go_to_the_newest_received_mail(desk: Desk) -> None:
    desk.put(
        mail("a", key="a", labels=frozenset({"INBOX"})),
        mail("b", key="b", labels=frozenset({"INBOX"}), at=NOON + timedelta(hours=1)),
        mail("c", key="c", labels=frozenset({"SENT"}), at=NOON + timedelta(hours=2)),
    )
    thread = desk.message("a").thread_id
    desk.actions.change("k", (thread,), ("STARRED", "UNREAD"), ())
    assert [desk.message(key).labels for key in "abc"] == [{"INBOX"}, {"INBOX", "STARRED", "UNREAD"}, {"SENT"}]
    assert desk.actions.change("again", (thread,), ("STARRED",), ()).outbox_ids == ()
