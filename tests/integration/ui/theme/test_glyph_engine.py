"""Icons of widgets: painted once for each size and colour, faint when disabled, in the colour of now."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QApplication

from app.ui.theme.glyph_engine import PICTURES_KEPT, GlyphEngine

NORMAL, OFF = QIcon.Mode.Normal, QIcon.State.Off
SIZE = QSize(24, 24)


def strongest(picture: QPixmap) -> QColor:
    """The pixel that covers most."""
    image = picture.toImage()
    return max((image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())), key=QColor.alpha)


def test_an_icon_is_painted_once_in_a_colour_and_again_in_another(qapp: QApplication) -> None:
    colour = QColor("#ff0000")
    engine = GlyphEngine("M", "Noto Sans", lambda: QColor(colour))
    first = engine.pixmap(SIZE, NORMAL, OFF)
    assert engine.pixmap(SIZE, NORMAL, OFF).cacheKey() == first.cacheKey()
    assert strongest(first).red() > 250
    assert engine.pixmap(QSize(12, 12), NORMAL, OFF).size() == QSize(12, 12)
    colour.setRgb(0, 0, 255)
    assert strongest(engine.pixmap(SIZE, NORMAL, OFF)).blue() > 250


def test_a_disabled_icon_is_faint(qapp: QApplication) -> None:
    engine = GlyphEngine("M", "Noto Sans", lambda: QColor("#000000"))
    normal, disabled = (strongest(engine.pixmap(SIZE, mode, OFF)).alpha() for mode in (NORMAL, QIcon.Mode.Disabled))
    assert 0 < disabled < normal / 2 + 1


def test_many_sizes_push_each_other_out_and_copies_paint_the_same(qapp: QApplication) -> None:
    engine = GlyphEngine("M", "Noto Sans", lambda: QColor("#000000"))
    pictures = [engine.pixmap(QSize(side, side), NORMAL, OFF) for side in range(10, 10 + 2 * PICTURES_KEPT)]
    again = engine.clone().pixmap(pictures[0].size(), NORMAL, OFF)
    assert again.toImage() == pictures[0].toImage() == engine.pixmap(pictures[0].size(), NORMAL, OFF).toImage()
