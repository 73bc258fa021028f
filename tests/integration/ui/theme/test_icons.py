"""Icons: the font is there, each name draws something, each name is used, colours follow the theme."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QFontDatabase, QFontMetrics, QIcon, QImage
from PySide6.QtWidgets import QApplication

from app.config.paths import resource
from app.ui.theme.icons import icon_font_file, read_glyphs
from app.ui.widgets.labels import IconLabel
from fakes.window.page_setup import Stage

GLYPHS = read_glyphs(resource("icons", "icons.toml"))


def inked(image: QImage) -> int:
    """How many pixels are not transparent."""
    return sum(1 for x in range(image.width()) for y in range(image.height()) if image.pixelColor(x, y).alpha() > 40)


def test_every_icon_is_in_the_font(qapp: QApplication) -> None:
    families = QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(icon_font_file())))
    metrics = QFontMetrics(QFont(families[0]))
    assert not [name for name, glyph in GLYPHS.items() if not metrics.inFontUcs4(ord(glyph))]


def test_an_icon_is_drawn_in_the_colour_of_now(lively_stage: Stage) -> None:
    icon = lively_stage.context.icons.icon("review", "text")
    lively_stage.appearance.apply("light", 1.0)
    light = icon.pixmap(QSize(32, 32)).toImage()
    lively_stage.appearance.apply("dark", 1.0)
    dark = icon.pixmap(QSize(32, 32)).toImage()
    assert inked(light) > 40
    assert light != dark


def test_a_disabled_icon_is_faint(lively_stage: Stage) -> None:
    icon = lively_stage.context.icons.icon("review", "text")
    normal = icon.pixmap(QSize(32, 32), QIcon.Mode.Normal).toImage()
    faint = icon.pixmap(QSize(32, 32), QIcon.Mode.Disabled).toImage()
    assert inked(faint) < inked(normal) or faint != normal


def test_an_icon_label_changes_its_icon(lively_stage: Stage) -> None:
    made = IconLabel(lively_stage.context.icons, "review", size=24)
    before = made.grab().toImage()
    made.show_icon("trash")
    assert made.grab().toImage() != before
