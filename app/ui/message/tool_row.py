"""The row of tools beside a conversation's subject. In a narrow pane the less used ones are in a menu."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space
from app.ui.theme.painting import visual_rect
from app.ui.widgets.action_buttons import ButtonRoom, KeyButton
from app.ui.widgets.factory import action_tool, tool_button


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
        for one in self._all():
            one.setParent(self)
        self._fit()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def sizeHint(self) -> QSize:
        sizes = [one.sizeHint() for one in self._shown()]
        width = sum(size.width() for size in sizes) + Space.SMALL * (len(sizes) - 1)
        return QSize(width, max(size.height() for size in sizes))

    def minimumSizeHint(self) -> QSize:
        """Room for the menu button and the icon of `main`. These are never folded."""
        height = self.sizeHint().height()
        return QSize(self.more.sizeHint().width() + Space.SMALL + height, height)

    def offer(self, names: Sequence[str]) -> None:
        """Offers only these tools, which make sense where the conversation is filed."""
        self.offered = [name for name in self.tools if name in names]
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
        wanted = f"{self._room} {self.offered} {self.main.accessibleName()} {a_tool} {self.main.font().pointSizeF()}"
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

    def _all(self) -> tuple[QWidget, ...]:
        return (*self.tools.values(), self.more, self.main)

    def _shown(self) -> list[QWidget]:
        return [one for one in self._all() if not one.isHidden()]

    def _place(self) -> None:
        left = 0
        for one in self._shown():
            size = one.sizeHint()
            place = QRect(left, (self.height() - size.height()) // 2, size.width(), size.height())
            one.setGeometry(visual_rect(self.rect(), place))
            left += size.width() + Space.SMALL

    def _needed(self, shown: Sequence[str]) -> int:
        more = [self.more] if len(shown) < len(self.offered) else []
        widgets = [*(self.tools[name] for name in shown), *more, self.main]
        return sum(one.sizeHint().width() for one in widgets) + Space.SMALL * (len(widgets) - 1)

    def _list_folded(self) -> None:
        self._menu.clear()
        for name in self.folded:
            self._menu.addAction(self._actions[name])
