"""Painted pictures are kept while there is room; parts are mirrored as Qt mirrors them; glyphs are painted in their place."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QApplication, QStyle

from app.ui.theme.painting import PixmapCache, paint_glyph, visual_rect, visual_side

SIZE = QSize(20, 10)
BYTES = 20 * 10 * 4


def test_a_picture_is_painted_once_until_dropped_or_pushed_out(qapp: QApplication) -> None:
    kept, painted = PixmapCache[str](2 * BYTES), []

    def ask(key: str) -> QColor:
        def paint(painter: QPainter) -> None:
            painted.append(key)
            painter.fillRect(QRect(0, 0, 20, 10), QColor(key))

        return kept.picture(key, SIZE, 1.0, paint).toImage().pixelColor(19, 9)

    assert [ask(key).name() for key in ("#ff0000", "#00ff00", "#ff0000", "#0000ff", "#ff0000")] == [
        "#ff0000",
        "#00ff00",
        "#ff0000",
        "#0000ff",
        "#ff0000",
    ]
    assert painted == ["#ff0000", "#00ff00", "#0000ff"]
    ask("#00ff00")  # used longest ago, and pushed out
    kept.drop()
    ask("#ff0000")
    assert painted == ["#ff0000", "#00ff00", "#0000ff", "#00ff00", "#ff0000"]


def test_pictures_have_the_device_s_pixels(qapp: QApplication) -> None:
    picture = PixmapCache[int](BYTES).picture(
        1, SIZE, 1.5, lambda painter: painter.fillRect(QRect(0, 0, 20, 10), QColor("#123456"))
    )
    assert (picture.size(), picture.devicePixelRatio()) == (QSize(30, 15), 1.5)
    assert picture.toImage().pixelColor(29, 14).name() == "#123456"


def test_nothing_is_painted_where_there_is_no_room(qapp: QApplication) -> None:
    painted: list[QPainter] = []
    assert PixmapCache[int](2 * BYTES).picture(1, QSize(0, 20), 1.0, painted.append).isNull()
    assert painted == []


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


def test_a_glyph_is_painted_in_its_place_and_leaves_the_painter_alone(qapp: QApplication) -> None:
    picture = QImage(60, 40, QImage.Format.Format_RGB32)
    picture.fill(QColor("white"))
    painter = QPainter(picture)
    painter.setPen(QColor("#00ff00"))
    before = painter.font()
    paint_glyph(painter, QRect(10, 10, 20, 20), "X", "Noto Sans", QColor("#ff0000"))
    assert (painter.pen().color(), painter.font()) == (QColor("#00ff00"), before)
    painter.end()
    inked = [(x, y) for x in range(60) for y in range(40) if picture.pixelColor(x, y) != QColor("white")]
    assert inked
    assert all(8 <= x <= 32 and 8 <= y <= 32 for x, y in inked)
    assert all(picture.pixelColor(x, y).red() > 250 for x, y in inked)
