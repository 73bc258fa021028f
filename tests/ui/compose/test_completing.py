"""What is typed of an address is asked for, and nothing else is read."""

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.domain.mail import Address
from app.domain.ports.writing import KnownAddress
from app.ui.compose.completing import MOST, AddressCompleter, folded, last_piece


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


def test_marks_over_letters_do_not_matter() -> None:
    assert folded("Žluťoučký KŮŇ") == "zlutoucky kun"


def test_only_what_matches_is_asked_for(qtbot: QtBot) -> None:
    asked: list[tuple[str, int]] = []

    def find(typed: str, most: int) -> tuple[KnownAddress, ...]:
        asked.append((typed, most))
        return (KnownAddress(Address("ana@x.org", "Ana"), 1),) if typed else ()

    line = QLineEdit()
    qtbot.addWidget(line)
    completer = AddressCompleter(line, find, lambda: None)
    line.show()
    assert asked == []
    QTest.keyClicks(line, "b@x.org, a")
    assert asked[-1] == ("a", MOST)
    assert completer.popup.isVisible()
    completer.popup.hide()
