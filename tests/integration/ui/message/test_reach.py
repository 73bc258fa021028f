"""Every page and dialog for people without a mouse or without eyes: Tab goes everywhere once, in order, and everything has words.

The pages come from their registry and the dialogs from the package, so that a new one is looked at without being named here.
"""

import json
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.domain.drafting.review import ReviewKind
from app.ui.message import body
from app.ui.pages.settings.page import SettingsPage
from app.ui.startup.assembly import FACTORIES
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.keyboard import Keyboard, described, press
from fakes.window.tab_order import against_the_eye, looked_over, settle, tabbed


class Flashes(QObject):
    """Notes what is shown as a window of its own: a widget without a parent that is made visible flashes and takes the keys."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Every event of the program passes here."""
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.seen.append(described(watched))
        return False


@pytest.fixture(autouse=True)
def plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mail is read as text: Chromium comes up when it pleases and hands Tab on when it pleases, so that a walk through it would
    press keys for places that it has left already."""
    monkeypatch.setattr(body, "web_refused", lambda: True)


@pytest.fixture
def flashes(qapp: QApplication, window: MainWindow) -> Iterator[Flashes]:
    """Windows that come up beside the one that is there."""
    made = Flashes()
    qapp.installEventFilter(made)
    yield made
    qapp.removeEventFilter(made)


def at_rest(qtbot: QtBot, window: MainWindow, what: str) -> list[str]:
    settle(qtbot)
    start = QApplication.focusWidget()
    if start is None:
        return [f"{what}: nothing has the keyboard"]
    if start.focusPolicy() is Qt.FocusPolicy.NoFocus:  # words that are only read
        press("Tab", on=start)
        start = QApplication.focusWidget() or start
    found = [f"{what}: {one}" for one in looked_over(window, start)]
    start.setFocus()
    return found


def test_every_page(qtbot: QtBot, window: MainWindow, flashes: Flashes) -> None:
    """Each page takes the keyboard, and Tab goes everywhere on it."""
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window, 30_000)
    found: list[str] = []
    for name in FACTORIES:
        window.show_page("inbox" if name == "mail" else name)
        settle(qtbot)
        start, page = QApplication.focusWidget(), window.page(name)
        if start is None or not (page.isAncestorOf(start) or start is page):
            found.append(f"{name} does not take the keyboard: {start}")
            continue
        found += at_rest(qtbot, window, name)
    assert not found, "\n".join(found)
    assert not flashes.seen


@pytest.mark.soak
def test_every_kind_of_review(qtbot: QtBot, window: MainWindow, store: LivelyStore) -> None:
    """Each card on the desk, with its reasons unfolded and with the line that asks open."""
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window, 30_000)
    keys, found = Keyboard(), []
    keys.press("W")
    request = json.dumps({"action": "manage_reservation", "args": {"drug": "Ibalgin 400", "pieces": 2}})
    store.propose("action", "m04", ReviewKind.TOOL_CALL, request_json=request)
    for name, review_id in store.reviews.items():
        window.show_review(review_id)
        window.review_page.take_focus()
        found += at_rest(qtbot, window, name)
        draft = window.review_page.desk.draft()
        if draft is not None and draft.open_slots:
            continue  # Escape out of its text would close the line
        keys.press("R" if draft is None else "Delete")
        found += at_rest(qtbot, window, f"{name}, asked")
        keys.press("Escape")
    assert not found, "\n".join(found)


LETTER = ("Ctrl+N",)
WAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "a letter": ("review", LETTER),
    "a letter's link": ("review", (*LETTER, "Ctrl+Shift+K")),
    "an answer": ("inbox", ("Down", "Down", "R")),
    "a mail with files": ("inbox", ("Down",)),
    "a new preference": ("memory", ("N",)),
    "a new template": ("templates", ("N",)),
    "a new rule": ("inbox", ("Ctrl+Shift+R",)),
}
"""Where one gets by keys: from a page, by these."""


@pytest.mark.soak
@pytest.mark.parametrize("what", WAYS)
def test_further_in(qtbot: QtBot, window: MainWindow, what: str) -> None:
    """Places that are not there when a page is opened."""
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window, 30_000)
    page, keys = WAYS[what]
    window.show_page(page)
    settle(qtbot)
    Keyboard().press(*keys)
    found = at_rest(qtbot, window, what)
    assert not found, "\n".join(found)


def test_every_section_of_the_settings(qtbot: QtBot, window: MainWindow) -> None:
    """From the list of sections by Down, the keyboard staying there."""
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window, 30_000)
    window.show_page("settings")
    settings, keys, found = window.page("settings"), Keyboard(), []
    assert isinstance(settings, SettingsPage)
    for name in [one.name for one in settings.list.places.places if one.name]:
        settings.show_section(name)
        found += at_rest(qtbot, window, name)
        found += [f"{name}: {one}" for one in against_the_eye(tabbed(settings.list), settings.sections[name])]
        settings.list.setFocus()
    keys.press("Home", "Down")
    assert keys.at == "Sections of the settings"
    assert not found, "\n".join(found)
