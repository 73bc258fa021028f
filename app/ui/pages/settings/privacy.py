"""The Privacy section: what leaves this computer, what left it and what never does, remote images, and the dictionary."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from PySide6.QtCore import QDate, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QToolButton, QWidget

from app.config.settings import Settings
from app.domain.agents.egress import sent_lines
from app.domain.agents.model_providers import provider_name, provider_of
from app.domain.agents.runs import ModelCall, SentToHost
from app.ui.context import Context
from app.ui.editor.spelling import known_words, teach
from app.ui.i18n.formatting import day_words, money_words, size_words, when_long
from app.ui.message.remote_images import RemoteImageChoice
from app.ui.pages.settings.about import fact
from app.ui.pages.settings.form import SettingsWriter
from app.ui.pages.settings.sections import SettingsForm
from app.ui.services.files import ask_where, write_text
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import Dialog
from app.ui.widgets.factory import button, clear, column, fill_rows, label, put, row, tab_through, text_table, tool_button
from app.ui.widgets.labels import ElidedLabel

DAYS = 30
LINES_SHOWN = 6
MOST_LISTED = 2000
"""Requests in the table. The export has all."""
MOST_EXPORTED = 1_000_000


class PrivacySection(SettingsForm):
    """Fills its lists again whenever it is shown, because other pages change them."""

    def __init__(self, writer: SettingsWriter, context: Context) -> None:
        intro = self.tr("Your mail is stored on this computer. Here's what leaves it.")
        super().__init__(writer, context.icons, self.tr("Privacy"), intro)
        self._context = context
        self._image_choice = RemoteImageChoice(context.state)
        self.leaving = fact("")
        self.senders = RemovableLines(context.icons, self.tr("None. Images load when you ask."), self._stop_images)
        self.words = RemovableLines(context.icons, self.tr("Empty"), self._forget_word)
        self.add_widget(self.tr("What's shared"), self.tr("With your current settings."), self.leaving)
        self.sent = SentData(context)
        hint = self.tr("What went to language models in the last 30 days.")
        self.add_widget(self.tr("What left this computer"), hint, self.sent)
        self.add_settings("privacy.stays_people", "privacy.stays_labels", "privacy.stays_kinds")
        hint = self.tr("Their servers see when you open an email. Tracking pixels are never loaded.")
        self.add_widget(self.tr("Always load images from"), hint, self.senders)
        hint = self.tr("Words you added to the dictionary.")
        self.add_widget(self.tr("Your dictionary"), hint, self.words)

    def show_values(self, settings: Settings) -> None:
        super().show_values(settings)
        self.leaving.setText("\n\n".join(self._sentences(settings)))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fill()

    def _fill(self) -> None:
        self.sent.fill()
        self.senders.show_lines(self._image_choice.senders)
        self.words.show_lines(sorted(known_words(self._context.state), key=str.casefold))

    def _sentences(self, settings: Settings) -> list[str]:
        """One sentence for each destination of mail content."""
        said = [self.tr("Mail goes to and from Google through your own sign-in.")]
        if settings.calendar.connected or settings.contacts.connected:
            said.append(self.tr("Calendar and contacts are read from Google, and meetings you approve are entered there."))
        said.append(self._model_sentence(settings.model.name, settings.model.api_base))
        if settings.web.searxng:
            words = self.tr("What agents search for goes to %1.")
            said.append(words.replace("%1", host_of(settings.web.searxng)))
        if settings.web.sites:
            words = self.tr("Agents may read pages on: %1.")
            said.append(words.replace("%1", ", ".join(settings.web.sites)))
        if settings.assistant.gmail_service:
            words = self.tr("Requests about mail go to the Gmail service at %1, with the documents they need.")
            said.append(words.replace("%1", host_of(settings.assistant.gmail_service)))
        said.append(self.tr("Profiles may use their own model or tool servers. Open a profile to see what those get."))
        return said

    def _model_sentence(self, model: str, address: str) -> str:
        if not model:
            return self.tr("No language model is set. Drafts are made here from your earlier replies.")
        provider = provider_of(model, address)
        host = host_of(address or (provider.address if provider is not None and provider.local else ""))
        if is_here(host):
            return self.tr("Email text goes to the language model on this computer.")
        words = self.tr("The email being answered, and similar emails, are sent to %1.")
        return words.replace("%1", host or provider_name(model) or model)

    def _stop_images(self, sender: str) -> None:
        words = self.tr("Images from %1 no longer load automatically.").replace("%1", sender)
        self._take_off(words, partial(self._image_choice.allow, sender))

    def _forget_word(self, word: str) -> None:
        self._take_off(
            self.tr("“%1” is no longer in your dictionary.").replace("%1", word), partial(teach, self._context.state, word)
        )

    def _take_off(self, words: str, keep: Callable[[bool], object]) -> None:
        """Removes a line; the notice can bring it back. `keep(False)` removes it and `keep(True)` adds it."""

        def change(kept: bool) -> None:
            keep(kept)
            self._fill()

        change(False)
        self._context.notices.tell(words, self.tr("Undo"), partial(change, True))


class SentData(QWidget):
    """The last days in short, with buttons for the table and the export."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.words = label("", Type.BODY, wrap=True)
        self.show_all = button(self.tr("Show each request…"), "", lambda: SentDialog(context, self.window()).open())
        self.export = button(self.tr("Export…"), "", lambda: ask_where(context, self, "what-left.csv", self.save))
        column(self, 0, Space.MEDIUM, self.words, put(row(), self.show_all, self.export, 1))
        self.setFocusProxy(self.show_all)
        self.fill()

    def fill(self) -> None:
        """Reads the last days again."""
        days = self._context.reader.sent_by_day(self._context.clock() - timedelta(days=DAYS))
        lines = [self.day_line(one) for one in days[:LINES_SHOWN]]
        self.words.setText("\n".join(lines) if lines else self.tr("Nothing in the last 30 days."))
        self.show_all.setEnabled(bool(days))
        self.export.setEnabled(bool(days))

    def day_line(self, one: SentToHost) -> str:
        parts = [
            self.tr("%n requests", "", one.calls),
            self.tr("%1 sent").replace("%1", size_words(one.sent_bytes)),
            *([self.tr("words of %n people", "", one.people)] if one.people else []),
            *([money_words(one.cost_usd)] if one.cost_usd >= 0.005 else []),
        ]
        day = day_words(QDate(one.day.year, one.day.month, one.day.day))
        return f"{day}, {one.host}: {', '.join(parts)}"

    def save(self, path: Path) -> None:
        """Writes every request kept as a table, or as JSON lines where the name says so."""
        calls = self._context.reader.sent_calls(self._context.clock() - timedelta(days=36_500), limit=MOST_EXPORTED)
        form = "json" if path.suffix.lower() in (".json", ".jsonl") else "csv"
        write_text(self._context.notices, path, "".join(f"{line}\n" for line in sent_lines(calls, form)))


class SentDialog(Dialog):
    """A table of the requests, newest first."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent, self.tr("What left this computer"))
        heads = [self.tr("When"), self.tr("What for"), self.tr("To"), self.tr("Size"), self.tr("Whose words")]
        self.table = text_table(self.windowTitle(), heads, len(heads) - 1)
        calls = context.reader.sent_calls(context.clock() - timedelta(days=DAYS), limit=MOST_LISTED)
        fill_rows(self.table, map(self._cells, calls))
        hint = self.tr("Requests to language models in the last 30 days. Codes, card and account numbers were masked.")
        close = button(self.tr("Close"), "", self.close)
        head, foot = label(hint, Type.BODY, "soft", wrap=True), (close, Qt.AlignmentFlag.AlignRight)
        column(self, Space.LARGE, Space.MEDIUM, head, (self.table, 1), foot)
        self.resize(860, 560)

    def _cells(self, one: ModelCall) -> tuple[str, ...]:
        people = ", ".join(one.people) or self.tr("Your request")
        if len(one.mails) > 1:
            people += " " + self.tr("(%n message(s))", "", len(one.mails))
        purposes = {
            "triage": self.tr("Sorting"),
            "generate": self.tr("Draft"),
            "agent": self.tr("Agent"),
            "memory": self.tr("Learning"),
            "plan": self.tr("Planning"),
            "test": self.tr("Test"),
        }
        purpose = purposes.get(one.call_type, self.tr("Request"))
        return when_long(one.at), purpose, one.host, size_words(one.sent_bytes), people


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
            words, host = self.tr("Remove %1").replace("%1", text), QWidget()
            buttons.append(tool_button(self._icons.icon("close"), words, partial(self._take_off, text)))
            row(host, 0, Space.SMALL, (ElidedLabel(text), 1), buttons[-1])
            self._lines.addWidget(host)
        if not lines:
            self._lines.addWidget(label(self._nothing, Type.BODY, "soft", wrap=True))
        tab_through(self, buttons)
        if held and buttons:
            buttons[0].setFocus()


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
