"""The texts of every setting that has a row. Its control, bounds and checks come from the field's type in `config.settings`."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import get_type_hints

import msgspec
from msgspec import field
from PySide6.QtCore import QLocale, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from app.config.settings import ARCHIVE_MAILS, Settings
from app.domain.record import Record
from app.ui.i18n.formatting import number_words, percent_words
from app.ui.lists.picking import Item, picked
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space
from app.ui.widgets.factory import clearable, column, named
from app.ui.widgets.form_controls import Unit, Value


class Setting(Record):
    """A row of a form. `text` stands beside a switch or in an empty field; `wrong` says why a value may not be sent."""

    title: str
    hint: str = ""
    text: str = ""
    unit: Unit = lambda _count: ""
    choices: Mapping[Value, str] = field(default_factory=dict)
    wrong: str = ""

    def error_of(self, key: str, value: Value) -> str:
        """Why a value may not be sent, empty if it may. `%1` becomes the value, of a list its first wrong item."""
        for one in value if self.wrong and isinstance(value, list) else [value]:
            try:
                msgspec.convert([one] if isinstance(value, list) else one, type_of(key))
            except msgspec.ValidationError:
                return self.wrong.replace("%1", str(one))
        return ""


@cache
def type_of(key: str) -> object:
    """Type of a setting by its dotted key. Raises `KeyError` for an unknown key."""
    section, _, name = key.partition(".")
    return get_type_hints(get_type_hints(Settings)[section], include_extras=True)[name]


class SettingTexts(QObject):
    def sections(self) -> list[tuple[str, str, str]]:
        """Name, title and icon of each section."""
        return [
            ("accounts", self.tr("Accounts"), "sign_in"),
            ("model", self.tr("Model"), "model"),
            ("drafting", self.tr("Drafting"), "drafting"),
            ("automation", self.tr("Automation"), "no_model"),
            ("sending", self.tr("Sending"), "sending"),
            ("calendar", self.tr("Calendar and contacts"), "calendar"),
            ("web", self.tr("Web"), "web"),
            ("rules", self.tr("Rules"), "rules"),
            ("profiles", self.tr("Profiles"), "profiles"),
            ("privacy", self.tr("Privacy"), "needs_review"),
            ("reading", self.tr("Reading"), "mail"),
            ("notifications", self.tr("Notifications"), "notify"),
            ("appearance", self.tr("Appearance and keyboard"), "appearance"),
            ("about", self.tr("About"), "info"),
        ]

    def intros(self) -> dict[str, str]:
        """What stands above the rows of a section."""
        return {
            "automation": self.tr(
                "What the assistant may do without asking you first. Nothing is ever sent without your approval."
            ),
            "web": self.tr("Agents can only reach the sites listed here. Requests containing your mail are blocked."),
            "notifications": self.tr("When Replyroom is in the background: new mail, drafts, sending and sign-in problems."),
        }

    def others(self) -> list[tuple[str, str]]:
        """Section and words of what is in a section besides its settings."""
        return [
            ("accounts", self.tr("Connect another Gmail account, sign in again, remove an account, color")),
            ("model", self.tr("Provider, key, AI, OpenAI, Anthropic, Gemini, Mistral, OpenRouter, Ollama, LM Studio, llama.cpp")),
            ("sending", self.tr("Signature, vacation responder, out of office")),
            ("calendar", self.tr("Google Calendar, Google Contacts")),
            ("rules", self.tr("Rules: label, archive, never draft, forward")),
            ("profiles", self.tr("Agents of your own, tool servers")),
            ("privacy", self.tr("What leaves this computer, images, dictionary")),
            ("appearance", self.tr("Keyboard shortcuts, Gmail keys")),
            ("about", self.tr("Version, data folder, logs, back up, move to another computer")),
        ]

    def kind(self) -> str:
        """What a line of the palette is."""
        return self.tr("setting")

    def synonyms(self) -> dict[str, str]:
        """Everyday words that find a section or a setting besides its own."""
        return {
            "sending": self.tr("auto-reply, autoreply, away message, holiday, footer"),
            "accounts": self.tr("log in, log out, sign out, add mailbox, delete account"),
            "about": self.tr("backup, restore, export"),
            "sending.undo_s": self.tr("undo send delay, unsend, recall, cancel sending, wait before sending"),
            "appearance.text_percent": self.tr("bigger text, larger, smaller, font size, zoom, scale"),
            "appearance.theme": self.tr("dark mode, night mode, light mode, black, colors"),
            "appearance.language": self.tr("translation, locale"),
            "notifications.shown": self.tr("sound, alert, beep, pop-up, banner, new mail arrives, disturb"),
            "notifications.new_mail": self.tr("new message, incoming mail, which mail alerts"),
            "notifications.quiet_from": self.tr("quiet hours, do not disturb, silence, mute at night, sleep"),
            "notifications.in_tray": self.tr("run in background, minimize, close to tray, icon"),
            "reading.mark_read": self.tr("unread, seen"),
            "reading.after_archive": self.tr("auto-advance, next message, delete"),
            "reading.density": self.tr("compact view, row height, spacing, one line"),
            "sync.backfill_days": self.tr("download old mail, history, how many days"),
            "sync.largest_mb": self.tr("big emails, disk space, storage"),
            "model.name": self.tr("AI, ChatGPT, GPT, Claude, LLM"),
            "model.daily_usd": self.tr("cost, money, budget, price"),
            "model.monthly_usd": self.tr("cost, money, budget, price"),
            "drafting.paused": self.tr("stop AI, turn off assistant, disable drafts"),
            "drafting.background": self.tr("tone, style, voice, persona"),
            "memory.reply": self.tr("tone, style, instructions, prompt"),
            "calendar.start": self.tr("working hours, office hours, business hours"),
            "calendar.weekdays": self.tr("weekend, days off, working week"),
            "privacy.stays_people": self.tr("private, confidential, local only, not to AI"),
            "automation.auto_approve_categories": self.tr("automatic, auto send, autopilot"),
        }

    def settings(self) -> dict[str, Setting]:

        def days(count: int) -> str:
            return self.tr("day(s)", "", count)

        def calls(count: int) -> str:
            return self.tr("call(s)", "", count)

        def drafts(count: int) -> str:
            return self.tr("draft(s)", "", count)

        def seconds(count: int) -> str:
            return self.tr("second(s)", "", count)

        return {
            "sync.backfill_days": Setting(
                self.tr("How far back"), self.tr("Older mail stays on Google. 0 = everything."), unit=days
            ),
            "sync.largest_mb": Setting(
                self.tr("Skip emails larger than"),
                self.tr("They download when you open them. 0 = no limit."),
                unit=lambda _count: self.tr("MB"),
            ),
            "sync.largest_file_mb": Setting(
                self.tr("Search inside files up to"),
                self.tr("PDF and office files are read on this computer. 0 = do not search inside files."),
                unit=lambda _count: self.tr("MB"),
            ),
            "sync.skip_labels": Setting(
                self.tr("Skip these labels"),
                self.tr("Separate label names with commas. Their mail downloads when you open it."),
                self.tr("Newsletters, Archive/2009"),
            ),
            "sync.older_paused": Setting(
                self.tr("Older mail"), self.tr("New mail still arrives."), self.tr("Pause downloading older mail")
            ),
            "sync.archives_by_meaning": Setting(
                self.tr("Imported archives"),
                self.tr(
                    "The newest %1 emails of each archive are prepared in the background. Turning it off removes them again."
                ).replace("%1", number_words(ARCHIVE_MAILS)),
                self.tr("Search them by meaning too"),
            ),
            "model.name": Setting(
                self.tr("Model ID"),
                self.tr("As provider/model in LiteLLM's format, for providers not shown above."),
                self.tr("No language model"),
                wrong=self.tr("A model ID has no spaces."),
            ),
            "model.api_base": Setting(
                self.tr("Server URL"),
                self.tr("Leave empty to use the provider's address."),
                wrong=self.tr("Start the URL with http:// or https://."),
            ),
            "model.daily_calls": Setting(
                self.tr("Daily call limit"), self.tr("Drafting pauses until midnight when reached. 0 = no limit."), unit=calls
            ),
            "model.daily_usd": Setting(
                self.tr("Daily spending limit"), self.tr("Only for models with known prices. 0 = no limit.")
            ),
            "model.monthly_calls": Setting(
                self.tr("Monthly call limit"), self.tr("Drafting pauses until next month when reached. 0 = no limit."), unit=calls
            ),
            "model.monthly_usd": Setting(
                self.tr("Monthly spending limit"), self.tr("Only for models with known prices. 0 = no limit.")
            ),
            "model.triage": Setting(
                self.tr("Model for sorting"),
                self.tr("Leave empty to use the model for drafts. Enter “none” to sort mail on this computer."),
                self.tr("provider/model"),
            ),
            "model.agent": Setting(
                self.tr("Model for the response agent"),
                self.tr("Leave empty to use the model for drafts. Enter “none” to draft replies without it."),
                self.tr("provider/model"),
            ),
            "model.timeout_s": Setting(self.tr("Time limit"), self.tr("Give up on a request after this time."), unit=seconds),
            "privacy.stays_people": Setting(
                self.tr("Keep on this computer: people"),
                self.tr("Mail from or to these addresses or domains is sorted and drafted here, without a language model."),
                self.tr("ann@example.com, clinic.example"),
            ),
            "privacy.stays_labels": Setting(
                self.tr("Keep on this computer: labels"),
                self.tr("Label names, separated by commas."),
                self.tr("Private, Family/Health"),
            ),
            "privacy.stays_kinds": Setting(
                self.tr("Keep on this computer: topics"),
                self.tr("Mail whose words suggest one of these topics. Check it with your own mail."),
            ),
            "drafting.paused": Setting(
                self.tr("Pause"), self.tr("Stops checking new mail after current work finishes."), self.tr("Pause assistant")
            ),
            "drafting.days": Setting(
                self.tr("How far back"), self.tr("Unread inbox mail of the last few days. 0 = everything."), unit=days
            ),
            "drafting.concurrency": Setting(
                self.tr("Process in parallel"),
                self.tr("Higher is faster but uses more CPU."),
                choices={count: QLocale().toString(count) for count in range(1, 5)},
            ),
            "drafting.background": Setting(
                self.tr("About you"),
                self.tr("Who you are and how you write. Goes to the language model with each draft, if you use one."),
                self.tr("I run a small bicycle workshop with my sister. We are open Tuesday to Saturday…"),
            ),
            "memory.triage": Setting(
                self.tr("What to answer, show and skip"),
                self.tr("Given to the language model until it has learned what you want."),
            ),
            "memory.reply": Setting(
                self.tr("How to write replies"), self.tr("Given to the language model until it has learned from your changes.")
            ),
            "memory.meetings": Setting(
                self.tr("How to plan meetings"), self.tr("Given to the language model until it has learned from your changes.")
            ),
            "assistant.run_at_once": Setting(
                self.tr("Look-ups you ask for"),
                self.tr("A one-step plan that only reads runs right away. Otherwise, you see each plan first."),
                self.tr("Run simple look-ups right away"),
            ),
            "drafting.answer_route": Setting(
                self.tr("Who answers mail"),
                self.tr("The response agent looks things up and asks before each step. It needs a language model."),
                choices={"pipeline": self.tr("Draft a reply"), "response_agent": self.tr("Response agent proposes a reply")},
            ),
            "drafting.mark_ignored_read": Setting(
                self.tr("Mail that needs no reply"),
                self.tr("Mail the assistant skips is also marked as read in Gmail."),
                self.tr("Mark it as read"),
            ),
            "drafting.meeting_route": Setting(
                self.tr("Meeting requests"),
                self.tr(
                    "The response agent reads your calendar and asks before each step. Without a calendar or a language "
                    "model, a reply with free times is drafted."
                ),
                choices={
                    "pipeline": self.tr("Draft a reply with free times"),
                    "response_agent": self.tr("Response agent proposes a meeting"),
                },
            ),
            "automation.auto_approve_categories": Setting(
                self.tr("Auto-save to Gmail drafts"),
                self.tr(
                    "For these types, if confidence is at least 80%, you know the sender, the reply goes only to the sender, "
                    "and there are no warnings or blanks. Drafts are saved, never sent. Everything else waits in Review."
                ),
            ),
            "automation.auto_approve_daily_cap": Setting(
                self.tr("Daily limit"), self.tr("After that, drafts wait in Review."), unit=drafts
            ),
            "sending.undo_s": Setting(
                self.tr("Undo send"), self.tr("How long you can undo after approving. 0 = send right away."), unit=seconds
            ),
            "calendar.start": Setting(self.tr("Day starts"), self.tr("Drafts propose meetings only inside these hours.")),
            "calendar.end": Setting(self.tr("Day ends")),
            "calendar.weekdays": Setting(self.tr("Working days")),
            "calendar.time_zone": Setting(
                self.tr("Time zone"),
                self.tr("Leave empty to use this computer's. For example, Europe/Prague."),
                self.tr("This computer's (%1)"),
            ),
            "web.searxng": Setting(
                self.tr("Search server"),
                self.tr("URL of a SearXNG server with JSON output enabled. Leave empty to turn off web search."),
                "https://search.example.org",
                wrong=self.tr("Enter the full URL, for example https://search.example.org."),
            ),
            "web.sites": Setting(
                self.tr("Sites"),
                self.tr("One site per line. Profiles that may read web pages can read these sites."),
                "example.org",
                wrong=self.tr("“%1” isn't a site name. For example, example.org."),
            ),
            "reading.mark_read": Setting(
                self.tr("Mark as read"),
                self.tr("When an open conversation is marked as read. Answering always marks it."),
                choices={
                    "now": self.tr("Right away"),
                    "2s": self.tr("After 2 seconds"),
                    "5s": self.tr("After 5 seconds"),
                    "never": self.tr("Never"),
                },
            ),
            "reading.after_archive": Setting(
                self.tr("After archiving"),
                self.tr("What opens when a conversation leaves the list: archived, deleted, moved or snoozed."),
                choices={
                    "older": self.tr("Next older conversation"),
                    "newer": self.tr("Next newer conversation"),
                    "list": self.tr("Back to the list"),
                },
            ),
            "reading.density": Setting(
                self.tr("Density"),
                self.tr("Compact rows have two lines, so that more conversations fit on the screen."),
                choices={"comfortable": self.tr("Comfortable"), "compact": self.tr("Compact")},
            ),
            "notifications.shown": Setting(
                self.tr("On the desktop"), self.tr("Subject and text of mail are never shown."), self.tr("Show notifications")
            ),
            "notifications.new_mail": Setting(
                self.tr("New mail"),
                self.tr("The notification names the sender. Sign-in codes are announced, too."),
                choices={
                    "answer": self.tr("Mail that needs a reply"),
                    "all": self.tr("All mail in the inbox"),
                    "never": self.tr("Never"),
                },
            ),
            "notifications.quiet_from": Setting(self.tr("Quiet from")),
            "notifications.quiet_to": Setting(
                self.tr("Quiet until"), self.tr("Set both to the same time to turn quiet hours off.")
            ),
            "notifications.quiet_weekend": Setting(
                self.tr("Days off"),
                self.tr("Days that aren't working days in your calendar settings."),
                self.tr("Mute on non-working days"),
            ),
            "notifications.in_tray": Setting(
                self.tr("When the window is closed"),
                self.tr("Mail keeps syncing and sending. Without a tray, Replyroom quits."),
                self.tr("Keep running in the tray"),
            ),
            "appearance.theme": Setting(
                self.tr("Theme"),
                self.tr("Follows your system's high-contrast setting."),
                choices={
                    "system": self.tr("System default"),
                    "light": self.tr("Light"),
                    "dark": self.tr("Dark"),
                    "contrast-light": self.tr("Light, high contrast"),
                    "contrast-dark": self.tr("Dark, high contrast"),
                },
            ),
            "appearance.language": Setting(
                self.tr("Language"),
                self.tr("Takes effect after a restart."),
                choices={"": self.tr("System default"), "en": "English", "cs": "Čeština"},
            ),
            "appearance.text_percent": Setting(
                self.tr("Text size"),
                self.tr("Takes effect after a restart."),
                choices={percent: percent_words(percent) for percent in (80, 90, 100, 110, 125, 150, 175, 200)},
            ),
        }


HOMES = {
    "sync": "accounts",
    "assistant": "automation",
    "drafting.answer_route": "automation",
    "drafting.meeting_route": "automation",
    "drafting.mark_ignored_read": "automation",
    "memory": "drafting",
}
"""Settings that stand in a section of another name."""
AFTER_RESTART = ("appearance.language", "appearance.text_percent")
"""Settings that apply to the next start."""
MOST_FOUND = 12


def section_of(key: str) -> str:
    """The section in which a setting stands."""
    group = key.partition(".")[0]
    return HOMES.get(key) or HOMES.get(group) or group


def setting_lines(texts: SettingTexts, show: Callable[[str, str], object]) -> list[Item]:
    """What finds the sections, each setting and what else is in a section. `show(section, key)` opens it."""
    kind, also = texts.kind(), texts.synonyms()
    sections = {name: (title, icon) for name, title, icon in texts.sections()}
    found = [
        Item(title, kind, icon, partial(show, name, ""), also=also.get(name, ""), name=f"settings.{name}")
        for name, (title, icon) in sections.items()
    ]
    for key, one in texts.settings().items():
        home = section_of(key)
        title, icon = sections[home]
        words = " ".join((one.hint, one.text, *one.choices.values(), also.get(key, "")))
        found.append(Item(f"{one.title} · {title}", kind, icon, partial(show, home, key), also=words))
    for name, words in texts.others():
        title, icon = sections[name]
        found.append(Item(f"{words} · {title}", kind, icon, partial(show, name, ""), also=f"{title} {also.get(name, words)}"))
    return found


class SettingsSearch(QWidget):
    """A line that finds settings by their words. Emits `chosen(section, key)`; `searching` while results are shown."""

    chosen = Signal(str, str)
    searching = Signal(bool)

    def __init__(self, texts: SettingTexts, icons: Icons) -> None:
        super().__init__()
        self._lines = setting_lines(texts, self.chosen.emit)
        self.line = named(QLineEdit(), self.tr("Search settings"))
        self.line.setPlaceholderText(self.tr("Search settings"))
        clearable(self.line, icons.icon("close"))
        self.hits = named(QListWidget(), self.tr("Settings found"))
        self.hits.setProperty("role", "choices")
        self.hits.setWordWrap(True)
        self.hits.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hits.hide()
        column(self, (Space.SMALL, 0, Space.SMALL, Space.SMALL), Space.SMALL, self.line, (self.hits, 1))
        self.line.textChanged.connect(self._find)
        self.line.returnPressed.connect(lambda: self._take(max(0, self.hits.currentRow())))
        self.hits.itemClicked.connect(lambda item: self._take(self.hits.row(item)))
        self.hits.itemActivated.connect(lambda item: self._take(self.hits.row(item)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends the search; Down goes into the results."""
        if event.key() == Qt.Key.Key_Escape and self.line.text():
            self.line.clear()
        elif event.key() == Qt.Key.Key_Down and self.hits.count() and self.line.hasFocus():
            self.hits.setCurrentRow(0)
            self.hits.setFocus()
        else:
            super().keyPressEvent(event)

    def _find(self, text: str) -> None:
        wanted = text.strip()
        self.hits.clear()
        found = picked(self._lines, wanted, MOST_FOUND) if wanted else []
        for one in found:
            item = QListWidgetItem(one.title)
            item.setData(Qt.ItemDataRole.UserRole, one.act)
            self.hits.addItem(item)
        if wanted and not found:
            none = QListWidgetItem(self.tr("No setting found"))
            none.setFlags(Qt.ItemFlag.NoItemFlags)
            self.hits.addItem(none)
        self.hits.setVisible(bool(wanted))
        self.searching.emit(bool(wanted))

    def _take(self, row: int) -> None:
        item = self.hits.item(row)
        act = item.data(Qt.ItemDataRole.UserRole) if item is not None else None
        if callable(act):
            self.line.clear()
            act()
