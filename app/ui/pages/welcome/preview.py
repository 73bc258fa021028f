"""The preview: how many messages would be processed, how many drafts and at what cost. Nothing starts before Start."""

from collections.abc import Callable

from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QComboBox

from app.domain.errors import ExpectedError
from app.domain.ids import AccountId
from app.domain.ports.window import EngineLink
from app.domain.protocol.commands import Answer, DraftingPreview, PreviewDrafting
from app.ui.i18n.error_messages import sentence
from app.ui.i18n.formatting import number_words
from app.ui.pages.welcome.screens import Screen
from app.ui.services.async_task import EngineQuestion
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.buttons import ChoiceBox
from app.ui.widgets.factory import button, column, frame, label, put, row
from app.ui.widgets.form_controls import CHOICE_CHARACTERS, with_arrow

DAYS = (1, 3, 7, 14, 30, 90, 0)


class PreviewScreen(Screen):
    """Calls `begin(days)` for Start and `later()` for Not now."""

    def __init__(self, link: EngineLink, icons: Icons, begin: Callable[[int], object], later: Callable[[], object]) -> None:
        super().__init__(self.tr("Ready to start"))
        self._query = EngineQuestion(link, self)
        self._account = AccountId(0)
        self._with_model = False
        self.days = ChoiceBox()
        with_arrow(self.days, icons)
        self.days.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.days.setMinimumContentsLength(CHOICE_CHARACTERS)
        self.days.setAccessibleName(self.tr("How far back"))
        for days in DAYS:
            self.days.addItem(self.tr("the last %n day(s)", "", days) if days else self.tr("all of it"), days)
        self.begin = button(self.tr("Start"), "primary", lambda: begin(self.chosen_days))
        self.later = button(self.tr("Not now"), "", later)
        self.mails = label("", Type.TITLE, wrap=True)
        self.drafts = label("", Type.BODY, wrap=True)
        self.cost = label("", Type.BODY, wrap=True)
        self._lay_out()
        self.days.currentIndexChanged.connect(lambda _index: self.ask())
        self.start = self.days

    def _lay_out(self) -> None:
        asked = label(self.tr("Check unread mail from"))
        asked.setBuddy(self.days)
        self.lines.addLayout(put(row(), asked, self.days, 1))
        card = frame("card")
        put(column(card, Space.LARGE, Space.TIGHT), self.mails, self.drafts, self.cost)
        self.lines.addWidget(card)
        self.lines.addWidget(
            label(self.tr("New mail will be checked too. Nothing is sent without your approval."), tone="soft", wrap=True)
        )
        self.lines.addLayout(put(row(), self.begin, self.later, 1))

    @property
    def chosen_days(self) -> int:
        """Days back; 0 for all."""
        return int(self.days.currentData())

    def show_account(self, account: AccountId, email: str, days: int, with_model: bool) -> None:
        """Shows an account. Asks the engine only if the account or the use of a model changed."""
        self.words.setText(self.tr("%1 is connected.").replace("%1", email))
        self.words.show()
        if (account, with_model) == (self._account, self._with_model):
            return
        self._account, self._with_model = account, with_model
        self.days.blockSignals(True)
        if self.days.findData(days) < 0:
            self.days.addItem(self.tr("the last %n day(s)", "", days), days)
        self.days.setCurrentIndex(self.days.findData(days))
        self.days.blockSignals(False)
        self.ask()

    def ask(self) -> None:
        self.show_error("")
        self._say(self.tr("Counting…"), "", "")
        self.begin.setEnabled(False)
        self._query.ask(PreviewDrafting(self._account, self.chosen_days), self._answered, self._failed)

    def forget(self) -> None:
        """Cancels the query and asks again when the screen is shown next."""
        self._query.cancel()
        self._account = AccountId(0)

    def _answered(self, answer: Answer) -> None:
        if not isinstance(answer, DraftingPreview):
            return
        days = self.chosen_days
        counted = number_words(answer.mails)
        if answer.mails == 0:
            self._say(self.tr("No unread mail there"), self.tr("Only new mail will be checked."), "")
        else:
            mails = self.tr("%n email(s) to check", "", answer.mails).replace(str(answer.mails), counted)
            self._say(mails, self.tr("about %n draft(s)", "", answer.drafts), self._cost_words(answer.cost_usd))
        self.mails.setAccessibleName(" ".join((self.mails.text(), self.drafts.text(), self.cost.text())).strip())
        self.begin.setEnabled(True)
        self.begin.setAccessibleDescription(self.mails.accessibleName() if days >= 0 else "")

    def _cost_words(self, cost_usd: float) -> str:
        if not self._with_model:
            return ""
        if cost_usd < 0:
            return self.tr("The price of this model is not known.")
        if cost_usd < 0.005:
            return self.tr("under $0.01")
        return self.tr("for about $%1").replace("%1", QLocale().toString(cost_usd, "f", 2))

    def _failed(self, error: ExpectedError) -> None:
        self._say("", "", "")
        self.show_error(sentence(error.code, error.text), self.tr("Try again"), self.ask)

    def _say(self, mails: str, drafts: str, cost: str) -> None:
        for field, words in ((self.mails, mails), (self.drafts, drafts), (self.cost, cost)):
            field.setText(words)
            field.setVisible(bool(words))
            field.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
