"""Settings: the language model, its key, its address, a test, and caps a day and a month."""

from PySide6.QtWidgets import QComboBox, QLineEdit

from app.config.settings import Settings
from app.domain.commands import TestModel
from app.domain.events import Event
from app.domain.ports.window import EngineLink
from app.ui.icons import Icons
from app.ui.settings import controls, numbers
from app.ui.settings.form import Form
from app.ui.settings.key import KeyField
from app.ui.settings.model_test import ModelTestRow
from app.ui.settings.providers import ADDRESSES, provider_of, suggestions
from app.ui.settings.values import Value
from app.ui.settings.writing import SettingsWriter


class ModelSection(Form):
    """Everything works without a model; this says so."""

    def __init__(self, writer: SettingsWriter, link: EngineLink, icons: Icons) -> None:
        super().__init__(
            writer,
            self.tr("Language model"),
            self.tr("Without one, mail is sorted on this computer and drafts come from your own earlier replies and templates."),
        )
        name = controls.suggested(suggestions(), self.tr("No language model"), icons)
        self.add("model.name", self.tr("Model"), self.tr("A litellm model id. Empty: no language model."), name)
        self.key = KeyField(link)
        self.add_widget(self.tr("Key"), self.tr("Goes to this computer's keyring, never into a file."), self.key)
        self.add(
            "model.api_base",
            self.tr("Address"),
            self.tr("Only for a server of your own, such as Ollama or LM Studio."),
            controls.line(),
        )
        self.test = ModelTestRow(link, self._wanted)
        self.add_widget(self.tr("Test"), self.tr("Sends one short question without any mail."), self.test)
        self._add_limits()
        for key in ("model.name", "model.api_base"):
            self.fields[key].control.typed.connect(self._model_typed)
            self.fields[key].control.committed.connect(lambda _value: self._model_typed())

    def _add_limits(self) -> None:
        hint = self.tr("Beyond it, drafting waits until midnight or a higher cap. 0: no cap.")
        calls = numbers.whole_number(0, 1_000_000, lambda count: self.tr("call(s)", "", count))
        self.add("model.daily_calls", self.tr("Calls a day, at most"), hint, calls)
        hint = self.tr("Counted where the model's price is known. 0: no cap.")
        self.add("model.daily_usd", self.tr("Cost a day, at most"), hint, numbers.money(10_000, self.tr("USD")))
        hint = self.tr("Beyond it, drafting waits until next month or a higher cap. 0: no cap.")
        calls = numbers.whole_number(0, 1_000_000, lambda count: self.tr("call(s)", "", count))
        self.add("model.monthly_calls", self.tr("Calls a month, at most"), hint, calls)
        hint = self.tr("Counted where the model's price is known. 0: no cap.")
        self.add("model.monthly_usd", self.tr("Cost a month, at most"), hint, numbers.money(10_000, self.tr("USD")))
        hint = self.tr("A call that takes longer is given up.")
        seconds = numbers.whole_number(5, 600, lambda count: self.tr("second(s)", "", count))
        self.add("model.timeout_s", self.tr("Time limit"), hint, seconds)

    def show_values(self, settings: Settings) -> None:
        """Show the file's values, and the provider whose key they need."""
        super().show_values(settings)
        self._follow_model()

    def check(self, key: str, value: Value) -> str:
        """An address needs a scheme, a model id no spaces."""
        text = str(value)
        if key == "model.api_base" and text and not text.startswith(("http://", "https://")):
            return self.tr("Write the address with http:// or https:// in front.")
        if key == "model.name" and " " in text:
            return self.tr("A model id has no spaces.")
        return ""

    def hear(self, event: Event) -> None:
        """The key's fate."""
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
            field.setPlaceholderText(usual or self.tr("The provider's own"))
