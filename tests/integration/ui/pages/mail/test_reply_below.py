"""Answers by hand below the message: sent and archived by one key, kept with their conversation, undone whole."""

import pytest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from app.domain.error_texts import Cause, ErrorText
from app.domain.ids import GmailDraftId, GmailId, OutboxId
from app.domain.protocol.changes import ChangeLabels
from app.domain.protocol.events import CommandFailed, Initiator, MailChanged
from app.domain.protocol.letter_commands import LetterChanged, SendLetter
from app.domain.record import replace
from app.store.letters.gmail_drafts import LetterDrafts
from app.store.letters.letters import Letters, Templates
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.ui.pages.compose.editor import LetterTextEditor
from app.ui.pages.compose.new_letter import answer
from app.ui.pages.mail.page import MailPage
from app.ui.pages.mail.reply_below import ReplyBelow
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import NEW, OWNER, LivelyStore, Mail
from fakes.window.keyboard import press
from fakes.window.recorded_engine import RecordedEngine


@pytest.fixture
def page(window: MainWindow, store: LivelyStore, qtbot: QtBot) -> MailPage:
    """The inbox at a conversation that has a draft."""
    window.activateWindow()
    window.show_page("inbox")
    page = window.mail_page
    page.list.select_row(page.model.row_of(store.mails["m04"].thread_id))
    qtbot.waitUntil(lambda: page.reading.settled and page.desk.draft.isVisible())
    page.take_focus()
    return page


def begin(qtbot: QtBot, page: MailPage, words: str) -> ReplyBelow:
    press("R")
    editor = QApplication.focusWidget()
    assert isinstance(editor, LetterTextEditor)
    qtbot.keyClicks(editor, words)
    made = page.findChild(ReplyBelow)
    assert made is not None and made.isVisible()
    return made


def sent(link: RecordedEngine) -> list[SendLetter]:
    return [one for one in link.commands if isinstance(one, SendLetter)]


def leave(link: RecordedEngine, store: LivelyStore, command: SendLetter, state: str = "leaving") -> None:
    until_ms = int(store.now.timestamp() * 1000) + 10_000 if state == "leaving" else 0
    link.tell(LetterChanged(command.letter.id, command.revision, state, OutboxId(9), until_ms))


def test_one_key_sends_and_archives_and_leads_on(
    qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine, window: MainWindow
) -> None:
    thread = page.reading.thread_id
    below = begin(qtbot, page, "Ten suits me. ")
    assert window.name == "inbox"
    assert not page.desk.draft.isVisible(), "one answer at a time"
    press("Ctrl+Return")
    (command,) = sent(link)
    assert (command.letter.about, command.archive) == (store.mails["m04"].id, True)
    leave(link, store, command)
    assert below.isHidden()
    assert page.reading.thread_id != thread, "the next conversation"
    assert page.list.hasFocus()


def test_a_message_that_came_while_writing_stays_unread(
    qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine
) -> None:
    begin(qtbot, page, "Ten suits me. ")
    store.put(Mail("late", store.mails["m04"].gmail_thread_id, OWNER, "Re: Later", "Never mind.", 0, labels=NEW))
    store.put(Mail("draft", store.mails["m05"].gmail_thread_id, OWNER, "Re: Draft", "Mine", 0, labels=frozenset({"DRAFT"})))
    link.commands.clear()
    press("Ctrl+Return")
    assert sent(link)
    assert not [one for one in link.commands if isinstance(one, ChangeLabels)]
    page.list.select_row(page.model.row_of(store.mails["m05"].thread_id))
    qtbot.waitUntil(lambda: page.reading.settled and page.reading.thread_id == store.mails["m05"].thread_id)
    begin(qtbot, page, "Thank you. ")
    link.commands.clear()
    press("Ctrl+Return")
    assert [one.remove for one in link.commands if isinstance(one, ChangeLabels)] == [("UNREAD",)]


def test_sending_without_archiving_is_remembered(qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine) -> None:
    thread = page.reading.thread_id
    begin(qtbot, page, "Ten suits me. ")
    press("Alt+Return")
    (command,) = sent(link)
    assert not command.archive
    leave(link, store, command)
    assert page.reading.thread_id == thread
    begin(qtbot, page, "And eleven. ")
    press("Ctrl+Return")
    assert not sent(link)[-1].archive


def test_an_answer_stays_with_its_conversation(qtbot: QtBot, page: MailPage, store: LivelyStore) -> None:
    below = begin(qtbot, page, "Half an answer")
    press("Escape")
    assert page.list.hasFocus() and below.isVisible()
    letter = below.card.letter()
    assert letter is not None
    press("J")
    qtbot.waitUntil(below.isHidden)
    Letters(store.db, store.clock).save(letter, 1)
    press("K")
    qtbot.waitUntil(below.isVisible)
    assert below.card.editor.toPlainText() == "Half an answer"
    assert page.list.hasFocus(), "the next key moves on, it is not typed into the answer"


def test_an_answer_outlives_its_conversation(
    qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine, window: MainWindow
) -> None:
    """What is typed after the conversation was deleted in Gmail is text, not keys for the next one."""
    begin(qtbot, page, "Half an")
    gone = store.mails["m04"]
    Messages(store.db).apply(gone.account_id, SyncPage(delete=(gone.gmail_id,)))
    link.commands.clear()
    link.tell(MailChanged(gone.account_id, (gone.thread_id,), Initiator.SYNC))
    qtbot.waitUntil(lambda: page.reading.settled and window.name == "compose")
    qtbot.keyClicks(QApplication.focusWidget(), " email")
    assert window.compose_page.card.editor.toPlainText() == "Half an email"
    changed = [one for one in link.commands if isinstance(one, ChangeLabels)]
    assert {thread for one in changed for thread in one.thread_ids} <= {gone.thread_id}, "no other one was changed"


def test_an_answer_stays_when_its_conversation_leaves_the_list(
    qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine
) -> None:
    """Archived on the phone, it is answered on: the focus stays in the text."""
    below = begin(qtbot, page, "Half an")
    about = store.mails["m04"]
    Messages(store.db).apply(about.account_id, SyncPage(remove_labels=((about.gmail_id, frozenset({"INBOX"})),)))
    link.tell(MailChanged(about.account_id, (about.thread_id,), Initiator.SYNC))
    qtbot.waitUntil(lambda: page.model.row_of(about.thread_id) < 0)
    qtbot.keyClicks(QApplication.focusWidget(), " email")
    assert below.isVisible() and below.card.editor.toPlainText() == "Half an email"
    assert page.reading.thread_id == about.thread_id


def test_what_comes_back_is_written_on(qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine) -> None:
    below = begin(qtbot, page, "Too early. ")
    press("Alt+Return")
    (command,) = sent(link)
    leave(link, store, command)
    Letters(store.db, store.clock).save(command.letter, command.revision)
    leave(link, store, command, "open")
    qtbot.waitUntil(below.isVisible)
    assert below.card.editor.toPlainText() == "Too early. "


def test_a_file_that_is_too_large_leaves_the_answer_to_send(
    qtbot: QtBot, page: MailPage, link: RecordedEngine, window: MainWindow
) -> None:
    """The whole page hears of it as well, and has no message open."""
    assert window.compose_page.letter_id is None
    begin(qtbot, page, "Here it is. ")
    link.tell(CommandFailed("AttachFile", "refused", ErrorText.of(Cause.FILE_TOO_LARGE, "big.zip")))
    assert all(window.context.actions[name].isEnabled() for name in ("compose.send", "compose.attach", "compose.discard"))
    press("Ctrl+Return")
    assert sent(link)


def test_an_answer_saved_in_gmail_is_written_on_below_its_conversation(
    qtbot: QtBot, page: MailPage, store: LivelyStore, window: MainWindow
) -> None:
    """Its copy in Gmail is a message of the conversation, which was not sent and is not shown as one."""
    about = store.mails["m04"]
    draft = Mail("d1", about.gmail_thread_id, OWNER, about.subject, "Ten suits me.", 1, labels=frozenset({"DRAFT"}))
    (account,) = window.context.reader.accounts()
    letter = replace(answer(about, account, everybody=False), body="Ten suits me.")
    Letters(store.db, store.clock).save(letter, 1)
    LetterDrafts(store.db, store.clock).found(letter.id, GmailDraftId("r1"), GmailId("d1"))
    store.put(draft)
    page.list.select_row(page.model.row_of(store.mails["m01"].thread_id))
    qtbot.waitUntil(lambda: page.reading.settled)
    page.list.select_row(page.model.row_of(about.thread_id))
    qtbot.waitUntil(lambda: (made := page.findChild(ReplyBelow)) is not None and made.isVisible())
    below = page.findChild(ReplyBelow)
    assert below is not None and below.card.editor.toPlainText() == "Ten suits me."
    assert page.reading.message is not None and page.reading.message.id == about.id
    assert page.list.hasFocus()


def test_a_template_is_put_in_by_its_name(qtbot: QtBot, page: MailPage, store: LivelyStore) -> None:
    Templates(store.db, store.clock).save(0, "hours", "", "We open at nine.")
    below = begin(qtbot, page, "Hello. ;ho")
    press("Tab")
    assert below.card.editor.toPlainText() == "Hello. We open at nine."
    qtbot.keyClicks(below.card.editor, " ;nothing")
    press("Tab")
    assert below.card.editor.toPlainText() == "Hello. We open at nine. ;nothing", "an unknown name stays"


def test_a_reminder_by_words_goes_with_the_answer(qtbot: QtBot, page: MailPage, link: RecordedEngine) -> None:
    below = begin(qtbot, page, "Does Friday suit you?")
    press("Ctrl+Shift+H")
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not menu and menu.isAncestorOf(QApplication.focusWidget()))
    qtbot.keyClicks(QApplication.focusWidget(), "in 2 days")
    press("Return")
    assert "if nobody replies" in below.form.reminder.text()
    below.card.editor.setFocus()
    press("Ctrl+Return")
    (command,) = sent(link)
    now = page.context.clock().timestamp()
    assert 86_400 < command.letter.remind_at_ms / 1000 - now < 2 * 86_400


def test_a_reminder_before_the_message_is_sent_is_refused(qtbot: QtBot, page: MailPage, link: RecordedEngine) -> None:
    below = begin(qtbot, page, "Does Friday suit you?")
    now_ms = int(page.context.clock().timestamp() * 1000)
    below.card.remind(now_ms + 3_600_000)
    below.send(now_ms + 7_200_000)
    assert sent(link) == []
    below.card.remind(0)
    assert below.form.reminder.isHidden()
    below.send(now_ms + 7_200_000)
    assert len(sent(link)) == 1


def test_in_a_low_window_recipients_are_read_and_short_answers_go(qtbot: QtBot, page: MailPage, window: MainWindow) -> None:
    window.resize(1440, 900)
    below = begin(qtbot, page, "")
    offered, lines = below.card.answers, (below.card.to, below.card.cc)
    for line in lines:
        line.show()
    qtbot.waitUntil(offered.isVisible)
    window.resize(900, 600)
    qtbot.waitUntil(lambda: not offered.isVisible())
    qtbot.waitUntil(lambda: all(one.height() >= one.minimumSizeHint().height() for one in lines))
    window.activateWindow()
    below.card.editor.setFocus()
    press("Alt+1")
    assert below.card.editor.toPlainText(), "its key works"


def test_a_short_answer_is_put_in_by_its_key(qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine) -> None:
    below = begin(qtbot, page, "")
    offered = below.card.answers
    later = "Let me check and get back to you."
    shown = [one.accessibleName() for one in offered.row.buttons if one.isVisible()]
    assert shown == [later], "the message asks more than yes or no"
    press("Alt+2", "Alt+1")
    assert below.card.editor.toPlainText() == later
    assert not offered.isVisible(), "something is written"
    press("Alt+1")
    assert below.card.editor.toPlainText() == later
    press("Ctrl+Z")
    assert below.card.editor.toPlainText() == "" and offered.isVisible()
