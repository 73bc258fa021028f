"""Every change the owner can make, over HTTP and back: at once here, later there, undone, offline, twice, and across a crash."""

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from app.domain.ids import GmailId, ThreadId
from app.domain.mail.message import Message
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxState
from app.domain.protocol.changes import Change, ChangeLabels, CreateLabel, Snooze, UndoChange
from app.domain.protocol.commands import CancelSend, SendNow, StartDrafting, SyncNow
from app.domain.protocol.events import CommandFailed, SyncPhase, SyncProgress
from app.store.mail.snoozes import Snoozes
from app.store.outbox import Outbox
from fakes.engine.engine_process import running_engine
from fakes.engine.store.rows import snoozed_until
from fakes.gmail.sandbox import running_sandbox
from fakes.gmail.sending import Stage, opened, question
from performance.generated_mail import ME, write_mbox

KEYS = count(1)
CHANGING = ("gmail.users.messages.modify", "gmail.users.messages.batchModify")


def served(stage: Stage, message: Message) -> set[str]:
    """A message's labels on the server."""
    return next(set(one["labelIds"]) for one in stage.sandbox.dump()["messages"] if one["id"] == message.gmail_id)


def local(stage: Stage, message: Message) -> set[str]:
    """The same here."""
    found = stage.engine.reader.message(message.id)
    return set(found.labels)


async def agree(stage: Stage, message: Message, labels: set[str]) -> None:
    """Wait until both sides say so."""
    await stage.engine.until(lambda: served(stage, message) == labels == local(stage, message))


def items(stage: Stage) -> list[OutboxItem]:
    """The whole outbox, oldest first."""
    with opened(stage.data) as db:
        box = Outbox(db, lambda: datetime.now(UTC))
        return [box.get(row[0]) for row in db.read("SELECT id FROM outbox ORDER BY id")]


def key() -> str:
    """A new name for a change."""
    return f"k{next(KEYS)}"


ELSEWHERE = ("TRASH", "SPAM")
OWN = "Label_1"
"""The account's one label of its own."""
ROUND = [
    ("archive", "INBOX UNREAD", (), ("INBOX",), "UNREAD"),
    ("to the inbox", "UNREAD", ("INBOX",), ELSEWHERE, "INBOX UNREAD"),
    ("read", "INBOX UNREAD", (), ("UNREAD",), "INBOX"),
    ("unread", "INBOX", ("UNREAD",), (), "INBOX UNREAD"),
    ("star", "INBOX UNREAD", ("STARRED",), (), "INBOX UNREAD STARRED"),
    ("unstar", "INBOX STARRED", (), ("STARRED",), "INBOX"),
    ("label", "INBOX UNREAD", (OWN,), (), f"INBOX UNREAD {OWN}"),
    ("unlabel", f"INBOX {OWN}", (), (OWN,), "INBOX"),
    ("move", f"INBOX UNREAD {OWN}", ("IMPORTANT",), ("INBOX", *ELSEWHERE), f"UNREAD IMPORTANT {OWN}"),
    ("move out of spam", "UNREAD SPAM", (OWN,), ("INBOX", *ELSEWHERE), f"UNREAD {OWN}"),
    ("trash", "INBOX UNREAD", ("TRASH",), ("INBOX",), "UNREAD TRASH"),
    ("untrash", "UNREAD TRASH", ("INBOX",), ELSEWHERE, "INBOX UNREAD"),
    ("spam", "INBOX UNREAD", ("SPAM",), ("INBOX",), "UNREAD SPAM"),
    ("not spam", "UNREAD SPAM", ("INBOX",), ELSEWHERE, "INBOX UNREAD"),
]
"""What the window's actions send: their name, the labels before, those put on and taken off, the labels after."""


async def test_every_change_goes_there_and_comes_back(stage: Stage) -> None:
    first = await stage.ask()
    await stage.engine.do(CreateLabel(key(), first.account_id, "Own"))
    await stage.engine.until(lambda: OWN in {one.gmail_label_id for one in stage.engine.reader.labels(first.account_id)})
    messages = [first, *[await stage.ask() for _ in ROUND[1:]]]
    for message, (_, before, *_rest) in zip(messages, ROUND, strict=True):
        add, remove = set(before.split()) - {"INBOX", "UNREAD"}, {"INBOX", "UNREAD"} - set(before.split())
        stage.sandbox.mail.label(message.gmail_id, add=sorted(add), remove=sorted(remove))
    await stage.engine.do(SyncNow())
    for message, (_, before, *_rest) in zip(messages, ROUND, strict=True):
        await agree(stage, message, set(before.split()))
    keys = [key() for _ in ROUND]
    for message, made, (name, _, add, remove, after) in zip(messages, keys, ROUND, strict=True):
        await stage.engine.do(ChangeLabels(made, (message.thread_id,), add, remove))
        assert local(stage, message) == set(after.split()), name
    for message, (*_rest, after) in zip(messages, ROUND, strict=True):
        await agree(stage, message, set(after.split()))
    for message, made, (name, before, *_rest) in zip(messages, keys, ROUND, strict=True):
        await stage.engine.do(UndoChange(made))
        assert local(stage, message) == set(before.split()), name
    for message, (_, before, *_rest) in zip(messages, ROUND, strict=True):
        await agree(stage, message, set(before.split()))


@pytest.mark.parametrize("phone", [True, False])
async def test_mail_out_of_spam_is_looked_at_as_if_it_had_just_come(stage: Stage, phone: bool) -> None:
    """Whoever takes it out: the engine's workers hear of it at once."""
    account = (await stage.ask()).account_id
    await stage.engine.do(StartDrafting(account, 7))
    spam = await stage.mirrored(GmailId(stage.sandbox.deliver(question(99), labels=["SPAM", "UNREAD"])["id"]))
    await stage.engine.event(SyncProgress, lambda one: one.phase is SyncPhase.CURRENT)
    assert spam.id not in {run.message_id for run in stage.engine.reader.runs()}
    if phone:
        stage.sandbox.mail.label(spam.gmail_id, add=["INBOX"], remove=["SPAM", "UNREAD"])
        await stage.engine.do(SyncNow())
    else:
        await stage.engine.do(ChangeLabels(key(), (spam.thread_id,), ("INBOX",), ELSEWHERE))
    await stage.engine.until(lambda: [run for run in stage.engine.reader.runs() if run.message_id == spam.id])
    await stage.engine.until(lambda: "SPAM" not in served(stage, spam))
    assert sum(run.message_id == spam.id for run in stage.engine.reader.runs()) == 1


async def test_a_snooze_is_taken_back(stage: Stage) -> None:
    message, made = await stage.ask(), key()
    until = datetime.now(UTC) + timedelta(hours=1)
    await stage.engine.do(Snooze(made, (message.thread_id,), int(until.timestamp() * 1000)))
    await agree(stage, message, {"UNREAD"})
    await stage.engine.do(UndoChange(made))
    await agree(stage, message, {"UNREAD", "INBOX"})
    with opened(stage.data) as db:
        assert snoozed_until(Snoozes(db, lambda: datetime.now(UTC)), message.thread_id) is None


async def test_a_label_made_and_used_offline_reaches_the_server_in_order(stage: Stage) -> None:
    message = await stage.ask()
    rule = stage.sandbox.faults.add("503", "gmail.users.labels.create", times=0)
    made = key()
    await stage.engine.do(CreateLabel(made, message.account_id, "Trips", (message.thread_id,), ("INBOX",)))
    assert local(stage, message) == {"UNREAD", f"local:{made}"}
    await stage.engine.until(lambda: next(one["fired"] for one in stage.sandbox.faults.listed() if one["id"] == rule))
    stage.sandbox.faults.clear()
    await agree(stage, message, {"UNREAD", "Label_1"})
    assert [one.name for one in stage.engine.reader.labels(message.account_id) if one.kind == "user"] == ["Trips"]
    await stage.engine.do(UndoChange(made))
    await agree(stage, message, {"UNREAD", "INBOX"})


async def test_offline_changes_wait_and_leave_together(stage: Stage) -> None:
    messages = [await stage.ask() for _ in range(14)]
    for method in CHANGING:
        stage.sandbox.faults.add("503", method, times=0)
    for one in messages:
        await stage.engine.do(ChangeLabels(key(), (one.thread_id,), (), ("INBOX",)))
    undone = key()
    await stage.engine.do(ChangeLabels(undone, (messages[0].thread_id,), ("STARRED",), ()))
    await stage.engine.do(UndoChange(undone))
    assert [local(stage, one) for one in messages] == [{"UNREAD"}] * 14
    await stage.engine.until(lambda: stage.sends()[CHANGING[0]] + stage.sends()[CHANGING[1]])
    before = stage.sends()
    stage.sandbox.faults.clear()
    for one in messages:
        await agree(stage, one, {"UNREAD"})
    sent = stage.sends() - before
    assert sent[CHANGING[1]] >= 1
    assert sent[CHANGING[0]] <= 1
    await stage.engine.until(lambda: {one.state for one in items(stage)} <= {OutboxState.SENT, OutboxState.CANCELLED})


@pytest.mark.parametrize("when", ["before", "after"])
async def test_killed_in_the_middle_and_started_again(stage: Stage, when: str) -> None:
    message = await stage.ask()
    rule = stage.sandbox.faults.add("slow", CHANGING[0], when=when, seconds=5.0)
    made = key()
    await stage.engine.do(ChangeLabels(made, (message.thread_id,), ("STARRED",), ("INBOX",)))
    await stage.fired(rule)
    await stage.crash()
    stage.sandbox.faults.clear()
    await stage.restart()
    assert local(stage, message) == {"UNREAD", "STARRED"}
    await agree(stage, message, {"UNREAD", "STARRED"})
    await stage.engine.do(UndoChange(made))
    await agree(stage, message, {"UNREAD", "INBOX"})


async def test_two_clients_change_the_same_thread(stage: Stage) -> None:
    """Each label has the word of whoever changed it last; the others' changes stay."""
    message = await stage.ask()
    rules = [stage.sandbox.faults.add("503", method, times=0) for method in CHANGING]
    await stage.engine.do(ChangeLabels(key(), (message.thread_id,), ("STARRED",), ("INBOX",)))
    stage.sandbox.mail.label(message.gmail_id, add=["IMPORTANT"], remove=["UNREAD"])
    await stage.engine.do(SyncNow())
    await stage.engine.until(lambda: local(stage, message) == {"STARRED", "IMPORTANT"})
    assert rules
    stage.sandbox.faults.clear()
    await agree(stage, message, {"STARRED", "IMPORTANT"})
    stage.sandbox.mail.label(message.gmail_id, add=["INBOX"], remove=["STARRED"])
    await stage.engine.do(SyncNow())
    await agree(stage, message, {"INBOX", "IMPORTANT"})


async def test_another_client_has_the_last_word_while_our_change_is_on_its_way(stage: Stage) -> None:
    """Ours has arrived, its answer has not; sync tells of the other's change in between, and then of nothing more."""
    message = await stage.ask()
    stage.sandbox.faults.add("slow", CHANGING[0], when="after", seconds=2.0)
    await stage.engine.do(ChangeLabels(key(), (message.thread_id,), ("STARRED",), ("INBOX",)))
    await stage.engine.until(lambda: served(stage, message) == {"UNREAD", "STARRED"})
    stage.sandbox.mail.label(message.gmail_id, add=["INBOX"], remove=["STARRED"])
    await stage.engine.do(SyncNow())
    await stage.engine.until(lambda: [one.state for one in items(stage)] == [OutboxState.SENT])
    await agree(stage, message, {"UNREAD", "INBOX"})


async def test_what_the_server_refuses_is_shown_as_it_really_is(stage: Stage) -> None:
    message, other = await stage.ask(), await stage.ask()
    rules = [stage.sandbox.faults.add("503", method, times=0) for method in CHANGING]
    await stage.engine.do(ChangeLabels(key(), (message.thread_id,), ("Label_99",), ("INBOX",)))
    await stage.engine.do(ChangeLabels(key(), (other.thread_id,), (), ("INBOX",)))
    for rule in rules:
        stage.sandbox.faults.remove(rule)
    await agree(stage, other, {"UNREAD"})
    await agree(stage, message, {"UNREAD", "INBOX"})
    await stage.engine.until(lambda: sorted(str(one.state) for one in items(stage)) == ["held", "sent"])


async def test_what_the_server_puts_off_is_done_a_little_later(stage: Stage) -> None:
    message = await stage.ask()
    for method in (CHANGING[0], "gmail.users.labels.create"):
        stage.sandbox.faults.add("400-precondition", method, times=1)
    await stage.engine.do(CreateLabel(key(), message.account_id, "Trips", (message.thread_id,), ("INBOX",)))
    await agree(stage, message, {"UNREAD", "Label_1"})
    await stage.engine.until(lambda: {one.state for one in items(stage)} == {OutboxState.SENT})
    assert [one.attempts for one in items(stage)] == [2, 2]


async def test_what_the_server_puts_off_for_ever_is_held_until_the_user_says(stage: Stage) -> None:
    """Shown as it really is; done once more, or discarded; and nothing behind it waits for it."""
    again, never = await stage.ask(), await stage.ask()
    rules = [stage.sandbox.faults.add("400-precondition", method, times=0) for method in CHANGING]
    await stage.engine.do(ChangeLabels(key(), (again.thread_id,), ("STARRED",), ("INBOX",)))
    await stage.engine.do(ChangeLabels(key(), (never.thread_id,), ("TRASH",), ("INBOX",)))
    await stage.engine.until(lambda: [one.state for one in items(stage)] == [OutboxState.HELD] * 2)
    assert {one.reason for one in items(stage)} == {HoldReason.REJECTED_BY_SERVER}
    for message in (again, never):
        await agree(stage, message, {"UNREAD", "INBOX"})
    for rule in rules:
        stage.sandbox.faults.remove(rule)
    first, second = items(stage)
    await stage.engine.do(SendNow(first.id))
    await stage.engine.do(CancelSend(second.id))
    await agree(stage, again, {"UNREAD", "STARRED"})
    await agree(stage, never, {"UNREAD", "INBOX"})
    assert [one.state for one in items(stage)] == [OutboxState.SENT, OutboxState.CANCELLED]


async def test_a_message_deleted_elsewhere_holds_nothing_up(stage: Stage) -> None:
    gone, there = await stage.ask(), await stage.ask()
    stage.sandbox.mail.delete(gone.gmail_id)
    await stage.engine.do(ChangeLabels(key(), (gone.thread_id, there.thread_id), (), ("INBOX",)))
    await agree(stage, there, {"UNREAD"})
    await stage.engine.until(lambda: stage.engine.reader.message(gone.id) is None)


async def test_a_snoozed_thread_comes_back_also_after_a_crash(stage: Stage) -> None:
    message = await stage.ask()
    until = datetime.now(UTC) + timedelta(hours=1)
    await stage.engine.do(ChangeLabels(key(), (message.thread_id,), (), ("UNREAD",)))
    await stage.engine.do(Snooze(key(), (message.thread_id,), int(until.timestamp() * 1000)))
    await agree(stage, message, set())
    with opened(stage.data) as db:
        assert snoozed_until(Snoozes(db, lambda: datetime.now(UTC)), message.thread_id) is not None
    await stage.crash()
    with opened(stage.data) as db, db.transaction() as connection:
        connection.execute("UPDATE snoozes SET until = until - 3600000")  # the hour has passed
    await stage.restart()
    await agree(stage, message, {"INBOX", "UNREAD"})


async def test_what_cannot_be_is_said(stage: Stage) -> None:
    message = await stage.ask()
    for change in (
        ChangeLabels(key(), (message.thread_id,), ("SENT",), ()),
        ChangeLabels(key(), (ThreadId(999),), (), ("INBOX",)),
        UndoChange("never made"),
        Snooze(key(), (message.thread_id,), 1000),
    ):
        await refused(stage, change)
    assert local(stage, message) == {"INBOX", "UNREAD"}


async def refused(stage: Stage, change: Change) -> None:
    """The change fails with words."""
    after = len(stage.engine.seen)
    await stage.engine.do(change)
    failed = await stage.engine.event(CommandFailed, lambda one: one.command == type(change).__name__, after)
    assert failed.code in {"refused", "not_found"}


async def test_thousands_at_once(tmp_path: Path) -> None:
    """One command, two requests, and one way back."""
    write_mbox(tmp_path / "mail.mbox", 1300)
    with running_sandbox("--mbox", tmp_path / "mail.mbox", "--me", ME) as sandbox:
        async with running_engine(tmp_path / "box", sandbox.url, sandbox.token) as engine:
            await engine.event(SyncProgress, lambda one: one.phase is SyncPhase.CURRENT)
            stage = Stage(tmp_path / "box", sandbox, engine)
            with opened(stage.data) as db:
                rows = db.read("SELECT id FROM threads ORDER BY id")
            threads = tuple(ThreadId(row[0]) for row in rows)
            before = {one["id"]: set(one["labelIds"]) for one in sandbox.dump()["messages"]}
            made = key()
            await engine.do(ChangeLabels(made, threads, ("IMPORTANT",), ()))
            await engine.until(lambda: all(one.state is OutboxState.SENT for one in items(stage)))
            now = {one["id"]: set(one["labelIds"]) for one in sandbox.dump()["messages"]}
            assert all("IMPORTANT" in labels for labels in now.values())
            assert stage.sends()[CHANGING[1]] <= 4
            await engine.do(UndoChange(made))
            await engine.until(lambda: {one["id"]: set(one["labelIds"]) for one in sandbox.dump()["messages"]} == before)
