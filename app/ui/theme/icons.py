"""Icons by name, painted from the icon font in the theme's colours.

The font file is in the qtawesome package. The package itself is not imported (0.33 s); loading one font takes 10 ms.
"""

import tomllib
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontDatabase, QIcon, QIconEngine, QPainter, QPixmap

from app.ui.theme.appearance import Appearance
from app.ui.theme.painting import paint_glyph

FONT_FILE = "phosphor-1.3.0.ttf"


def icon_font_file() -> Path:
    """Path of the icon font. Raises `FileNotFoundError`."""
    spec = find_spec("qtawesome")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    for folder in folders:
        path = Path(folder, "fonts", FONT_FILE)
        if path.exists():
            return path
    raise FileNotFoundError("The icon font is missing; install Replyroom again.")


def read_glyphs(table: Path) -> dict[str, str]:
    return {name: chr(code) for name, code in tomllib.loads(table.read_text(encoding="utf-8")).items()}


class GlyphEngine(QIconEngine):
    """Paints one character of the icon font; disabled icons are faint."""

    def __init__(self, glyph: str, family: str, colour: Callable[[], QColor]) -> None:
        super().__init__()
        self._glyph, self._family, self._colour = glyph, family, colour

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        colour = self._colour()
        if mode is QIcon.Mode.Disabled:
            colour.setAlphaF(0.4)
        paint_glyph(painter, rect, self._glyph, self._family, colour)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap

    def clone(self) -> QIconEngine:
        """Called by Qt when an icon is detached."""
        return GlyphEngine(self._glyph, self._family, self._colour)


class Icons:
    def __init__(self, appearance: Appearance, glyphs: Mapping[str, str], font_file: Path) -> None:
        self._appearance, self._glyphs = appearance, glyphs
        families = QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(font_file)))
        self._family = families[0] if families else ""

    def icon(self, name: str, tone: str = "text_soft") -> QIcon:
        return QIcon(GlyphEngine(self._glyphs[name], self._family, lambda: self._appearance.colour(tone)))

    def paint(self, painter: QPainter, rect: QRect, name: str, colour: QColor) -> None:
        paint_glyph(painter, rect, self._glyphs[name], self._family, colour)
