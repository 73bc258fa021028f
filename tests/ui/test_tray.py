"""Words on the desktop: only while nobody looks, and not of what was looked at since."""

from typing import cast

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication

from app.domain.events import OutboxChanged, ReviewReady
from app.domain.ids import OutboxId, ReviewId
from app.domain.ports.window import MailboxReader
from app.ui.tray import Herald, News

READY = ReviewReady(ReviewId(1), "reply")


class Desk:
    """What was said, and whether somebody looks."""

    def __init__(self) -> None:
        self.parent = QObject()
        self.said: list[set[News]] = []
        self.looked_at = False
        self.welcome = True
        reader = cast(MailboxReader, None)  # asked about the outbox only
        self.herald = Herald(self.say, reader, lambda: self.looked_at, lambda: self.welcome, self.parent)

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
