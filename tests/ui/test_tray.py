"""Words on the desktop: only while nobody looks, and not of what was looked at since; doubts are told after quiet hours."""

from collections.abc import Iterator
from typing import cast

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from app.config.paths import DataFolder
from app.config.settings import NotificationSettings, Settings
from app.domain.events import EngineReady, OutboxChanged, ReviewReady
from app.domain.ids import OutboxId, ReviewId
from app.domain.outbox import OutboxState
from app.domain.ports.window import MailboxReader
from app.store.mailbox import SqliteMailbox
from app.store.outbox import Outbox
from app.ui.tray import Herald, News, ends_when_closed
from fakes.lively_store import LivelyStore

READY = ReviewReady(ReviewId(1), "reply")


class Desk:
    """What was said, and whether somebody looks."""

    def __init__(self, reader: MailboxReader | None = None) -> None:
        self.parent = QObject()
        self.said: list[set[News]] = []
        self.looked_at = False
        self.welcome = True
        asked = cast(MailboxReader, reader)  # about the outbox only
        self.herald = Herald(self.say, asked, lambda: self.looked_at, lambda: self.welcome, self.parent)

    def say(self, waiting: set[News]) -> None:
        self.said.append(set(waiting))
        waiting.clear()


def test_news_is_said_once_while_nobody_looks(qapp: QApplication) -> None:
    desk = Desk()
    for _ in range(2):
        desk.herald.hear(READY)
    qapp.processEvents()
    assert desk.said == [{News.REVIEW}]


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
def reader(data: DataFolder, store: LivelyStore) -> Iterator[SqliteMailbox]:
    """A mailbox in which it is not known of one letter whether it was sent."""
    made = SqliteMailbox(data.database)
    yield made
    made.close()


@pytest.fixture
def doubtful(reader: SqliteMailbox) -> OutboxId:
    """That letter."""
    return next(row.item.id for row in reader.outbox() if row.item.state is OutboxState.UNCERTAIN)


def test_a_send_of_unknown_end_is_told_once(qapp: QApplication, reader: SqliteMailbox, doubtful: OutboxId) -> None:
    desk = Desk(reader)
    desk.herald.hear(OutboxChanged((doubtful,)))
    qapp.processEvents()
    assert desk.said == [{News.UNCERTAIN}]
    desk.herald.follow(Qt.ApplicationState.ApplicationActive)
    desk.herald.hear(OutboxChanged((doubtful,)))  # looked for again, in vain
    qapp.processEvents()
    assert len(desk.said) == 1


def test_a_doubt_of_quiet_hours_is_told_after_them(qapp: QApplication, reader: SqliteMailbox, doubtful: OutboxId) -> None:
    desk = Desk(reader)
    desk.welcome = False
    desk.herald.hear(OutboxChanged((doubtful,)))
    qapp.processEvents()
    assert desk.said == []
    desk.welcome = True
    desk.herald.hear(EngineReady(1.0, ""))  # whatever is heard next
    qapp.processEvents()
    assert desk.said == [{News.UNCERTAIN}]


def test_what_was_cleared_up_in_quiet_hours_is_not_told(
    qapp: QApplication, store: LivelyStore, reader: SqliteMailbox, doubtful: OutboxId
) -> None:
    desk = Desk(reader)
    desk.welcome = False
    desk.herald.hear(OutboxChanged((doubtful,)))
    Outbox(store.db, store.clock).move(doubtful, OutboxState.UNCERTAIN, OutboxState.SENT)
    desk.welcome = True
    desk.herald.hear(OutboxChanged((doubtful,)))
    qapp.processEvents()
    assert desk.said == []


def test_closing_ends_the_program_where_there_is_no_tray_or_none_is_wanted(qapp: QApplication) -> None:
    tray, alone = QSystemTrayIcon(), Settings(notifications=NotificationSettings(in_tray=False))
    assert not ends_when_closed(tray, Settings()), "it goes on unless the user says otherwise"
    assert ends_when_closed(tray, alone)
    assert ends_when_closed(None, Settings())
