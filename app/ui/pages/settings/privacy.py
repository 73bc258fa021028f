"""The Privacy section: what leaves this computer, whose remote images are loaded, and the spelling dictionary."""

from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from ipaddress import ip_address
from urllib.parse import urlsplit

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QToolButton, QWidget

from app.config.settings import Settings
from app.domain.agents.model_providers import provider_name, provider_of
from app.ui.context import Context
from app.ui.editor.spelling import known_words, teach
from app.ui.message.remote_images import RemoteImageChoice
from app.ui.pages.settings.about import fact
from app.ui.pages.settings.form import Form
from app.ui.pages.settings.settings_writer import SettingsWriter
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import clear, column, label, row, tab_through, tool_button
from app.ui.widgets.labels import ElidedLabel


class PrivacySection(Form):
    """Fills its lists again whenever it is shown, because other pages change them."""

    def __init__(self, writer: SettingsWriter, context: Context) -> None:
        super().__init__(writer, self.tr("Privacy"), self.tr("Your mail is stored on this computer. Here's what leaves it."))
        self._context = context
        self._image_choice = RemoteImageChoice(context.state)
        self.leaving = fact("")
        self.leaving.setTextFormat(Qt.TextFormat.RichText)
        self.senders = RemovableLines(context.icons, self.tr("None. Images load when you ask."), self._stop_images)
        self.words = RemovableLines(context.icons, self.tr("Empty"), self._forget_word)
        self.add_widget(self.tr("What's shared"), self.tr("With your current settings."), self.leaving)
        hint = self.tr("Their servers see when you open an email. Tracking pixels are never loaded.")
        self.add_widget(self.tr("Pictures always load from"), hint, self.senders)
        hint = self.tr("Words you added to the dictionary.")
        self.add_widget(self.tr("Your dictionary"), hint, self.words)

    def show_values(self, settings: Settings) -> None:
        super().show_values(settings)
        self.leaving.setText(paragraphs(self._sentences(settings)))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fill()

    def _fill(self) -> None:
        self.senders.show_lines(self._image_choice.senders)
        self.words.show_lines(sorted(known_words(self._context.state), key=str.casefold))

    def _sentences(self, settings: Settings) -> list[str]:
        """One sentence for each destination of mail content."""
        said = [self.tr("Mail goes to and from Google, over your own sign-in.")]
        if settings.calendar.connected or settings.contacts.connected:
            said.append(self.tr("Calendar and contacts are read from Google, and meetings you approve are entered there."))
        said.append(self._model_sentence(settings.model.name, settings.model.api_base))
        if settings.web.searxng:
            words = self.tr("What agents search for goes to %1.")
            said.append(words.replace("%1", host_of(settings.web.searxng)))
        if settings.web.sites:
            words = self.tr("Agents may read pages of: %1.")
            said.append(words.replace("%1", ", ".join(settings.web.sites)))
        if settings.assistant.gmail_service:
            words = self.tr("Requests about mail go to the Gmail service at %1, with the documents they need.")
            said.append(words.replace("%1", host_of(settings.assistant.gmail_service)))
        said.append(self.tr("Profiles may use a model or tool servers of their own. See there what those get."))
        return said

    def _model_sentence(self, model: str, address: str) -> str:
        if not model:
            return self.tr("No language model is set: drafts are made here, of your own earlier answers.")
        provider = provider_of(model, address)
        host = host_of(address or (provider.address if provider is not None and provider.local else ""))
        if is_here(host):
            return self.tr("Email text goes to the language model on this computer.")
        words = self.tr("The email being answered, and similar emails, are sent to %1.")
        return words.replace("%1", host or provider_name(model) or model)

    def _stop_images(self, sender: str) -> None:
        self._image_choice.allow(sender, False)
        self._fill()
        self._context.notices.tell(
            self.tr("Images from %1 no longer load automatically.").replace("%1", sender),
            self.tr("Undo"),
            partial(self._undo_and_fill, lambda: self._image_choice.allow(sender, True)),
        )

    def _forget_word(self, word: str) -> None:
        teach(self._context.state, word, False)
        self._fill()
        self._context.notices.tell(
            self.tr("“%1” is no longer in your dictionary.").replace("%1", word),
            self.tr("Undo"),
            partial(self._undo_and_fill, lambda: teach(self._context.state, word, True)),
        )

    def _undo_and_fill(self, undo: Callable[[], None]) -> None:
        undo()
        self._fill()


class RemovableLines(QWidget):
    """Lines with a button to remove each. `nothing` is shown if there are none."""

    def __init__(self, icons: Icons, nothing: str, take_off: Callable[[str], object]) -> None:
        super().__init__()
        self._icons, self._nothing, self._take_off = icons, nothing, take_off
        self._lines = column(self, 0, Space.TIGHT)
        self.shown: tuple[str, ...] | None = None

    def show_lines(self, lines: Sequence[str]) -> None:
        """Shows the lines. If a focused button disappears, the first one gets the focus."""
        if self.shown == tuple(lines):
            return
        self.shown = tuple(lines)
        held = any(tool.hasFocus() for tool in self.findChildren(QToolButton))
        clear(self._lines)
        buttons = []
        for text in lines:
            line = row(None, 0, Space.SMALL)
            button = tool_button(
                self._icons.icon("close"), self.tr("Take off %1").replace("%1", text), partial(self._take_off, text)
            )
            host = QWidget()
            host.setLayout(line)
            line.addWidget(ElidedLabel(text), 1)
            line.addWidget(button)
            self._lines.addWidget(host)
            buttons.append(button)
        if not lines:
            self._lines.addWidget(label(self._nothing, Type.BODY, "soft", wrap=True))
        tab_through(self, buttons)
        if held and buttons:
            buttons[0].setFocus()


def paragraphs(sentences: Sequence[str]) -> str:
    """Rich text with one paragraph for each sentence; the sentences are escaped."""
    apart = f'<p style="margin:0 0 {int(Space.SMALL)}px 0">'
    return "".join(f"{apart}{escape(sentence)}</p>" for sentence in sentences)


def host_of(address: str) -> str:
    """Host of a web address; empty if it has none."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def is_here(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
