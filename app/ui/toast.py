"""A notice in the lower corner, or as near to it as nothing is hidden that is needed meanwhile, which goes away by itself, by
Escape or by its cross. It never takes the keyboard."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QFrame, QLayout, QWidget

from app.ui.announcing import announce
from app.ui.build import button, label, row, tool_button
from app.ui.clear_place import clear_place, needed
from app.ui.key_button import key_words
from app.ui.own_window import give_own_window
from app.ui.scale import Space
from app.ui.told import Told

WIDEST = 560
ONE_PANE_BELOW = 780
LOOK_MS = 250
"""As often it is looked whether what is needed now lies under the notice: another row was chosen, another page came."""
SOON_MS = 30
"""The first look: a page that came with the notice is laid out by then."""


class Toast(QFrame):
    """One per window; `offer` is the action whose key does what a notice offers, `cross` the icon of the button that closes it.
    `action_offered` says whether what it offers can still be done."""

    def __init__(self, host: QWidget, offer: QAction | None = None, cross: QIcon | None = None) -> None:
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
        self.cross = tool_button(cross or QIcon(), self.tr("Close (Esc)"), self.dismiss)
        self.cross.setAccessibleName(self.tr("Close this notice"))
        self.cross.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        layout.addWidget(self.cross)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.dismiss)
        self._look = QTimer(self)
        self._look.timeout.connect(self._stay_clear)
        host.installEventFilter(self)
        self.hide()

    def tell(
        self, words: str, action: str = "", act: Callable[[], object] | None = None, for_ms: int = 5000, *, leads: bool = False
    ) -> None:
        """Show words; the newest notice wins. The key that undoes is not shown beside what `leads` elsewhere."""
        give_own_window(self)  # it may lie over a mail in HTML
        if self.testAttribute(Qt.WidgetAttribute.WA_NativeWindow) and not self.property("square"):
            self.setProperty("square", True)  # nothing shines through such a window: round corners would be black ones
            self.style().unpolish(self)
            self.style().polish(self)
        self.words.setText(words)
        self.setAccessibleName(words)
        keys = key_words(self._offer) if self._offer is not None and action and not leads else ""
        self.action.setText(f"{action}   {keys}".rstrip())
        self.action.setAccessibleName(action)
        self.action.setVisible(bool(action))
        self._act = act
        self._timer.start(for_ms)
        self._look.start(SOON_MS)
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
        self._look.stop()
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
            with Told(self):
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

    def _stay_clear(self) -> None:
        """Out of the way of what is needed now; not from under a pointer that is about to press."""
        if self._look.interval() != LOOK_MS:
            self._look.setInterval(LOOK_MS)
        if not self.underMouse() and any(one.intersects(self.geometry()) for one in needed(self._host, self)):
            self._place()

    def _place(self) -> None:
        host = self._host
        self.ensurePolished()
        self._fit(min(WIDEST, host.width() - 2 * Space.LARGE))
        left = (host.width() - self.width()) // 2 if host.width() < ONE_PANE_BELOW else Space.LARGE
        if self.isRightToLeft() and host.width() >= ONE_PANE_BELOW:
            left = host.width() - self.width() - Space.LARGE
        start = QPoint(left, host.height() - self.height() - Space.HUGE)
        room = host.rect().adjusted(Space.LARGE, Space.LARGE, -Space.LARGE, -Space.HUGE)
        self.move(clear_place(self.size(), room, start, needed(host, self)))
