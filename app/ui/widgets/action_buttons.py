"""Buttons of actions, which show their key where there is room, and rows that fit.

A bar shortens its buttons; the row of tools beside a conversation's subject puts the less used ones into a menu.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import partial
from itertools import chain, repeat

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QAction, QIcon, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, at_text_size
from app.ui.theme.painting import visual_rect
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import (
    ReturnButton,
    RoleFrame,
    action_tool,
    button,
    plain_tip,
    row,
    set_style,
    show_in_place,
    tool_button,
)

SHORT = {"Return": "↵", "Enter": "↵", "Escape": "Esc"}

FROM_LEFT, AS_BEFORE = "\N{LEFT-TO-RIGHT ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
"""Isolate key names inside right-to-left text."""


def key_words(action: QAction) -> str:
    """The action's first key as short text, empty if it has none."""
    words = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    for long, short in SHORT.items():
        words = words.replace(long, short)
    return words


def show_icons(icons: Icons, names: Mapping[QAction, str]) -> None:
    """Gives actions other icons. An action that has its icon is left alone, since each change reaches all its buttons."""
    for action, name in names.items():
        if action.property("icon_name") != name:
            action.setProperty("icon_name", name)
            action.setProperty("icon_on_accent", icons.icon(name, "on_accent"))
            action.setIcon(icons.icon(name))


class ButtonRoom(Enum):
    ICON = "icon"
    WORDS = "words"
    KEYS = "keys"


class KeyButton(ReturnButton):
    def __init__(self, action: QAction, role: str = "") -> None:
        super().__init__()
        self.setProperty("role", role)
        self.setAutoDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # on macOS a click would leave the focus in an open question
        self._action = action
        self._room = ButtonRoom.WORDS
        self._offered = True
        self.clicked.connect(lambda _checked=False: action.trigger())
        action.changed.connect(self._follow)
        self._follow()

    def set_room(self, room: ButtonRoom) -> None:
        if room is not self._room:
            self._room = room
            self._follow()

    def shorten(self, by: int) -> None:
        """Shows the action's icon text in a number of pixels less, or its icon where that does not fit: half a word says less.

        An icon text that says less than the whole has the icon beside it, if there is room. The tooltip has the whole.
        """
        action = self._action
        room = self.fontMetrics().horizontalAdvance(self.text()) - by - self.fontMetrics().horizontalAdvance(action.iconText())
        if room < 0:
            self.set_room(ButtonRoom.ICON)
        else:
            beside = action.iconText() != action.text() and room >= self.iconSize().width() + Space.TIGHT
            self.setText(action.iconText())
            self.setIcon(self._icon() if beside else QIcon())

    def _icon(self) -> QIcon:
        """The action's icon, in the colour of the words."""
        filled = self.property("role") == "primary" and not self.property("asked")
        bright: QIcon | None = self._action.property("icon_on_accent") if filled else None
        return bright or self._action.icon()

    def stand_back(self, asked: bool) -> None:
        """Leaves a filled button plain while a question with a filled button of its own is open."""
        set_style(self, "asked", "true" if asked else "")
        if not self.icon().isNull():
            self.setIcon(self._icon())

    def offer(self, offered: bool) -> None:
        """Shows or hides the button; the action keeps its key."""
        if offered is not self._offered:
            self._offered = offered
            self._follow()

    def _follow(self) -> None:
        keys = key_words(self._action)
        if keys and self.isRightToLeft():
            keys = f"{FROM_LEFT}{keys}{AS_BEFORE}"
        words = self._action.text()
        shown = {ButtonRoom.ICON: "", ButtonRoom.WORDS: words, ButtonRoom.KEYS: f"{words}   {keys}".rstrip()}
        self.setText(shown[self._room])
        self.setIcon(self._icon() if self._room is ButtonRoom.ICON else QIcon())
        self.setIconSize(QSize(at_text_size(Space.LARGE), at_text_size(Space.LARGE)))
        self.setAccessibleName(words)
        self.setEnabled(self._action.isEnabled())
        self.setToolTip(plain_tip(f"{words} ({keys})" if keys else words))
        show_in_place(self, self._action.isVisible() and self._offered)


class OneFilled(QObject):
    """Lets a filled button stand back while one of `questions` is open."""

    def __init__(self, filled: KeyButton, *questions: QWidget) -> None:
        super().__init__(filled)
        self._filled, self._questions = filled, questions
        for one in questions:
            one.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._filled.stand_back(any(not one.isHidden() for one in self._questions))
        return False


class AnswerRow(FlowRow):
    """Buttons for ready answers, each with the key of its action. `put` gets the answer that was chosen."""

    def __init__(self, actions: Sequence[QAction], role: str, put: Callable[[str], object]) -> None:
        self._actions, self._put = actions, put
        self.offered: tuple[str, ...] = ()
        self.buttons = [button("", role, partial(self.take, at)) for at in range(len(actions))]
        super().__init__(self.buttons, Space.SMALL)

    def offer(self, answers: Sequence[str]) -> None:
        self.offered = tuple(answers)
        for made, words, action in zip(self.buttons, chain(answers, repeat("")), self._actions, strict=False):
            made.setText(f"{words}   {key_words(action)}".rstrip())
            made.setAccessibleName(words)
            made.setVisible(bool(words))

    def take(self, at: int) -> None:
        if at < len(self.offered):
            self._put(self.offered[at])


class ActionButtonBar(RoleFrame):
    """A row of action buttons. Those from index `apart` on are aligned to the right edge. Never wider than its parent allows."""

    def __init__(self, buttons: Sequence[KeyButton], apart: int) -> None:
        super().__init__("bar")
        self.setMinimumWidth(1)
        self._buttons = tuple(buttons)
        self._width = -1
        self._words: tuple[str, ...] = ()
        self._texts: tuple[str, ...] = ()
        self._layout = row(self, (Space.LARGE, Space.SMALL), Space.SMALL, *buttons)
        self._layout.insertStretch(apart, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit()
        return super().event(event)

    def fit(self) -> None:
        """Chooses the fullest form that fits. With keys, with text, then icons from the right. The most important button keeps
        its text. Call it when another button becomes the most important one.
        """
        shown = self._shown()
        # The most important buttons: enabled primary ones, else the first.
        kept = [one for one in shown if one.property("role") == "primary" and one.isEnabled()] or shown[:1]
        wanted = tuple(f"{made.accessibleName()}{made.font().pointSizeF()}{made in kept}" for made in shown)
        if (self.width(), wanted, tuple(made.text() for made in shown)) == (self._width, self._words, self._texts):
            return
        self._width, self._words = self.width(), wanted
        self._choose(shown, kept)
        self._texts = tuple(made.text() for made in shown)  # a changed action makes a shortened text long again

    def _choose(self, shown: Sequence[KeyButton], kept: Sequence[KeyButton]) -> None:
        self._layout.setSpacing(Space.SMALL)
        for room in (ButtonRoom.KEYS, ButtonRoom.WORDS):
            for made in shown:
                made.set_room(room)
            if self._needed() <= self.width():
                return
        for made in (one for one in reversed(shown) if one not in kept):
            made.set_room(ButtonRoom.ICON)
            if self._needed() <= self.width():
                return
        self._layout.setSpacing(Space.TIGHT)  # a word beside its icon is worth more than wide gaps
        if kept and self._needed() > self.width():
            kept[0].shorten(self._needed() - self.width())

    def _shown(self) -> Sequence[KeyButton]:
        return [one for one in self._buttons if not one.isHidden()]

    def _needed(self) -> int:
        shown = self._shown()
        return sum(made.sizeHint().width() for made in shown) + self._layout.spacing() * len(shown) + 2 * Space.LARGE


class ToolRow(QWidget):
    """A row of tools. Icon buttons for the actions `names`, the most used first, and a button with text for `main`. `more` opens
    the menu of folded tools.
    """

    def __init__(self, icons: Icons, actions: Mapping[str, QAction], names: Sequence[str], main: str) -> None:
        super().__init__()
        self._actions = {name: actions[name] for name in names}
        self.tools: dict[str, QToolButton] = {name: action_tool(actions[name]) for name in names}
        self.offered = list(names)
        self.folded: list[str] = []
        self.more = tool_button(icons.icon("more"), self.tr("More"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self.more)
        self._menu.aboutToShow.connect(self._list_folded)
        self.more.setMenu(self._menu)
        self.main = KeyButton(actions[main])
        self._room, self._fitted = -1, ""
        for one in (*self.tools.values(), self.more, self.main):
            one.setParent(self)
        self._fit()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def sizeHint(self) -> QSize:
        sizes = [one.sizeHint() for one in self._shown()]
        width = sum(size.width() for size in sizes) + Space.SMALL * (len(sizes) - 1)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSizeHint(self) -> QSize:
        """Room for the menu button and the icon of `main`. These are never folded."""
        height = self.sizeHint().height()
        return QSize(self.more.sizeHint().width() + Space.SMALL + height, height)

    def offer(self, names: Sequence[str]) -> None:
        """Offers only these tools, which make sense where the conversation is filed."""
        self.offered = [name for name in self.tools if name in names]
        self._fit()

    def offer_main(self, offered: bool) -> None:
        """Shows or hides the button with text; its action keeps its key."""
        self.main.offer(offered)
        self._fit()

    def fit(self, room: int) -> None:
        """Fits into `room` pixels. First all have text, then `main` is an icon, then fewer and fewer tools are shown."""
        self._room = room
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        a_tool = self.more.sizeHint()  # changes with text size and style sheet
        main = f"{self.main.isHidden()} {self.main.accessibleName()} {self.main.font().pointSizeF()}"
        wanted = f"{self._room} {self.offered} {a_tool} {main}"
        if wanted == self._fitted:
            return
        self._fitted = wanted
        shown = list(self.offered)
        self.main.set_room(ButtonRoom.WORDS)
        if self._room >= 0 and self._needed(shown) > self._room:
            self.main.set_room(ButtonRoom.ICON)
            while shown and self._needed(shown) > self._room:
                shown.pop()
        self.folded = [name for name in self.offered if name not in shown]
        for name, tool in self.tools.items():
            tool.setVisible(name in shown)
        self.more.setVisible(bool(self.folded))
        self.updateGeometry()
        self._place()

    def _shown(self) -> list[QWidget]:
        return [one for one in (*self.tools.values(), self.more, self.main) if not one.isHidden()]

    def _place(self) -> None:
        left = 0
        for one in self._shown():
            size = one.sizeHint()
            place = QRect(left, (self.height() - size.height()) // 2, size.width(), size.height())
            one.setGeometry(visual_rect(self.rect(), place))
            left += size.width() + Space.SMALL

    def _needed(self, shown: Sequence[str]) -> int:
        more = [self.more] if len(shown) < len(self.offered) else []
        main = [] if self.main.isHidden() else [self.main]
        widgets = [*(self.tools[name] for name in shown), *more, *main]
        return sum(one.sizeHint().width() for one in widgets) + Space.SMALL * (len(widgets) - 1)

    def _list_folded(self) -> None:
        self._menu.clear()
        for name in self.folded:
            self._menu.addAction(self._actions[name])
