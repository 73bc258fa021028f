"""The row for a provider's key. It goes to the keyring through the engine; where none works, to this session's memory if the
user says so. The key is never shown, read back or written to a file."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from app.domain.commands import StoreKey
from app.domain.errors import KeyringUnavailable
from app.domain.events import CommandFailed, Event, KeyStored
from app.domain.ports.window import EngineLink
from app.ui.build import button, column, frame, label, row, set_tone
from app.ui.scale import Space, Type
from app.ui.settings.providers import provider_name, provider_of, wants_key
from app.ui.trouble import sentence


class KeyField(QWidget):
    """A password field with Store and Remove, and the offer to keep a key for this session only."""

    def __init__(self, link: EngineLink) -> None:
        super().__init__()
        self._link = link
        self._provider = ""
        self._sent: StoreKey | None = None
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setInputMethodHints(Qt.InputMethodHint.ImhSensitiveData | Qt.InputMethodHint.ImhNoPredictiveText)
        self.store = button(self.tr("Store"), "", lambda: self._send(False))
        self.remove = button(self.tr("Remove the stored key"), "link", self._remove)
        self.note = label("", Type.CAPTION, "soft", wrap=True)
        self.session = button(self.tr("Keep it for this session only"), "", lambda: self._send(True))
        self.offer = frame("notice", "warning")
        self._offer_words = label("", wrap=True)
        self._lay_out()
        self.field.textChanged.connect(lambda text: self.store.setEnabled(bool(text.strip()) and bool(self._provider)))
        self.field.returnPressed.connect(lambda: self._send(False))
        self.setFocusProxy(self.field)
        self.show_model("")

    def _lay_out(self) -> None:
        lines = column(self, 0, Space.TIGHT)
        first = row(None, 0, Space.SMALL)
        first.addWidget(self.field, 1)
        first.addWidget(self.store)
        lines.addLayout(first)
        second = row(None, 0, Space.SMALL)
        second.addWidget(self.note, 1)
        second.addWidget(self.remove)
        lines.addLayout(second)
        inside = column(self.offer, Space.MEDIUM, Space.SMALL)
        inside.addWidget(self._offer_words)
        inside.addWidget(self.session, 0, Qt.AlignmentFlag.AlignLeft)
        lines.addWidget(self.offer)
        self.offer.hide()

    def show_model(self, model: str) -> None:
        """Ask for the key of this model's provider."""
        provider = provider_of(model) if wants_key(model) else ""
        if provider != self._provider:
            self._sent = None
            self.field.clear()
            self._say("", "soft")
        self._provider = provider
        self.field.setEnabled(bool(provider))
        self.store.setEnabled(bool(provider) and bool(self.field.text().strip()))
        self.remove.setVisible(bool(provider))
        name = provider_name(provider)
        words = self.tr("Key for %1").replace("%1", name) if provider else self.tr("This model needs no key")
        self.field.setPlaceholderText(words if model else "")
        self.field.setAccessibleName(words)
        if not provider:
            self.offer.hide()

    def hear(self, event: Event) -> None:
        """What became of the key that was sent."""
        if self._sent is None:
            return
        if isinstance(event, CommandFailed) and event.command == StoreKey.__name__:
            self._refused(event)
        elif isinstance(event, KeyStored) and event.provider == self._sent.provider:
            self._stored(self._sent)

    def _stored(self, sent: StoreKey) -> None:
        self._sent = None
        self.offer.hide()
        self.field.clear()
        if not sent.key:
            self._say(self.tr("The key was removed."), "positive")
        elif sent.session_only:
            self._say(self.tr("Kept until Replyroom is closed."), "positive")
        else:
            self._say(self.tr("Stored in the keyring."), "positive")

    def _refused(self, event: CommandFailed) -> None:
        """The key stays in the field, so that it need not be typed again."""
        self._sent = None
        words = sentence(event.code, event.detail, event.remedy)
        offered = event.code == KeyringUnavailable.code and bool(self.field.text().strip())
        self.offer.setVisible(offered)
        self._offer_words.setText(words)
        self._say("" if offered else words, "danger")
        if offered and self.isVisible():
            self.session.setFocus()

    def _send(self, session_only: bool) -> None:
        key = self.field.text().strip()
        if not key or not self._provider:
            return
        self.offer.hide()
        self._sent = StoreKey(self._provider, key, session_only)
        self._say(self.tr("Storing…"), "soft")
        self._link.send(self._sent)

    def _remove(self) -> None:
        self._sent = StoreKey(self._provider, "")
        self._say(self.tr("Removing…"), "soft")
        self._link.send(self._sent)

    def _say(self, words: str, tone: str) -> None:
        set_tone(self.note, tone)
        self.note.setText(words)
