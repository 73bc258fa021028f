"""Every dialog, menu and list that comes up over the window: by keys to it, by Tab through it, by Escape out of it, and the
keyboard is back where it was."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMenu, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from app.domain.mail import Label
from app.store.messages import Messages
from app.store.pages import SyncPage
from app.store.templates import Templates
from app.ui.archives import ArchiveChoice, Archives
from app.ui.leaving import Leaving
from app.ui.mail.picture import PictureDialog
from app.ui.mail.snooze_menu import SnoozeDialog
from app.ui.mail.source_view import SourceView
from app.ui.main_window import MainWindow
from app.ui.settings.licences import LicencesDialog
from fakes.keyboard import Keyboard, described, listener
from fakes.lively_store import LivelyStore
from fakes.recorded_engine import RecordedEngine
from fakes.tab_walk import heard, looked_over, reachable, settle, unspoken

LETTER = ("Ctrl+N",)
LAST = ("Up", "Return")
"""The last line of a menu."""
WAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "the cheat sheet": ("review", ("F1",)),
    "the palette": ("review", ("Ctrl+K",)),
    "a label": ("inbox", ("L",)),
    "a label to move to": ("inbox", ("V",)),
    "until when to snooze": ("inbox", ("B",)),
    "any time to snooze": ("inbox", ("B", *LAST)),
    "when to send a draft": ("review", ("Ctrl+Shift+Return",)),
    "when to send a letter": ("review", (*LETTER, "Ctrl+Shift+Return")),
    "a template": ("review", (*LETTER, "Ctrl+;")),
    "files to attach": ("review", (*LETTER, "Ctrl+Shift+A")),
    "a PDF file": ("inbox", ("Ctrl+Shift+P",)),
}
"""Where one gets by keys: from a page, by these."""


def over(window: MainWindow) -> QWidget | None:
    """What stands over the window, None if nothing does."""
    found = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    active = QApplication.activeWindow()
    return found or (active if active is not window else None)


def came_up(qtbot: QtBot, window: MainWindow) -> QWidget:
    """What came up, with the keyboard in it."""
    qtbot.waitUntil(lambda: over(window) is not None, timeout=30_000)
    found = over(window)
    assert found is not None
    settle(qtbot)
    return found


def wrong_with(found: QWidget) -> list[str]:
    """What is missing for people without a mouse or without eyes."""
    if isinstance(found, QMenu):
        return [] if all(one.text() or one.isSeparator() for one in found.actions()) else ["a line without words"]
    if isinstance(found, QFileDialog | QMessageBox):
        return []  # Qt's own
    start = QApplication.focusWidget()
    if start is None or not (found is start or found.isAncestorOf(start)):
        return [f"the keyboard is not in it but in {start}"]
    title = [] if found.windowTitle() or found.accessibleName() else ["no title"]
    if reachable(found) in ([], [start]):  # Tab has nowhere to go
        return [*title, *unspoken(found), *heard(found)]
    return [*title, *looked_over(found, start)]


def left_by_escape(qtbot: QtBot, window: MainWindow, before: QWidget | None, what: str) -> list[str]:
    """Escape once; the window and what had the keyboard there have it again."""
    QTest.keyClick(listener(), Qt.Key.Key_Escape)
    QCoreApplication.sendPostedEvents()
    window.activateWindow()  # as a window manager does; here is none
    qtbot.waitUntil(lambda: over(window) is None and QApplication.activeWindow() is window, timeout=30_000)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    after = QApplication.focusWidget()
    if after is before:
        return []
    return [f"{what}: the keyboard is in {after and described(after)} instead of {before and described(before)}"]


def prepare(store: LivelyStore) -> None:
    """Labels and a template."""
    labels = (Label("Label_1", "Invoices", "user"), Label("Label_2", "Yard", "user"))
    Messages(store.db).apply(store.account_id, SyncPage(labels=labels))
    Templates(store.db, store.clock).save(0, "Thanks", "", "Thank you.")


def test_each_that_a_key_opens(qtbot: QtBot, window: MainWindow, store: LivelyStore) -> None:
    prepare(store)
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window, 30_000)
    wrong, keys = [], Keyboard()
    for what, (page, pressed) in WAYS.items():
        window.show_page(page)
        if page == "review":
            window.show_review(store.reviews["plain"])
            window.review_page.take_focus()
        settle(qtbot)
        keys.press(*pressed[: 1 if pressed[0] == "Ctrl+N" else 0])
        before = QApplication.focusWidget()
        keys.press(*pressed[1 if pressed[0] == "Ctrl+N" else 0 :])
        found = came_up(qtbot, window)
        wrong += [f"{what}: {one}" for one in wrong_with(found)]
        wrong += left_by_escape(qtbot, window, before, what)
    assert not wrong, "\n".join(wrong)


def picture(window: MainWindow, _link: RecordedEngine, folder: Path) -> QDialog:
    file = folder / "picture.png"
    window.grab().scaled(80, 40).save(str(file))
    return PictureDialog(file, "picture.png", window)


def source(window: MainWindow, _link: RecordedEngine, folder: Path) -> QDialog:
    file = folder / "mail.eml"
    file.write_text("Subject: x\n\ny")
    return SourceView(file, lambda: None, window)


def leaving(window: MainWindow, link: RecordedEngine, _folder: Path) -> QDialog:
    made = Leaving(window, window._context.reader, link, window._context.clock)
    made.ask(lambda: None)
    assert made.box is not None
    return made.box


MADE: dict[str, Callable[[MainWindow, RecordedEngine, Path], QDialog]] = {
    "a picture": picture,
    "the source": source,
    "the licences": lambda window, _link, _folder: LicencesDialog(window),
    "which archive": lambda window, _link, _folder: ArchiveChoice(Archives(window._context, window), window),
    "any time": lambda window, _link, _folder: SnoozeDialog(window._context.clock(), lambda _at: None, window),
    "mail on its way": leaving,
}


@pytest.mark.soak
def test_each_that_a_click_opens(
    qtbot: QtBot, window: MainWindow, store: LivelyStore, link: RecordedEngine, tmp_path: Path
) -> None:
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window, 30_000)
    wrong = []
    before = QApplication.focusWidget()
    for what, make in MADE.items():
        make(window, link, tmp_path).open()
        wrong += [f"{what}: {one}" for one in wrong_with(came_up(qtbot, window))]
        wrong += left_by_escape(qtbot, window, before, what)
    assert not wrong, "\n".join(wrong)


def test_the_completers_list_goes_by_escape_and_the_letter_stays(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window, 30_000)
    keys = Keyboard()
    keys.press("Ctrl+N")
    field = QApplication.focusWidget()
    keys.type("an")
    found = QApplication.activePopupWidget()
    assert found is not None
    assert not unspoken(found) and not heard(found)
    keys.press("Escape")
    assert QApplication.activePopupWidget() is None
    assert (QApplication.focusWidget(), window.name, keys.text()) == (field, "compose", "an")
