"""The buttons keep their order and never cut a word."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.ui.widgets.action_buttons import ActionButtonBar, ButtonRoom, KeyButton
from app.ui.widgets.factory import set_role
from fakes.window.page_setup import Stage

NAMES = ("review.approve", "review.edit", "review.changes", "review.save", "review.reject", "review.skip")


def made(qtbot: QtBot, stage: Stage, width: int) -> tuple[ActionButtonBar, list[KeyButton]]:
    buttons = [KeyButton(stage.context.actions[name]) for name in NAMES]
    bar = ActionButtonBar(buttons, apart=4)
    qtbot.addWidget(bar)
    bar.resize(width, 52)
    bar.show()
    return bar, buttons


@pytest.mark.parametrize("percent", [100, 125, 160])
@pytest.mark.parametrize("width", [420, 560, 700, 1000, 1600])
def test_no_word_is_cut_at_any_width(qtbot: QtBot, stage: Stage, width: int, percent: int) -> None:
    stage.appearance.apply("light", percent / 100)
    bar, buttons = made(qtbot, stage, width)
    qtbot.waitUntil(lambda: all(one.width() >= one.sizeHint().width() - 1 for one in buttons))
    assert bar.width() == width
    assert [one.x() for one in buttons] == sorted(one.x() for one in buttons)
    assert all(one.accessibleName() for one in buttons)
    stage.appearance.apply("light", 1.0)


def test_words_come_and_go_with_the_room(qtbot: QtBot, stage: Stage) -> None:
    bar, buttons = made(qtbot, stage, 1200)
    assert buttons[1].text().endswith("E")
    bar.resize(560, 52)
    assert buttons[0].text() == "Approve"
    assert buttons[2].text() == "Ask for changes"
    assert buttons[5].text() == ""
    bar.resize(400, 52)
    assert buttons[0].text() == "Approve"
    assert buttons[3].text() == ""
    bar.resize(1200, 52)
    assert buttons[3].text().startswith("Save as Gmail draft")


@pytest.mark.parametrize("width", [220, 250, 280, 310, 340])
def test_no_button_is_blank_in_a_narrow_pane(qtbot: QtBot, stage: Stage, width: int) -> None:
    _bar, buttons = made(qtbot, stage, width)
    for one in buttons:
        assert len(one.text()) > 2 or not one.icon().isNull(), one.text()


def test_the_button_to_press_keeps_its_word_wherever_it_stands(qtbot: QtBot, stage: Stage) -> None:
    bar, buttons = made(qtbot, stage, 440)
    approve, reject = buttons[0], buttons[4]
    approve.setProperty("role", "primary")
    assert (approve.text(), reject.text()) == ("Approve", "")
    set_role(reject, "primary")
    stage.context.actions["review.approve"].setEnabled(False)
    bar.fit()
    assert reject.text() == stage.context.actions["review.reject"].text()
    qtbot.waitUntil(lambda: all(one.width() >= one.sizeHint().width() - 1 for one in buttons), timeout=30_000)


def test_longer_words_are_fitted_too(qtbot: QtBot, stage: Stage) -> None:
    bar, buttons = made(qtbot, stage, 700)
    assert buttons[2].text()
    stage.context.actions["review.changes"].setText("Ask for quite a number of changes in one go")
    qtbot.waitUntil(lambda: all(one.width() >= one.sizeHint().width() - 1 for one in buttons))
    assert bar.width() == 700


def test_keys_are_read_from_the_left_beside_words_from_the_right(qtbot: QtBot, stage: Stage) -> None:
    _bar, buttons = made(qtbot, stage, 1200)
    approve = buttons[0]
    assert approve.text() == "Approve   Ctrl+↵"
    approve.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    approve.set_room(ButtonRoom.WORDS)
    approve.set_room(ButtonRoom.KEYS)
    assert approve.text() == "Approve   \N{LEFT-TO-RIGHT ISOLATE}Ctrl+↵\N{POP DIRECTIONAL ISOLATE}"


def test_a_word_that_says_less_has_the_icon_beside_it(qtbot: QtBot, stage: Stage) -> None:
    action = stage.context.actions["review.approve"]
    action.setText("Approve and archive")
    action.setIconText("Approve")
    bar, buttons = made(qtbot, stage, 330)
    buttons[0].setProperty("role", "primary")
    bar.fit()
    assert buttons[0].text().startswith("Appr") and not buttons[0].icon().isNull()
    seen = set()
    for width in range(330, 240, -5):
        bar.resize(width, 52)
        seen.add(buttons[0].text())
    assert seen == {"Approve", ""}, "half a word says less than the icon"
    bar.resize(1200, 52)
    assert buttons[0].text().startswith("Approve and archive") and buttons[0].icon().isNull()
    assert bar.sizeHint().width() <= bar.width()
