"""Words on the desktop: only while nobody looks, and not of what was looked at since; doubts are told after quiet hours.

What is said of counts outside the window.

Quiet hours over midnight, quiet days, and the choice to hear nothing.

Whether anybody looks at the program reaches the engine: soon when somebody comes, later when nobody is left.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.config.settings import NotificationSettings, Settings
from app.domain.agents.runs import RunStatus
from app.domain.ids import OutboxId, ReviewId, RunId
from app.domain.mail.message import Address
from app.domain.mail.outbox import OutboxState
from app.domain.ports.window import MailboxReader
from app.domain.protocol.account_commands import WindowAttention
from app.domain.protocol.events import EngineReady, Initiator, MailChanged, OutboxChanged, ReviewReady, RunChanged
from app.store.outbox import Outbox
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.window.desktop import (
    Badge,
    NewMail,
    TrayNews,
    TrayNotifier,
    WindowActivityReporter,
    counts_words,
    ends_when_closed,
    welcome,
)
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import NEW, NOW, LivelyStore, Mail
from fakes.window.recorded_engine import RecordedEngine


class Unasked:
    """A mailbox without reviews, for tests about no mail."""

    def review(self, _id: ReviewId) -> None: ...


READY = ReviewReady(ReviewId(1), "reply")


class Desk:
    """What was said, and whether somebody looks."""

    def __init__(self, reader: MailboxReader | None = None) -> None:
        self.parent = QObject()
        self.said: list[set[TrayNews]] = []
        self.looked_at = False
        self.welcome = True
        self.new_mail, self.now = "answer", NOW
        asked = cast(MailboxReader, reader or Unasked())
        self.mail = NewMail(asked, lambda: self.now, lambda: self.new_mail)
        self.herald = TrayNotifier(self.say, asked, lambda: self.looked_at, lambda: self.welcome, self.parent, self.mail)

    def say(self, waiting: set[TrayNews]) -> None:
        self.said.append(set(waiting))
        waiting.clear()


def test_news_is_said_once_while_nobody_looks(qapp: QApplication) -> None:
    desk = Desk()
    for _ in range(2):
        desk.herald.hear(READY)
    qapp.processEvents()
    assert desk.said == [{TrayNews.REVIEW}]


def test_what_was_looked_at_meanwhile_is_not_said_a_minute_later(qapp: QApplication) -> None:
    desk = Desk()
    desk.herald.hear(READY)
    qapp.processEvents()
    desk.herald.hear(READY)
    desk.herald.follow(Qt.ApplicationState.ApplicationActive)
    desk.herald.follow(Qt.ApplicationState.ApplicationInactive)
    qapp.processEvents()
    assert len(desk.said) == 1
    desk.herald.hear(READY)
    qapp.processEvents()
    assert len(desk.said) == 2


def test_whoever_looks_and_whoever_wants_no_words_is_told_nothing(qapp: QApplication) -> None:
    desk = Desk()
    desk.looked_at = True
    desk.herald.hear(OutboxChanged((OutboxId(1),)))  # no list is read for it
    desk.looked_at, desk.welcome = False, False
    desk.herald.hear(READY)
    qapp.processEvents()
    assert desk.said == []


@pytest.fixture
def reader(data: DataFolder, store: LivelyStore) -> Iterator[SqliteMailboxReader]:
    """A mailbox in which it is not known of one letter whether it was sent."""
    made = SqliteMailboxReader(data.database)
    yield made
    made.close()


@pytest.fixture
def doubtful(reader: SqliteMailboxReader) -> OutboxId:
    return next(row.item.id for row in reader.outbox() if row.item.state is OutboxState.UNCERTAIN)


def test_a_send_of_unknown_end_is_told_once(qapp: QApplication, reader: SqliteMailboxReader, doubtful: OutboxId) -> None:
    desk = Desk(reader)
    desk.herald.hear(OutboxChanged((doubtful,)))
    qapp.processEvents()
    assert desk.said == [{TrayNews.UNCERTAIN}]
    desk.herald.follow(Qt.ApplicationState.ApplicationActive)
    desk.herald.hear(OutboxChanged((doubtful,)))  # looked for again, in vain
    qapp.processEvents()
    assert len(desk.said) == 1


def test_a_doubt_of_quiet_hours_is_told_after_them(qapp: QApplication, reader: SqliteMailboxReader, doubtful: OutboxId) -> None:
    desk = Desk(reader)
    desk.welcome = False
    desk.herald.hear(OutboxChanged((doubtful,)))
    qapp.processEvents()
    assert desk.said == []
    desk.welcome = True
    desk.herald.hear(EngineReady(1.0, ""))  # whatever is heard next
    qapp.processEvents()
    assert desk.said == [{TrayNews.UNCERTAIN}]


def test_what_was_cleared_up_in_quiet_hours_is_not_told(
    qapp: QApplication, store: LivelyStore, reader: SqliteMailboxReader, doubtful: OutboxId
) -> None:
    desk = Desk(reader)
    desk.welcome = False
    desk.herald.hear(OutboxChanged((doubtful,)))
    Outbox(store.db, store.clock).move(doubtful, OutboxState.UNCERTAIN, OutboxState.SENT)
    desk.welcome = True
    desk.herald.hear(OutboxChanged((doubtful,)))
    qapp.processEvents()
    assert desk.said == []


def test_mail_that_needs_an_answer_is_told_once_with_its_sender(
    qapp: QApplication, store: LivelyStore, reader: SqliteMailboxReader
) -> None:
    desk = Desk(reader)
    mail, letter, newsletter = store.mails["m03"].id, store.mails["m04"].id, store.mails["m06"].id
    desk.herald.hear(RunChanged(RunId("1"), mail, RunStatus.RUNNING))
    desk.herald.hear(RunChanged(RunId("2"), newsletter, RunStatus.DONE))
    qapp.processEvents()
    assert desk.said == [], "one is not sorted yet, the other needs no answer"
    desk.herald.hear(RunChanged(RunId("1"), mail, RunStatus.WAITING))
    desk.herald.hear(ReviewReady(store.reviews["slots"], "reply"))
    qapp.processEvents()
    assert desk.said == [{TrayNews.MAIL}], "its draft is no second notification"
    assert (desk.mail.take_words(TrayNews.MAIL), desk.mail.told_last) == ("Needs a reply: mail from Ana Novák", mail)
    desk.herald.follow(Qt.ApplicationState.ApplicationActive)
    desk.herald.hear(RunChanged(RunId("1"), mail, RunStatus.DONE))
    desk.herald.hear(RunChanged(RunId("3"), letter, RunStatus.DONE))
    qapp.processEvents()
    assert desk.said == [{TrayNews.MAIL}], "told before, or seen in the window"
    desk.herald.hear(ReviewReady(store.reviews["slots"], "reply"))
    qapp.processEvents()
    assert desk.said[1:] == [{TrayNews.REVIEW}], "a new draft for what was seen"


def test_a_sign_in_code_is_told_at_once(qapp: QApplication, store: LivelyStore, reader: SqliteMailboxReader) -> None:
    desk = Desk(reader)
    code = store.put(
        Mail("n1", "tn", Address("no-reply@bank.example", "Bank"), "Sign-in code", "Your code: 482913", 1, labels=NEW)
    )
    desk.herald.hear(ReviewReady(store.reviews["plain"], "reply"))
    qapp.processEvents()
    desk.herald.hear(MailChanged(store.account_id, (), Initiator.SYNC))
    qapp.processEvents()
    assert desk.said == [{TrayNews.REVIEW}, {TrayNews.CODE}]
    assert (desk.mail.take_words(TrayNews.CODE), desk.mail.told_last) == ("Sign-in code from Bank", code.id)


def test_all_or_no_new_mail_is_told_as_the_user_wishes(
    qapp: QApplication, store: LivelyStore, reader: SqliteMailboxReader
) -> None:
    desk = Desk(reader)
    news = store.put(Mail("n1", "tn", Address("news@parts.example", "<b>Parts</b>"), "Sale", "Sale", 1, labels=NEW))
    came = MailChanged(store.account_id, (news.thread_id, store.mails["m01"].thread_id), Initiator.SYNC)
    for wish, told in (("never", []), ("answer", []), ("all", [{TrayNews.MAIL}])):
        desk.new_mail = wish
        desk.herald.hear(came)
        qapp.processEvents()
        assert desk.said == told, wish
    assert desk.mail.take_words(TrayNews.MAIL) == "New mail from bParts/b, Ana Novák"


def test_closing_ends_the_program_where_there_is_no_tray_or_none_is_wanted(qapp: QApplication) -> None:
    tray, alone = QSystemTrayIcon(), Settings(notifications=NotificationSettings(in_tray=False))
    assert not ends_when_closed(tray, Settings()), "it goes on unless the user says otherwise"
    assert ends_when_closed(tray, alone)
    assert ends_when_closed(None, Settings())


RED = QColor("#ff0000")


@pytest.fixture
def plain(qapp: QApplication) -> QIcon:
    picture = QPixmap(64, 64)
    picture.fill(QColor("white"))
    return QIcon(picture)


def corner(icon: QIcon) -> QColor:
    return QColor(icon.pixmap(32, 32).toImage().pixel(25, 7))


def test_numbers_become_words_a_dot_and_a_badge(qapp: QApplication, plain: QIcon, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers: list[int] = []
    monkeypatch.setattr(qapp, "setBadgeNumber", numbers.append, raising=False)
    tray, window = QSystemTrayIcon(plain), QWidget()
    window.setWindowTitle("Replyroom – Sample mailbox")
    badge = Badge(qapp, tray, RED, window)
    for counts in ((3, 2, 0), (3, 2, 0), (0, 2, 0), (0, 0, 1), (0, 0, 0)):
        badge.show_counts(*counts)
        assert tray.toolTip() == counts_words(*counts)
        assert window.windowTitle() == ("(3) " if counts[0] else "") + "Replyroom – Sample mailbox"
        assert (corner(tray.icon()) == RED) is any(counts)
    assert numbers == [3, 0, 0, 0]


def test_the_window_tells_its_counts(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.counted, timeout=30_000) as counted:
        window._event_handler.counting.poke()
    assert counted.args[1] > 0
    assert counted.args[2] == 2, "one letter of the mailbox is held, one is not confirmed"


WEEK = (0, 1, 2, 3, 4)
FRIDAY = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.mark.parametrize(("hour", "spoken"), [(6, False), (7, True), (12, True), (20, True), (21, False), (23, False)])
def test_quiet_hours_go_over_midnight(hour: int, spoken: bool) -> None:
    assert welcome(FRIDAY.replace(hour=hour), NotificationSettings(), WEEK) is spoken


def test_quiet_hours_by_day_and_none() -> None:
    lunch = NotificationSettings(quiet_from="12:00", quiet_to="13:00")
    assert not welcome(FRIDAY.replace(hour=12, minute=59), lunch, WEEK)
    assert welcome(FRIDAY.replace(hour=13), lunch, WEEK)


def test_quiet_days() -> None:
    sunday = FRIDAY.replace(day=22, hour=12)
    assert welcome(sunday, NotificationSettings(), WEEK)
    assert not welcome(sunday, NotificationSettings(quiet_weekend=True), WEEK)
    noon, from_sunday = FRIDAY.replace(hour=12), (6, 0, 1, 2, 3)
    assert not welcome(noon, NotificationSettings(quiet_weekend=True), from_sunday), "a week is not everybody's"
    assert welcome(sunday, NotificationSettings(quiet_weekend=True), from_sunday)


@given(st.datetimes(timezones=st.just(UTC)), st.integers(0, 23))
def test_the_same_time_twice_is_never_quiet_and_off_is_always(at: datetime, hour: int) -> None:
    same = f"{hour:02d}:00"
    assert welcome(at, NotificationSettings(quiet_from=same, quiet_to=same), WEEK)
    assert not welcome(at, NotificationSettings(shown=False), WEEK)


ACTIVE, INACTIVE = Qt.ApplicationState.ApplicationActive, Qt.ApplicationState.ApplicationInactive


def test_a_look_away_is_told_once_it_lasts_and_a_look_back_at_once(qapp: QApplication) -> None:
    link, parent = RecordedEngine(), QObject()
    attention = WindowActivityReporter(qapp, link, parent)
    leaving = attention.findChildren(QTimer)[0]
    qapp.applicationStateChanged.emit(INACTIVE)
    qapp.applicationStateChanged.emit(ACTIVE)
    assert (link.commands, leaving.isActive()) == ([], False)
    for _ in range(2):
        qapp.applicationStateChanged.emit(INACTIVE)
        leaving.timeout.emit()
    link.tell(EngineReady(1, ""))
    assert link.commands == [WindowAttention(looked_at=False)] * 2, "a new engine has to be told"
    qapp.applicationStateChanged.emit(ACTIVE)
    link.tell(EngineReady(1, ""))
    assert link.commands[2:] == [WindowAttention(looked_at=True)]
    leaving.stop()
