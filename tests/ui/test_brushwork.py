"""Painting aids: they paint and mirror as Qt's own do."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QApplication, QStyle

from app.ui.brushwork import fill, visual_rect, visual_side

WHOLE, PART = QRect(10, 5, 200, 40), QRect(30, 9, 50, 20)
DIRECTIONS = (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft)


@pytest.fixture(params=DIRECTIONS)
def direction(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Qt.LayoutDirection]:
    """The application reads in this direction."""
    before = QGuiApplication.layoutDirection()
    QGuiApplication.setLayoutDirection(request.param)
    yield request.param
    QGuiApplication.setLayoutDirection(before)


def test_parts_are_mirrored_as_qt_mirrors_them(direction: Qt.LayoutDirection) -> None:
    assert visual_rect(WHOLE, PART) == QStyle.visualRect(direction, WHOLE, PART)
    assert visual_rect(WHOLE, WHOLE) == WHOLE


@pytest.mark.parametrize("side", [Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight])
def test_sides_are_swapped_as_qt_swaps_them(direction: Qt.LayoutDirection, side: Qt.AlignmentFlag) -> None:
    assert visual_side(side) == QStyle.visualAlignment(direction, side)


@pytest.mark.parametrize("ratio", [1.0, 1.5])
def test_a_rectangle_is_filled_to_its_edges_and_no_further(qapp: QApplication, ratio: float) -> None:
    pictures = []
    for own in (True, False):
        picture = QImage(90, 60, QImage.Format.Format_ARGB32_Premultiplied)
        picture.fill(QColor("white"))
        picture.setDevicePixelRatio(ratio)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor("red"))
        rect, colour = QRect(4, 6, 20, 12), QColor("#2B59C3")
        fill(painter, rect, colour) if own else painter.fillRect(rect, colour)
        painter.end()
        pictures.append(picture)
    assert pictures[0] == pictures[1]
