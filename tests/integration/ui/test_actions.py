"""The table of actions: one key means one thing in one place, and the cheat sheet shows it."""

from collections import Counter

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.ui.actions import TABLE, ActionScope, connect_actions, where_words
from app.ui.pages.shortcuts import CheatSheet
from fakes.window.page_setup import Stage


def test_ids_are_unique_and_name_their_place() -> None:
    assert len({spec.id for spec in TABLE}) == len(TABLE)
    assert all(spec.id.startswith(f"{spec.where}.") for spec in TABLE)
    assert all(where_words(where) for where in ActionScope)


@pytest.mark.parametrize("where", list(ActionScope))
def test_a_key_means_one_thing_in_one_place(where: ActionScope) -> None:
    keys = Counter(keys for spec in TABLE if spec.where in (where, ActionScope.WINDOW) for keys in spec.keys)
    assert not [key for key, count in keys.items() if count > 1]
    assert all(not QKeySequence(key).isEmpty() for key in keys)


def test_connecting_gives_a_widget_its_keys_and_handlers(stage: Stage) -> None:
    widget, calls = QWidget(), []
    widget.show()  # pages share actions: a hidden one does not act
    connect_actions(widget, stage.context, {"review.edit": lambda: calls.append(1)})
    stage.context.actions["review.edit"].trigger()
    assert calls == [1]
    assert stage.context.actions["review.edit"] in widget.actions()


def test_the_cheat_sheet_calls_an_action_the_same_whatever_is_on_screen(qtbot: QtBot, stage: Stage) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    stage.context.actions["outbox.send"].setText("Do it anyway")
    shown = {made.text() for made in CheatSheet(stage.context.actions, host).findChildren(QLabel)}
    assert "Send now" in shown
    assert "Do it anyway" not in shown
