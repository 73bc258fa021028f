"""Quitting while mail is on its way: asked once, sent first or left for the next start, never lost and never held up."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.domain.errors import StoreDamaged
from app.domain.ids import AccountId, GmailId, GmailThreadId, OutboxId, ReviewId, ThreadId
from app.domain.mail.outbox import OutboxItem, OutboxKind, OutboxState
from app.domain.ports.window import MailboxReader
from app.domain.protocol.commands import SendNow
from app.domain.protocol.events import OutboxChanged
from app.domain.record import replace
from app.ui.window.desktop import QuitPrompt
from fakes.window.recorded_engine import RecordedEngine

NOW = datetime(2026, 3, 12, 15, 30, tzinfo=UTC)


def item(number: int, state: OutboxState = OutboxState.QUEUED, in_s: float = 8) -> OutboxItem:
    return OutboxItem(
        OutboxId(number), AccountId(1), ReviewId(number), OutboxKind.SEND, state, ThreadId(1), GmailThreadId("t"), "a@x.example",
        "Hi", b"", "", "<m>", GmailId("g"), NOW, NOW + timedelta(seconds=in_s),
    )  # fmt: skip


@dataclass
class Shelf:
    """The reader's outbox."""

    items: list[OutboxItem] = field(default_factory=list)
    damaged: bool = False

    def open_items(self) -> tuple[OutboxItem, ...]:
        if self.damaged:
            raise StoreDamaged("mailbox.sqlite")
        return tuple(self.items)


class Door:
    """A window that is being quit."""

    def __init__(self) -> None:
        self.window = QWidget()
        self.shelf = Shelf()
        self.engine = RecordedEngine()
        self.gone = 0
        self.leaving = QuitPrompt(self.window, cast(MailboxReader, self.shelf), self.engine, lambda: NOW)

    def go(self) -> None:
        self.gone += 1

    def quit(self) -> None:
        self.leaving.ask(self.go)

    def press(self, words: str) -> None:
        box = self.leaving.box
        assert box is not None
        next(one for one in box.buttons() if one.text() == words).click()


@pytest.fixture
def door(qapp: QApplication) -> Iterator[Door]:
    made = Door()
    yield made
    made.window.close()
    made.window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.parametrize(
    "items",
    [
        [],
        [item(1, OutboxState.SENT)],
        [item(1, OutboxState.HELD)],
        [item(1, OutboxState.UNCERTAIN)],
        [item(1, in_s=3600)],
        [replace(item(1), kind=OutboxKind.MODIFY)],
    ],
)
def test_nothing_on_its_way_nobody_is_asked(door: Door, items: list[OutboxItem]) -> None:
    door.shelf.items = items
    door.quit()
    assert (door.gone, door.leaving.box) == (1, None)


def test_mail_goes_out_first_when_told_to(door: Door) -> None:
    door.shelf.items = [item(1), item(2, OutboxState.SENDING), item(3, in_s=7200)]
    door.quit()
    assert door.gone == 0
    assert "2" in door.leaving.box.text()
    door.press("Send, then quit")
    assert (door.engine.commands, door.gone) == ([SendNow(OutboxId(1))], 0)
    door.shelf.items[0] = item(1, OutboxState.SENT)
    door.engine.tell(OutboxChanged((OutboxId(1),)))
    assert door.gone == 0
    door.shelf.items[1] = item(2, OutboxState.HELD)
    door.engine.tell(OutboxChanged((OutboxId(2),)))
    assert door.gone == 1
    door.engine.tell(OutboxChanged((OutboxId(2),)))
    assert door.gone == 1


def test_it_waits_for_the_next_start_when_told_to(door: Door) -> None:
    door.shelf.items = [item(1)]
    door.quit()
    door.press("Quit now")
    assert (door.engine.commands, door.gone) == ([], 1)


def test_staying_leaves_everything_as_it_is(door: Door) -> None:
    door.shelf.items = [item(1)]
    door.quit()
    door.press("Stay")
    door.engine.tell(OutboxChanged((OutboxId(1),)))
    assert (door.engine.commands, door.gone) == ([], 0)
    door.quit()
    assert door.leaving.box is not None


def test_who_quits_twice_means_it(door: Door) -> None:
    door.shelf.items = [item(1)]
    door.quit()
    door.quit()
    assert door.gone == 1


def test_who_stays_after_all_is_not_sent_away_later(door: Door) -> None:
    door.shelf.items = [item(1, OutboxState.SENDING)]
    door.quit()
    door.press("Send, then quit")
    door.quit()
    door.press("Stay")
    door.shelf.items = []
    door.engine.tell(OutboxChanged((OutboxId(1),)))
    assert door.gone == 0


def test_a_file_that_cannot_be_read_keeps_nobody_in(door: Door) -> None:
    door.shelf.damaged = True
    door.quit()
    assert door.gone == 1
