"""A person at a window: real key and mouse events, counted. It looks at widgets and never calls what changes them."""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QDrag, QDragEnterEvent, QDragMoveEvent, QDropEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from app.ui.lists.view import RowList
from app.ui.navigation.view import Navigation
from fakes.window.keyboard import listener, spoken

W = TypeVar("W", bound=QWidget)
LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
BOTH = Qt.DropAction.MoveAction | Qt.DropAction.CopyAction
PAUSE_S = 0.15
PATIENCE_S = 30.0


class Impossible(AssertionError):
    """What the person wanted to do cannot be done."""


class Person:
    """`keys` counts chords and single keys, `clicks` mouse clicks and drags, `texts` typed words or sentences as one each."""

    def __init__(self) -> None:
        self.keys = self.clicks = self.texts = 0

    async def press(self, *keys: str) -> None:
        """Presses keys in Qt's portable form, one after the other; of a sequence such as "G, I" each part counts."""
        for one in keys:
            sequence: Any = QKeySequence(one)
            for at in range(sequence.count()):
                self.keys += 1
                await _outside(partial(_press, sequence[at].key(), sequence[at].keyboardModifiers()))
                await self.pause()

    async def write(self, text: str) -> None:
        """Types words into the focused widget."""
        self.texts += 1
        for char in text:
            await _outside(partial(_type, char))
        await self.pause()

    async def click(self, widget: QWidget, spot: QPoint | None = None) -> None:
        """Clicks a widget that can be seen, through its window."""
        if widget.visibleRegion().isEmpty() or not widget.isEnabled():
            raise Impossible(f"“{spoken(widget)}” cannot be clicked")
        self.clicks += 1
        window = widget.window()
        at = widget.mapTo(window, spot or widget.rect().center())
        await _outside(lambda: QTest.mouseClick(window.windowHandle(), LEFT, PLAIN, at))
        await self.pause()

    async def click_button(self, words: str, inside: QWidget) -> None:
        """Clicks the button that shows these words, or whose spoken name begins with them."""
        named = lambda one: words == one.text() or spoken(one).startswith(words)  # noqa: E731
        await self.click(self.seen(QAbstractButton, named, words, inside))

    async def drag(self, listing: RowList, row: int, navigation: Navigation, place: str) -> None:
        """Drags a row to a place of the navigation, with the drag events that the offscreen platform does not send."""
        self.clicks += 1
        index, window = listing.model().index(row, 0), listing.window()
        listing.scrollTo(index)
        before, carried = QDrag.exec, _Carrier(navigation, place)
        QDrag.exec = lambda drag, *_actions: carried.carry(drag)  # type: ignore[method-assign, assignment]
        start = listing.viewport().mapTo(window, listing.visualRect(index).center())
        try:
            await _outside(partial(_pull, window, start))
        finally:
            QDrag.exec = before  # type: ignore[method-assign]
        if not carried.dropped:
            raise Impossible(f"{place} takes no conversations")
        await self.pause()

    def seen(self, kind: type[W], wanted: Callable[[W], bool], what: str, inside: QWidget | None = None) -> W:
        """The first visible widget that is wanted."""
        for one in _all(kind, inside):
            if not one.visibleRegion().isEmpty() and wanted(one):
                return one
        raise Impossible(f"{what} cannot be seen")

    async def until(self, holds: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> None:
        """Waits until something holds."""
        deadline = asyncio.get_running_loop().time() + patience_s
        while not holds():
            if asyncio.get_running_loop().time() > deadline:
                raise Impossible(f"{what} never happened")
            await asyncio.sleep(0.05)

    async def pause(self, seconds: float = PAUSE_S) -> None:
        """Lets the window follow."""
        await asyncio.sleep(seconds)


async def _outside(act: Callable[[], object]) -> None:
    """Does something outside the running task: QTest lets the window handle events, and a task cannot begin within another."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def do() -> None:
        try:
            act()
        except Exception as error:
            done.set_exception(error)
        else:
            done.set_result(None)

    QTimer.singleShot(0, do)
    await done


def _press(key: Qt.Key, held: Qt.KeyboardModifier) -> None:
    QTest.keyClick(listener(), key, held)


def _type(char: str) -> None:
    QTest.keyClicks(listener(), char)


def _pull(window: QWidget, start: QPoint) -> None:
    end = start + QPoint(2 * QApplication.startDragDistance(), 4)
    QTest.mousePress(window.windowHandle(), LEFT, PLAIN, start)
    QTest.mouseMove(window.windowHandle(), start + QPoint(4, 0))
    QTest.mouseMove(window.windowHandle(), end)
    QTest.mouseRelease(window.windowHandle(), LEFT, PLAIN, end)


def _all(kind: type[W], inside: QWidget | None) -> Iterator[W]:
    roots = [inside] if inside is not None else QApplication.topLevelWidgets()
    for root in roots:
        children: list[QObject] = root.findChildren(kind)
        yield from (one for one in children if isinstance(one, kind))


class _Carrier:
    """Plays the drag events that a platform sends."""

    def __init__(self, navigation: Navigation, place: str) -> None:
        self._navigation, self._place = navigation, place
        self.dropped = False

    def carry(self, drag: QDrag) -> Qt.DropAction:
        target, mime = self._navigation.viewport(), drag.mimeData()
        row = next((row for row, one in enumerate(self._navigation.places.places) if one.title == self._place), -1)
        index = self._navigation.places.index(max(row, 0))
        self._navigation.scrollTo(index)
        at = self._navigation.visualRect(index).center()
        entering, moving = QDragEnterEvent(at, BOTH, mime, LEFT, PLAIN), QDragMoveEvent(at, BOTH, mime, LEFT, PLAIN)
        QApplication.sendEvent(target, entering)
        QApplication.sendEvent(target, moving)
        if row < 0 or not moving.isAccepted():
            return Qt.DropAction.IgnoreAction
        QApplication.sendEvent(target, QDropEvent(QPointF(at), BOTH, mime, LEFT, PLAIN, QEvent.Type.Drop))
        self.dropped = True
        return Qt.DropAction.MoveAction
