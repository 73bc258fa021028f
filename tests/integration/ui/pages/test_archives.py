"""Every dialog, menu and list that comes up over the window: by keys to it, by Tab through it, by Escape out of it, and the
keyboard is back where it was.

A mail archive is chosen; its reading is shown, paused and ended.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMenu, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.domain.ids import AccountId
from app.domain.mail.message import Label
from app.domain.protocol.archive_commands import ContinueImport, ImportArchive, ImportProgress, StopImport
from app.domain.protocol.commands import WipeAccount
from app.store.archives import Archives, ArchiveState
from app.store.letters.letters import Templates
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.ui.message.attachments import ImageDialog
from app.ui.message.thread_view import SourceView
from app.ui.pages.archives import ArchiveChoice, ArchivesController, ImportProgressDialog
from app.ui.pages.settings.about import LicencesDialog
from app.ui.widgets.menus import SnoozeDialog
from app.ui.window.desktop import QuitPrompt
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.keyboard import Keyboard, described, listener, press
from fakes.window.recorded_engine import RecordedEngine
from fakes.window.tab_order import heard, looked_over, reachable, settle, unspoken

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
        return (
            [] if all(one.text() or one.isSeparator() for one in found.actions() if one.isVisible()) else ["a line without words"]
        )
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
    press("Escape", on=listener())
    QCoreApplication.sendPostedEvents()
    window.activateWindow()  # as a window manager does; here is none
    qtbot.waitUntil(lambda: over(window) is None and QApplication.activeWindow() is window, timeout=30_000)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    after = QApplication.focusWidget()
    if after is before:
        return []
    return [f"{what}: the keyboard is in {after and described(after)} instead of {before and described(before)}"]


def prepare(store: LivelyStore) -> None:
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
    return ImageDialog(file, "picture.png", window)


def source(window: MainWindow, _link: RecordedEngine, folder: Path) -> QDialog:
    file = folder / "mail.eml"
    file.write_text("Subject: x\n\ny")
    return SourceView(file, lambda: None, window)


def leaving(window: MainWindow, link: RecordedEngine, _folder: Path) -> QDialog:
    made = QuitPrompt(window, window.context.reader, link, window.context.clock)
    made.ask(lambda: None)
    assert made.box is not None
    return made.box


def choice(window: MainWindow) -> ArchiveChoice:
    return ArchiveChoice(window.findChildren(ArchivesController)[0], window.context.reader, window)


MADE: dict[str, Callable[[MainWindow, RecordedEngine, Path], QDialog]] = {
    "a picture": picture,
    "the source": source,
    "the licences": lambda window, _link, _folder: LicencesDialog(window),
    "which archive": lambda window, _link, _folder: choice(window),
    "any time": lambda window, _link, _folder: SnoozeDialog(window.context.clock(), lambda _at: None, window),
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


def progress(state: str, seen: int = 0) -> ImportProgress:
    return ImportProgress(AccountId(7), "old.mbox", state, 25, 100, 1234, seen, 20)


def test_reading_is_shown_with_counts_and_can_be_paused_and_ended(window: MainWindow, link: RecordedEngine) -> None:
    archives = window.findChildren(ArchivesController)[0]
    wanted = ImportArchive(Path("/home/me/old.mbox"))
    archives.read(wanted)
    assert link.commands[-1] == wanted
    link.tell(progress("reading", 30))
    (dialog,) = window.findChildren(ImportProgressDialog)
    assert (dialog.bar.value(), dialog.pause.isVisible(), dialog.go_on.isVisible()) == (250, True, False)
    assert "30" in dialog.counts.text() and "20" in dialog.counts.text()
    dialog.pause.click()
    assert link.commands[-1] == StopImport(AccountId(7))
    link.tell(progress("stopped", 30))
    dialog.go_on.click()
    assert link.commands[-1] == ContinueImport(AccountId(7))
    link.tell(progress("reading", 31))
    assert not dialog.keep.isVisible()
    dialog.cancel.click()
    assert dialog.keep.isVisible() and dialog.take_away.isVisible() and dialog.sure.isVisible()
    dialog.keep.click()
    assert link.commands[-1] == StopImport(AccountId(7))
    dialog.cancel.click()
    sent = len(link.commands)
    dialog.go_on.click()  # thought better of it
    assert len(link.commands) == sent and not dialog.keep.isVisible() and dialog.pause.isVisible()
    link.tell(progress("done", 40))
    assert dialog.bar.value() == 1000 and not dialog.cancel.isVisible() and dialog.open_mail.isVisible()


def test_an_archive_is_taken_away_in_the_midst_of_its_reading(window: MainWindow, link: RecordedEngine) -> None:
    window.findChildren(ArchivesController)[0].show_reading(progress("reading", 30))
    (dialog,) = window.findChildren(ImportProgressDialog)
    dialog.cancel.click()
    dialog.take_away.click()
    assert link.commands[-1] == WipeAccount(AccountId(7))
    assert not dialog.isVisible()


def test_reading_that_goes_on_after_a_restart_is_told_with_a_way_to_it(window: MainWindow, link: RecordedEngine) -> None:
    link.tell(progress("reading"))
    toast = window.findChildren(Toast)[0]
    assert "25%" in toast.words.text()
    toast.action.click()
    assert window.findChildren(ImportProgressDialog)[0].account_id == 7
    window.findChildren(ImportProgressDialog)[0].close()
    link.tell(progress("done"))
    toast.action.click()
    assert window.name == "all"


def test_no_button_of_a_dialog_is_ever_cut(window: MainWindow) -> None:
    dialog = choice(window)
    dialog.show()
    dialog.resize(1, 1)
    assert all(one.width() >= one.sizeHint().width() for one in dialog.findChildren(QPushButton))


def test_a_paused_archive_goes_on_or_is_forgotten_by_two_clicks(
    window: MainWindow, store: LivelyStore, link: RecordedEngine
) -> None:
    archives = Archives(store.db)
    account_id = archives.open(Path("/home/me/old.mbox"), 100).account_id
    archives.settle(account_id, ArchiveState.STOPPED)
    for words, sent in (
        (("Resume",), [ContinueImport(account_id)]),
        (("Remove from here",), []),
        (("Remove from here", "Remove its mail, keep the file"), [WipeAccount(account_id)]),
    ):
        dialog = choice(window)
        dialog.show()
        link.commands.clear()
        for text in words:
            next(one for one in dialog.findChildren(QPushButton) if one.text() == text and one.isVisible()).click()
        assert link.commands == sent
        dialog.close()
