"""What is typed of an address is asked for, and nothing else is read."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.domain.errors import StoreDamaged
from app.domain.mail.message import Address
from app.domain.ports.window import KnownAddress
from app.ui.editor.recipient_field import MOST, AddressCompleter, last_piece
from app.ui.i18n.error_messages import sentence
from fakes.window.page_setup import Neighbours


@pytest.mark.parametrize(
    ("line", "cursor", "piece"),
    [
        ("ana", 3, (0, "ana")),
        ("a@x.org, bo", 11, (8, "bo")),
        ('"Novák, Ana" <a@x>, bo', 10, (0, '"Novák, An')),
        ("a; b", 4, (2, "b")),
        ('"Novák, Jan" <j@x.org>, an', 26, (23, "an")),
    ],
)
def test_the_piece_at_the_cursor(line: str, cursor: int, piece: tuple[int, str]) -> None:
    assert last_piece(line, cursor) == piece


def test_only_what_matches_is_asked_for(qtbot: QtBot) -> None:
    asked: list[tuple[str, int]] = []

    def find(typed: str, most: int) -> tuple[KnownAddress, ...]:
        asked.append((typed, most))
        return (KnownAddress(Address("ana@x.org", "Ana"), 1),) if typed else ()

    line = QLineEdit()
    qtbot.addWidget(line)
    completer = AddressCompleter(line, find, Neighbours(), lambda: None)
    line.show()
    assert asked == []
    QTest.keyClicks(line, "b@x.org, a")
    assert asked[-1] == ("a", MOST)
    assert completer.popup.isVisible()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Return):  # Down at the last match keeps it
        QTest.keyClick(completer.popup, key)
    assert line.text() == "b@x.org, Ana <ana@x.org>, "
    completer.popup.hide()


def test_a_file_that_cannot_be_read_is_told_once_and_suggests_nobody(qtbot: QtBot) -> None:
    """With each key anew would be a notice a key; once it is whole again there are suggestions, and damage would be told anew."""
    damaged = [True]

    def find(_typed: str, _most: int) -> tuple[KnownAddress, ...]:
        if damaged[0]:
            raise StoreDamaged("bad page")
        return (KnownAddress(Address("ana@x.org", "Ana"), 1),)

    line, notices = QLineEdit(), Neighbours()
    qtbot.addWidget(line)
    completer = AddressCompleter(line, find, notices, lambda: None)
    line.show()
    for state, told in ((True, 1), (False, 1), (True, 2)):
        damaged[0] = state
        QTest.keyClicks(line, "an")
        assert completer.popup.isVisible() is not state
        assert notices.told == [sentence(StoreDamaged.code)] * told
    completer.popup.hide()
