"""What is half typed about an item stays with it: through walking on, another window, and until it is said or taken back."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.domain.drafting.review import Action, ReviewKind
from app.domain.ids import OutboxId, ReviewId
from app.domain.protocol.commands import Decide
from app.domain.protocol.events import ReviewDecided, ReviewReady
from app.ui.pages.review.page import ReviewPage
from app.ui.pages.review.reply_editor import DraftEditor
from app.ui.session.typed_text import UnsavedEdits, UnsavedWords
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.keyboard import Keyboard
from fakes.window.recorded_engine import RecordedEngine


@pytest.fixture
def page(window: MainWindow) -> ReviewPage:
    window.activateWindow()
    window.show_page("review")
    return window.review_page


def go(page: ReviewPage, review_id: ReviewId) -> None:
    page.open(review_id)
    page.take_focus()


@pytest.mark.usefixtures("with_model")
def test_a_line_comes_back_with_its_item_and_not_to_another(page: ReviewPage, store: LivelyStore) -> None:
    keys, ask = Keyboard(), page.desk.ask
    go(page, store.reviews["plain"])
    keys.press("R")
    keys.type("Shorter")
    go(page, store.reviews["meeting"])
    assert ask.isHidden()
    keys.press("Delete")
    keys.type("No")
    page.desk.ask.options[0].click()
    go(page, store.reviews["plain"])
    assert (ask.purpose, ask.line.text(), keys.at) == ("changes", "Shorter", "Waiting for you")
    go(page, store.reviews["meeting"])
    assert (ask.purpose, ask.line.text(), ask.ticked) == ("reason", "No", 0)


def test_what_is_typed_never_goes_into_the_next_draft(
    qtbot: QtBot, page: ReviewPage, store: LivelyStore, window: MainWindow
) -> None:
    """Answered from the phone meanwhile: the draft that is being edited stays, and the user is told."""
    keys = Keyboard()
    go(page, store.reviews["plain"])
    keys.press("E")
    review = page.current_review()
    assert review is not None
    editor = QApplication.focusWidget()
    assert isinstance(editor, DraftEditor)
    before = editor.toPlainText()
    store.desk().supersede(review.proposal.thread_id)
    window.hear(ReviewReady(store.reviews["meeting"], ReviewKind.REPLY))
    qtbot.waitUntil(lambda: page.queue.row_of(review.id) < 0)
    keys.type("More")
    assert page.current_review() == review
    assert editor.toPlainText() == f"More{before}"
    toast = window.findChild(Toast)
    assert toast is not None
    assert any("so this draft is not sent" in one.text() for one in toast.findChildren(QLabel))
    keys.press("Escape")
    keys.press("J")
    assert page.current_review() != review


def test_a_ready_reason_is_not_kept_for_the_next_visit(page: ReviewPage, store: LivelyStore) -> None:
    go(page, store.reviews["meeting"])
    Keyboard().press("Delete")
    page.desk.ask.line.setText("Wrong tone")
    go(page, store.reviews["plain"])
    go(page, store.reviews["meeting"])
    assert page.desk.ask.isHidden()


def test_an_edit_is_kept_until_the_engine_has_it(
    qtbot: QtBot, page: ReviewPage, store: LivelyStore, link: RecordedEngine
) -> None:
    review, kept = store.reviews["meeting"], UnsavedEdits(page.context.state)
    page.deciding.glance_ms = 0
    go(page, review)
    Keyboard().press("E")
    Keyboard().type("Hello. ")
    qtbot.waitUntil(lambda: kept.draft(review, 1) is not None, timeout=30_000)
    Keyboard().press("Ctrl+Return")
    decided = next(one for one in link.commands if isinstance(one, Decide))
    assert decided.action is Action.EDIT
    assert kept.draft(review, 1) == decided.draft
    link.tell(ReviewDecided(review, "approved", OutboxId(7), 0))
    assert kept.draft(review, 1) is None


def test_arguments_are_those_of_one_revision_words_of_any(tmp_path: Path) -> None:
    state = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    unsaved = UnsavedEdits(state)
    unsaved.keep_words(ReviewId(5), 1, UnsavedWords("yes", "changes", "line", -1, {"drug": "x"}, "{}"))
    assert unsaved.words(ReviewId(5), 2) == UnsavedWords("yes", "changes", "line")
    state.setValue("words/5", "{broken")
    assert unsaved.words(ReviewId(5), 1) == UnsavedWords()
