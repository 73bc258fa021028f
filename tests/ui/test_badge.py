"""What is said of counts outside the window."""

import pytest
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget
from pytestqt.qtbot import QtBot

from app.ui.badge import Badge, counts_words, dotted
from app.ui.main_window import MainWindow

RED = QColor("#ff0000")


@pytest.fixture
def plain(qapp: QApplication) -> QIcon:
    """A white square."""
    picture = QPixmap(64, 64)
    picture.fill(QColor("white"))
    return QIcon(picture)


def corner(icon: QIcon) -> QColor:
    return QColor(icon.pixmap(32, 32).toImage().pixel(25, 7))


def test_numbers_become_words_a_dot_and_a_badge(qapp: QApplication, plain: QIcon, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers: list[int] = []
    monkeypatch.setattr(qapp, "setBadgeNumber", numbers.append, raising=False)
    tray, window = QSystemTrayIcon(plain), QWidget()
    badge = Badge(qapp, tray, RED, window)
    for counts in ((3, 2, 0), (3, 2, 0), (0, 2, 0), (0, 0, 1), (0, 0, 0)):
        badge.show_counts(*counts)
        assert tray.toolTip() == counts_words(*counts)
        assert window.windowTitle() == ("(3) Replyroom" if counts[0] else "Replyroom")
        assert (corner(tray.icon()) == RED) is any(counts)
    assert numbers == [3, 0, 0, 0]


def test_words() -> None:
    assert counts_words(0, 0, 0) == "Replyroom"
    assert counts_words(3, 0, 0).splitlines() == ["Replyroom", "unread: 3"]
    assert counts_words(0, 8, 0).splitlines() == ["Replyroom", "waiting for you: 8"]
    assert counts_words(0, 0, 2).splitlines() == ["Replyroom", "held or not confirmed in the Outbox: 2"]


def test_a_dot_leaves_the_rest(plain: QIcon) -> None:
    made = dotted(plain, RED).pixmap(32, 32).toImage()
    assert QColor(made.pixel(4, 28)) == QColor("white")


def test_the_window_tells_its_counts(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.counted, timeout=30_000) as counted:
        window._hearing.counting.poke()
    assert counted.args[1] > 0
    assert counted.args[2] == 2, "one letter of the mailbox is held, one is not confirmed"
