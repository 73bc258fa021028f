"""Painted pictures are kept while there is room; parts are mirrored as Qt mirrors them; glyphs are painted in their place."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QStyle

from app.ui.theme.painting import visual_rect, visual_side

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
