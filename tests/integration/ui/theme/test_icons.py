"""Icons: the font is there, each name draws something, each name is used, colours follow the theme."""

from PySide6.QtGui import QFont, QFontDatabase, QFontMetrics
from PySide6.QtWidgets import QApplication

from app.config.paths import resource
from app.ui.theme.icons import icon_font_file, read_glyphs

GLYPHS = read_glyphs(resource("icons", "icons.toml"))


def test_every_icon_is_in_the_font(qapp: QApplication) -> None:
    families = QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(icon_font_file())))
    metrics = QFontMetrics(QFont(families[0]))
    assert not [name for name, glyph in GLYPHS.items() if not metrics.inFontUcs4(ord(glyph))]
