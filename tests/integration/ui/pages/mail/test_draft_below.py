"""The draft below its message in the inbox: by the keys of Review, with archiving, and undone whole."""

import pytest
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from app.domain.drafting.review import Action, ReviewKind
from app.domain.ids import OutboxId
from app.domain.protocol.changes import ChangeLabels
from app.domain.protocol.commands import Decide, DraftReply, Undo
from app.domain.protocol.events import ReviewDecided, ReviewReady
from app.domain.protocol.queries import CheckSpelling
from app.ui.editor.recipient_field import AddressCompleter
from app.ui.pages.mail.page import MailPage
from app.ui.widgets.action_buttons import KeyButton
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage, until
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


async def test_the_draft_is_spell_checked_and_completes_addresses(filled: LivelyStore, stage: Stage) -> None:
    filled.copied(stage.data.database).close()
    page = MailPage(stage.context)
    stage.show(page, wait=False)
    await until(lambda: page.model.row_of(filled.mails["m04"].thread_id) >= 0)
    page.list.select_row(page.model.row_of(filled.mails["m04"].thread_id))
    await until(lambda: page.desk.draft.panel is not None and page.desk.draft.isVisible())
    card = page.desk.draft.panel.card  # type: ignore[union-attr]
    card.editor.setPlainText("Hello Lee, a sentense")
    await until(lambda: CheckSpelling("Hello Lee, a sentense") in stage.engine.queries)
    assert card.to.findChildren(AddressCompleter)


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
