"""The line above a mail that says what was not loaded, and takes the reader's word on pictures: this once, or for a sender.

What was said for a sender is kept in window.ini. Refuses to load anything itself.
"""

from collections.abc import Callable

from PySide6.QtCore import QSettings
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame

from app.ui.build import button, label, row
from app.ui.forgetting import PICTURES
from app.ui.icon_label import IconLabel
from app.ui.icons import Icons
from app.ui.scale import Space, Type

ICON = 14


class PictureChoice:
    """The senders whose pictures are loaded; addresses in lower case."""

    def __init__(self, state: QSettings) -> None:
        self._state = state

    def allowed(self, sender: str) -> bool:
        """Whether the reader said so."""
        return sender.lower() in self.senders

    def allow(self, sender: str, allowed: bool) -> None:
        """Keep the reader's word, or take it back."""
        kept = set(self.senders) - {sender.lower()}
        self._state.setValue(PICTURES, sorted(kept | {sender.lower()} if allowed else kept))

    @property
    def senders(self) -> list[str]:
        """Whose pictures load by themselves. QSettings gives a list of one back as a bare text."""
        value = self._state.value(PICTURES)
        kept = value if isinstance(value, list) else [value] if value else []
        return sorted({str(one) for one in kept})


class PictureBar(QFrame):
    """`once` loads the pictures of the mail at hand, `always` takes or ends a sender's permission."""

    def __init__(self, icons: Icons, once: Callable[[], object], always: Callable[[bool], object]) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.words = label("", Type.CAPTION, "soft", wrap=True)
        self.load = button(self.tr("Load images"), "link", once)
        self.always = button(self.tr("Always from this sender"), "link", lambda: always(True))
        self.stop = button(self.tr("No longer from this sender"), "link", lambda: always(False))
        layout = row(self, Space.SMALL, Space.MEDIUM)
        layout.setContentsMargins(Space.MEDIUM, Space.TIGHT, Space.MEDIUM, Space.TIGHT)
        layout.addWidget(IconLabel(icons, "images_off", size=ICON))
        self._line = row(None, 0, Space.MEDIUM)
        self._line.addWidget(self.words, 1)
        links = row(None, 0, Space.MEDIUM)
        for one in (self.load, self.always, self.stop):
            links.addWidget(one)
        links.addStretch()
        self._line.addLayout(links)
        layout.addLayout(self._line, 1)
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What can be done stands below words that would not stay on one line beside it."""
        super().resizeEvent(event)
        self._fit()

    def say(self, words: str) -> None:
        """Plain words, nothing to choose."""
        self._show(words, can_load=False, can_stop=False)

    def offer(self, images: int, trackers: tuple[str, ...]) -> None:
        """Pictures are off. `trackers` are hosts of tracking pixels among them, which stay off."""
        words = [self.tr("Images are off: %n remote image(s) not loaded", "", images)] if images else []
        self._show(". ".join([*words, *self._named(trackers)]), can_load=images > 0, can_stop=False)

    def loaded(self, trackers: tuple[str, ...], by_sender: bool) -> None:
        """Pictures are on."""
        words = self.tr("Images of this sender are loaded") if by_sender else self.tr("Images are loaded this once")
        self._show(". ".join([words, *self._named(trackers)]), can_load=False, can_stop=by_sender)
        self.always.setVisible(not by_sender)

    def _named(self, trackers: tuple[str, ...]) -> list[str]:
        if not trackers:
            return []
        return [self.tr("Tracking pixels left out: {hosts}").format(hosts=", ".join(trackers[:4]))]

    def _show(self, words: str, can_load: bool, can_stop: bool) -> None:
        self.words.setText(words)
        self.load.setVisible(can_load)
        self.always.setVisible(can_load)
        self.stop.setVisible(can_stop)
        self._fit()
        self.show()

    def _fit(self) -> None:
        links = [one for one in (self.load, self.always, self.stop) if not one.isHidden()]
        beside = sum(one.sizeHint().width() + Space.MEDIUM for one in links)
        words = self.words.fontMetrics().horizontalAdvance(self.words.text())
        below = bool(links) and words + beside > self.width() - ICON - 4 * Space.MEDIUM
        if below is (self._line.direction() is QBoxLayout.Direction.TopToBottom):
            return
        self._line.setDirection(QBoxLayout.Direction.TopToBottom if below else QBoxLayout.Direction.LeftToRight)
        self._line.setSpacing(0 if below else Space.MEDIUM)
