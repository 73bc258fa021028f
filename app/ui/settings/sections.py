"""Settings: drafting, sending, calendar and appearance."""

from collections.abc import Callable, Sequence
from zoneinfo import available_timezones

from PySide6.QtCore import QLocale, QTime, QTimeZone
from PySide6.QtWidgets import QComboBox, QWidget

from app.ui.build import button
from app.ui.icons import Icons
from app.ui.settings import controls, numbers
from app.ui.settings.controls import Control
from app.ui.settings.form import Form
from app.ui.settings.values import Value
from app.ui.settings.writing import Fate, SettingsWriter
from app.ui.text import percent_words

HALF_HOURS = tuple(f"{minutes // 60:02d}:{minutes % 60:02d}" for minutes in range(0, 24 * 60, 30))
OTHER_END = {"calendar.start": "calendar.end", "calendar.end": "calendar.start"}


class DraftingSection(Form):
    """What the assistant looks at, and what it should know about its owner."""

    def __init__(self, writer: SettingsWriter, icons: Icons, show_preview: Callable[[], object]) -> None:
        super().__init__(writer, self.tr("Drafting"), self.tr("Nothing is sent without your approval, whatever stands here."))
        self.add(
            "drafting.paused",
            self.tr("Pause"),
            self.tr("No new mail is looked at; what is running is finished."),
            controls.switch(self.tr("Pause the assistant")),
        )
        self.preview = button(self.tr("See the preview…"), "", show_preview)
        hint = self.tr("What would be looked at and what it would cost, before anything starts.")
        self.add_widget(self.tr("Unread mail"), hint, self.preview)
        days = numbers.whole_number(0, 3650, lambda count: self.tr("day(s)", "", count))
        self.add("drafting.days", self.tr("How far back"), self.tr("Unread inbox mail of the last days. 0: all of it."), days)
        self.add(
            "drafting.concurrency",
            self.tr("Mails at once"),
            self.tr("More is quicker and uses more of the computer."),
            controls.choice([(count, QLocale().toString(count)) for count in range(1, 5)], icons),
        )
        words = self.tr("I run a small bicycle workshop with my sister. We are open Tuesday to Saturday…")
        hint = self.tr("Who you are and how you write. Goes to the language model with each draft, if you use one.")
        self.add("drafting.background", self.tr("About you"), hint, controls.paragraph(words, 6))


class SendingSection(Form):
    """The delay in which a send can be taken back."""

    def __init__(self, writer: SettingsWriter) -> None:
        super().__init__(writer, self.tr("Sending"))
        hint = self.tr("An approved mail waits this long; until then Undo takes it back. 0: it is sent at once.")
        delay = numbers.whole_number(0, 300, lambda count: self.tr("second(s)", "", count))
        self.add("sending.undo_s", self.tr("Undo delay"), hint, delay)


class CalendarSection(Form):
    """When meetings may be proposed, after rows of title, hint and widget that others give."""

    def __init__(self, writer: SettingsWriter, icons: Icons, first: Sequence[tuple[str, str, QWidget]] = ()) -> None:
        super().__init__(writer, self.tr("Calendar and contacts"))
        for title, hint, widget in first:
            self.add_widget(title, hint, widget)
        hint = self.tr("Drafts propose meetings only inside these hours.")
        self.add("calendar.start", self.tr("Day begins"), hint, hours(icons))
        self.add("calendar.end", self.tr("Day ends"), "", hours(icons))
        self.add("calendar.weekdays", self.tr("Working days"), "", controls.weekdays())
        self._zones = available_timezones()
        mine = bytes(QTimeZone.systemTimeZoneId().data()).decode("ascii", "replace")
        zone = controls.suggested(
            [(name, "") for name in sorted(self._zones) if "/" in name and not name.startswith(("Etc/", "posix/", "right/"))],
            self.tr("This computer's (%1)").replace("%1", mine),
            icons,
        )
        hint = self.tr("Empty: this computer's. Otherwise such as Europe/Prague.")
        self.add("calendar.time_zone", self.tr("Time zone"), hint, zone)

    def check(self, key: str, value: Value) -> str:
        """A day ends after it began; a time zone exists."""
        if key == "calendar.time_zone" and value and value not in self._zones:
            return self.tr("There is no time zone called %1.").replace("%1", str(value))
        if key == "calendar.start" and str(value) >= self._hour("calendar.end"):
            return self.tr("The day must begin before it ends.")
        if key == "calendar.end" and str(value) <= self._hour("calendar.start"):
            return self.tr("The day must end after it begins.")
        return ""

    def _committed(self, key: str, value: Value) -> None:
        """An hour that did not fit the other one may do so now."""
        super()._committed(key, value)
        other = OTHER_END.get(key, "")
        if other and self.fields[other].fate == Fate.FAILED:
            super()._committed(other, self._hour(other))

    def _hour(self, key: str) -> str:
        box = self.fields[key].control.widget
        return str(box.currentData()) if isinstance(box, QComboBox) else ""


def hours(icons: Icons) -> Control:
    """A time of day in half hours, in the locale's words."""
    words = QLocale()
    short = QLocale.FormatType.ShortFormat
    return controls.choice([(hour, words.toString(QTime.fromString(hour, "HH:mm"), short)) for hour in HALF_HOURS], icons)


class AppearanceSection(Form):
    """How the window looks; a change shows at once."""

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
        self.add("appearance.theme", self.tr("Theme"), hint, controls.choice(themes, icons))
        languages: list[tuple[Value, str]] = [("", self.tr("Like the system")), ("en", "English"), ("cs", "Čeština")]
        hint = self.tr("Applies to pages opened from now on; wholly after a restart.")
        self.add("appearance.language", self.tr("Language"), hint, controls.choice(languages, icons))
        sizes: list[tuple[Value, str]] = [(percent, percent_words(percent)) for percent in (80, 90, 100, 110, 125, 150, 175, 200)]
        self.add(
            "appearance.text_percent",
            self.tr("Text size"),
            self.tr("Of all text in the window; pages opened before follow wholly after a restart."),
            controls.choice(sizes, icons),
        )
