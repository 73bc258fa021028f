"""Series are told apart by their colours, and in high contrast by patterns besides."""

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.pages.activity.activity_texts import TOKENS
from app.ui.pages.activity.charts import Swatch
from app.ui.theme.appearance import Appearance


@pytest.mark.parametrize("theme", ["dark", "contrast-light", "contrast-dark"])
def test_no_two_series_look_alike(qtbot: QtBot, qapp: QApplication, theme: str) -> None:
    appearance = Appearance(qapp)
    appearance.apply(theme, 1.0)
    shapes, pictures = set(), set()
    for token in TOKENS.values():
        swatch = Swatch(appearance, token)
        qtbot.addWidget(swatch)
        picture: QImage = swatch.grab().toImage()
        inside = [QColor(picture.pixel(x, y)) for x in range(3, 10) for y in range(3, 10)]
        ground = appearance.colour("surface")
        shapes.add(tuple(one == ground for one in inside))
        pictures.add(tuple(one.rgb() for one in inside))
    appearance.apply("light", 1.0)
    assert len(pictures) == len(TOKENS)
    assert len(shapes) == (len(TOKENS) if theme.startswith("contrast") else 1)
