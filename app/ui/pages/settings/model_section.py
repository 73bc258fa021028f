"""The Model section: language model, its key and address, a test call, and limits for each day and month.

Provider names are derived from litellm model ids without importing litellm. A key goes through the engine to the keyring, or only
into this session's memory if the user agrees. It is never shown, read back or written to a file.
"""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from app.config.settings import Settings
from app.domain.errors import ExpectedError, KeyringUnavailable
from app.domain.ports.window import EngineLink
from app.domain.protocol.commands import Answer, ModelTest, StoreKey, TestModel
from app.domain.protocol.events import CommandFailed, Event, KeyStored
from app.ui.i18n.error_messages import sentence
from app.ui.i18n.formatting import seconds_words
from app.ui.pages.settings.providers import ADDRESSES, provider_name, provider_of, wants_key
from app.ui.pages.settings.sections import SettingsForm
from app.ui.pages.settings.settings_writer import SettingsWriter
from app.ui.services.async_task import EngineQuestion
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import button, column, frame, label, put, row, say


class ModelTestRow(QWidget):
    """Button for a test call and its result. While the call runs, the button cancels it."""

    def __init__(self, link: EngineLink, wanted: Callable[[], TestModel]) -> None:
        super().__init__()
        self._wanted = wanted
        self._query = EngineQuestion(link, self)
        self.start = button("", "", self._clicked, turns=True)
        self.outcome = label("", Type.STRONG)
        self.detail = label("", Type.CAPTION, "soft", wrap=True)
        first = put(row(None, 0, Space.MEDIUM), self.start, (self.outcome, 1, Qt.AlignmentFlag.AlignVCenter))
        put(column(self, 0, Space.TIGHT), first, self.detail)
        self.setFocusProxy(self.start)
        self.idle()

    def idle(self) -> None:
        """Cancels a running call and clears the result."""
        self._query.cancel()
        self._say("", "", "")

    def _clicked(self) -> None:
        if self._query.busy:
            self.idle()
            return
        self._query.ask(self._wanted(), self._answered, self._failed)
        self._say(self.tr("Asking the model…"), "", "soft")

    def _answered(self, answer: Answer) -> None:
        if isinstance(answer, ModelTest) and answer.ok:
            words = self.tr("It answered in %1").replace("%1", seconds_words(answer.latency_ms))
            self._say(words, answer.detail, "positive")
        elif isinstance(answer, ModelTest):
            self._say(self.tr("The test failed"), answer.detail, "danger")

    def _failed(self, error: ExpectedError) -> None:
        self._say(self.tr("The test could not run"), sentence(error.code, error.text), "danger")

    def _say(self, outcome: str, detail: str, tone: str) -> None:
        say(self.outcome, outcome, tone)
        self.detail.setText(detail)
        self.detail.setVisible(bool(detail))
        self.start.setText(self.tr("Stop waiting") if self._query.busy else self.tr("Test"))
        self.setAccessibleDescription(" ".join(filter(None, (outcome, detail))))


class KeyField(QWidget):
    """Password field with Store and Remove.

    If no keyring works, it offers to keep the key for this session.
    """

    def __init__(self, link: EngineLink) -> None:
        super().__init__()
        self._link = link
        self._provider = ""
        self._sent: StoreKey | None = None
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setInputMethodHints(Qt.InputMethodHint.ImhSensitiveData | Qt.InputMethodHint.ImhNoPredictiveText)
        self.store = button(self.tr("Save"), "", lambda: self._send(False))
        self.remove = button(self.tr("Remove the saved key"), "link", self._remove)
        self.note = label("", Type.CAPTION, "soft", wrap=True)
        self.session = button(self.tr("Keep it until I quit"), "", lambda: self._send(True))
        self.offer = frame("notice", "warning")
        self._offer_words = label("", wrap=True)
        self._lay_out()
        self.field.textChanged.connect(lambda text: self.store.setEnabled(bool(text.strip()) and bool(self._provider)))
        self.field.returnPressed.connect(lambda: self._send(False))
        self.setFocusProxy(self.field)
        self.show_model("")

    def _lay_out(self) -> None:
        first = put(row(), (self.field, 1), self.store)
        second = put(row(), (self.note, 1), self.remove)
        put(column(self.offer, Space.MEDIUM), self._offer_words, (self.session, Qt.AlignmentFlag.AlignLeft))
        put(column(self, 0, Space.TIGHT), first, second, self.offer)
        self.offer.hide()

    def show_model(self, model: str) -> None:
        """Asks for the key of this model's provider."""
        provider = provider_of(model) if wants_key(model) else ""
        if provider != self._provider:
            self._sent = None
            self.field.clear()
            say(self.note, "", "soft")
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
        """Shows the outcome of storing or removing a key."""
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
            say(self.note, self.tr("The key was removed."), "positive")
        elif sent.session_only:
            say(self.note, self.tr("Saved until you quit Replyroom."), "positive")
        else:
            say(self.note, self.tr("Saved in your system keychain."), "positive")

    def _refused(self, event: CommandFailed) -> None:
        """Shows why storing failed. The key stays in the field, so that it need not be typed again."""
        self._sent = None
        words = sentence(event.code, event.text)
        offered = event.code == KeyringUnavailable.code and bool(self.field.text().strip())
        self.offer.setVisible(offered)
        self._offer_words.setText(words)
        say(self.note, "" if offered else words, "danger")
        if offered and self.isVisible():
            self.session.setFocus()

    def _send(self, session_only: bool) -> None:
        key = self.field.text().strip()
        if not key or not self._provider:
            return
        self.offer.hide()
        self._sent = StoreKey(self._provider, key, session_only)
        say(self.note, self.tr("Saving…"), "soft")
        self._link.send(self._sent)

    def _remove(self) -> None:
        self._sent = StoreKey(self._provider, "")
        say(self.note, self.tr("Removing…"), "soft")
        self._link.send(self._sent)


class ModelSection(SettingsForm):
    """Everything works without a model; the introduction says so."""

    def __init__(self, writer: SettingsWriter, link: EngineLink, icons: Icons) -> None:
        super().__init__(
            writer,
            icons,
            self.tr("Language model"),
            self.tr("Without one, mail is sorted on this computer and drafts come from your own earlier replies and templates."),
        )
        self.add_settings("model.name")
        self.key = KeyField(link)
        self.add_widget(self.tr("Key"), self.tr("Saved in your system keychain."), self.key)
        self.add_settings("model.api_base")
        self.test = ModelTestRow(link, self._wanted)
        self.add_widget(self.tr("Test"), self.tr("Sends one short question without any mail."), self.test)
        self.add_settings("model.daily_calls", "model.daily_usd", "model.monthly_calls", "model.monthly_usd", "model.timeout_s")
        for key in ("model.name", "model.api_base"):
            self.fields[key].control.typed.connect(self._model_typed)
            self.fields[key].control.committed.connect(lambda _value: self._model_typed())

    def show_values(self, settings: Settings) -> None:
        """Shows the file's values and the provider whose key is needed."""
        super().show_values(settings)
        self._follow_model()

    def hear(self, event: Event) -> None:
        self.key.hear(event)

    def _wanted(self) -> TestModel:
        return TestModel(self._model(), self._address())

    def _model(self) -> str:
        box = self.fields["model.name"].control.widget
        return box.currentText().strip() if isinstance(box, QComboBox) else ""

    def _address(self) -> str:
        field = self.fields["model.api_base"].control.widget
        return field.text().strip() if isinstance(field, QLineEdit) else ""

    def _model_typed(self) -> None:
        self.test.idle()
        self._follow_model()

    def _follow_model(self) -> None:
        model = self._model()
        self.key.show_model(model)
        self.test.start.setEnabled(bool(model))
        field = self.fields["model.api_base"].control.widget
        if isinstance(field, QLineEdit):
            usual = ADDRESSES.get(provider_of(model), "")
            field.setPlaceholderText(usual or self.tr("Default"))
