"""Icons by meaning, painted from the icon font in the theme's colours at the moment of painting.

The font file lies in the qtawesome package; the package itself is not imported (0.33 s), one font is loaded instead (10 ms).
Refuses an unknown name with `KeyError`: the table is `resources/icons/icons.toml`.
"""

import tomllib
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPixmap

from app.ui.appearance import Appearance

FONT_FILE = "phosphor-1.3.0.ttf"


def icon_font_file() -> Path:
    """Where the icon font was installed. Raises `FileNotFoundError`."""
    spec = find_spec("qtawesome")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    for folder in folders:
        path = Path(folder, "fonts", FONT_FILE)
        if path.exists():
            return path
    raise FileNotFoundError("The icon font is missing; install Replyroom again.")


def read_glyphs(table: Path) -> dict[str, str]:
    """Icon names to the characters that draw them."""
    return {name: chr(code) for name, code in tomllib.loads(table.read_text(encoding="utf-8")).items()}


class Icons:
    """Makes icons. They follow a change of theme by themselves."""

    def __init__(self, appearance: Appearance, glyphs: Mapping[str, str], font_file: Path) -> None:
        self._appearance = appearance
        self._glyphs = glyphs
        families = QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(font_file)))
        self._family = families[0] if families else ""

    def icon(self, name: str, tone: str = "text_soft") -> QIcon:
        """The icon in a colour token."""
        return QIcon(GlyphEngine(self._glyphs[name], self._family, self._appearance.painter_of(tone)))

    def paint(self, painter: QPainter, rect: QRect, name: str, colour: QColor) -> None:
        """Draw an icon, for delegates."""
        paint_glyph(painter, rect, self._glyphs[name], self._family, colour)


class GlyphEngine(QIconEngine):
    """One character of the icon font as an icon; disabled icons are faint."""

    def __init__(self, glyph: str, family: str, colour: Callable[[], QColor]) -> None:
        super().__init__()
        self._glyph = glyph
        self._family = family
        self._colour = colour

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Qt asks for a painting at any size."""
        colour = self._colour()
        if mode is QIcon.Mode.Disabled:
            colour.setAlphaF(0.4)
        paint_glyph(painter, rect, self._glyph, self._family, colour)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """The same on a transparent ground."""
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap

    def clone(self) -> QIconEngine:
        """Qt copies engines when an icon is detached."""
        return GlyphEngine(self._glyph, self._family, self._colour)


def paint_glyph(painter: QPainter, rect: QRect, glyph: str, family: str, colour: QColor) -> None:
    """Draw one character of the icon font centred in `rect`."""
    font = QFont(family)
    font.setPixelSize(max(1, min(rect.width(), rect.height())))
    painter.save()
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(QRectF(rect), Qt.AlignmentFlag.AlignCenter, glyph)
    painter.restore()
