"""The first frame shows the window's true shape and the list's first rows, before any widget exists."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from app.domain.protocol.views import Glance, GlanceRow
from app.ui.navigation.painter import NARROW, WIDE
from app.ui.navigation.places import places
from app.ui.window.first_frame import FirstFrame
from app.ui.window.main_window import MainWindow
from fakes.window.page_setup import Stage

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
ROWS = tuple(GlanceRow(f"Sender {n}", f"Subject {n}", "first words", 1_770_000_000_000 + n, n % 2 == 0, n) for n in range(30))


@pytest.fixture
def state(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


def shown(qtbot: QtBot, stage: Stage, state: QSettings, seen: Glance, page: str = "inbox", width: int = 1280) -> QImage:
    frame = FirstFrame(stage.context.appearance, stage.context.icons, places(), page, state, seen, NOW)
    qtbot.addWidget(frame)
    frame.resize(width, 820)
    return frame.grab().toImage()


def differing_rows(one: QImage, other: QImage, left: int, right: int) -> list[int]:
    """Pixel rows in which two pictures differ between two columns."""
    return [y for y in range(one.height()) if any(one.pixel(x, y) != other.pixel(x, y) for x in range(left, right, 3))]


def test_the_list_shows_the_rows_it_was_given(qtbot: QtBot, stage: Stage, state: QSettings) -> None:
    empty = shown(qtbot, stage, state, Glance(accounts=True))
    one = shown(qtbot, stage, state, Glance(True, ROWS[:1]))
    many = shown(qtbot, stage, state, Glance(True, ROWS))
    assert max(differing_rows(one, empty, WIDE + 10, 500)) < 290 < 700 < max(differing_rows(many, one, WIDE + 10, 500))
    assert not differing_rows(many, one, 700, 1270)  # beside the list is only ground
    assert not differing_rows(many, empty, 0, WIDE)


def test_the_page_at_hand_is_marked_and_narrow_windows_fold(qtbot: QtBot, stage: Stage, state: QSettings) -> None:
    inbox = shown(qtbot, stage, state, Glance(accounts=True))
    sent = shown(qtbot, stage, state, Glance(accounts=True), "sent")
    assert differing_rows(inbox, sent, 0, WIDE)
    narrow = shown(qtbot, stage, state, Glance(accounts=True), width=800)
    surface = stage.context.appearance.colour("surface")
    assert QColor(narrow.pixel(NARROW + 40, 400)) == surface
    assert QColor(inbox.pixel(NARROW + 40, 760)) != surface


def test_without_an_account_there_is_only_ground(qtbot: QtBot, stage: Stage, state: QSettings) -> None:
    picture = shown(qtbot, stage, state, Glance(accounts=False))
    ground = stage.context.appearance.colour("window").rgb()
    assert {picture.pixel(x, y) for x in range(0, 1280, 7) for y in range(0, 820, 7)} == {ground}


def test_it_stands_where_the_widgets_will_stand(qtbot: QtBot, stage: Stage, window: MainWindow, state: QSettings) -> None:
    """Measured on the real window: navigation, list and footer begin within a few pixels of the first frame's."""
    frame = FirstFrame(window.appearance, stage.context.icons, places(), "inbox", state, Glance(True, ROWS), NOW)
    qtbot.addWidget(frame)
    frame.resize(window.size())
    picture = frame.grab().toImage()
    window.show_page("inbox")
    top = window.navigation.mapTo(window, QPoint(0, 0)).y()
    line = window.appearance.colour("line").rgb()
    lines = [y for y in range(picture.height()) if picture.pixel(picture.width() - 2, y) == line]
    assert abs(lines[0] - top) <= 6
    assert abs(lines[-1] - window.status.mapTo(window, QPoint(0, 0)).y()) <= 6
    listed = window.mail_page.list.mapTo(window, QPoint(0, 0))
    assert listed.x() == WIDE
    column = [y for y in range(lines[0] + 5, picture.height()) if picture.pixel(WIDE + 5, y) == line]
    assert abs(column[0] + 1 - window.mail_page.splits.mapTo(window, QPoint(0, 0)).y()) <= 6
    rows = column[1] + 1 - (window.mail_page.list.rowHeight(0) - window.mail_page.list.row_height)  # where the heading begins
    assert abs(rows - listed.y()) <= 6
