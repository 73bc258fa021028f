"""The screens of the first run except the guide, and their base class. Nothing is processed before Start on the preview."""

import time
from collections.abc import Callable
from enum import StrEnum

from PySide6.QtCore import QLocale, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QProgressBar, QPushButton, QScrollArea, QSizePolicy, QWidget

from app.domain.agents.model_providers import provider_with
from app.domain.errors import ExpectedError
from app.domain.ids import AccountId
from app.domain.ports.window import EngineLink
from app.domain.protocol.commands import DraftingPreview, FindModelServers, ModelServers, PreviewDrafting
from app.domain.protocol.events import ConnectionState, SignInOpened, SyncPhase, SyncProgress
from app.domain.record import Record
from app.ui.context import Context
from app.ui.i18n.error_messages import sentence
from app.ui.i18n.formatting import number_words
from app.ui.services.async_task import EngineQuestion
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.containers import Flowing, FlowRow
from app.ui.widgets.factory import RoleFrame, announce, button, column, label, named, put, row, say, say_or_hide
from app.ui.widgets.form_controls import CHOICE_CHARACTERS, ChoiceBox
from app.ui.widgets.labels import IconLabel


class WelcomeStage(StrEnum):
    """Stages of the first run; each has a screen."""

    CHOOSE = "choose"
    CONNECT = "connect"
    SIGN_IN = "sign_in"
    MODEL = "model"
    SYNC = "sync"
    PREVIEW = "preview"
    SAMPLE = "sample"


class WelcomeFacts(Record):
    """What the page knows.

    `adding`: another account is being connected. `guiding`: Connect Gmail was chosen. `signing_in`: a client file was sent to the
    engine. `sample`: the sample mailbox was started. `model_settled`: a model is configured or the user continues without one.
    `hurried`: the user does not wait for all mail.
    """

    connected: bool = False
    adding: bool = False
    guiding: bool = False
    signing_in: bool = False
    sample: bool = False
    model_settled: bool = False
    hurried: bool = False
    messages: int = 0
    progress: SyncProgress | None = None


def stage_of(known: WelcomeFacts) -> WelcomeStage:
    """The mail is fetched if the sync says so; before its first report, stored mail of an earlier start counts."""
    if not known.connected or known.adding:
        choices = (
            (known.sample, WelcomeStage.SAMPLE),
            (known.signing_in, WelcomeStage.SIGN_IN),
            (known.guiding, WelcomeStage.CONNECT),
        )
        return next((stage for taken, stage in choices if taken), WelcomeStage.CHOOSE)
    if not known.model_settled:
        return WelcomeStage.MODEL
    fetched = known.messages > 0 if known.progress is None else known.progress.phase is SyncPhase.CURRENT
    return WelcomeStage.PREVIEW if known.hurried or fetched else WelcomeStage.SYNC


HINDRANCES = {
    ConnectionState.OFFLINE: "offline",
    ConnectionState.LOGIN_NEEDED: "login_needed",
    ConnectionState.QUOTA: "quota_reached",
}
"""Error codes of what keeps mail from being fetched."""
WIDTH = 600


class Screen(QScrollArea):
    """A heading, a sentence, content in `lines` and room for an error.

    One centred column. `start` gets the focus when the screen is shown.
    """

    def __init__(self, title: str, words: str = "") -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(title)
        self.start: QWidget | None = None
        self.heading = label(title, Type.HEADLINE, wrap=True)
        self.words = label(words, Type.BODY, "soft", wrap=True)
        if not words:  # hidden now: showing a label without a parent would open a window
            self.words.hide()
        self._error_notice = RoleFrame("notice", "danger")
        self._error_label = label("", wrap=True)
        self._again: Callable[[], object] = lambda: None
        self.retry = button("", "", lambda: self._again())
        host, inner = Flowing(), QWidget()
        host.setProperty("role", "plain")
        inner.setMaximumWidth(at_text_size(WIDTH))
        row(host, (Space.XLARGE, 0), 0, 1, (inner, 100), 1)
        self.lines = column(None, 0, Space.MEDIUM)
        heads = (self.heading, self.words, self._error_notice)
        column(inner, 0, Space.MEDIUM, 1, *heads, Space.SMALL, self.lines, 2)
        retrying = (self.retry, Qt.AlignmentFlag.AlignLeft)
        column(self._error_notice, Space.MEDIUM, Space.SMALL, self._error_label, retrying)
        self._error_notice.hide()
        self.setWidget(host)

    def show_error(self, words: str, action: str = "", again: Callable[[], object] = lambda: None) -> None:
        """Shows an error with at most one button; an empty text hides it."""
        self._error_notice.setVisible(bool(words))
        self._error_label.setText(words)
        say_or_hide(self.retry, action)
        self._again = again

    @property
    def error(self) -> str:
        return "" if self._error_notice.isHidden() else self._error_label.text()

    def take_focus(self) -> None:
        if self.start is not None:
            self.start.setFocus()


ICON = 28


class Choice(QPushButton):
    """A card that works as a button: icon, title, sentence."""

    def __init__(self, context: Context, icon: str, title: str, sentence: str, chosen: Callable[[], object]) -> None:
        super().__init__()
        self.setProperty("role", "choice")
        self.setAutoDefault(True)
        self.setAccessibleName(title)
        self.setAccessibleDescription(sentence)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._title = label(title, Type.STRONG, wrap=True)
        words = column(None, 0, Space.HAIR, self._title, label(sentence, Type.BODY, "soft", wrap=True))
        image = IconLabel(context.icons, icon, "accent", ICON)
        row(self, Space.LARGE, Space.LARGE, (image, Qt.AlignmentFlag.AlignTop), (words, 1))
        for child in self.findChildren(QWidget):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMinimumSize(QSize(0, ICON + 2 * Space.LARGE))
        self.clicked.connect(lambda _checked=False: chosen())

    def show_title(self, title: str) -> None:
        self._title.setText(title)
        self.setAccessibleName(title)


class ChooseScreen(Screen):
    """First screen: sample mailbox, Gmail or a mail archive. Without `sample` that choice is hidden.

    `guide` opens the guide to a Google client of the user's own, where `connect` uses one that is built in.
    """

    def __init__(
        self,
        context: Context,
        connect: Callable[[], object],
        sample: Callable[[], object] | None,
        guide: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(
            self.tr("Welcome to Replyroom"),
            self.tr("Your mail stays on this computer. Replyroom drafts replies; you approve what's sent."),
        )
        words = self.tr("Explore with a bike shop's inbox. Nothing is sent.")
        self.sample = Choice(context, "sample", self.tr("Try the sample mailbox"), words, sample or (lambda: None))
        self.sample.setVisible(sample is not None)
        words = self.tr("Set up once with your own Google credentials (about 10 minutes).")
        if guide is not None:
            words = self.tr("Sign in to Google in your browser.")
        self.own_client = button(self.tr("Use your own Google client…"), "link", guide)
        self.own_client.setVisible(guide is not None)
        self.connect_gmail = Choice(context, "mail", self.tr("Connect Gmail"), words, connect)
        words = self.tr("Read and search an mbox, Maildir or Google Takeout export.")
        archive = context.actions["window.import"]
        self.archive = Choice(context, "import", self.tr("Import a mail archive"), words, archive.trigger)
        put(self.lines, self.connect_gmail, self.sample, self.archive, (self.own_client, Qt.AlignmentFlag.AlignLeft))
        self.start = self.connect_gmail


class ModelScreen(Screen):
    def __init__(self, context: Context, choose: Callable[[], object], without: Callable[[], object]) -> None:
        super().__init__(self.tr("Use AI to write drafts?"), self.tr("You can change this at any time in Settings."))
        words = self.tr(
            "Sorting stays on this computer. Drafts come from your own earlier replies and templates, with blanks to fill in."
        )
        self.without = Choice(context, "no_model", self.tr("Continue without AI"), words, without)
        words = self.tr("Use a provider with your own key, or a model on this computer. Emails that need a reply are sent to it.")
        self.choose = Choice(context, "model", self.tr("Choose a model"), words, choose)
        self.found = Choice(context, "model", "", self.tr("It runs on this computer. Nothing leaves it."), choose)
        self.found.hide()
        self._finding = EngineQuestion(context.link, self)
        put(self.lines, self.without, self.found, self.choose)
        self.start = self.without

    def showEvent(self, event: QShowEvent) -> None:
        """Looks for a model server on this computer and offers the first one."""
        super().showEvent(event)
        if not self._finding.busy and self.found.isHidden():
            self._finding.ask(FindModelServers(), self._offer, lambda _error: None)

    def _offer(self, answer: ModelServers) -> None:
        if answer.found:
            name = self.tr("Use %1").replace("%1", provider_with(answer.found[0].provider).name)
            self.found.show_title(name)
            self.found.show()


class SyncScreen(Screen):
    """Progress of the first sync. Shows only numbers that the sync reported."""

    def __init__(self, hurry: Callable[[], object]) -> None:
        super().__init__(
            self.tr("Downloading your mail"),
            self.tr("Newest first, to this computer only. You can close the window; it will pick up where it left off."),
        )
        self.bar = named(QProgressBar(), self.tr("Emails downloaded"))
        self.bar.setTextVisible(False)
        self.counts = label("", Type.BODY)
        self.hurry = button(self.tr("Continue with what's downloaded"), "", hurry)
        put(self.lines, self.bar, self.counts, (self.hurry, Qt.AlignmentFlag.AlignLeft))
        self.start = self.hurry
        self.show_progress(None, 0)

    def show_progress(self, progress: SyncProgress | None, messages: int) -> None:
        """Shows the last reported progress; `messages` is the number stored."""
        self.hurry.setEnabled(messages > 0)
        if progress is None or progress.total <= 0:
            self.bar.setRange(0, 0)
            listing = progress is not None and progress.phase is SyncPhase.LISTING
            self.counts.setText(self.tr("Counting…") if listing else self.tr("Waiting for Gmail…"))
            return
        self.bar.setRange(0, progress.total)
        self.bar.setValue(progress.done)
        words = self.tr("%1 of %2 emails").replace("%1", number_words(progress.done)).replace("%2", number_words(progress.total))
        if progress.phase is SyncPhase.PAUSED:
            words += " · " + self.tr("paused")
        elif progress.eta_s >= 0:
            words += " · " + self.tr("about %n minute(s) left", "", max(1, round(progress.eta_s / 60)))
        self.counts.setText(words)


TICK_MS = 1000


class SignInScreen(Screen):
    """Shows the link once the engine has told it. `cancel` ends the sign-in."""

    def __init__(self, context: Context, cancel: Callable[[], object]) -> None:
        super().__init__(
            self.tr("Sign in with your browser"),
            self.tr("Finish signing in in your browser. Replyroom continues here automatically."),
        )
        self._context = context
        self._ends_at = 0.0
        self.address = named(QLineEdit(readOnly=True), self.tr("Sign-in link"))
        self.copy = button(self.tr("Copy link"), "primary", self._copy)
        self.again = button(self.tr("Open again"), "", self._open)
        self.cancel = button(self.tr("Cancel"), "", cancel)
        self.note = label("", Type.BODY, "soft", wrap=True)
        self.left = label("", Type.CAPTION, "soft")
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._count)
        put(self.lines, self.note, self.address, FlowRow((self.copy, self.again, self.cancel)), self.left)
        self.begin()

    def begin(self) -> None:
        """Clears the link of an earlier sign-in."""
        self._timer.stop()
        self.address.clear()
        self._show_link(False)
        self.left.setText("")
        say(self.note, self.tr("Opening your browser…"), "soft")
        self.start = self.cancel

    def show_link(self, event: SignInOpened) -> None:
        self.address.setText(event.address)
        self.address.setCursorPosition(0)
        self._show_link(True)
        if event.opened:
            say(self.note, self.tr("Nothing opened? Copy the link and open it in a browser on this computer."), "soft")
        else:
            self._say_no_browser()
        self._ends_at = time.monotonic() + event.wait_s
        self._timer.start()
        self._count()
        self.start = self.copy
        if self.isVisible():
            self.copy.setFocus()

    def _show_link(self, shown: bool) -> None:
        for part in (self.address, self.copy, self.again):
            part.setVisible(shown)

    def _say_no_browser(self) -> None:
        words = self.tr("No browser opened. Copy the link and open it in a browser on this computer.")
        say(self.note, words, "warning")
        announce(self, words, urgent=True)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.address.text())
        say(self.note, self.tr("Link copied. Open it in a browser on this computer."), "positive")

    def _open(self) -> None:
        if self._context.open_link(self.address.text()) is False:
            self._say_no_browser()

    def _count(self) -> None:
        left_s = max(0, round(self._ends_at - time.monotonic()))
        time_words = f"{left_s // 60}:{left_s % 60:02}"
        self.left.setText(self.tr("The link works for another %1 minutes.").replace("%1", time_words))
        if not left_s:
            self._timer.stop()


DAYS = (1, 3, 7, 14, 30, 90, 0)


class PreviewScreen(Screen):
    """Calls `begin(days)` for Start and `later()` for Not now."""

    def __init__(self, link: EngineLink, icons: Icons, begin: Callable[[int], object], later: Callable[[], object]) -> None:
        super().__init__(self.tr("Ready to start"))
        self._query = EngineQuestion(link, self)
        self._account = AccountId(0)
        self._with_model = False
        self.days = ChoiceBox(icons, self.tr("How far back"))
        self.days.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.days.setMinimumContentsLength(CHOICE_CHARACTERS)
        for days in DAYS:
            self.days.addItem(self.tr("the last %n day(s)", "", days) if days else self.tr("everything"), days)
        self.begin = button(self.tr("Start"), "primary", lambda: begin(self.chosen_days))
        self.later = button(self.tr("Not now"), "", later)
        self.mails = label("", Type.TITLE, wrap=True)
        self.drafts = label("", Type.BODY, wrap=True)
        self.cost = label("", Type.BODY, wrap=True)
        for field in (self.mails, self.drafts, self.cost):
            field.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        asked, card = label(self.tr("Check unread mail from")), RoleFrame("card")
        asked.setBuddy(self.days)
        column(card, Space.LARGE, Space.TIGHT, self.mails, self.drafts, self.cost)
        words = label(self.tr("New mail will be checked too. Nothing is sent without your approval."), tone="soft", wrap=True)
        put(self.lines, put(row(), asked, self.days, 1), card, words, put(row(), self.begin, self.later, 1))
        self.days.currentIndexChanged.connect(self.ask)
        self.start = self.days

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

    def _answered(self, answer: DraftingPreview) -> None:
        if answer.mails == 0:
            self._say(self.tr("No unread mail"), self.tr("Only new mail will be checked."), "")
        else:
            mails = self.tr("%n email(s) to check", "", answer.mails).replace(str(answer.mails), number_words(answer.mails))
            cost = self.tr("for about $%1").replace("%1", QLocale().toString(answer.cost_usd, "f", 2))
            if answer.cost_usd < 0.005:
                cost = self.tr("under $0.01") if answer.cost_usd >= 0 else self.tr("The price of this model is not known.")
            self._say(mails, self.tr("about %n draft(s)", "", answer.drafts), cost if self._with_model else "")
        self.mails.setAccessibleName(" ".join((self.mails.text(), self.drafts.text(), self.cost.text())).strip())
        self.begin.setEnabled(True)
        self.begin.setAccessibleDescription(self.mails.accessibleName())

    def _failed(self, error: ExpectedError) -> None:
        self._say("", "", "")
        self.show_error(sentence(error.code, error.text), self.tr("Try again"), self.ask)

    def _say(self, mails: str, drafts: str, cost: str) -> None:
        for field, words in ((self.mails, mails), (self.drafts, drafts), (self.cost, cost)):
            say_or_hide(field, words)
