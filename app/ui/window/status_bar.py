"""The status line: connection, sync, pending sends and the model, whose use today is in its tooltip. Also the banners above."""

from collections.abc import Callable

from PySide6.QtGui import QAction, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QProgressBar

from app.domain.protocol.events import (
    ConnectionChanged,
    ConnectionState,
    IndexProgress,
    SignInOpened,
    SyncPhase,
    SyncProgress,
    WorkChanged,
)
from app.ui.i18n.formatting import clock_words, from_ms, money_words, number_words
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.factory import STRETCH, RoleFrame, action_button, announce, button, label, named, put, row, set_tone
from app.ui.widgets.labels import ElidedLabel, IconLabel

ICON = 14
LINE = 21
"""Height in pixels at 100 % text size, also while the line is empty."""
WORK_FROM = 760
MODEL_FROM = 600


class StatusLine(RoleFrame):
    """Shows only what events reported. Before the first event it says that the engine starts."""

    def __init__(self, icons: Icons) -> None:
        super().__init__("footer")
        self._icon = IconLabel(icons, size=ICON)
        labels = (ElidedLabel("", Type.CAPTION, "soft") for _ in range(5))
        self.connection, self.sync, self.pending, self.work, self.model = labels
        self.bar = named(QProgressBar(), self.tr("Sync progress"))
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(96)
        state = (self._icon, self.connection, self.bar, self.sync)
        work = (Space.SMALL, self.pending, Space.SMALL, self.work, Space.SMALL, self.model)
        row(self, (Space.MEDIUM, Space.HAIR), Space.SMALL, *state, STRETCH, *work).addStrut(at_text_size(LINE))
        self._label = self._use = ""
        self.bar.hide()
        self.engine_starting()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.work.setVisible(event.size().width() >= WORK_FROM)
        self.model.setVisible(event.size().width() >= MODEL_FROM)

    def engine_starting(self) -> None:
        self._say("quota", self.tr("Starting…"), "soft")

    def engine_down(self, retry_s: float) -> None:
        self.bar.hide()
        self.sync.show_words("")
        words = self.tr("Reconnecting in %n second(s). Nothing you decided is lost.", "", max(1, round(retry_s)))
        self._say("error", words, "warning")

    def engine_repairs(self) -> None:
        """The engine restarts to repair its data, or to delete an account's."""
        self.bar.hide()
        self.sync.show_words("")
        self._say("quota", self.tr("Repairing or deleting data. Replyroom restarts in the background…"), "soft")

    def engine_up(self, model_label: str) -> None:
        self._say("online", self.tr("Ready"), "soft")
        self.set_model(model_label)

    def set_model(self, model_label: str) -> None:
        self._label = model_label
        name = model_label.rpartition("/")[2] or self.tr("No language model")
        self.model.show_words(name, "\n".join(filter(None, (self._label, self._use))))

    def connection_changed(self, event: ConnectionChanged) -> None:
        if event.state is ConnectionState.ONLINE:
            self._say("online", self.tr("Online"), "soft")
        elif event.state is ConnectionState.OFFLINE:
            self._say("offline", self.tr("Offline since %1").replace("%1", clock_words(from_ms(event.since_ms))), "warning")
        elif event.state is ConnectionState.PAUSED:
            self._say("offline", self.tr("The account is paused"), "warning")
        elif event.state is ConnectionState.LOGIN_NEEDED:
            self.sign_in_needed()
        else:
            self._say("quota", self.tr("Google's limit reached. Mail resumes shortly."), "warning")

    def signing_in(self) -> None:
        self._say("sign_in", self.tr("Waiting for your answer in the browser…"), "warning")

    def sign_in_needed(self) -> None:
        self._say("sign_in", self.tr("Google wants you to sign in"), "danger")

    def sync_progress(self, event: SyncProgress) -> None:
        """Shows how many messages were fetched. The remaining time is added if it is known."""
        busy = event.phase in (SyncPhase.LISTING, SyncPhase.BACKFILL) and event.done < event.total
        self.bar.setVisible(busy)
        if not busy:
            self.sync.show_words(self.tr("Older mail: download paused") if event.phase is SyncPhase.PAUSED else "")
            return
        self.bar.setMaximum(event.total)
        self.bar.setValue(event.done)
        words = self.tr("%1 of %2 emails").replace("%1", number_words(event.done)).replace("%2", number_words(event.total))
        if event.eta_s >= 0:
            words += " · " + self.tr("about %n minute(s) left", "", max(1, round(event.eta_s / 60)))
        self.sync.show_words(words)
        self.bar.setAccessibleDescription(words)

    def index_progress(self, event: IndexProgress) -> None:
        """Shows the embedding of stored mail unless sync progress is shown."""
        if self.bar.isHidden():
            words = self.tr("Indexing %1 of %2").replace("%1", number_words(event.done)).replace("%2", number_words(event.total))
            self.sync.show_words(words if event.done < event.total else "")

    def work_changed(self, event: WorkChanged) -> None:
        parts = []
        if event.paused:
            parts.append(self.tr("Assistant paused"))
        mails = event.queued + event.running
        if mails:
            words = self.tr("%n email(s) waiting", "", mails) if event.paused else self.tr("Checking %n email(s)", "", mails)
            parts.append(words.replace(str(mails), number_words(mails)))
        self.work.show_words(" · ".join(parts))
        use = []
        if event.calls_today:
            calls = self.tr("%n call(s) today", "", event.calls_today)
            use = [calls.replace(str(event.calls_today), number_words(event.calls_today)), money_words(event.cost_today_usd)]
            if event.tokens_today:
                tokens = self.tr("%n token(s)", "", event.tokens_today)
                use.insert(1, tokens.replace(str(event.tokens_today), number_words(event.tokens_today)))
        self._use = " · ".join(use)
        self.set_model(self._label)

    def set_pending(self, waiting: int, attention: int) -> None:
        words = self.tr("%n sending", "", waiting) if waiting else ""
        if attention:
            words = " · ".join(filter(None, (words, self.tr("%n need(s) attention", "", attention))))
        self.pending.show_words(words)

    def _say(self, icon: str, words: str, tone: str) -> None:
        before = str(self.connection.property("tone"))
        if words != self.connection.words and (tone, before) != ("soft", "soft"):
            announce(self, words)  # announces warnings and their end
        self._icon.show_icon(icon, "text_soft" if tone == "soft" else tone)
        self.connection.show_words(words)
        set_tone(self.connection, tone)


class Banner(RoleFrame):
    """A line above the page: icon, words and buttons. Hidden without words; a screen reader hears new ones at once."""

    def __init__(self, icons: Icons, icon: str, tone: str) -> None:
        super().__init__("notice", tone)
        self._label = label("", Type.STRONG, wrap=True)
        self._line = row(self, (Space.MEDIUM, Space.TIGHT), Space.SMALL, IconLabel(icons, icon, tone), (self._label, 1))
        self.hide()

    @property
    def words(self) -> str:
        return self._label.text()

    def say(self, words: str) -> None:
        if words == self.words:
            return
        announce(self, words, urgent=True)
        self._label.setText(words)
        self.setAccessibleName(words)
        self.setVisible(bool(words))


class SignInBanner(Banner):
    """Hidden unless `ask` was called. `cancel` ends a sign-in that waits at the browser."""

    def __init__(self, icons: Icons, sign_in: QAction, cancel: Callable[[], object]) -> None:
        super().__init__(icons, "sign_in", "danger")
        self._address = ""
        self.sign_in = action_button(sign_in, "primary")
        self.copy = button(self.tr("Copy link"), "", lambda: QGuiApplication.clipboard().setText(self._address))
        self.cancel = button(self.tr("Cancel"), "", cancel)
        put(self._line, self.copy, self.cancel, self.sign_in)

    def ask(self, email: str) -> None:
        """Asks for a new sign-in of this account; an empty address hides the banner."""
        words = self.tr("%1 is signed out. No mail is sent or received until you sign in again.").replace("%1", email)
        self._show(words if email else "", waits=False)

    def wait(self) -> None:
        """Says that Google's page waits in the browser."""
        self._address = ""
        self._show(self.tr("Finish signing in in your browser."), waits=True)

    def show_link(self, event: SignInOpened) -> None:
        """Offers the link of the sign-in that waits, if this banner started it."""
        if self.cancel.isHidden():
            return
        self._address = event.address
        self.copy.show()
        if not event.opened:
            self._label.setText(self.tr("No browser opened. Copy the link and open it in a browser on this computer."))

    def _show(self, words: str, *, waits: bool) -> None:
        self.say(words)
        self.copy.setVisible(waits and bool(self._address))
        self.cancel.setVisible(waits)


class ModelBanner(Banner):
    """Says why the model is not used, as long as that lasts."""

    def __init__(self, icons: Icons, choose: Callable[[], object]) -> None:
        super().__init__(icons, "error", "warning")
        self.choose = button(self.tr("Model settings"), "primary", choose)
        self._line.addWidget(self.choose)

    def show_refusal(self, refusal: str) -> None:
        self.say(self.tr("%1 No language model is used until then.").replace("%1", refusal) if refusal else "")


class SampleStrip(RoleFrame):
    """Says that this is the sample mailbox. `connect` leaves it for the user's own Gmail."""

    def __init__(self, icons: Icons, connect: Callable[[], object]) -> None:
        super().__init__("notice", "warning")
        words = label(self.tr("Sample mailbox. Nothing is sent."), Type.STRONG)
        self.connect_gmail = button(self.tr("Connect my Gmail"), "primary", connect)
        icon = IconLabel(icons, "sample", "warning")
        row(self, (Space.MEDIUM, Space.TIGHT), Space.SMALL, icon, (words, 1), self.connect_gmail)
