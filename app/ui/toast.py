"""A notice in the lower corner beside the navigation, off the buttons, that never takes the keyboard and goes away by itself."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QLayout, QWidget

from app.ui.announcing import announce
from app.ui.build import button, label, row
from app.ui.key_button import key_words
from app.ui.scale import Space

WIDEST = 560
ONE_PANE_BELOW = 780
ABOVE_BUTTONS = 96
NAVIGATION = 176


class Toast(QFrame):
    """One per window; `offer` is the action whose key does what a notice offers. `action_offered` says whether that can still
    be done."""

    def __init__(self, host: QWidget, offer: QAction | None = None) -> None:
        super().__init__(host)
        self._offer = offer
        self._host = host
        self.setProperty("role", "toast")
        self._act: Callable[[], object] | None = None
        self.words = label("", wrap=False)
        self.action = button("", "", self._clicked)
        self.action.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where it is
        self._layout = layout = row(self, 0, Space.MEDIUM)
        layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        layout.setContentsMargins(Space.LARGE, Space.SMALL, Space.SMALL, Space.SMALL)
        layout.addWidget(self.words, 1)
        layout.addWidget(self.action)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.dismiss)
        host.installEventFilter(self)
        self.hide()

    def tell(self, words: str, action: str = "", act: Callable[[], object] | None = None, for_ms: int = 5000) -> None:
        """Show words; the newest notice wins."""
        self.words.setText(words)
        self.setAccessibleName(words)
        keys = key_words(self._offer) if self._offer is not None and action else ""
        self.action.setText(f"{action}   {keys}".rstrip())
        self.action.setAccessibleName(action)
        self.action.setVisible(bool(action))
        right = Space.SMALL if action else Space.LARGE  # a button has its own margin
        self._layout.setContentsMargins(Space.LARGE, Space.SMALL, right, Space.SMALL)
        self._act = act
        self._timer.start(for_ms)
        self._place()
        self.show()
        self.raise_()
        announce(self, f"{words} {action} {keys}".rstrip())  # heard, although it takes no keys

    @property
    def action_offered(self) -> bool:
        """Whether an action is on offer."""
        return self._act is not None and not self.isHidden()

    def take_action(self) -> bool:
        """Do what the button does; whether there was anything to do."""
        if not self.action_offered:
            return False
        self._clicked()
        return True

    def dismiss(self) -> None:
        """Go away."""
        self._timer.stop()
        self._act = None
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep its place when the window changes size."""
        if event.type() is QEvent.Type.Resize and not self.isHidden():
            self._place()
        return False

    def _clicked(self) -> None:
        act = self._act
        self.dismiss()
        if act is not None:
            act()

    def _fit(self, widest: int) -> None:
        """On one line where that fits, else as wide as may be and as high as it takes."""
        layout = self._layout
        self.words.setWordWrap(False)
        layout.invalidate()
        wanted = layout.totalSizeHint()
        if wanted.width() <= widest:
            self.resize(wanted)
            return
        self.words.setWordWrap(True)
        layout.invalidate()
        self.resize(widest, layout.totalHeightForWidth(widest))

    def _over_buttons(self) -> bool:
        """Whether the words reach beyond the navigation, where a page may have its buttons."""
        return self.width() > NAVIGATION

    def _place(self) -> None:
        host = self._host
        widest = min(WIDEST, host.width() - 2 * Space.LARGE)
        self.ensurePolished()
        self._fit(widest)
        one_pane = host.width() < ONE_PANE_BELOW
        lift = ABOVE_BUTTONS if one_pane or self._over_buttons() else Space.HUGE
        left = (host.width() - self.width()) // 2 if one_pane else Space.LARGE
        if self.isRightToLeft() and not one_pane:
            left = host.width() - self.width() - Space.LARGE
        self.move(left, host.height() - self.height() - lift)
