"""The sections Drafting, Sending, Calendar, Appearance, Automation, Notifications, Keyboard shortcuts and Web.

Also their special controls: hours, check box groups and site lists.
"""

import re
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from PySide6.QtCore import QLocale, QTime, QTimeZone
from PySide6.QtWidgets import QCheckBox, QComboBox, QPlainTextEdit, QSizePolicy, QWidget

from app.ui.context import Context
from app.ui.i18n.formatting import category_words, percent_words
from app.ui.pages.settings.form import Form
from app.ui.pages.settings.settings_writer import ChangeOutcome, SettingsWriter
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space
from app.ui.widgets import form_controls
from app.ui.widgets.factory import action_button, button, column
from app.ui.widgets.form_controls import Control, Value

HALF_HOURS = tuple(f"{minutes // 60:02d}:{minutes % 60:02d}" for minutes in range(0, 24 * 60, 30))
OTHER_END = {"calendar.start": "calendar.end", "calendar.end": "calendar.start"}


class DraftingSection(Form):
    """Which mail is processed, and what drafts should know about the owner."""

    def __init__(self, writer: SettingsWriter, icons: Icons, show_preview: Callable[[], object]) -> None:
        super().__init__(writer, self.tr("Drafting"), self.tr("Nothing is sent without your approval, whatever stands here."))
        self.add(
            "drafting.paused",
            self.tr("Pause"),
            self.tr("No new mail is looked at; what is running is finished."),
            form_controls.switch(self.tr("Pause the assistant")),
        )
        self.preview = button(self.tr("See the preview…"), "", show_preview)
        hint = self.tr("What would be looked at and what it would cost, before anything starts.")
        self.add_widget(self.tr("Unread mail"), hint, self.preview)
        days = form_controls.whole_number(0, 3650, lambda count: self.tr("day(s)", "", count))
        self.add("drafting.days", self.tr("How far back"), self.tr("Unread inbox mail of the last days. 0: all of it."), days)
        self.add(
            "drafting.concurrency",
            self.tr("Mails at once"),
            self.tr("More is quicker and uses more of the computer."),
            form_controls.choice([(count, QLocale().toString(count)) for count in range(1, 5)], icons),
        )
        words = self.tr("I run a small bicycle workshop with my sister. We are open Tuesday to Saturday…")
        hint = self.tr("Who you are and how you write. Goes to the language model with each draft, if you use one.")
        self.add("drafting.background", self.tr("About you"), hint, form_controls.paragraph(words, 6))


class SendingSection(Form):
    """The undo delay."""

    def __init__(self, writer: SettingsWriter) -> None:
        super().__init__(writer, self.tr("Sending"))
        hint = self.tr("An approved mail waits this long; until then Undo takes it back. 0: it is sent at once.")
        delay = form_controls.whole_number(0, 300, lambda count: self.tr("second(s)", "", count))
        self.add("sending.undo_s", self.tr("Undo delay"), hint, delay)


class CalendarSection(Form):
    """Hours in which meetings may be proposed. `first` gives rows of (title, hint, widget) to place above."""

    def __init__(self, writer: SettingsWriter, icons: Icons, first: Sequence[tuple[str, str, QWidget]] = ()) -> None:
        super().__init__(writer, self.tr("Calendar and contacts"))
        for title, hint, widget in first:
            self.add_widget(title, hint, widget)
        hint = self.tr("Drafts propose meetings only inside these hours.")
        self.add("calendar.start", self.tr("Day begins"), hint, hours(icons))
        self.add("calendar.end", self.tr("Day ends"), "", hours(icons))
        self.add("calendar.weekdays", self.tr("Working days"), "", form_controls.weekdays())
        self._zones = available_timezones()
        mine = bytes(QTimeZone.systemTimeZoneId().data()).decode("ascii", "replace")
        zone = form_controls.suggested(
            [(name, "") for name in sorted(self._zones) if "/" in name and not name.startswith(("Etc/", "posix/", "right/"))],
            self.tr("This computer's (%1)").replace("%1", mine),
            icons,
        )
        hint = self.tr("Empty: this computer's. Otherwise such as Europe/Prague.")
        self.add("calendar.time_zone", self.tr("Time zone"), hint, zone)

    def check(self, key: str, value: Value) -> str:
        """The day ends after it begins; the time zone exists."""
        if key == "calendar.time_zone" and value and value not in self._zones:
            return self.tr("There is no time zone called %1.").replace("%1", str(value))
        if key == "calendar.start" and str(value) >= self._hour("calendar.end"):
            return self.tr("The day must begin before it ends.")
        if key == "calendar.end" and str(value) <= self._hour("calendar.start"):
            return self.tr("The day must end after it begins.")
        return ""

    def _committed(self, key: str, value: Value) -> None:
        """Checks the other hour again, because it may be valid now."""
        super()._committed(key, value)
        other = OTHER_END.get(key, "")
        if other and self.fields[other].fate == ChangeOutcome.FAILED:
            super()._committed(other, self._hour(other))

    def _hour(self, key: str) -> str:
        box = self.fields[key].control.widget
        return str(box.currentData()) if isinstance(box, QComboBox) else ""


def hours(icons: Icons) -> Control:
    """Choice of a time in half hours, in the locale's format."""
    words = QLocale()
    short = QLocale.FormatType.ShortFormat
    return form_controls.choice([(hour, words.toString(QTime.fromString(hour, "HH:mm"), short)) for hour in HALF_HOURS], icons)


class AppearanceSection(Form):
    """Theme, language and text size."""

    def __init__(self, writer: SettingsWriter, icons: Icons) -> None:
        super().__init__(writer, self.tr("Appearance"))
        themes: list[tuple[Value, str]] = [
            ("system", self.tr("Like the system")),
            ("light", self.tr("Light")),
            ("dark", self.tr("Dark")),
            ("contrast-light", self.tr("Light, high contrast")),
            ("contrast-dark", self.tr("Dark, high contrast")),
        ]
        hint = self.tr("High contrast also comes by itself where the system asks for it.")
        self.add("appearance.theme", self.tr("Theme"), hint, form_controls.choice(themes, icons))
        languages: list[tuple[Value, str]] = [("", self.tr("Like the system")), ("en", "English"), ("cs", "Čeština")]
        hint = self.tr("Applies to pages opened from now on; wholly after a restart.")
        self.add("appearance.language", self.tr("Language"), hint, form_controls.choice(languages, icons))
        sizes: list[tuple[Value, str]] = [(percent, percent_words(percent)) for percent in (80, 90, 100, 110, 125, 150, 175, 200)]
        self.add(
            "appearance.text_percent",
            self.tr("Text size"),
            self.tr("Of all text in the window; pages opened before follow wholly after a restart."),
            form_controls.choice(sizes, icons),
        )


def ticks(options: Sequence[tuple[str, str]]) -> Control:
    """A check box for each (value, text). The control's value is the list of ticked values in the given order."""
    host = QWidget()
    host.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
    lines = column(host, 0, Space.SMALL)
    boxes: dict[str, QCheckBox] = {}
    for value, words in options:
        made = boxes[value] = QCheckBox(words)
        lines.addWidget(made)

    def put(value: Value) -> None:
        wanted = value if isinstance(value, list) else []
        for name, box in boxes.items():
            box.setChecked(name in wanted)

    control = Control(host, put)
    for box in boxes.values():
        box.toggled.connect(lambda _on: control.announce([name for name, option in boxes.items() if option.isChecked()]))
    host.setFocusProxy(next(iter(boxes.values())))
    return control


CATEGORIES = ("inquiry", "meeting_request", "follow_up", "other")
"""Complaints and spam are never approved automatically."""


class AutomationSection(Form):
    """Automatic approval, which is off until categories are ticked, and the route of meeting requests."""

    def __init__(self, writer: SettingsWriter, icons: Icons) -> None:
        intro = self.tr("What the assistant may do without asking you first. Nothing is ever sent without your approval.")
        super().__init__(writer, self.tr("Automation"), intro)
        hint = self.tr(
            "Drafts of these kinds become Gmail drafts by themselves; they are not sent. Only when the assistant is at least 80 %"
            " sure, you have written to the sender before, the reply goes to the sender alone, nothing is left to fill in, and no"
            " warning was found. Everything else waits in Review."
        )
        self.add("automation.auto_approve_categories", self.tr("Save as Gmail draft without asking"), hint, self._categories())
        hint = self.tr("When so many were saved without asking on a day, the rest waits in Review.")
        most = form_controls.whole_number(1, 100, lambda count: self.tr("draft(s)", "", count))
        self.add("automation.auto_approve_daily_cap", self.tr("At most a day"), hint, most)
        routes: list[tuple[Value, str]] = [
            ("pipeline", self.tr("Draft a reply with free times")),
            ("response_agent", self.tr("Response agent: reads your calendar, asks, proposes a meeting")),
        ]
        hint = self.tr("The response agent needs a language model; without one a reply with free times is drafted.")
        self.add("drafting.meeting_route", self.tr("Requests to meet"), hint, form_controls.choice(routes, icons))

    def _categories(self) -> Control:
        words = [(name, category_words(name)) for name in CATEGORIES]
        return ticks([(name, f"{text[:1].upper()}{text[1:]}") for name, text in words])


class NotificationsSection(Form):
    """Whether and when desktop notifications are shown, and the tray."""

    def __init__(self, writer: SettingsWriter, icons: Icons) -> None:
        words = self.tr("While the window is not in front: drafts to look at, sends that were stopped, a sign-in that ended.")
        super().__init__(writer, self.tr("Notifications"), words)
        hint = self.tr("They never show words of a mail.")
        self.add("notifications.shown", self.tr("On the desktop"), hint, form_controls.switch(self.tr("Show notifications")))
        self.add("notifications.quiet_from", self.tr("Quiet from"), "", hours(icons))
        hint = self.tr("The same time twice: no quiet hours.")
        self.add("notifications.quiet_to", self.tr("Quiet until"), hint, hours(icons))
        hint = self.tr("Days that are no working days of the calendar.")
        weekend = form_controls.switch(self.tr("Quiet on days off"))
        self.add("notifications.quiet_weekend", self.tr("Days off"), hint, weekend)
        hint = self.tr(
            "Then new mail comes in and approved mail leaves. Otherwise, and where the desktop has no tray, Replyroom ends."
        )
        in_tray = form_controls.switch(self.tr("Go on in the tray"))
        self.add("notifications.in_tray", self.tr("When the window is closed"), hint, in_tray)


class KeysSection(Form):
    """Buttons for the page of shortcuts and the cheat sheet."""

    def __init__(self, writer: SettingsWriter, context: Context) -> None:
        super().__init__(writer, self.tr("Keyboard shortcuts"), self.tr("Everything can be done by keys."))
        hint = self.tr("Keys as in Gmail or in desktop programs, or your own; each of them can be changed.")
        self.add_widget(self.tr("Your keys"), hint, action_button(context.actions["window.shortcuts"]))
        hint = self.tr("All keys in force on one sheet.")
        self.add_widget(self.tr("At a glance"), hint, action_button(context.actions["window.keys"]))


SEARCH = "web.searxng"
SITES = "web.sites"
_ADDRESS = re.compile(r"https?://[^\s/]+\S*")
_HOST = re.compile(r"[a-z0-9][a-z0-9.\-]*\.[a-z]{2,}")


class WebSection(Form):
    """The search server and the sites whose pages agents may read. Empty by default."""

    def __init__(self, writer: SettingsWriter) -> None:
        intro = self.tr("Agents reach nothing on the web but what is named here. What would carry words of your mail is refused.")
        super().__init__(writer, self.tr("Web"), intro)
        hint = self.tr("The address of a SearXNG server with its JSON form switched on. Empty: no search.")
        self.add(SEARCH, self.tr("Search server"), hint, form_controls.line("https://search.example.org"))
        hint = self.tr("One host a line. Single pages of these sites may be read by agents whose profile has fetch_url.")
        self.add(SITES, self.tr("Sites"), hint, sites())

    def check(self, key: str, value: Value) -> str:
        """The address needs a scheme; each site must be a host name."""
        if key == SEARCH and value and not _ADDRESS.fullmatch(str(value)):
            return self.tr("Write the whole address, such as https://search.example.org.")
        if key == SITES and isinstance(value, list):
            wrong = next((str(host) for host in value if not _HOST.fullmatch(str(host))), None)
            if wrong is not None:
                return self.tr("“%1” is not the name of a site. Write it such as example.org.").replace("%1", wrong)
        return ""


def sites() -> Control:
    """Control with one host in each line. A pasted address becomes its host."""
    control = form_controls.paragraph("example.org", 4)
    field = control.widget
    assert isinstance(field, QPlainTextEdit)
    lines = Control(
        field,
        lambda value: field.setPlainText("\n".join(map(str, value if isinstance(value, list) else []))),
        says=lambda: hosts_of(field.toPlainText()) if field.hasFocus() else field.toPlainText(),
    )
    lines.settle = control.settle
    control.typed.connect(lines.announce_typing)
    control.committed.connect(lambda text: lines.announce(hosts_of(str(text))))
    return lines


def hosts_of(text: str) -> list[str]:
    """Hosts in a text, separated by lines or commas.

    In lower case, without scheme and path, no duplicates.
    """
    found = (_host(part) for line in text.splitlines() for part in line.split(","))
    return list(dict.fromkeys(host for host in found if host))


def _host(written: str) -> str:
    words = written.strip().lower()
    if not words:
        return ""
    try:
        return (urlsplit(words).hostname if "://" in words else words.split("/")[0]) or words
    except ValueError:
        return words
