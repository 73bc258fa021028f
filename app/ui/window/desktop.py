"""Tray icon, desktop notifications, unread badge, attention, and quitting.

With a tray, closing the window hides it; new mail and new items are announced. A letter whose sending is uncertain is announced
once, if it is still uncertain when quiet hours end. The engine is told when nobody looks at the window, so that it polls less
often. Quitting asks first while approved mail is about to leave, not about mail that is scheduled for later; it stays in the
outbox either way.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import datetime, time, timedelta
from enum import Enum
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QSystemTrayIcon, QWidget

from app.config.settings import NotificationSettings, Settings
from app.domain.agents.runs import RunStatus
from app.domain.errors import ExpectedError
from app.domain.ids import MessageId, OutboxId, ReviewId, ThreadId
from app.domain.mail.message import Message, SystemLabel
from app.domain.mail.outbox import OutboxItem, OutboxKind, OutboxState
from app.domain.mail.triage import Decision
from app.domain.ports.agents import Clock
from app.domain.ports.window import EngineLink, MailboxReader, MailView
from app.domain.protocol.account_commands import WindowAttention
from app.domain.protocol.commands import SendNow
from app.domain.protocol.events import (
    ConnectionChanged,
    ConnectionState,
    EngineReady,
    Initiator,
    MailChanged,
    OutboxChanged,
    ReviewReady,
    RunChanged,
)
from app.domain.wire import Event
from app.ui.i18n.formatting import number_words
from app.ui.services.async_task import ThrottledCall, single_shot
from app.ui.window.main_window import MainWindow


def welcome(now: datetime, wish: NotificationSettings, weekdays: Collection[int]) -> bool:
    """Whether a desktop notification may be shown now. The settings, quiet hours and quiet weekends decide. `now` is in the
    user's zone; `weekdays` are the working days, Monday 0.
    """
    if not wish.shown or (wish.quiet_weekend and now.weekday() not in weekdays):
        return False
    at, start, end = now.time(), time.fromisoformat(wish.quiet_from), time.fromisoformat(wish.quiet_to)
    quiet = start <= at < end if start <= end else at >= start or at < end  # the hours may cross midnight
    return not quiet


QUIET_MS = 60_000


class TrayNews(Enum):
    """Kinds of notification, the most important last."""

    REVIEW = "review"
    MAIL = "mail"
    CODE = "code"
    SIGN_IN = "sign_in"
    STOPPED = "stopped"
    UNCERTAIN = "uncertain"


def make_tray(
    window: MainWindow, app: QApplication, link: EngineLink, reader: MailboxReader, settings: Callable[[], Settings], clock: Clock
) -> QSystemTrayIcon | None:
    if not QSystemTrayIcon.isSystemTrayAvailable():
        return None
    actions = window.actions_by_id
    tray = QSystemTrayIcon(actions["window.review"].icon(), app)
    tray.setToolTip("Replyroom")
    menu = QMenu(window)
    menu.addAction(window.windowTitle(), window.bring_to_front)
    menu.addSeparator()
    for name in ("window.compose", "window.sync", "window.pause", "window.quit"):
        menu.addAction(actions[name])
    tray.setContextMenu(menu)
    click = QSystemTrayIcon.ActivationReason.Trigger
    tray.activated.connect(lambda reason: window.bring_to_front() if reason is click else None)

    def welcome_now() -> bool:
        wish = settings()
        return welcome(clock().astimezone(), wish.notifications, wish.calendar.weekdays)

    def clicked() -> None:
        window.bring_to_front()
        if mail.told_last is not None:
            window.context.navigator.show_message(mail.told_last)

    mail = NewMail(reader, clock, lambda: settings().notifications.new_mail)
    tray.messageClicked.connect(clicked)
    notifier = TrayNotifier(partial(announce, tray, mail), reader, lambda: looked_at(window), welcome_now, tray, mail)
    app.applicationStateChanged.connect(notifier.follow)
    link.subscribe(notifier.hear)
    tray.show()
    return tray


def ends_when_closed(tray: QSystemTrayIcon | None, settings: Settings) -> bool:
    """Whether closing the window ends the program. It does without a tray, or if the setting says so."""
    return tray is None or not settings.notifications.in_tray


ENDED = frozenset({RunStatus.WAITING, RunStatus.DONE})
LATE = timedelta(minutes=10)
"""Mail of this time before the user last looked still counts as new: it is fetched and sorted later than it came."""
MOST_NAMES = 3


class NewMail:
    """Finds new mail that the user wants to hear of: what needs an answer once it is sorted and one-time codes, or all. Each
    message is found once.

    `wanted` is the setting `new_mail`; `told_last` is the message that the last notification was about.
    """

    def __init__(self, reader: MailboxReader, clock: Clock, wanted: Callable[[], str]) -> None:
        self._reader, self._clock, self._wanted = reader, clock, wanted
        self._since = clock() - timedelta(days=1)
        self._found: set[MessageId] = set()
        self._unseen: set[MessageId] = set()
        self._waiting: dict[MessageId, tuple[TrayNews, str]] = {}
        self.told_last: MessageId | None = None

    def seen(self) -> None:
        """Forgets what waits, since the user looks at the window."""
        self._since = self._clock() - LATE
        self._waiting.clear()
        self._unseen.clear()

    def look(self, event: Event) -> TrayNews | None:
        """What kind of such mail the event brought."""
        brought = None
        with suppress(ExpectedError):  # pages report an unreadable file
            for message_id in self._candidates(event):
                message = None if message_id in self._found else self._reader.message(message_id)
                if message is None or message.outgoing or message.date <= self._since or not message.labels >= _NEW:
                    continue
                kind = self._kind(event, message)
                if kind is not None:
                    self._found.add(message.id)
                    self._unseen.add(message.id)
                    self._waiting[message.id] = kind, message.sender.name or message.sender.email
                    brought = kind
        return brought

    def known(self, review_id: ReviewId) -> bool:
        """Whether the review is about mail that was found since the user last looked."""
        review = self._reader.review(review_id)
        return review is not None and review.proposal.message_id in self._unseen

    def _candidates(self, event: Event) -> list[MessageId]:
        if self._wanted() == "never":
            return []
        if isinstance(event, RunChanged):
            return [event.message_id] if event.status in ENDED else []
        if isinstance(event, MailChanged) and event.initiator is Initiator.SYNC:
            threads = event.thread_ids or self._reader.thread_ids(MailView.INBOX, limit=20)
            last = [line for thread in threads for line in self._reader.thread_lines(ThreadId(thread))[-1:]]
            return [line.id for line in last if line.unread and line.date > self._since]
        return []

    def _kind(self, event: Event, message: Message) -> TrayNews | None:
        from app.domain.language.one_time_code import one_time_code  # its patterns take 10 ms to compile

        if one_time_code(message.subject, message.body_text):
            return TrayNews.CODE
        if self._wanted() == "all":
            return TrayNews.MAIL
        row = self._reader.thread_rows([message.thread_id]).get(message.thread_id) if isinstance(event, RunChanged) else None
        return TrayNews.MAIL if row is not None and row.decision == Decision.RESPOND else None

    def take_words(self, kind: TrayNews) -> str:
        """The words of a notification about all of a kind that waits. From now on none waits."""
        mine = {key: name for key, (what, name) in self._waiting.items() if what is kind}
        # Desktops read a notification as HTML.
        names = [name.replace("<", "").replace(">", "")[:60] for name in mine.values()]
        self.told_last = next(reversed(mine), self.told_last)
        self._waiting = {key: one for key, one in self._waiting.items() if key not in mine}
        words = QCoreApplication.translate("Tray", "New mail from %1")
        if kind is TrayNews.CODE:
            words = QCoreApplication.translate("Tray", "Sign-in code from %1")
        elif self._wanted() == "answer":
            words = QCoreApplication.translate("Tray", "Needs a reply: mail from %1")
        return words.replace("%1", ", ".join(names[:MOST_NAMES]) + (", …" if len(names) > MOST_NAMES else ""))


_NEW = frozenset({SystemLabel.INBOX, SystemLabel.UNREAD})


class TrayNotifier(QObject):
    """Collects notifications while nobody looks at the window. They are shown at most once a minute. They are dropped when the
    window becomes active. `say` must empty the set it is given.
    """

    def __init__(
        self,
        say: Callable[[set[TrayNews]], None],
        reader: MailboxReader,
        looked_at: Callable[[], bool],
        welcome: Callable[[], bool],
        parent: QObject,
        mail: NewMail,
    ) -> None:
        super().__init__(parent)
        self._mail = mail
        self._reader, self._looked_at, self._welcome = reader, looked_at, welcome
        self._waiting: set[TrayNews] = set()
        self._maybe_uncertain: set[OutboxId] = set()
        """Outbox items that may be uncertain and were neither announced nor seen yet."""
        self._announced: set[OutboxId] = set()
        self._announcing = ThrottledCall(lambda: say(self._waiting), QUIET_MS, self)

    def hear(self, event: Event) -> None:
        if self._looked_at():
            return
        if isinstance(event, OutboxChanged):
            self._maybe_uncertain.update(event.ids)
        if not self._welcome():
            return
        found = self._mail.look(event) or news(event, self._reader)
        if isinstance(event, ReviewReady):
            with suppress(ExpectedError):
                found = None if self._mail.known(event.review_id) else found
        if found is not None or self._maybe_uncertain:
            self._say_soon(found)

    def _say_soon(self, found: TrayNews | None) -> None:
        """Adds items that are uncertain, also since quiet hours. Each is announced once."""
        if self._maybe_uncertain:
            with suppress(ExpectedError):  # retried with the next event
                unclear = in_state(self._reader, OutboxState.UNCERTAIN)
                doubts, self._maybe_uncertain = self._maybe_uncertain & unclear - self._announced, set()
                self._announced = self._announced & unclear | doubts
                self._waiting |= {TrayNews.UNCERTAIN} if doubts else set()
                if not unclear:
                    self._waiting.discard(TrayNews.UNCERTAIN)
        self._waiting |= {found} if found is not None else set()
        if found is TrayNews.CODE:
            self._announcing.cancel()  # it is waited for, so it is told at once
        if self._waiting:
            self._announcing.poke()

    def follow(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive:
            self._waiting.clear()
            self._mail.seen()
            self._maybe_uncertain.clear()
            self._announcing.cancel()


def looked_at(window: MainWindow) -> bool:
    """Some window managers leave a minimized window active where no other one takes the focus."""
    return window.isVisible() and window.isActiveWindow() and not window.isMinimized()


def news(event: Event, reader: MailboxReader) -> TrayNews | None:
    """Notification kind for an event, or None. A new review, an ended sign-in or a held outbox item."""
    if isinstance(event, ReviewReady):
        return TrayNews.REVIEW
    if isinstance(event, ConnectionChanged) and event.state is ConnectionState.LOGIN_NEEDED:
        return TrayNews.SIGN_IN
    if isinstance(event, OutboxChanged):
        with suppress(ExpectedError):  # pages report an unreadable file
            return TrayNews.STOPPED if in_state(reader, OutboxState.HELD) & set(event.ids) else None
    return None


def in_state(reader: MailboxReader, state: OutboxState) -> set[OutboxId]:
    """Ids of open outbox items in a state. Raises `ExpectedError` while the database cannot be read."""
    return {item.id for item in reader.open_items() if item.state is state}


def announce(tray: QSystemTrayIcon, mail: NewMail, waiting: set[TrayNews]) -> None:
    """Shows one notification with a line for each kind, the most important first."""
    mail.told_last = None
    words = {
        TrayNews.REVIEW: QCoreApplication.translate("Tray", "Something needs your decision."),
        TrayNews.SIGN_IN: QCoreApplication.translate("Tray", "Google wants you to sign in again."),
        TrayNews.STOPPED: QCoreApplication.translate("Tray", "A message is on hold in the Outbox."),
        TrayNews.UNCERTAIN: QCoreApplication.translate(
            "Tray", "Checking whether an email was sent. It won't be sent twice. See the Outbox."
        ),
    }
    for kind in waiting & {TrayNews.MAIL, TrayNews.CODE}:
        words[kind] = mail.take_words(kind)
    lines = [words[one] for one in reversed(TrayNews) if one in waiting]
    waiting.clear()
    tray.showMessage("Replyroom", "\n".join(lines), tray.icon())


NAME = "Replyroom"
SIZES = (16, 22, 32, 64)
DOT = 0.45
"""Diameter of the dot as a share of the icon's width."""


class Badge(QObject):
    """Shows counts on the icon, in the window title and tray. The icon is that of the dock or taskbar. Unchanged counts do
    nothing.
    """

    def __init__(self, app: QGuiApplication, tray: QSystemTrayIcon | None, colour: QColor, window: QWidget | None = None) -> None:
        super().__init__(app)
        self._window = window
        self._app, self._tray, self._colour = app, tray, colour
        self._plain = tray.icon() if tray is not None else QIcon()
        self._title = window.windowTitle() if window is not None else ""
        self._shown = (0, 0, 0)

    def show_counts(self, unread: int, waiting: int, stuck: int) -> None:
        """Shows the counts. `unread` conversations of the inbox, `waiting` reviews, and `stuck` outbox items that are held or
        uncertain.
        """
        if (unread, waiting, stuck) == self._shown:
            return
        self._shown = (unread, waiting, stuck)
        self._app.setBadgeNumber(unread)
        if self._window is not None:
            # The unread count stands before the title, for desktops without badges.
            self._window.setWindowTitle(f"({number_words(unread)}) {self._title}" if unread else self._title)
        if self._tray is not None:
            self._tray.setToolTip(counts_words(unread, waiting, stuck))
            self._tray.setIcon(dotted(self._plain, self._colour) if any(self._shown) else self._plain)


def counts_words(unread: int, waiting: int, stuck: int) -> str:
    parts = [NAME]
    if unread:
        parts.append(QCoreApplication.translate("Tray", "unread: %1").replace("%1", number_words(unread)))
    if waiting:
        parts.append(QCoreApplication.translate("Tray", "waiting for you: %1").replace("%1", number_words(waiting)))
    if stuck:
        words = QCoreApplication.translate("Tray", "on hold or not confirmed in the Outbox: %1")
        parts.append(words.replace("%1", number_words(stuck)))
    return "\n".join(parts)


def dotted(icon: QIcon, colour: QColor) -> QIcon:
    made = QIcon()
    for size in SIZES:
        picture = icon.pixmap(size, size)
        if picture.isNull():
            continue
        side = picture.width() / picture.devicePixelRatio()
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(colour)
        painter.setPen(QColor(0, 0, 0, 0))
        painter.drawEllipse(round(side * (1 - DOT)), 0, round(side * DOT), round(side * DOT))
        painter.end()
        made.addPixmap(picture)
    return made


AWAY_MS = 5000
"""Shorter absences do not count."""


class WindowActivityReporter(QObject):
    """Tells the engine whether the window is active. A new engine assumes that it is."""

    def __init__(self, app: QGuiApplication, link: EngineLink, parent: QObject) -> None:
        super().__init__(parent)
        self._link = link
        self._reported = True
        self._away_timer = single_shot(self, lambda: self._report(looked_at=False), AWAY_MS)
        app.applicationStateChanged.connect(self._changed)

        def hear(event: Event) -> None:
            if isinstance(event, EngineReady) and not self._reported:
                link.send(WindowAttention(looked_at=False))

        self.destroyed.connect(link.subscribe(hear))

    def _changed(self, state: Qt.ApplicationState) -> None:
        if state != Qt.ApplicationState.ApplicationActive:
            self._away_timer.start()
            return
        self._away_timer.stop()
        self._report(looked_at=True)

    def _report(self, *, looked_at: bool) -> None:
        if looked_at is not self._reported:
            self._reported = looked_at
            self._link.send(WindowAttention(looked_at))


SOON = timedelta(minutes=10)
"""Mail due within this time counts as on its way."""

UNDER_WAY = frozenset({OutboxState.QUEUED, OutboxState.DRAFTING, OutboxState.DRAFTED, OutboxState.SENDING})


class QuitPrompt(QObject):
    """The dialog before the program ends. Call `ask`; it calls `go` when the program may end."""

    def __init__(self, window: QWidget, reader: MailboxReader, link: EngineLink, clock: Clock) -> None:
        super().__init__(window)
        self._window, self._reader, self._link, self._clock = window, reader, link, clock
        self._go: Callable[[], object] | None = None
        self.box: QMessageBox | None = None
        link.subscribe(lambda event: self._leave_when_sent() if isinstance(event, OutboxChanged) else None)

    def ask(self, go: Callable[[], object]) -> None:
        """Calls `go` at once if no mail is on its way. Otherwise opens the dialog. A second call while the dialog is open calls
        `go`.
        """
        waiting = self.on_their_way()
        if not waiting or self.box is not None:
            go()
            return
        self._window.show()
        box = QMessageBox(QMessageBox.Icon.Question, self.tr("Quit"), "", parent=self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(self.tr("%n approved email(s) not sent yet.", "", len(waiting)))
        box.setInformativeText(self.tr("Send them before you quit, or keep them until Replyroom starts again."))
        first = box.addButton(self.tr("Send, then quit"), QMessageBox.ButtonRole.AcceptRole)
        now = box.addButton(self.tr("Quit now"), QMessageBox.ButtonRole.DestructiveRole)
        stay = box.addButton(self.tr("Stay"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(first)
        box.setEscapeButton(stay)

        def answered(_result: int) -> None:
            box.deleteLater()
            self.box = None
            self._go = go if box.clickedButton() is first else None  # a new answer replaces an earlier "send, then quit"
            if box.clickedButton() is now:
                go()
            elif self._go is not None:
                for item in self.on_their_way():
                    if item.state is OutboxState.QUEUED:
                        self._link.send(SendNow(item.id))
                self._leave_when_sent()

        box.finished.connect(answered)
        self.box = box
        box.open()

    def on_their_way(self) -> list[OutboxItem]:
        """Mails that are being sent or due soon. Empty while the database cannot be read, since nothing is sent then either."""
        soon = self._clock() + SOON
        items: tuple[OutboxItem, ...] = ()
        with suppress(ExpectedError):
            items = self._reader.open_items()
        return [one for one in items if one.kind is OutboxKind.SEND and one.state in UNDER_WAY and one.not_before <= soon]

    def _leave_when_sent(self) -> None:
        if self._go is not None and not self.on_their_way():
            go, self._go = self._go, None
            go()
