"""The Model section: a card for each provider, its key or address, its models, a test, and limits.

A model is in use as soon as it passes the test. A key goes through the engine to the keyring, or only into this session's memory
if the user agrees. It is never shown, read back or written to a file.
"""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QFileDialog, QLineEdit, QPushButton, QWidget

from app.config.settings import Settings
from app.domain.agents.model_providers import COMPATIBLE, GGUF, PROVIDERS, ModelProvider, provider_of, with_scheme
from app.domain.errors import ExpectedError, KeyringUnavailable
from app.domain.ports.window import EngineLink
from app.domain.protocol.commands import FindModelServers, ListModels, ModelList, ModelServer, ModelTest, StoreKey, TestModel
from app.domain.protocol.events import CommandFailed, KeyStored
from app.domain.wire import Event
from app.ui.i18n.error_messages import sentence
from app.ui.i18n.formatting import seconds_words
from app.ui.pages.settings.form import SettingsWriter
from app.ui.pages.settings.model_trial import ModelTrialDialog
from app.ui.pages.settings.sections import SettingsForm
from app.ui.services.async_task import EngineQuestion, single_shot
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, Type
from app.ui.widgets import form_controls
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import RoleFrame, button, column, label, put, row, say, say_or_hide


class ProviderCard(QPushButton):
    """A card that chooses a provider: its name, and what it needs."""

    def __init__(self, name: str, needs: str, chosen: Callable[[], object]) -> None:
        super().__init__()
        self.setProperty("role", "choice")
        self.setCheckable(True)
        self.setAutoDefault(False)
        self.setAccessibleName(name)
        self._needs = label(needs, Type.CAPTION, "soft")
        column(self, (Space.MEDIUM, Space.SMALL), 0, label(name, Type.STRONG), self._needs)
        for child in self.findChildren(QWidget):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.clicked.connect(lambda _checked=False: chosen())
        self.describe(needs)

    def describe(self, needs: str, tone: str = "soft") -> None:
        say(self._needs, needs, tone)
        self.setAccessibleDescription(needs)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        inside = self.layout()
        return inside.sizeHint().expandedTo(self.minimumSize()) if inside is not None else super().sizeHint()


class ProviderCards(QWidget):
    """The cards, the first for no model. Emits `chosen` with the id of a provider, empty for none."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        own = {
            COMPATIBLE: (self.tr("Other server"), self.tr("Enter its address")),
            GGUF: (self.tr("Model file"), self.tr("Run by Replyroom")),
        }
        self.cards = {"": ProviderCard(self.tr("No AI"), self.tr("Works offline"), partial(self._choose, ""))}
        for one in PROVIDERS:
            needs = self.tr("On this computer") if one.local else self.tr("Needs a key")
            self.cards[one.id] = ProviderCard(*own.get(one.id, (one.name, needs)), partial(self._choose, one.id))
        self._flow = FlowRow(list(self.cards.values()), Space.SMALL, Space.SMALL)
        column(self, 0, 0, self._flow)
        self.setFocusProxy(self.cards[""])

    def mark(self, provider_id: str | None) -> None:
        """Shows which provider is chosen; None for one without a card."""
        for name, card in self.cards.items():
            card.setChecked(name == provider_id)

    def show_found(self, found: tuple[ModelServer, ...]) -> None:
        """Says which servers run on this computer."""
        for server in found:
            self.cards[server.provider].describe(self.tr("Running, %n model(s)", "", len(server.models)), "positive")
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Makes all cards as wide as the widest, so that they stand in columns."""
        inside = [card.layout() for card in self.cards.values()]
        wide = max(one.sizeHint().width() for one in inside if one is not None)
        for card in self.cards.values():
            card.setMinimumWidth(wide)
        self._flow.updateGeometry()

    def _choose(self, provider_id: str) -> None:
        self.mark(provider_id)
        self.chosen.emit(provider_id)


class ModelTestRow(QWidget):
    """Button for a test and its result. While it runs, the button cancels it. Emits `passed` with the test that was answered.

    `use_anyway` is emitted when the user takes a model that did not answer.
    """

    passed = Signal(object)
    use_anyway = Signal(object)

    def __init__(self, link: EngineLink, wanted: Callable[[], TestModel]) -> None:
        super().__init__()
        self._asked = TestModel("", "")
        self._query = EngineQuestion(link, self)
        self.start = button("", "", lambda: self.idle() if self._query.busy else self.ask(wanted()), turns=True)
        self.outcome = label("", Type.STRONG, wrap=True)
        self.detail = label("", Type.CAPTION, "soft", wrap=True)
        self.anyway = button(self.tr("Use it anyway"), "link", lambda: self.use_anyway.emit(self._asked))
        first = put(row(None, 0, Space.MEDIUM), self.start, (self.outcome, 1, Qt.AlignmentFlag.AlignVCenter))
        put(column(self, 0, Space.TIGHT), first, self.detail, (self.anyway, Qt.AlignmentFlag.AlignLeft))
        self.setFocusProxy(self.start)
        self.idle()

    def idle(self) -> None:
        """Cancels a running test and clears the result."""
        self._query.cancel()
        self._say("", "", "")

    def ask(self, wanted: TestModel) -> None:
        self._asked = wanted
        self._query.ask(wanted, self._answered, self._failed)
        self._say(self.tr("Testing the model…"), "", "soft")

    def _answered(self, answer: ModelTest) -> None:
        """Says what the model can do for the user."""
        words = {
            (True, True): self.tr("It can sort mail, write drafts and look things up for the assistant."),
            (True, False): self.tr("It can sort mail and write drafts. It can't use tools, so the assistant does less with it."),
            (False, True): self.tr("It can write drafts and use tools, but sorts unreliably. Mail is sorted on this computer."),
            (False, False): self.tr(
                "It can write drafts. It sorts unreliably and can't use tools. Mail is sorted on this computer."
            ),
        }[answer.sorts, answer.calls_tools]
        took = self.tr("It answered in %1.").replace("%1", seconds_words(answer.latency_ms))
        if answer.latency_ms < 1000:
            took = self.tr("It answered in less than a second.")
        if answer.right < answer.asked:
            sorted_right = self.tr("It sorted %1 of %2 sample messages right.")
            words += " " + sorted_right.replace("%1", str(answer.right)).replace("%2", str(answer.asked))
        self._say(self.tr("The model works"), f"{words} {took}", "positive")
        self.passed.emit(self._asked)

    def _failed(self, error: ExpectedError) -> None:
        self._say(self.tr("The test failed"), sentence(error.code, error.text), "danger", refused=True)

    def _say(self, outcome: str, detail: str, tone: str, refused: bool = False) -> None:
        say(self.outcome, outcome, tone)
        say_or_hide(self.detail, detail)
        self.anyway.setVisible(refused)
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
        self.field = QLineEdit(echoMode=QLineEdit.EchoMode.Password)
        self.field.setInputMethodHints(Qt.InputMethodHint.ImhSensitiveData | Qt.InputMethodHint.ImhNoPredictiveText)
        self.store = button(self.tr("Save"), "", lambda: self._send(False))
        self.remove = button(self.tr("Remove the saved key"), "link")
        self.remove.clicked.connect(lambda: self._store(StoreKey(self._provider, ""), self.tr("Removing…")))
        self.note = label("", Type.CAPTION, "soft", wrap=True)
        self.session = button(self.tr("Keep it until I quit"), "", lambda: self._send(True))
        self.offer = RoleFrame("notice", "warning")
        self._offer_words = label("", wrap=True)
        column(self.offer, Space.MEDIUM, Space.SMALL, self._offer_words, (self.session, Qt.AlignmentFlag.AlignLeft))
        first, second = put(row(), (self.field, 1), self.store), put(row(), (self.note, 1), self.remove)
        column(self, 0, Space.TIGHT, first, second, self.offer)
        self.offer.hide()
        self.field.textChanged.connect(lambda text: self.store.setEnabled(bool(text.strip()) and bool(self._provider)))
        self.field.returnPressed.connect(lambda: self._send(False))
        self.setFocusProxy(self.field)
        self.show_provider("", "")

    def show_provider(self, provider: str, name: str) -> None:
        """Asks for the key that is stored as `provider`; empty for none. `name` is for people."""
        if provider != self._provider:
            self._sent = None
            self.field.clear()
            say(self.note, "", "soft")
        self._provider = provider
        self.field.setEnabled(bool(provider))
        self.store.setEnabled(bool(provider) and bool(self.field.text().strip()))
        self.remove.hide()
        words = self.tr("Paste the key for %1").replace("%1", name) if provider else ""
        self.field.setPlaceholderText(words)
        self.field.setAccessibleName(words)
        if not provider:
            self.offer.hide()

    def show_stored(self) -> None:
        """Says that a key is stored: the provider gave its models for it."""
        if self._provider and not self.note.text():
            say(self.note, self.tr("A key is saved."), "soft")
        self.remove.setVisible(bool(self._provider))

    def hear(self, event: Event) -> None:
        """Shows the outcome of storing or removing a key. One that could not be stored stays in the field."""
        sent = self._sent
        if sent is None:
            return
        if isinstance(event, CommandFailed) and event.command == StoreKey.__name__:
            self._sent = None
            words = sentence(event.code, event.text)
            offered = event.code == KeyringUnavailable.code and bool(self.field.text().strip())
            self.offer.setVisible(offered)
            self._offer_words.setText(words)
            say(self.note, "" if offered else words, "danger")
            if offered and self.isVisible():
                self.session.setFocus()
        elif isinstance(event, KeyStored) and event.provider == sent.provider:
            self._sent = None
            self.offer.hide()
            self.field.clear()
            words = self.tr("Saved until you quit Replyroom.") if sent.session_only else self.tr("Saved in your system keychain.")
            say(self.note, words if sent.key else self.tr("The key was removed."), "positive")
            self.remove.setVisible(bool(sent.key))

    def _send(self, session_only: bool) -> None:
        key = copied_key(self.field.text())
        if key and self._provider:
            self.offer.hide()
            self._store(StoreKey(self._provider, key, session_only), self.tr("Saving…"))

    def _store(self, command: StoreKey, words: str) -> None:
        self._sent = command
        say(self.note, words, "soft")
        self._link.send(command)


def copied_key(text: str) -> str:
    """A key without what comes along when it is copied: spaces, line breaks, quotes, invisible signs and "Bearer"."""
    plain = text.strip().removeprefix("Bearer ")
    return "".join(one for one in plain if one.isprintable() and one not in " \"'“”‘’„‚")


LOOK_AFTER_MS = 300
ADVANCED = ("model.triage", "model.agent", "model.name", "model.api_base", "model.timeout_s")
LIMITS = ("model.daily_calls", "model.daily_usd", "model.monthly_calls", "model.monthly_usd")


class ModelSection(SettingsForm):
    """Everything works without a model; the introduction says so."""

    def __init__(self, writer: SettingsWriter, link: EngineLink, icons: Icons) -> None:
        super().__init__(
            writer,
            icons,
            self.tr("Language model"),
            self.tr("Without one, mail is sorted on this computer and drafts come from your own earlier replies and templates."),
        )
        self._link = link
        self._provider: ModelProvider | None = None
        self._choosing = False
        """Whether the user has begun to choose another provider than the saved one."""
        self._saved = ("", "")
        self._asked_at = ""
        """The address whose list of models is shown."""
        self._listing, self._finding = EngineQuestion(link, self), EngineQuestion(link, self)
        self._soon = single_shot(self, self._look, LOOK_AFTER_MS)
        self.cards = ProviderCards()
        self.key = KeyField(link)
        self.address = QLineEdit()
        self.models = form_controls.suggested((), self.tr("Choose a model"), icons)
        box = self.models.widget
        assert isinstance(box, QComboBox)
        self._names = box
        self.refresh = button(self.tr("Show models"), "", self._list)
        self.listed = label("", Type.CAPTION, "soft", wrap=True)
        self.test = ModelTestRow(link, self._wanted)
        self.more = button(self.tr("Advanced"), "link", self._show_advanced)
        self.trial = button(self.tr("Try it on 20 of my messages…"), "", self._try)
        model = QWidget()
        column(model, 0, Space.TIGHT, row(None, 0, Space.SMALL, (box, 1), self.refresh), self.listed)
        model.setFocusProxy(box)
        self.add_widget(self.tr("Provider"), "", self.cards, wide=True)
        self.add_widget(self.tr("Key"), self.tr("Saved in your system keychain."), self.key)
        self.add_widget(self.tr("Address"), self.tr("The server's OpenAI-compatible API."), self.address)
        self.add_widget(self.tr("Model"), self.tr("It is tested with a made-up email, then used."), model)
        self.add_widget(self.tr("Test"), self.tr("A few short questions without any of your mail."), self.test)
        hint = self.tr("Compares what the model would have done with what you did. The messages are sent to it.")
        self.add_widget(self.tr("Try the model"), hint, self.trial)
        self.add_settings(*LIMITS)
        self.add_widget("", "", self.more)
        self.add_settings(*ADVANCED)
        self.cards.chosen.connect(self._choose)
        self.address.editingFinished.connect(self._address_typed)
        self.models.committed.connect(self._choose_model)
        self.test.passed.connect(self._use)
        self.test.use_anyway.connect(self._use)
        self._show_provider(None)
        self._show_advanced(False)

    def showEvent(self, event: QShowEvent) -> None:
        """Looks for servers on this computer, unless the page is only passed on the way to another one."""
        super().showEvent(event)
        self._soon.start()

    def _look(self) -> None:
        if self.isVisible() and not self._finding.busy:
            self._finding.ask(FindModelServers(), lambda answer: self.cards.show_found(answer.found), lambda _error: None)

    def show_values(self, settings: Settings) -> None:
        """Shows the file's values, except where the user is choosing something else."""
        super().show_values(settings)
        saved = (settings.model.name, settings.model.api_base)
        if saved == self._saved and self._provider is not None:
            return
        self._saved = saved
        name, base = saved
        provider = provider_of(name, base)
        if self._choosing and (provider is None or provider != self._provider):
            return
        self._choosing = False
        self.cards.mark("" if not name else provider.id if provider is not None else None)
        self._show_provider(provider)
        self.models.show_value(name.partition("/")[2] or name)
        self.address.setText(base or (provider.address if provider is not None and provider.local else ""))
        self._asked_at = self._base()
        if name and provider is None:
            self._show_advanced(True)

    def hear(self, event: Event) -> None:
        self.key.hear(event)
        if isinstance(event, KeyStored) and self._provider is not None and self.isVisible():
            self._list()

    def _choose(self, provider_id: str) -> None:
        self._choosing = True
        self.test.idle()
        provider = next((one for one in PROVIDERS if one.id == provider_id), None)
        saved = provider_of(*self._saved)
        same = saved is not None and saved == provider
        self._show_provider(provider)
        self.models.show_value(self._saved[0].partition("/")[2] if same else "")
        local = provider.address if provider is not None and provider.local else ""
        self.address.setText((self._saved[1] if same else "") or local)
        if provider is None:
            self._choosing, self._saved = False, ("", "")
            self._show_provider(None)
            self.writer.change_together({"model.name": "", "model.api_base": ""})
        elif provider.id == COMPATIBLE and not self.address.text():
            self.address.setFocus()
        else:
            self._list()

    def _show_provider(self, provider: ModelProvider | None) -> None:
        self._provider = provider
        keyed = provider is not None and not provider.local
        key_name = "" if provider is None or provider.local else COMPATIBLE if provider.id == COMPATIBLE else provider.prefix
        self.key.show_provider(key_name, provider.name if provider is not None else "")
        file = provider is not None and provider.id == GGUF
        self.refresh.setText(self.tr("Choose a file…") if file else self.tr("Show models"))
        self.row_of(self.key).setVisible(keyed)
        self.row_of(self.address).setVisible(self._asks_address)
        self.row_of(self.refresh).setVisible(provider is not None)
        for one in (self.test, self.trial, *(self.fields[key].control.widget for key in LIMITS)):
            self.row_of(one).setVisible(provider is not None or bool(self._saved[0]))
        self._fill(())
        say(self.listed, "", "soft")

    def _address_typed(self) -> None:
        typed = with_scheme(self.address.text())
        if typed and typed != self._asked_at:
            self._choosing = True
            self._list()

    def _base(self) -> str:
        """The address to save: none for a provider on the network, which has one of its own."""
        return with_scheme(self.address.text()) if self._asks_address else ""

    @property
    def _asks_address(self) -> bool:
        """Whether the provider is a server whose address the user may give."""
        provider = self._provider
        return provider is not None and (provider.id == COMPATIBLE or (provider.local and bool(provider.address)))

    def _list(self) -> None:
        provider = self._provider
        if provider is None or (provider.id == COMPATIBLE and not self._base()):
            return
        if provider.id == GGUF:
            dialog = QFileDialog(self.window(), self.tr("Model file"), "", self.tr("Models (*.gguf);;All files (*)"))
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.fileSelected.connect(self.use_file)
            dialog.open()
            return
        say(self.listed, self.tr("Asking %1 for its models…").replace("%1", provider.name), "soft")
        self._asked_at = self._base()
        self._listing.ask(ListModels(provider.id, self._base()), self._answered, self._unlisted)

    def use_file(self, path: str) -> None:
        """Tests a chosen model file; it is used once it passes."""
        self.models.show_value(path)
        self._choose_model(path)

    def _answered(self, answer: ModelList) -> None:
        if self._provider is None:
            return
        if self._base():
            self._asked_at = answer.address
            self.address.setText(answer.address)
        if self._provider.needs_key:
            self.key.show_stored()
        self._fill(answer.models)
        words = self.tr("The server doesn't list its models. Type the model's name.")
        if answer.models and self._provider.local:
            words = self.tr("%n model(s) on this computer.", "", len(answer.models))
        elif answer.models:
            words = self.tr("%n model(s). The first ones are recommended.", "", len(answer.models))
        say(self.listed, words, "soft")
        if not self._model():
            self.models.field.setFocus()

    def _unlisted(self, error: ExpectedError) -> None:
        provider = self._provider
        if provider is None:
            return
        wants_key = provider.needs_key and error.text.cause == "MODEL_WITHOUT_KEY"
        words = sentence(error.code, error.text)
        if provider.needs_key and not wants_key:
            self.key.show_stored()  # it can be removed, also where it is refused or nobody answers
        if wants_key:
            words = self.tr("Save the key, then choose a model.")
            self.key.field.setFocus()
        elif error.text.cause == "MODEL_NOT_REACHED":
            words = self.tr("%1 can't be reached. You seem to be offline.")
            if self._base():
                words = self.tr("%1 doesn't answer at this address. Start it, or install it.")
            words = words.replace("%1", provider.name)
        say(self.listed, words, "soft" if wants_key else "danger")

    def _fill(self, models: Sequence[str]) -> None:
        typed = self._names.currentText()
        self._names.blockSignals(True)
        self._names.clear()
        self._names.addItems(models)
        self._names.setEditText(typed)
        self._names.blockSignals(False)

    def _choose_model(self, name: str) -> None:
        """Tests the chosen model; it is used once it passes."""
        wanted = self._wanted()
        if name and self._provider is not None and (wanted.model, wanted.api_base) != self._saved:
            self._choosing = True
            self.test.ask(wanted)

    def _model(self) -> str:
        return self._names.currentText().strip()

    def _wanted(self) -> TestModel:
        if self._provider is None or not self._model():
            return TestModel(*self._saved)
        return TestModel(self._provider.model_id(self._model()), self._base())

    def _try(self) -> None:
        wanted = self._wanted()
        if wanted.model:
            ModelTrialDialog(self._link, wanted, self.window()).open()

    def _use(self, tested: TestModel) -> None:
        self._choosing = False
        if (tested.model, tested.api_base) != self._saved:
            self.writer.change_together({"model.name": tested.model, "model.api_base": tested.api_base})

    def _show_advanced(self, shown: bool | None = None) -> None:
        fields = [self.fields[key].control.widget for key in ADVANCED]
        wanted = self.row_of(fields[0]).isHidden() if shown is None else shown
        for field in fields:
            self.row_of(field).setVisible(wanted)
        self.more.setText(self.tr("Hide advanced") if wanted else self.tr("Advanced"))
