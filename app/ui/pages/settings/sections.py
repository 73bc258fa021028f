"""Controls of settings by the type of their field, and the sections that are rows of settings only."""

from collections.abc import Callable, Sequence
from urllib.parse import urlsplit
from zoneinfo import available_timezones

import msgspec
from PySide6.QtCore import QLocale, QTime, QTimeZone
from PySide6.QtWidgets import QCheckBox, QPlainTextEdit, QSizePolicy, QWidget

from app.config.settings import Hour, Settings
from app.ui.context import Context
from app.ui.i18n.formatting import category_words
from app.ui.pages.settings.form import Form, SettingsWriter
from app.ui.pages.settings.settings_table import Setting, SettingTexts, type_of
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space
from app.ui.widgets import form_controls
from app.ui.widgets.factory import action_button, button, column
from app.ui.widgets.form_controls import Control, Value
from app.ui.widgets.notice_line import NoticeLine

HALF_HOURS = tuple(f"{minutes // 60:02d}:{minutes % 60:02d}" for minutes in range(0, 24 * 60, 30))
CATEGORIES = ("inquiry", "meeting_request", "follow_up", "other")
"""Complaints and spam are never approved automatically."""


class SettingsForm(Form):
    """Rows of settings from the table. `rows` are their keys."""

    def __init__(self, writer: SettingsWriter, icons: Icons, title: str, intro: str = "", rows: Sequence[str] = ()) -> None:
        super().__init__(writer, title, intro)
        self._icons = icons
        self._settings = SettingTexts(self).settings()
        self.add_settings(*rows)

    def add_settings(self, *keys: str) -> None:
        for key in keys:
            setting = self._settings[key]
            self.add(key, setting.title, setting.hint, self._control(key, setting))

    def check(self, key: str, value: Value) -> str:
        return self._settings[key].error_of(key, value)

    def _control(self, key: str, setting: Setting) -> Control:
        """The control of a setting, else that of its type."""
        special: dict[str, Callable[[], Control]] = {
            "drafting.background": lambda: form_controls.paragraph(setting.text, 6),
            **{f"memory.{name}": lambda: form_controls.paragraph(setting.text, 3) for name in ("triage", "reply", "meetings")},
            "automation.auto_approve_categories": lambda: ticks([(name, category_words(name)) for name in CATEGORIES]),
            "privacy.stays_kinds": lambda: ticks([("health", self.tr("health")), ("bank", self.tr("bank"))]),
            "calendar.weekdays": form_controls.weekdays,
            "calendar.time_zone": lambda: time_zones(setting.text, self._icons),
            "web.sites": lambda: sites(setting.text),
        }
        kind = type_of(key)
        if key in special:
            return special[key]()
        if setting.choices:
            return form_controls.choice(list(setting.choices.items()), self._icons)
        if kind == Hour:
            return hours(self._icons)
        match msgspec.inspect.type_info(kind):
            case msgspec.inspect.BoolType():
                return form_controls.switch(setting.text)
            case msgspec.inspect.IntType(ge=least, le=most):
                return form_controls.whole_number(least or 0, most or 0, setting.unit)
            case msgspec.inspect.FloatType(le=most):
                return form_controls.money(most or 0, self.tr("USD"))
        return form_controls.line(setting.text)


def hours(icons: Icons) -> Control:
    """Choice of a time in half hours, in the locale's format."""
    words = QLocale()
    short = QLocale.FormatType.ShortFormat
    return form_controls.choice([(hour, words.toString(QTime.fromString(hour, "HH:mm"), short)) for hour in HALF_HOURS], icons)


def time_zones(placeholder: str, icons: Icons) -> Control:
    """A time zone, with the names of places as suggestions."""
    mine = bytes(QTimeZone.systemTimeZoneId().data()).decode("ascii", "replace")
    names = [name for name in available_timezones() if "/" in name and not name.startswith(("Etc/", "posix/", "right/"))]
    return form_controls.suggested([(name, "") for name in sorted(names)], placeholder.replace("%1", mine), icons)


def ticks(options: Sequence[tuple[str, str]]) -> Control:
    """A check box for each (value, text). The control's value is the list of ticked values in the given order."""
    host = QWidget()
    host.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
    lines = column(host, 0, Space.SMALL)
    boxes = {value: QCheckBox(f"{text[:1].upper()}{text[1:]}") for value, text in options}

    def put(value: Value) -> None:
        for name, box in boxes.items():
            box.setChecked(isinstance(value, list) and name in value)

    control = Control(host, put)
    for box in boxes.values():
        lines.addWidget(box)
        box.toggled.connect(lambda _on: control.announce([name for name, option in boxes.items() if option.isChecked()]))
    host.setFocusProxy(next(iter(boxes.values())))
    return control


def sites(placeholder: str) -> Control:
    """Control with one host in each line. A pasted address becomes its host."""
    control = form_controls.paragraph(placeholder, 4)
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
    """Hosts in a text, separated by lines or commas: in lower case, without scheme and path, no duplicates."""
    hosts: dict[str, None] = {}
    for words in filter(None, (part.strip().lower() for line in text.splitlines() for part in line.split(","))):
        try:
            host = urlsplit(words).hostname if "://" in words else words.split("/")[0]
        except ValueError:
            host = ""
        hosts[host or words] = None
    return list(hosts)


class DraftingSection(SettingsForm):
    def __init__(self, writer: SettingsWriter, context: Context) -> None:
        intro = self.tr("Nothing is ever sent without your approval.")
        super().__init__(writer, context.icons, self.tr("Drafting"), intro, ["drafting.paused"])
        self.preview = button(self.tr("See the preview…"), "", lambda: context.navigator.show_page("welcome"))
        hint = self.tr("See what will be checked and what it will cost before anything starts.")
        self.add_widget(self.tr("Unread mail"), hint, self.preview)
        self.add_settings("drafting.days", "drafting.concurrency", "drafting.background")
        self.add_settings("memory.triage", "memory.reply", "memory.meetings")


class AppearanceSection(SettingsForm):
    """Offers a restart once text size or language differ from what the window shows."""

    def __init__(self, writer: SettingsWriter, context: Context) -> None:
        rows = ("appearance.theme", "appearance.language", "appearance.text_percent")
        super().__init__(writer, context.icons, self.tr("Appearance and keyboard"), "", rows)
        self._context = context
        self._begun: tuple[str, float] | None = None
        self.restart = NoticeLine(context.icons, "accent")
        self.add_widget("", "", self.restart, wide=True)
        self.row_of(self.restart).hide()
        hint = self.tr("Use Gmail's shortcuts, those of desktop programs, or your own.")
        self.add_widget(self.tr("Your keys"), hint, action_button(context.actions["window.shortcuts"]))
        hint = self.tr("View all shortcuts.")
        self.add_widget(self.tr("At a glance"), hint, action_button(context.actions["window.keys"]))

    def show_values(self, settings: Settings) -> None:
        super().show_values(settings)
        looks = settings.appearance
        if self._begun is None:
            self._begun = (looks.language, self._context.appearance.text_size)
        changed = (looks.language, looks.text_percent / 100) != self._begun
        words = self.tr("Restart Replyroom to apply this to the whole window. Nothing you typed is lost.")
        self.restart.say(words if changed else "", "info", self.tr("Restart now"), self._context.navigator.restart)
        self.row_of(self.restart).setVisible(changed)
