"""The outbox in words, and what may be done with an item."""

from contextlib import closing
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Action, ReviewStatus
from app.domain.ids import GmailId, OutboxId, ThreadId
from app.domain.mail.message import SystemLabel
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxKind, OutboxState
from app.domain.protocol.changes import UndoChange
from app.domain.protocol.commands import CancelSend, Decide, DraftReply, SendNow
from app.domain.protocol.events import ConnectionChanged, ConnectionState, OutboxChanged
from app.domain.record import replace
from app.store.mail.label_actions import Actions
from app.store.outbox import Outbox, insert_item
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.pages.outbox import OutboxPage, explained, outbox_chip, reason_words, send_words
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import ANA, LivelyStore
from fakes.engine.store.values import new_outbox
from fakes.window.keyboard import press
from fakes.window.recorded_engine import RecordedEngine


@pytest.fixture
def page(window: MainWindow) -> OutboxPage:
    window.show_page("outbox")
    window.activateWindow()
    made = window.page("outbox")
    assert isinstance(made, OutboxPage)
    return made


def choose(page: OutboxPage, state: OutboxState) -> int:
    key = next(key for key, row in page._rows.items() if row.item.state is state)
    page.list.select_row(page.model.row_of(key))
    return key


@pytest.fixture
def item(store: LivelyStore) -> OutboxItem:
    """A mail on its way."""
    with closing(SqliteMailboxReader(store.path)) as reader:
        return next(row.item for row in reader.outbox() if row.item.state is OutboxState.QUEUED)


def test_every_state_and_reason_has_words(item: OutboxItem) -> None:
    said = {outbox_chip(replace(item, state=state)) for state in OutboxState}
    assert len(said) == len(OutboxState)
    assert len({reason_words(reason) for reason in HoldReason}) == len(HoldReason)
    assert reason_words("") == reason_words("never heard of")
    done = {outbox_chip(replace(item, state=OutboxState.SENT, kind=kind)) for kind in OutboxKind}
    assert len(done) == len(OutboxKind)


def test_states_say_what_may_be_done(page: OutboxPage, window: MainWindow) -> None:
    for state, may_leave, word in (
        (OutboxState.QUEUED, True, "Will send at"),
        (OutboxState.HELD, True, "newer email"),
        (OutboxState.UNCERTAIN, False, "Gmail"),
        (OutboxState.SENT, False, "Sent."),
    ):
        choose(page, state)
        assert window.actions_by_id["outbox.cancel"].isEnabled() is may_leave, state
        assert window.actions_by_id["outbox.send"].isEnabled() is may_leave, state
        assert word in page.words.text()


@pytest.mark.parametrize(
    ("left", "waiting", "words"),
    [
        (timedelta(seconds=9.5), "", "Sending in 10 s. You can cancel until then."),
        (timedelta(seconds=1), "", "Sending in 1 s. You can cancel until then."),
        (timedelta(minutes=5), "", "Will send at"),
        (timedelta(days=2), "", "Will send on"),
        (timedelta(hours=-1), "", "Will send when back online."),
        (timedelta(seconds=9), "Offline.", "Offline. Not before"),
    ],
)
def test_what_waits_is_told_when_it_goes(item: OutboxItem, left: timedelta, waiting: str, words: str) -> None:
    assert explained(item, item.not_before - left, waiting).startswith(words)


def test_label_changes_are_a_page_of_their_own_and_can_be_undone(
    page: OutboxPage, window: MainWindow, store: LivelyStore, link: RecordedEngine
) -> None:
    """Archiving does not bury the mail that is on its way; what needs attention stays in sight."""
    actions = Actions(store.db, store.clock)
    before = list(page.model.ids)
    (changed,) = actions.change("k1", (store.mails["m04"].thread_id,), (), ("INBOX",)).outbox_ids
    page.touch_now()
    assert list(page.model.ids) == before
    window.show_page("activity")
    made = next(one for one in window.page("activity").findChildren(QPushButton) if one.text() == "Mailbox changes")
    made.click()
    changes = window.page("changes")
    assert isinstance(changes, OutboxPage)
    assert list(changes.model.ids) == [changed]
    changes.take_focus()
    press("U")
    assert link.commands[-1] == UndoChange("k1")
    actions.undo("k1")
    changes.touch_now()
    assert not window.actions_by_id["outbox.undo"].isVisible(), "it is undone already"


def test_the_text_of_what_is_on_its_way_can_be_read(page: OutboxPage, store: LivelyStore) -> None:
    mime = (
        b"To: ana@x.org\r\nCc: bob@x.org\r\nBcc: boss@x.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b"
        b"\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nHello Ana,\r\nit is 12 EUR.\r\n--b\r\n"
        b'Content-Type: application/pdf\r\nContent-Disposition: attachment; filename="Offer 2026.pdf"\r\n\r\nx\r\n--b--\r\n'
    )
    item = replace(new_outbox(), account_id=store.account_id, mime=mime, subject="")
    with store.db.transaction() as connection:
        outbox_id = insert_item(connection, item, store.now)
    page.touch_now()
    page.list.select_row(page.model.row_of(outbox_id))
    assert page.text.isVisible() and "it is 12 EUR." in page.text.toPlainText()
    assert page.people.text() == "To: ana@x.org\nCc: bob@x.org\nBcc: boss@x.org\nFiles: Offer 2026.pdf"
    assert page._subject.text() == "(no subject)"


def test_what_waits_is_taken_back_to_be_edited(
    window: MainWindow, page: OutboxPage, store: LivelyStore, link: RecordedEngine
) -> None:
    key = choose(page, OutboxState.QUEUED)
    page.take_focus()
    press("E")
    assert link.commands == [CancelSend(key)]  # type: ignore[arg-type]
    page.refresh()
    assert window.name == "outbox", "it may be sent yet"
    with store.db.transaction() as connection:
        connection.execute("UPDATE outbox SET state = 'cancelled' WHERE id = ?", (key,))
    page.refresh()
    assert window.name in ("review", "drafts")


def test_keys_cancel_and_send(
    qtbot: QtBot, page: OutboxPage, window: MainWindow, store: LivelyStore, link: RecordedEngine
) -> None:
    key = OutboxId(choose(page, OutboxState.QUEUED))
    page.take_focus()
    press("X")
    toast = window.findChild(Toast)
    assert link.commands == [CancelSend(key)] and toast is not None and "back to Review" in toast.words.text()
    press("Ctrl+Return")
    assert link.commands[-1] == SendNow(key)
    Outbox(store.db, store.clock).move(key, OutboxState.QUEUED, OutboxState.CANCELLED)
    link.tell(OutboxChanged((key,)))
    qtbot.waitUntil(lambda: page.item is not None and page.item.state is OutboxState.CANCELLED)
    assert "Nothing was sent" in page.words.text()


@pytest.mark.parametrize("kind", [one for one in OutboxKind if one is not OutboxKind.SEND])
def test_no_sentence_says_of_what_is_no_mail_that_it_goes_out(item: OutboxItem, store: LivelyStore, kind: OutboxKind) -> None:
    item = replace(item, kind=kind)
    for days in (-1, 0.01, 2):
        due = replace(item, state=OutboxState.QUEUED, not_before=store.now + timedelta(days=days))
        assert explained(due, store.now).startswith("Will be done")
    others = set(OutboxState) - {OutboxState.QUEUED, OutboxState.HELD, OutboxState.DRAFTED, OutboxState.SENDING}
    said = [explained(replace(item, state=state), store.now) for state in others]
    said += [reason_words(reason, kind) for reason in (HoldReason.REJECTED_BY_SERVER, HoldReason.PERMISSION_MISSING)]
    said.append(reason_words(HoldReason.NOT_CONFIRMED, kind))
    for words in said:
        assert not any(wrong in words for wrong in ("sent", "send", "Sent", "is sent", "recipients"))


@pytest.mark.parametrize(
    ("state", "kept_back", "mail", "other"),
    [
        (OutboxState.QUEUED, False, "Send now", "Do it now"),
        (OutboxState.QUEUED, True, "Send as soon as possible", "Do it as soon as possible"),
        (OutboxState.HELD, False, "Send anyway", "Do it anyway"),
    ],
)
def test_only_mail_is_said_to_be_sent(item: OutboxItem, state: OutboxState, kept_back: bool, mail: str, other: str) -> None:
    shown = replace(item, state=state)
    assert send_words(shown, kept_back) == mail
    assert send_words(replace(shown, kind=OutboxKind.MODIFY), kept_back) == other


def test_offline_nothing_is_promised_now(page: OutboxPage, link: RecordedEngine, store: LivelyStore) -> None:
    choose(page, OutboxState.QUEUED)
    assert page.item is not None
    for state, word in (
        (ConnectionState.OFFLINE, "offline"),
        (ConnectionState.LOGIN_NEEDED, "sign in"),
        (ConnectionState.PAUSED, "paused"),
    ):
        link.tell(ConnectionChanged(store.account_id, state, 0, ""))
        page.refresh()
        waiting = page.words.text()
        assert word in waiting
        assert "Not before" in waiting
        assert waiting in str(
            page.model.data(page.model.index(page.model.row_of(page.item.id), 0), int(Qt.ItemDataRole.AccessibleTextRole))
        )
    unsure = replace(page.item, state=OutboxState.UNCERTAIN)
    assert "Checking Gmail now" not in explained(unsure, store.now, "You are offline.")
    link.tell(ConnectionChanged(store.account_id, ConnectionState.ONLINE, 0, ""))
    page.refresh()
    assert page.words.text().startswith("Will send at")


def test_who_wrote_again_is_named_and_answered_anew(
    page: OutboxPage, window: MainWindow, store: LivelyStore, link: RecordedEngine
) -> None:
    key = choose(page, OutboxState.HELD)
    row = page._rows[key]
    page._rows[key] = replace(row, item=replace(row.item, expected_tip=GmailId("before")))
    page.list.chosen.emit(key)
    assert page.item is not None
    mails = [one for one in page.context.reader.messages(page.item.thread_id) if SystemLabel.SENT not in one.labels]
    assert mails[-1].sender.name in page.words.text()
    redraft = window.actions_by_id["outbox.redraft"]
    assert redraft.isEnabled() and redraft.isVisible()
    press("R", on=page.list)
    assert link.commands == [CancelSend(page.item.id), DraftReply(mails[-1].id)]
    choose(page, OutboxState.QUEUED)
    assert not redraft.isVisible()


def test_what_is_not_confirmed_is_looked_for_in_sent(page: OutboxPage, window: MainWindow) -> None:
    choose(page, OutboxState.SENT)
    look = window.actions_by_id["outbox.look"]
    assert not look.isVisible()
    choose(page, OutboxState.UNCERTAIN)
    assert look.isVisible()
    press("S", on=page.list)
    assert window.name == "sent"


def test_nothing_is_offered_that_waits_for_the_server_anyway(
    page: OutboxPage, window: MainWindow, link: RecordedEngine, store: LivelyStore
) -> None:
    key = choose(page, OutboxState.QUEUED)
    send = window.actions_by_id["outbox.send"]
    (button,) = [one for one in page.findChildren(QPushButton) if one.text() == "Send now"]
    link.tell(ConnectionChanged(store.account_id, ConnectionState.OFFLINE, 0, ""))
    page.refresh()
    assert (send.isEnabled(), send.text()) == (True, "Send as soon as possible"), "its time is still to come, and can be now"
    send.trigger()
    assert link.commands == [SendNow(key)]  # type: ignore[arg-type]
    toast = window.findChild(Toast)
    assert toast is not None and "offline" in toast.words.text(), "it is not on its way"
    row = page._rows[key]
    due = replace(row, item=replace(row.item, not_before=store.now))
    page._rows[key] = due
    page.list.chosen.emit(key)
    assert button.isVisible() and not button.isEnabled()
    assert (button.text(), "offline" in button.toolTip()) == ("Send now", True)
    assert button.accessibleDescription() == button.toolTip()
    link.tell(ConnectionChanged(store.account_id, ConnectionState.ONLINE, 0, ""))
    page.list.chosen.emit(key)
    assert button.isEnabled() and "offline" not in button.toolTip() + button.accessibleDescription()
    link.tell(ConnectionChanged(store.account_id, ConnectionState.PAUSED, 0, ""))
    page.refresh()
    assert send.isEnabled()
    store.now += timedelta(hours=1)
    page._timer.timeout.emit()
    assert not send.isEnabled(), "it became due while one looks"
    choose(page, OutboxState.HELD)
    assert send.isEnabled(), "what is held needs the user's word, online or not"


def test_the_conversation_opens_if_the_mail_answers_one(
    page: OutboxPage, window: MainWindow, store: LivelyStore, link: RecordedEngine
) -> None:
    choose(page, OutboxState.QUEUED)
    assert page.to_thread.isVisibleTo(page)
    draft = Draft((ANA,), (), (), "Report", "Here it is.", "openai/gpt")
    review_id = store.ask_for("new", draft)
    new = replace(new_outbox(review_id, "<new@replyroom>", store.now), account_id=store.account_id, thread_id=ThreadId(0))
    decided = store.desk().decide(Decide(review_id, 1, Action.ACCEPT, draft), new, ReviewStatus.APPROVED, None)
    link.tell(OutboxChanged((OutboxId(decided.outbox_id),)))
    page.refresh()
    page.list.select_row(page.model.row_of(decided.outbox_id))
    assert page.item is not None and page.item.id == decided.outbox_id
    assert not page.to_thread.isVisibleTo(page)
    choose(page, OutboxState.HELD)
    page.to_thread.click()
    assert window.name == "all"
    assert window.mail_page.reading.thread_id is not None
