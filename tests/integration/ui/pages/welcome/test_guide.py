"""The pictures of the guide: one for each step, said to screen readers, whole at every text size, gone where there is no room."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from app.ui.pages.welcome.guide import FIELD, HEIGHT, MARKED, TOP, WIDTH, GuidePictures, GuideScreen
from app.ui.theme.metrics import Type, at_text_size
from fakes.window.page_setup import Stage


def test_each_step_has_a_picture_that_goes_where_there_is_little_room(stage: Stage, qtbot: QtBot) -> None:
    screen = GuideScreen(stage.context, lambda _path: None, lambda: None)
    qtbot.addWidget(screen)
    screen.resize(900, 900)
    with qtbot.waitExposed(screen, timeout=30_000):
        screen.show()
    accent = stage.context.appearance.colour("accent").name()
    assert len(screen.pictures) == 4
    for picture, (spoken, _parts) in zip(screen.pictures, GuidePictures(screen).scenes(), strict=True):
        assert picture.isVisible()
        assert picture.accessibleName() == spoken
        image = picture.grab().toImage()
        assert accent in {image.pixelColor(x, y).name() for x in range(20, 200, 3) for y in range(20, 110, 3)}
    screen.resize(420, 900)
    qtbot.waitUntil(lambda: not any(one.isVisible() for one in screen.pictures), timeout=30_000)


@pytest.mark.parametrize("size", [1.0, 2.0])
def test_the_words_fit_and_nothing_lies_over_another(stage: Stage, size: float) -> None:
    stage.context.appearance.apply("light", size)
    metrics = QFontMetrics(stage.context.appearance.fonts[Type.CAPTION])
    for _spoken, parts in GuidePictures().scenes():
        places: list[QRect] = []
        for one in parts:
            place = QRect(at_text_size(one.x), at_text_size(one.y), at_text_size(one.width), metrics.height() + 8)
            assert metrics.horizontalAdvance(one.words) <= place.width() - (16 if one.kind == FIELD else 0), one.words
            around = 4 if one.kind == MARKED else 0
            place.adjust(-around, -around, around, around)
            assert QRect(0, at_text_size(TOP), at_text_size(WIDTH), at_text_size(HEIGHT - TOP)).contains(place), one
            assert not any(place.intersects(other) for other in places), one
            places.append(place)
    stage.context.appearance.apply("light", 1.0)
