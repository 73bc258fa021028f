"""Letters in the store: kept as typed, sent once, taken back, and their drafts in Gmail accounted for."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import GmailDraftId, GmailId, LetterId, OutboxId
from app.domain.mail.letter import (
    MOST_FILE_BYTES,
    Letter,
    LetterKind,
    LetterState,
    RemoteDraftChange,
    Style,
    StyleKind,
)
from app.domain.mail.message import Address, RemoteMessage
from app.domain.mail.outbox import OutboxKind, OutboxState
from app.domain.protocol.views import MailView
from app.domain.record import replace
from app.engine.runtime.tables import Tables, open_tables
from app.store.letters.gmail_drafts import LetterDrafts
from app.store.letters.letters import Letters, NewFile, Templates
from app.store.letters.waiting import WaitingMail
from app.store.mail.sync_page import SyncPage
from app.store.outbox import NewOutbox
from app.store.reader.mailbox_reader import SqliteMailboxReader
from fakes.engine.store.empty import prepared
from fakes.engine.store.values import ANA, ME, NOON, HandClock, remote

ID = LetterId("11111111-0000-4000-8000-000000000001")
LETTER = Letter(ID, 1, LetterKind.NEW, to=(ANA,), subject="Hello", body="Hi Ana", styles=(Style(0, 2, StyleKind.BOLD),))  # type: ignore[arg-type]


@pytest.fixture
def clock() -> HandClock:
    """A clock that the test moves."""
    return HandClock()


@pytest.fixture
def tables(tmp_path: Path, clock: HandClock) -> Iterator[Tables]:
    """A store with one account."""
    made = open_tables(prepared(tmp_path / "mail.db"), clock)
    made.accounts.add(ME.email, ME.name, (ME.email,), "", "#112233")
    yield made
    made.db.close()


@pytest.fixture
def letters(tables: Tables, clock: HandClock) -> Letters:
    return Letters(tables.db, clock)


@pytest.fixture
def drafts(tables: Tables, clock: HandClock) -> LetterDrafts:
    """The same table as the keeper of drafts sees it."""
    return LetterDrafts(tables.db, clock)


def item(clock: HandClock, marker: str = "<a@replyroom.invalid>") -> NewOutbox:
    """What leaves."""
    return NewOutbox(LETTER.account_id, OutboxKind.SEND, clock(), "Hello", to=ANA.email, mime=b"mime", marker=marker)


def test_files_are_copied_and_limited(letters: Letters) -> None:
    letters.save(LETTER, 1)
    letters.attach(ID, (NewFile("a.txt", "text/plain", 2, b"ab"), NewFile("b", "x/y", 9, None, "g1", "2")))
    first, second = letters.get(ID).files
    assert (first.name, first.here, second.here) == ("a.txt", True, False)
    assert [one.data for one in letters.files(ID)] == [b"ab", b""]
    with pytest.raises(NotAllowed, match="25 MB"):
        letters.attach(ID, (NewFile("c", "x/y", MOST_FILE_BYTES, b""),))
    letters.remove_file(ID, first.id)
    assert [one.name for one in letters.get(ID).files] == ["b"]


def test_a_file_that_was_taken_off_comes_back_until_the_letter_is_closed(letters: Letters, drafts: LetterDrafts) -> None:
    letters.save(LETTER, 1)
    letters.attach(ID, (NewFile("a.txt", "text/plain", 2, b"ab"), NewFile("b", "x/y", 9, None, "g1", "2")))
    first, second = letters.get(ID).files
    letters.remove_file(ID, first.id)
    letters.remove_file(ID, second.id)
    assert not letters.get(ID).files
    assert not letters.files(ID)
    assert not drafts.waiting_for_files()
    assert not drafts.wanted_files(ID)
    for one in (second, first, first):
        letters.restore_file(ID, one.id)
    assert letters.get(ID).files == (first, second), "in the places of before"
    assert [one.data for one in letters.files(ID)] == [b"ab", b""]
    assert drafts.waiting_for_files() == (ID,)
    letters.remove_file(ID, first.id)
    letters.attach(ID, (NewFile("c", "x/y", MOST_FILE_BYTES - 10, b""),))
    with pytest.raises(NotAllowed, match="25 MB"):
        letters.restore_file(ID, first.id)
    letters.close(ID)
    with pytest.raises(NotFound, match="no longer available"):
        letters.restore_file(ID, first.id)
    assert len(letters.get(ID).files) == 2


def test_a_letter_leaves_once_and_can_come_back(letters: Letters, tables: Tables, clock: HandClock) -> None:
    letters.save(LETTER, 1)
    outbox_id = letters.leave(replace(LETTER, body="Final"), 2, item(clock))
    assert letters.leave(LETTER, 3, item(clock, "<b@replyroom.invalid>")) == outbox_id
    assert len(tables.db.read("SELECT id FROM outbox")) == 1
    letters.save(replace(LETTER, body="late key"), 9)
    assert letters.get(ID).letter.body == "Final"
    assert letters.take_back(OutboxId(77), GmailId("")) is None
    assert letters.take_back(outbox_id, GmailId("tip")) == ID
    assert letters.get(ID).state is LetterState.OPEN
    assert letters.seen_tip(ID) == "tip"
    assert tables.outbox.get(outbox_id).state is OutboxState.CANCELLED
    with pytest.raises(NotAllowed, match="changed"):  # the command came twice: what was taken back does not leave after all
        letters.leave(LETTER, 2, item(clock, "<c@replyroom.invalid>"))
    again = letters.leave(LETTER, 12, item(clock, "<c@replyroom.invalid>"))
    assert again != outbox_id


def test_what_is_on_its_way_is_not_taken_back(letters: Letters, tables: Tables, clock: HandClock, drafts: LetterDrafts) -> None:
    letters.save(LETTER, 1)
    outbox_id = letters.leave(LETTER, 2, item(clock))
    tables.outbox.move(outbox_id, OutboxState.QUEUED, OutboxState.DRAFTING)
    with pytest.raises(NotAllowed):
        letters.take_back(outbox_id, GmailId(""))
    tables.outbox.move(outbox_id, OutboxState.DRAFTING, OutboxState.SENT)
    assert drafts.settle() == (ID,)
    assert letters.get(ID).state is LetterState.SENT
    with pytest.raises(NotAllowed):
        letters.discard(ID)


def test_a_draft_is_written_after_a_pause_and_deleted_after_the_letter(
    letters: Letters, drafts: LetterDrafts, clock: HandClock
) -> None:
    letters.save(replace(LETTER, body="  "), 1)
    assert not drafts.to_write(clock())
    letters.save(LETTER, 2)
    assert not drafts.to_write(clock() - timedelta(seconds=5))
    assert drafts.next_write() == NOON
    clock.pass_s(5)
    (work,) = drafts.to_write(clock() - timedelta(seconds=5))
    drafts.doubtful(ID)
    assert drafts.to_write(clock())[0].look_for == work.marker
    drafts.written(ID, work.changes, GmailDraftId("d"), GmailId("g"))
    assert not drafts.to_write(clock())
    assert letters.get(ID).in_gmail
    letters.save(replace(LETTER, body="more"), 3)
    assert not letters.get(ID).in_gmail
    assert [one.stored.letter.id for one in drafts.with_drafts([GmailId("g")])] == [ID]
    assert not drafts.to_delete()
    letters.discard(ID)
    assert drafts.to_delete()[0].draft_id == "d"
    drafts.found(ID, GmailDraftId(""), GmailId(""))
    assert not drafts.to_delete()


def test_a_draft_that_changed_elsewhere_waits_for_the_user(letters: Letters, drafts: LetterDrafts, clock: HandClock) -> None:
    letters.save(LETTER, 1)
    drafts.written(ID, 1, GmailDraftId("d"), GmailId("g"))
    letters.attach(ID, (NewFile("old", "x/y", 3, b"old"),))
    drafts.changed_elsewhere(ID, RemoteDraftChange.EDITED)
    letters.save(replace(LETTER, body="mine"), 2)
    assert not drafts.to_write(clock())
    drafts.keep_ours(ID, GmailDraftId("d"), GmailId("g2"))
    assert drafts.to_write(clock())[0].draft_gmail_id == "g2"
    files = (NewFile("new", "x/y", 9, None, "g2", "1"),)
    drafts.replace_with_gmail(replace(LETTER, body="theirs"), files, GmailDraftId("d"), GmailId("g2"))
    stored = letters.get(ID)
    assert (stored.letter.body, stored.letter.signed, stored.in_gmail, stored.revision) == ("theirs", False, True, 3)
    assert [(one.name, one.here) for one in stored.files] == [("new", False)]
    assert not drafts.to_write(clock())


BOB = Address("bob@x.org", "Bob")


def asks(key: str, thread: str, text: str = "When does it come?", minutes: int = -600) -> RemoteMessage:
    """A mail of the owner to Bob."""
    made = remote(key, thread, labels=("SENT",), sender=ME, to=(BOB,), minutes=minutes)
    return replace(made, body_text=text)


def test_only_a_question_of_the_owner_waits_and_the_newest_comes_first(tables: Tables, tmp_path: Path) -> None:
    """Price answers, thanks and refusals were listed for weeks."""
    mails = (
        asks("s1", "t1", "Can you send them with the next parcel?", -900),
        asks("s2", "t2", "A full service costs 1,890 crowns. Let me know if you have any questions.", -800),
        asks("s3", "t3", "Thank you for the photos, they are lovely.", -700),
        asks("s4", "t4", "No, thank you, we have enough of them.", -600),
        asks("s5", "t5", "Would Friday at ten suit you?", -500),
        replace(
            remote("o5", "t5", minutes=-450), subject="Automatic reply: Friday", headers=(("Auto-Submitted", "auto-replied"),)
        ),
        asks("s6", "t6", "Which of the two do you want?", -400),
        asks("n6", "t6", "By the way, the red one is lighter.", -390),
    )
    tables.messages.apply(LETTER.account_id, SyncPage(messages=mails))
    reader = SqliteMailboxReader(tmp_path / "mail.db")
    found = reader.waiting(NOON - timedelta(minutes=60), NOON - timedelta(days=10))
    assert [one.sentence for one in found] == [
        "Which of the two do you want?",
        "Would Friday at ten suit you?",
        "Can you send them with the next parcel?",
    ]
    reader.close()


def test_sent_mail_waits_until_answered_or_dismissed(tables: Tables, tmp_path: Path) -> None:
    bob = BOB
    mails = (
        asks("s1", "t1", minutes=-600),
        asks("s2", "t2", minutes=-500),
        remote("a2", "t2", minutes=-400),
        replace(asks("s3", "t3", minutes=-300), to=(ME,)),
        asks("s4", "t4", minutes=-5),
        remote("d1", "t1", labels=("DRAFT",), sender=ME, to=(bob,), minutes=-1),
    )
    tables.messages.apply(LETTER.account_id, SyncPage(messages=mails))
    reader = SqliteMailboxReader(tmp_path / "mail.db")
    around = (NOON - timedelta(minutes=60), NOON - timedelta(days=10))
    (row,) = reader.waiting(*around)
    assert (row.to, row.sentence, row.sent_at) == ((bob,), "When does it come?", NOON - timedelta(minutes=600))
    waiting = WaitingMail(tables.db, tables.clock)
    waiting.dismiss(row.message_id, True)
    assert not reader.waiting(*around)
    waiting.dismiss(row.message_id, False)
    assert len(reader.waiting(*around)) == 1
    reader.close()


@pytest.fixture
def reminding(tables: Tables, letters: Letters, clock: HandClock) -> OutboxId:
    """A sent letter whose owner wants to be reminded in two days if nobody answers."""
    asked = replace(LETTER, remind_at_ms=int((NOON + timedelta(days=2)).timestamp() * 1000))
    letters.save(asked, 1)
    outbox_id = letters.leave(asked, 1, item(clock, "<reminded@x>"))
    sent = replace(asks("s9", "t9", "Here is the plan.", minutes=5), rfc822_id="<reminded@x>", labels=frozenset({"SENT"}))
    tables.messages.apply(LETTER.account_id, SyncPage(messages=(sent,)))
    return outbox_id


def test_without_a_reply_the_conversation_returns_to_the_inbox(
    tables: Tables, clock: HandClock, reminding: OutboxId, tmp_path: Path
) -> None:
    reader = SqliteMailboxReader(tmp_path / "mail.db")
    around = (NOON, NOON - timedelta(days=10))
    (row,) = reader.waiting(*around)
    assert row.remind_at == NOON + timedelta(days=2), "listed although it asks nothing"
    assert not tables.waiting.return_due().threads
    clock.pass_s(2 * 24 * 3600 + 1)
    assert tables.waiting.return_due().threads == {LETTER.account_id: (row.thread_id,)}
    assert row.thread_id in reader.thread_ids(MailView.INBOX)
    assert reader.thread_rows([row.thread_id])[row.thread_id].no_reply
    assert not tables.waiting.return_due().threads, "it returns once"
    tables.waiting.dismiss(row.message_id, True)
    assert not reader.thread_rows([row.thread_id])[row.thread_id].no_reply
    assert not reader.waiting(*around)
    tables.waiting.dismiss(row.message_id, False)
    answer = remote("a9", "t9", minutes=2 * 24 * 60 + 30)
    tables.messages.apply(LETTER.account_id, SyncPage(messages=(answer,)))
    assert not reader.thread_rows([row.thread_id])[row.thread_id].no_reply, "answered after all"
    reader.close()


def test_a_reply_cancels_the_reminder_and_an_automatic_one_does_not(
    tables: Tables, clock: HandClock, reminding: OutboxId
) -> None:
    away = replace(remote("o9", "t9", minutes=10), subject="Automatic reply", headers=(("Auto-Submitted", "auto-replied"),))
    tables.messages.apply(LETTER.account_id, SyncPage(messages=(away, remote("a9", "t9", minutes=60))))
    clock.pass_s(3 * 24 * 3600)
    assert not tables.waiting.return_due().threads


def test_what_the_owner_promised_is_listed_with_its_day_until_he_writes_again(tables: Tables, tmp_path: Path) -> None:
    mails = (
        asks("s1", "t1", "I will send you the invoice by Friday.", -900),
        asks("s2", "t2", "I will call you tomorrow.", -800),
        asks("n2", "t2", "As promised, here is the offer.", -700),
    )
    tables.messages.apply(LETTER.account_id, SyncPage(messages=mails))
    reader = SqliteMailboxReader(tmp_path / "mail.db")
    (owed,) = reader.waiting(NOON - timedelta(minutes=60), NOON - timedelta(days=10))
    assert (owed.owed, owed.sentence) == (True, "I will send you the invoice by Friday.")
    assert owed.due.weekday() == 4
    reader.close()


def test_templates_are_kept_used_and_deleted(tables: Tables, clock: HandClock, tmp_path: Path) -> None:
    templates = Templates(tables.db, clock)
    with pytest.raises(NotAllowed):
        templates.save(0, " ", "", "text")
    thanks = templates.save(0, "Thanks", "", "Thank you, {{first name}}.")
    other = templates.save(0, "Another", "Offer", "Our offer: {{price}}")
    assert templates.save(0, "Thanks ", "", "Thank you, {{first name}}.") == thanks  # the command came twice
    templates.count_use(thanks)
    templates.save(other, "Offer", "Offer", "New text")
    assert [(one.name, one.body) for one in templates.all()] == [("Thanks", "Thank you, {{first name}}."), ("Offer", "New text")]
    templates.delete(thanks)
    assert [one.name for one in templates.all()] == ["Offer"]
    templates.restore(thanks)
    reader = SqliteMailboxReader(tmp_path / "mail.db")
    assert [one.name for one in reader.templates()] == ["Thanks", "Offer"]
    reader.close()
    with pytest.raises(NotFound):
        templates.delete(99)
