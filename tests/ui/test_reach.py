"""Every page and dialog for people without a mouse or without eyes: Tab goes everywhere once, in order, and everything has words.

The pages come from their registry and the dialogs from the package, so that a new one is looked at without being named here.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollBar,
    QTextBrowser,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.ui.icon_label import IconLabel
from app.ui.main_window import MainWindow
from app.ui.pages import FACTORIES
from app.ui.settings.page import SettingsPage
from fakes.keyboard import Keyboard, described, spoken
from fakes.lively_store import LivelyStore

MOST = 400


def reachable(top: QWidget) -> list[QWidget]:
    """What Tab has to reach: on screen, in use, and made for the keyboard."""
    found = []
    for widget in top.findChildren(QWidget):
        tab = bool(widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value)
        if tab and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None and not inner(widget):
            found.append(widget)
    return found


def inner(widget: QWidget) -> bool:
    """Parts of a control of Qt's own, which the control speaks for; scroll areas that hold nothing but controls."""
    parent = widget.parent()
    part = isinstance(parent, QComboBox | QAbstractItemView | QLineEdit) or widget.objectName().startswith("qt_")
    web = parent is not None and type(parent).__name__ == "WebBody"
    return part or web or isinstance(widget, QScrollBar)


def tabbed(start: QWidget) -> list[QWidget]:
    """What has the keyboard after each Tab, from `start` until it comes back there. A text whose open places Tab goes through
    is left by Escape; what lies beyond it is then reached from the other side."""
    walked = [start]
    for _ in range(MOST):
        after = pressed(Qt.Key.Key_Tab, walked[-1])
        if after is walked[-1] and isinstance(after, QTextBrowser):
            continue  # from one link in the text to the next
        if after is walked[-1]:
            return [*walked, *beyond(walked)]
        if after is walked[0]:
            return walked
        assert after not in walked, f"Tab turns in a circle at {described(after)}, after {[described(one) for one in walked]}"
        walked.append(after)
    raise AssertionError("Tab never comes back")


def beyond(walked: list[QWidget]) -> list[QWidget]:
    """The rest of the way, walked backwards from the start, after a text that keeps Tab for itself."""
    caught = walked[-1]
    left = pressed(Qt.Key.Key_Escape, caught)
    assert left is not caught, f"neither Tab nor Escape leaves {described(caught)}"
    walked[0].setFocus()
    found: list[QWidget] = []
    for _ in range(MOST):
        after = pressed(Qt.Key.Key_Backtab, found[-1] if found else walked[0])
        if after is caught:
            return found[::-1]
        if found and after is found[-1] and isinstance(after, QTextBrowser):
            continue
        assert after not in found, f"Shift+Tab turns in a circle at {described(after)}"
        found.append(after)
    raise AssertionError("Shift+Tab never comes back")


def pressed(key: Qt.Key, before: QWidget) -> QWidget:
    """What has the keyboard after a key."""
    at = QApplication.focusWidget()
    assert at is not None
    QTest.keyClick(at, key)
    QCoreApplication.sendPostedEvents()
    after = QApplication.focusWidget()
    assert after is not None, f"the keyboard is lost after {described(before)}"
    return after


def torn(walked: Sequence[QWidget], top: QWidget) -> list[str]:
    """Groups that Tab leaves and enters again: its order does not follow the eye there."""
    groups: dict[QWidget, list[int]] = {}
    for at, widget in enumerate(walked):
        parent = widget.parentWidget()
        while parent is not None and parent is not top:
            groups.setdefault(parent, []).append(at)
            parent = parent.parentWidget()
    found = []
    for group, places in groups.items():
        gaps = sum(after - before > 1 for before, after in pairwise(places))
        around = places[0] + len(walked) - places[-1] > 1
        if gaps > 1 or (gaps == 1 and around):
            names = [described(walked[at]) for at in places]
            found.append(f"{type(group).__name__} {group.objectName()}: {names} at {places}")
    return found


def unspoken(top: QWidget) -> list[str]:
    """Controls without a name, icon buttons without a tooltip, pictures without words."""
    found, named = [], set(reachable(top))
    for widget in top.findChildren(QWidget):
        if not widget.isVisible():
            continue
        if widget in named and not spoken(widget):
            found.append(f"no name: {described(widget)} in {described(widget.parentWidget())}")
        icon_only = isinstance(widget, QAbstractButton) and not isinstance(widget, QCheckBox) and not widget.text()
        if icon_only and not widget.toolTip() and not inner(widget) and not widget.findChildren(QLabel):
            found.append(f"no tooltip: {described(widget)}")
        if isinstance(widget, QLabel) and not widget.pixmap().isNull() and not spoken(widget):
            found.append(f"picture without words: {described(widget)}")
        if isinstance(widget, IconLabel) and not inner(widget) and not beside(widget):
            found.append(f"icon without words: {widget.parentWidget()}")
    return found


def beside(icon: QWidget) -> bool:
    """Whether words stand beside an icon, or it has its own."""
    parent = icon.parentWidget()
    words = parent.findChildren(QLabel) if parent is not None else []
    return bool(icon.accessibleName()) or any(one.text() or one.accessibleName() for one in words)


def heard(top: QWidget) -> list[str]:
    """Controls that a screen reader would be told nothing of, through Qt's own interface."""
    found = []
    for widget in reachable(top):
        interface = QAccessible.queryAccessibleInterface(widget)
        name = interface.text(QAccessible.Text.Name) if interface is not None else ""
        if not name and interface is not None and interface.role() != QAccessible.Role.WebDocument:
            found.append(described(widget))
    return found


def looked_over(top: QWidget, start: QWidget) -> list[str]:
    """Everything wrong with a page or dialog."""
    walked = tabbed(start)
    skipped = [described(one) for one in reachable(top) if one not in walked]
    return [*(f"never reached: {one}" for one in skipped), *torn(walked, top), *unspoken(top), *heard(top)]


def settle(qtbot: QtBot) -> None:
    """Let a page come to rest."""
    for _ in range(3):
        qtbot.wait(1)
        QCoreApplication.sendPostedEvents()


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


@pytest.fixture
def flashes(qapp: QApplication, window: MainWindow) -> Iterator[Flashes]:
    """Windows that come up beside the one that is there."""
    made = Flashes()
    qapp.installEventFilter(made)
    yield made
    qapp.removeEventFilter(made)


def at_rest(qtbot: QtBot, window: MainWindow, what: str) -> list[str]:
    """Look the window over as it stands."""
    settle(qtbot)
    start = QApplication.focusWidget()
    if start is None:
        return [f"{what}: nothing has the keyboard"]
    if start.focusPolicy() is Qt.FocusPolicy.NoFocus:  # words that are only read
        QTest.keyClick(start, Qt.Key.Key_Tab)
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
    for name, review_id in store.reviews.items():
        window.show_review(review_id)
        window.review_page.take_focus()
        found += at_rest(qtbot, window, name)
        draft = window.review_page.desk.draft()
        if draft is not None and draft.open_slots:
            continue  # Escape out of its text would close the line
        keys.press("R" if draft is None else "X")
        found += at_rest(qtbot, window, f"{name}, asked")
        keys.press("Escape")
    assert not found, "\n".join(found)


LETTER = ("Ctrl+N",)
WAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "a letter": ("review", LETTER),
    "a letter's link": ("review", (*LETTER, "Ctrl+Shift+K")),
    "an answer": ("inbox", ("Down", "Down", "Ctrl+R")),
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
    keys.press("Home", "Down")
    assert keys.at == "Sections of the settings"
    assert not found, "\n".join(found)
