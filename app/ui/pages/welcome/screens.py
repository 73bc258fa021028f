"""The screens of the first run except guide and preview, and their base class."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QProgressBar, QPushButton, QScrollArea, QSizePolicy, QWidget

from app.domain.agents.model_providers import provider_with
from app.domain.protocol.commands import Answer, FindModelServers, ModelServers
from app.domain.protocol.events import SyncPhase, SyncProgress
from app.ui.context import Context
from app.ui.i18n.formatting import number_words
from app.ui.services.async_task import EngineQuestion
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.containers import Flowing
from app.ui.widgets.factory import button, column, frame, label, put, row
from app.ui.widgets.labels import IconLabel

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
        self._error_notice = frame("notice", "danger")
        self._error_label = label("", wrap=True)
        self.retry = button("", "", self._retry)
        self._retry_action: Callable[[], object] | None = None
        host = Flowing()
        host.setProperty("role", "plain")
        inner = QWidget()
        inner.setMaximumWidth(at_text_size(WIDTH))
        put(row(host, Space.XLARGE, 0), 1, (inner, 100), 1)
        self.lines = column(None, 0, Space.MEDIUM)
        put(column(inner, 0, Space.MEDIUM), 1, self.heading, self.words, self._error_notice, Space.SMALL, self.lines, 2)
        put(column(self._error_notice, Space.MEDIUM), self._error_label, (self.retry, Qt.AlignmentFlag.AlignLeft))
        self._error_notice.hide()
        self.setWidget(host)

    def show_error(self, words: str, action: str = "", again: Callable[[], object] | None = None) -> None:
        """Shows an error with at most one button; an empty text hides it."""
        self._error_notice.setVisible(bool(words))
        self._error_label.setText(words)
        self.retry.setText(action)
        self.retry.setVisible(bool(action))
        self._retry_action = again

    @property
    def error(self) -> str:
        return "" if self._error_notice.isHidden() else self._error_label.text()

    def take_focus(self) -> None:
        if self.start is not None:
            self.start.setFocus()

    def _retry(self) -> None:
        if self._retry_action is not None:
            self._retry_action()


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
        words = QWidget()
        self._title = label(title, Type.STRONG, wrap=True)
        put(column(words, 0, Space.HAIR), self._title, label(sentence, Type.BODY, "soft", wrap=True))
        put(
            row(self, Space.LARGE, Space.LARGE),
            (IconLabel(context.icons, icon, "accent", ICON), Qt.AlignmentFlag.AlignTop),
            (words, 1),
        )
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
        self.lines.addWidget(self.connect_gmail)
        self.lines.addWidget(self.sample)
        self.lines.addWidget(self.archive)
        self.lines.addWidget(self.own_client, 0, Qt.AlignmentFlag.AlignLeft)
        self.start = self.connect_gmail


class ModelScreen(Screen):
    def __init__(self, context: Context, choose: Callable[[], object], without: Callable[[], object]) -> None:
        super().__init__(
            self.tr("Use AI to write drafts?"),
            self.tr("You can change this at any time in Settings."),
        )
        words = self.tr(
            "Sorting stays on this computer. Drafts come from your own earlier replies and templates; gaps are marked."
        )
        self.without = Choice(context, "no_model", self.tr("Continue without AI"), words, without)
        words = self.tr("Use a provider with your own key, or a model on this computer. Emails that need a reply are sent to it.")
        self.choose = Choice(context, "model", self.tr("Choose a model"), words, choose)
        self.found = Choice(context, "model", "", self.tr("It runs on this computer. Nothing leaves it."), choose)
        self.found.hide()
        self._finding = EngineQuestion(context.link, self)
        for choice in (self.without, self.found, self.choose):
            self.lines.addWidget(choice)
        self.start = self.without

    def showEvent(self, event: QShowEvent) -> None:
        """Looks for a model server on this computer and offers the first one."""
        super().showEvent(event)
        if not self._finding.busy and self.found.isHidden():
            self._finding.ask(FindModelServers(), self._offer, lambda _error: None)

    def _offer(self, answer: Answer) -> None:
        if isinstance(answer, ModelServers) and answer.found:
            name = self.tr("Use %1").replace("%1", provider_with(answer.found[0].provider).name)
            self.found.show_title(name)
            self.found.show()


class WaitScreen(Screen):
    """Shown while the user signs in in the browser, or the sample mailbox starts."""

    def __init__(self, title: str, words: str, back: str, go_back: Callable[[], object]) -> None:
        super().__init__(title, words)
        self.back = button(back, "", go_back)
        self.lines.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        self.start = self.back


class SyncScreen(Screen):
    """Progress of the first sync. Shows only numbers that the sync reported."""

    def __init__(self, hurry: Callable[[], object]) -> None:
        super().__init__(
            self.tr("Downloading your mail"),
            self.tr("Newest first, to this computer only. You can close the window; it will pick up where it left off."),
        )
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Emails downloaded"))
        self.counts = label("", Type.BODY)
        self.hurry = button(self.tr("Continue with what's downloaded"), "", hurry)
        self.lines.addWidget(self.bar)
        self.lines.addWidget(self.counts)
        self.lines.addWidget(self.hurry, 0, Qt.AlignmentFlag.AlignLeft)
        self.start = self.hurry
        self.show_progress(None, 0)

    def show_progress(self, progress: SyncProgress | None, messages: int) -> None:
        """Shows the last reported progress; `messages` is the number stored."""
        self.hurry.setEnabled(messages > 0)
        if progress is None or progress.total <= 0:
            self.bar.setRange(0, 0)
            listing = progress is not None and progress.phase is SyncPhase.LISTING
            self.counts.setText(self.tr("Counting…") if listing else self.tr("Waiting for the first answer…"))
            return
        self.bar.setRange(0, progress.total)
        self.bar.setValue(progress.done)
        words = self.tr("%1 of %2 emails").replace("%1", number_words(progress.done)).replace("%2", number_words(progress.total))
        if progress.phase is SyncPhase.PAUSED:
            words += " · " + self.tr("paused")
        elif progress.eta_s >= 0:
            words += " · " + self.tr("about %n minute(s) left", "", max(1, round(progress.eta_s / 60)))
        self.counts.setText(words)
