"""The pictures of the guide: one for each step, said to screen readers, whole at every text size, gone where there is no room."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.pages.welcome.guide import HEIGHT, WIDTH, GuideScreen, GuideStep, PagePart, StepPicture, scenes
from app.ui.theme.metrics import Type, at_text_size
from fakes.window.page_setup import Stage


def guide(stage: Stage, qtbot: QtBot, width: int) -> GuideScreen:
    made = GuideScreen(stage.context, lambda _path: None, lambda: None)
    qtbot.addWidget(made)
    made.resize(width, 900)
    with qtbot.waitExposed(made, timeout=30_000):
        made.show()
    return made


def test_each_step_has_a_picture_with_something_to_press(stage: Stage, qtbot: QtBot) -> None:
    screen = guide(stage, qtbot, 900)
    shown = screen.findChildren(StepPicture)
    assert len(shown) == len(scenes()) == len(screen.findChildren(GuideStep)) == 4
    for picture, scene in zip(shown, scenes(), strict=True):
        assert picture.isVisible()
        assert picture.accessibleName() == scene.spoken
        assert any(one.part is PagePart.MARKED for one in scene.parts)
        image = picture.grab().toImage()
        colours = {image.pixelColor(x, y).name() for x in range(20, 200, 3) for y in range(20, 110, 3)}
        assert stage.context.appearance.colour("accent").name() in colours


@pytest.mark.parametrize("size", [1.0, 2.0])
def test_the_words_fit_and_nothing_lies_over_another(stage: Stage, qapp: QApplication, size: float) -> None:
    stage.context.appearance.apply("light", size)
    metrics = QFontMetrics(stage.context.appearance.fonts[Type.CAPTION])
    for scene in scenes():
        places: list[QRect] = []
        for one in scene.parts:
            room = at_text_size(one.width) - (16 if one.part is PagePart.FIELD else 0)
            assert metrics.horizontalAdvance(one.words) <= room, one.words
            high = metrics.height() + (0 if one.part is PagePart.WORDS else 8) if one.words else at_text_size(14)
            around = 4 if one.part is PagePart.MARKED else 0
            place = QRect(at_text_size(one.x), at_text_size(one.y), at_text_size(one.width), high)
            place.adjust(-around, -around, around, around)
            assert QRect(0, at_text_size(16), at_text_size(WIDTH), at_text_size(HEIGHT - 16)).contains(place), one
            assert not any(place.intersects(other) for other in places), one
            places.append(place)
    stage.context.appearance.apply("light", 1.0)


def test_where_there_is_little_room_the_words_go_first(stage: Stage, qtbot: QtBot) -> None:
    screen = guide(stage, qtbot, 420)
    assert not [one for one in screen.findChildren(StepPicture) if one.isVisible()]
    screen.resize(900, 900)
    qtbot.waitUntil(lambda: all(one.isVisible() for one in screen.findChildren(StepPicture)), timeout=30_000)


def test_it_is_mirrored_where_one_reads_from_the_right(stage: Stage, qtbot: QtBot, qapp: QApplication) -> None:
    first = guide(stage, qtbot, 900).findChildren(StepPicture)[3].grab().toImage()
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        other = guide(stage, qtbot, 900).findChildren(StepPicture)[3].grab().toImage()
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    accent = stage.context.appearance.colour("accent").name()
    middle = at_text_size(98)  # beside the words of Continue
    left, right = at_text_size(122), at_text_size(WIDTH - 122)
    assert first.pixelColor(left, middle).name() == accent != first.pixelColor(right, middle).name()
    assert other.pixelColor(right, middle).name() == accent
