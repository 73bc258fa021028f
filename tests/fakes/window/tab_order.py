"""Walks a page or dialog with Tab and checks that every control is reached once, in order and with a name."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QDateTimeEdit,
    QLabel,
    QLineEdit,
    QScrollBar,
    QTextBrowser,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.ui.widgets.labels import IconLabel
from fakes.window.keyboard import described, spoken

MOST = 400


def reachable(top: QWidget) -> list[QWidget]:
    """Widgets that Tab must reach: visible, enabled and focusable by Tab."""
    found = []
    for widget in top.findChildren(QWidget):
        tab = bool(widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value)
        if tab and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None and not inner(widget):
            found.append(widget)
    return found


def inner(widget: QWidget) -> bool:
    """Parts of Qt's own controls, and scroll areas that only hold controls."""
    parent = widget.parent()
    part = isinstance(parent, QComboBox | QAbstractItemView | QLineEdit) or widget.objectName().startswith("qt_")
    web = parent is not None and type(parent).__name__ == "WebBody"
    return part or web or isinstance(widget, QScrollBar)


def tabbed(start: QWidget) -> list[QWidget]:
    """The focused widget after each Tab, from `start` until it returns there.

    A text in which Tab goes from slot to slot is left with Escape; the widgets after it are then reached backwards.
    """
    walked = [start]
    for _ in range(MOST):
        after = pressed(Qt.Key.Key_Tab, walked[-1])
        if after is walked[-1] and isinstance(after, QTextBrowser | QDateTimeEdit):
            continue  # from one link in the text, or part of a date, to the next
        if after is walked[-1]:
            return [*walked, *beyond(walked)]
        if after is walked[0]:
            return walked
        assert after not in walked, f"Tab turns in a circle at {described(after)}, after {[described(one) for one in walked]}"
        walked.append(after)
    raise AssertionError("Tab never comes back")


def beyond(walked: list[QWidget]) -> list[QWidget]:
    """The rest of the tab order, walked backwards from the start, after a text that takes Tab itself."""
    caught = walked[-1]
    left = pressed(Qt.Key.Key_Escape, caught)
    assert left is not caught, f"neither Tab nor Escape leaves {described(caught)}"
    walked[0].setFocus()
    found: list[QWidget] = []
    for _ in range(MOST):
        after = pressed(Qt.Key.Key_Backtab, found[-1] if found else walked[0])
        if after is caught:
            return found[::-1]
        if found and after is found[-1] and isinstance(after, QTextBrowser | QDateTimeEdit):
            continue
        assert after not in found, f"Shift+Tab turns in a circle at {described(after)}"
        found.append(after)
    raise AssertionError("Shift+Tab never comes back")


def pressed(key: Qt.Key, before: QWidget) -> QWidget:
    """The focused widget after a key."""
    at = QApplication.focusWidget()
    assert at is not None
    QTest.keyClick(at, key)
    QCoreApplication.sendPostedEvents()
    after = QApplication.focusWidget()
    assert after is not None, f"the keyboard is lost after {described(before)}"
    return after


def torn(walked: Sequence[QWidget], top: QWidget) -> list[str]:
    """Groups that Tab leaves and enters again, so that its order does not match the layout."""
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


def against_the_eye(walked: Sequence[QWidget], part: QWidget) -> list[str]:
    """Steps of Tab inside a part from a control to one that is completely above it."""
    found = []
    for one, after in pairwise(walked):
        if part.isAncestorOf(one) and part.isAncestorOf(after):
            above = after.mapTo(part, QPoint(0, after.height())).y() <= one.mapTo(part, QPoint(0, 0)).y()
            found += [f"up from {described(one)} to {described(after)}"] if above else []
    return found


def unspoken(top: QWidget) -> list[str]:
    """Controls without a name, icon buttons without a tooltip, pictures without text."""
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
    """Whether an icon has text beside it or an accessible name."""
    parent = icon.parentWidget()
    words = parent.findChildren(QLabel) if parent is not None else []
    return bool(icon.accessibleName()) or any(one.text() or one.accessibleName() for one in words)


def heard(top: QWidget) -> list[str]:
    """Controls without a name in Qt's accessibility interface."""
    found = []
    for widget in reachable(top):
        interface = QAccessible.queryAccessibleInterface(widget)
        name = interface.text(QAccessible.Text.Name) if interface is not None else ""
        if not name and interface is not None and interface.role() != QAccessible.Role.WebDocument:
            found.append(described(widget))
    return found


def looked_over(top: QWidget, start: QWidget) -> list[str]:
    """All accessibility problems of a page or dialog."""
    walked = tabbed(start)
    skipped = [described(one) for one in reachable(top) if one not in walked]
    return [*(f"never reached: {one}" for one in skipped), *torn(walked, top), *unspoken(top), *heard(top)]


def settle(qtbot: QtBot) -> None:
    """Lets pending events of a page run."""
    for _ in range(3):
        qtbot.wait(1)
        QCoreApplication.sendPostedEvents()
