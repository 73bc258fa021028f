"""Settings: what may happen without a question, and who answers requests to meet."""

from app.ui.icons import Icons
from app.ui.settings import controls, numbers
from app.ui.settings.controls import Control
from app.ui.settings.form import Form
from app.ui.settings.ticks import ticks
from app.ui.settings.values import Value
from app.ui.settings.writing import SettingsWriter
from app.ui.text import category_words

CATEGORIES = ("inquiry", "meeting_request", "follow_up", "other")
"""Complaints and spam are never answered without a question."""


class AutomationSection(Form):
    """Automatic approval, off until categories are ticked, and the way of meeting requests."""

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
        most = numbers.whole_number(1, 100, lambda count: self.tr("draft(s)", "", count))
        self.add("automation.auto_approve_daily_cap", self.tr("At most a day"), hint, most)
        routes: list[tuple[Value, str]] = [
            ("pipeline", self.tr("Draft a reply with free times")),
            ("response_agent", self.tr("Response agent: reads your calendar, asks, proposes a meeting")),
        ]
        hint = self.tr("The response agent needs a language model; without one a reply with free times is drafted.")
        self.add("drafting.meeting_route", self.tr("Requests to meet"), hint, controls.choice(routes, icons))

    def _categories(self) -> Control:
        words = [(name, category_words(name)) for name in CATEGORIES]
        return ticks([(name, f"{text[:1].upper()}{text[1:]}") for name, text in words])
