"""Icons by name, painted from the icon font in the theme's colours.

The font file is in the qtawesome package. The package itself is not imported (0.33 s); loading one font takes 10 ms.
"""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QFontDatabase, QPainter

from app.ui.theme.appearance import Appearance
from app.ui.theme.painting import paint_glyph
from app.ui.theme.tokens import read_flat

if TYPE_CHECKING:
    from PySide6.QtGui import QIcon

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
    """Reads the characters of the icons by name."""
    codes = read_flat(table.read_text(encoding="utf-8"))
    return {name: chr(code) for name, code in codes.items() if isinstance(code, int)}


class Icons:
    """Makes icons that follow theme changes."""

    def __init__(self, appearance: Appearance, glyphs: Mapping[str, str], font_file: Path) -> None:
        self._appearance = appearance
        self._glyphs = glyphs
        families = QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(font_file)))
        self._family = families[0] if families else ""

    def icon(self, name: str, tone: str = "text_soft") -> "QIcon":
        """The icon in the colour of a token."""
        from PySide6.QtGui import QIcon

        from app.ui.theme.glyph_engine import GlyphEngine

        return QIcon(GlyphEngine(self._glyphs[name], self._family, self._appearance.painter_of(tone)))

    def paint(self, painter: QPainter, rect: QRect, name: str, colour: QColor) -> None:
        """Paints an icon, for delegates."""
        paint_glyph(painter, rect, self._glyphs[name], self._family, colour)
