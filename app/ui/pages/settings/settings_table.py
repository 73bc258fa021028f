"""The texts of every setting that has a row. Its control, bounds and checks come from the field's type in `config.settings`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import get_type_hints

import msgspec
from PySide6.QtCore import QLocale, QObject

from app.config.settings import Settings
from app.ui.i18n.formatting import percent_words
from app.ui.widgets.form_controls import Unit, Value


@dataclass(frozen=True, slots=True)
class Setting:
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
            ("appearance", self.tr("Appearance"), "appearance"),
            ("shortcuts", self.tr("Keyboard shortcuts"), "key"),
            ("about", self.tr("About"), "info"),
        ]

    def intros(self) -> dict[str, str]:
        """What stands above the rows of a section."""
        return {
            "automation": self.tr(
                "What the assistant may do without asking you first. Nothing is ever sent without your approval."
            ),
            "web": self.tr(
                "Agents reach nothing on the web but what is named here. What would carry words of your mail is refused."
            ),
            "notifications": self.tr(
                "While the window is not in front: drafts to look at, sends that were stopped, a sign-in that ended."
            ),
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
                self.tr("How far back"), self.tr("Older mail stays at Google only. 0: all of it."), unit=days
            ),
            "sync.largest_mb": Setting(
                self.tr("Largest mail"),
                self.tr("Larger mail is not fetched ahead. 0: any size."),
                unit=lambda _count: self.tr("MB"),
            ),
            "sync.skip_labels": Setting(
                self.tr("Without labels"),
                self.tr("Mail under these labels is not fetched ahead; commas between their names."),
                self.tr("Newsletters, Archive/2009"),
            ),
            "sync.older_paused": Setting(
                self.tr("Older mail"), self.tr("New mail comes in all the same."), self.tr("Do not fetch it now")
            ),
            "model.name": Setting(
                self.tr("Model"),
                self.tr("A litellm model id. Empty: no language model."),
                self.tr("No language model"),
                wrong=self.tr("A model id has no spaces."),
            ),
            "model.api_base": Setting(
                self.tr("Address"),
                self.tr("Only for a server of your own, such as Ollama or LM Studio."),
                wrong=self.tr("Write the address with http:// or https:// in front."),
            ),
            "model.daily_calls": Setting(
                self.tr("Calls a day, at most"),
                self.tr("Beyond it, drafting waits until midnight or a higher cap. 0: no cap."),
                unit=calls,
            ),
            "model.daily_usd": Setting(
                self.tr("Cost a day, at most"), self.tr("Counted where the model's price is known. 0: no cap.")
            ),
            "model.monthly_calls": Setting(
                self.tr("Calls a month, at most"),
                self.tr("Beyond it, drafting waits until next month or a higher cap. 0: no cap."),
                unit=calls,
            ),
            "model.monthly_usd": Setting(
                self.tr("Cost a month, at most"), self.tr("Counted where the model's price is known. 0: no cap.")
            ),
            "model.timeout_s": Setting(self.tr("Time limit"), self.tr("A call that takes longer is given up."), unit=seconds),
            "drafting.paused": Setting(
                self.tr("Pause"),
                self.tr("No new mail is looked at; what is running is finished."),
                self.tr("Pause the assistant"),
            ),
            "drafting.days": Setting(
                self.tr("How far back"), self.tr("Unread inbox mail of the last days. 0: all of it."), unit=days
            ),
            "drafting.concurrency": Setting(
                self.tr("Mails at once"),
                self.tr("More is quicker and uses more of the computer."),
                choices={count: QLocale().toString(count) for count in range(1, 5)},
            ),
            "drafting.background": Setting(
                self.tr("About you"),
                self.tr("Who you are and how you write. Goes to the language model with each draft, if you use one."),
                self.tr("I run a small bicycle workshop with my sister. We are open Tuesday to Saturday…"),
            ),
            "drafting.meeting_route": Setting(
                self.tr("Requests to meet"),
                self.tr("The response agent needs a language model; without one a reply with free times is drafted."),
                choices={
                    "pipeline": self.tr("Draft a reply with free times"),
                    "response_agent": self.tr("Response agent: reads your calendar, asks, proposes a meeting"),
                },
            ),
            "automation.auto_approve_categories": Setting(
                self.tr("Save as Gmail draft without asking"),
                self.tr(
                    "Drafts of these kinds become Gmail drafts by themselves; they are not sent. Only when the assistant is at"
                    " least 80 % sure, you have written to the sender before, the reply goes to the sender alone, nothing is left"
                    " to fill in, and no warning was found. Everything else waits in Review."
                ),
            ),
            "automation.auto_approve_daily_cap": Setting(
                self.tr("At most a day"),
                self.tr("When so many were saved without asking on a day, the rest waits in Review."),
                unit=drafts,
            ),
            "sending.undo_s": Setting(
                self.tr("Undo delay"),
                self.tr("An approved mail waits this long; until then Undo takes it back. 0: it is sent at once."),
                unit=seconds,
            ),
            "calendar.start": Setting(self.tr("Day begins"), self.tr("Drafts propose meetings only inside these hours.")),
            "calendar.end": Setting(self.tr("Day ends")),
            "calendar.weekdays": Setting(self.tr("Working days")),
            "calendar.time_zone": Setting(
                self.tr("Time zone"),
                self.tr("Empty: this computer's. Otherwise such as Europe/Prague."),
                self.tr("This computer's (%1)"),
            ),
            "web.searxng": Setting(
                self.tr("Search server"),
                self.tr("The address of a SearXNG server with its JSON form switched on. Empty: no search."),
                "https://search.example.org",
                wrong=self.tr("Write the whole address, such as https://search.example.org."),
            ),
            "web.sites": Setting(
                self.tr("Sites"),
                self.tr("One host a line. Single pages of these sites may be read by agents whose profile has fetch_url."),
                "example.org",
                wrong=self.tr("“%1” is not the name of a site. Write it such as example.org."),
            ),
            "reading.mark_read": Setting(
                self.tr("Mark as read"),
                self.tr("An open conversation stops being unread. Answering it always marks it as read."),
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
                self.tr("On the desktop"), self.tr("They never show words of a mail."), self.tr("Show notifications")
            ),
            "notifications.quiet_from": Setting(self.tr("Quiet from")),
            "notifications.quiet_to": Setting(self.tr("Quiet until"), self.tr("The same time twice: no quiet hours.")),
            "notifications.quiet_weekend": Setting(
                self.tr("Days off"), self.tr("Days that are no working days of the calendar."), self.tr("Quiet on days off")
            ),
            "notifications.in_tray": Setting(
                self.tr("When the window is closed"),
                self.tr(
                    "Then new mail comes in and approved mail leaves. Otherwise, and where the desktop has no tray,"
                    " Replyroom ends."
                ),
                self.tr("Go on in the tray"),
            ),
            "appearance.theme": Setting(
                self.tr("Theme"),
                self.tr("High contrast also comes by itself where the system asks for it."),
                choices={
                    "system": self.tr("Like the system"),
                    "light": self.tr("Light"),
                    "dark": self.tr("Dark"),
                    "contrast-light": self.tr("Light, high contrast"),
                    "contrast-dark": self.tr("Dark, high contrast"),
                },
            ),
            "appearance.language": Setting(
                self.tr("Language"),
                self.tr("Applies to pages opened from now on; wholly after a restart."),
                choices={"": self.tr("Like the system"), "en": "English", "cs": "Čeština"},
            ),
            "appearance.text_percent": Setting(
                self.tr("Text size"),
                self.tr("Of all text in the window; pages opened before follow wholly after a restart."),
                choices={percent: percent_words(percent) for percent in (80, 90, 100, 110, 125, 150, 175, 200)},
            ),
        }
