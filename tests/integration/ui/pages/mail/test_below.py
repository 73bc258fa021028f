"""What stands below a message in the inbox: its draft, by the keys of Review, and answers by hand; each undone whole."""

import pytest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from app.domain.drafting.review import Action, ReviewKind
from app.domain.error_texts import Cause, ErrorText
from app.domain.ids import GmailDraftId, GmailId, OutboxId
from app.domain.protocol.changes import ChangeLabels
from app.domain.protocol.commands import Decide, DraftReply, Undo
from app.domain.protocol.events import CommandFailed, Initiator, MailChanged, ReviewDecided, ReviewReady
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
from app.ui.widgets.action_buttons import KeyButton
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import NEW, OWNER, LivelyStore, Mail
from fakes.window.keyboard import press
from fakes.window.recorded_engine import RecordedEngine


@pytest.fixture
def page(window: MainWindow, store: LivelyStore, qtbot: QtBot) -> MailPage:
    """The inbox at the conversation with the meeting's draft."""
    window.activateWindow()
    window.show_page("inbox")
    page = window.mail_page
    open_at(page, store, qtbot, "m04")
    page.take_focus()
    return page


def open_at(page: MailPage, store: LivelyStore, qtbot: QtBot, key: str) -> None:
    page.list.select_row(page.model.row_of(store.mails[key].thread_id))
    qtbot.waitUntil(lambda: page.reading.settled and page.reading.thread_id == store.mails[key].thread_id)
    qtbot.waitUntil(page.desk.draft.isVisible)
    page.desk.draft.desk.glance_ms = 0  # type: ignore[union-attr]


def decided(link: RecordedEngine) -> list[Decide]:
    return [one for one in link.commands if isinstance(one, Decide)]


def test_one_key_approves_and_archives_from_the_list(
    qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine, window: MainWindow
) -> None:
    assert page.desk.draft.panel.card.editor.isVisible()  # type: ignore[union-attr]
    thread = page.reading.thread_id
    press("Ctrl+Return")
    (sent,) = decided(link)
    assert (sent.review_id, sent.action, sent.archive) == (store.reviews["meeting"], Action.ACCEPT, True)
    assert not page.desk.draft.isVisible()
    assert page.reading.thread_id != thread, "the next conversation"
    press("Ctrl+Z")
    assert link.commands[-1] == Undo(store.reviews["meeting"])
    link.tell(ReviewDecided(store.reviews["meeting"], "pending", OutboxId(0), 0))
    qtbot.waitUntil(lambda: page.reading.thread_id == thread and page.desk.draft.isVisible())


def test_an_invitation_is_answered_first_and_its_draft_shown_when_asked_for(
    qtbot: QtBot, page: MailPage, store: LivelyStore
) -> None:
    store.db.write("UPDATE attachments SET mime_type = 'text/calendar' WHERE message_id = ?", (store.mails["m04"].id,))
    page.list.select_row(page.model.row_of(store.mails["m05"].thread_id))
    qtbot.waitUntil(lambda: page.reading.settled and page.reading.thread_id == store.mails["m05"].thread_id)
    page.list.select_row(page.model.row_of(store.mails["m04"].thread_id))
    qtbot.waitUntil(lambda: page.reading.settled and page.reading.thread_id == store.mails["m04"].thread_id)
    qtbot.wait(100)
    assert not page.desk.draft.isVisible()
    press("D")
    qtbot.waitUntil(page.desk.draft.isVisible)


def test_the_draft_of_another_conversation_than_the_marked_one_cannot_be_approved(
    qtbot: QtBot, page: MailPage, link: RecordedEngine
) -> None:
    at = page.list.current_row()
    press("K", "X", "J")
    assert page.list.current_row() == at
    page.reading.settle()
    qtbot.wait(100)
    assert not page.desk.draft.isVisible()
    press("Ctrl+Return")
    assert not decided(link)
    page.context.actions["mail.draft"].trigger()
    qtbot.waitUntil(page.desk.draft.isVisible)
    assert not any(isinstance(one, DraftReply) for one in link.commands), "the draft that waits is shown"
    page.take_focus()
    press("X")
    assert page.desk.draft.isVisible(), "its own conversation is marked"


def test_the_draft_of_the_conversation_before_is_not_approved(page: MailPage, store: LivelyStore, link: RecordedEngine) -> None:
    """Its draft is on screen until that of the next one is read, longer while a long message is shown."""
    before = page.reading.thread_id
    press("J", "Ctrl+Return")
    assert page.reading.thread_id != before
    assert store.reviews["meeting"] not in [one.review_id for one in decided(link)]


def test_the_draft_of_the_conversation_before_is_not_seen(qtbot: QtBot, page: MailPage, store: LivelyStore) -> None:
    """Not below another message, where it would be read as its answer."""
    draft = page.desk.draft
    assert draft.panel is not None and draft.panel.isVisible()
    colours = {draft.grab().toImage().pixel(x, 60) for x in range(10, draft.width() - 10)}
    assert len(colours) > 1, "there are words"
    page.reading.show_thread(store.mails["m03"].thread_id)
    picture = draft.grab().toImage()
    assert {picture.pixel(x, y) for x in range(0, draft.width(), 7) for y in range(0, draft.height(), 7)} == {picture.pixel(0, 0)}
    qtbot.waitUntil(lambda: draft.panel is not None and draft.panel.review is not None and draft._cover.isHidden())
    assert draft.panel.review.proposal.thread_id == page.reading.thread_id


def test_the_choice_about_archiving_is_remembered(
    qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine, window: MainWindow
) -> None:
    made = [one for one in page.desk.draft.findChildren(KeyButton) if one.isVisible()]
    assert [one.accessibleName() for one in made][:2] == ["Approve and archive", "Approve only"]
    acts = [window.actions_by_id[f"review.{name}"] for name in ("approve", "approve_other")]
    assert [one.property("icon_name") for one in acts] == ["archive", "sending"]
    low = made[0].mapTo(page.desk.draft, made[0].rect().bottomLeft()).y()
    assert low < page.desk.draft.height(), "the buttons are inside the draft"
    press("Alt+Return")
    assert [one.archive for one in decided(link)] == [False]
    open_at(page, store, qtbot, "m05")
    texts = [one.accessibleName() for one in page.desk.draft.findChildren(KeyButton) if one.isVisible()]
    assert texts[:2] == ["Approve", "Approve and archive"]
    assert [one.property("icon_name") for one in acts] == ["approve", "archive"]


@pytest.mark.parametrize(("height", "room"), [(768, False), (1000, True)])
def test_a_suspected_message_is_read_before_its_draft(
    qtbot: QtBot, page: MailPage, store: LivelyStore, window: MainWindow, height: int, room: bool
) -> None:
    window.resize(1366, height)
    page.list.select_row(page.model.row_of(store.mails["m08"].thread_id))
    qtbot.waitUntil(page.reading.suspicion.isVisible)
    qtbot.waitUntil(lambda: page.desk.draft.isVisible() is room)


def test_the_letters_of_review_work_inside_the_draft_only(
    qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine
) -> None:
    press("D")
    editor = page.desk.draft.panel.card.editor  # type: ignore[union-attr]
    assert editor.hasFocus()
    qtbot.keyClicks(editor, "e")
    press("Escape")
    assert page.desk.draft.hasFocus()
    press("E")
    assert editor.hasFocus(), "E edits here and archives in the list"
    press("Escape", "Escape")
    assert page.list.hasFocus()
    assert archived(link) == []
    press("E")
    assert len(archived(link)) == 1


def archived(link: RecordedEngine) -> list[ChangeLabels]:
    return [one for one in link.commands if isinstance(one, ChangeLabels) and "INBOX" in one.remove]


def test_an_edit_is_the_same_in_review(
    qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine, window: MainWindow
) -> None:
    press("D")
    qtbot.keyClicks(page.desk.draft.panel.card.editor, "Dear Lee. ")  # type: ignore[union-attr]
    page.desk.draft.desk.flush()  # type: ignore[union-attr]
    window.show_review(store.reviews["meeting"])
    assert "Dear Lee. " in window.review_page.desk.draft().body  # type: ignore[union-attr]
    window.actions_by_id["review.reject"].trigger()
    assert window.review_page.desk.ask.isVisible()
    assert page.desk.draft.panel.ask.isHidden(), "a hidden page does not act"  # type: ignore[union-attr]


def test_a_wanted_draft_appears_here_with_a_way_to_it(
    qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine, window: MainWindow
) -> None:
    thread = store.mails["m12"].thread_id
    page.open(thread)
    qtbot.waitUntil(lambda: not page.desk.draft.isVisible())
    page.take_focus()
    press("D")
    assert [one for one in link.commands if isinstance(one, DraftReply)] != []
    window.show_page("review")
    draft = store.desk().review(store.reviews["plain"]).proposal.draft
    review = store.propose("wanted", "m12", ReviewKind.REPLY, draft)
    link.tell(ReviewReady(review, "reply"))
    toast = window.findChild(Toast)
    assert toast is not None and toast.words.text() == "The draft is ready."
    toast.action.click()
    qtbot.waitUntil(lambda: page.desk.draft.isVisible() and page.desk.draft.panel.review.id == review)  # type: ignore[union-attr]


def test_the_panel_is_made_ahead_in_steps(window: MainWindow) -> None:
    draft, made = window.mail_page.desk.draft, 0
    while steps := window.steps_ahead("mail"):
        assert not isinstance(steps[0](), tuple), "the preloader takes a tuple for further steps"
        made += 1
    assert made == 2 and draft.desk is not None and draft.isHidden()
    assert draft.panel is not None and draft.panel.window() is window


def test_a_panel_made_ahead_does_not_outlive_its_window(window: MainWindow) -> None:
    """It crashed with the next event."""
    draft = window.mail_page.desk.draft
    draft.parts()[0]()
    panel = draft.panel
    assert panel is not None and panel.window() is not window
    delete(draft)
    assert not isValid(panel)


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
