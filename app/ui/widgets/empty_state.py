"""Shown instead of a page's content: icon, sentence, at most one action."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.factory import button, column, label, say_or_hide
from app.ui.widgets.labels import IconLabel

ICON_SIZE = 40
SENTENCE_WIDTH = 360
NARROWEST = 200


class EmptyState(QWidget):
    def __init__(self, icons: Icons) -> None:
        super().__init__()
        self.setProperty("role", "surface")  # the same background on every empty page
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._act: Callable[[], object] | None = None
        self._icon = IconLabel(icons, size=ICON_SIZE)
        self._title = label("", Type.TITLE)
        self._sentence = label("", Type.BODY, "soft", wrap=True)
        self._button = button("", "", self._clicked)
        for words in (self._title, self._sentence):
            words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._title.setWordWrap(True)
        layout = column(self, Space.LARGE, Space.SMALL)
        layout.addStretch(2)
        for widget in (self._icon, self._title, self._sentence, self._button):
            layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)

    def show_state(self, icon: str, title: str, sentence: str, action: str = "", act: Callable[[], object] | None = None) -> None:
        """Sets the content. Without `action` there is no button."""
        self._icon.show_icon(icon, "line_strong")
        self._title.setText(title)
        say_or_hide(self._sentence, sentence)
        self._fit()
        say_or_hide(self._button, action)
        self._act = act
        self.setAccessibleName(f"{title}. {sentence}")

    def take_focus(self) -> None:
        (self if self._button.isHidden() else self._button).setFocus()

    def minimumSizeHint(self) -> QSize:
        return QSize(NARROWEST, super().minimumSizeHint().height())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._fit()

    def _fit(self) -> None:
        """Sets a readable width and the height of the wrapped lines. A centring layout does not ask for height-for-width."""
        width = max(NARROWEST // 2, min(at_text_size(SENTENCE_WIDTH), self.width() - 2 * Space.LARGE))
        for words in (self._title, self._sentence):
            words.setFixedWidth(width)
            words.setMinimumHeight(0)  # heightForWidth is never less than the minimum
            words.setFixedHeight(max(0, words.heightForWidth(width)))

    def _clicked(self) -> None:
        if self._act is not None:
            self._act()
