"""The way of a change: sent together, and of what was refused together only what is wrong counts as failed."""

import json

import pytest
from PySide6.QtCore import QObject

from app.config.settings import Settings
from app.domain.error_texts import ErrorText
from app.domain.protocol.commands import ChangeSettings
from app.domain.protocol.events import CommandFailed, SettingsChanged
from app.domain.wire import Command
from app.ui.pages.settings.form import ChangeOutcome, SettingsWriter
from app.ui.widgets.form_controls import Value, value_of
from fakes.window.page_setup import Stage

WRONG = "sending.undo_s"


class Answering:
    """An engine that refuses whatever holds the wrong value, and tells of what it wrote."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.stands: dict[str, Value] = {}
        self.asked: list[tuple[str, ...]] = []

    def answer(self) -> bool:
        sent = self._commands()
        if len(self.asked) == len(sent):
            return False
        pairs = sent[len(self.asked)].values
        self.asked.append(tuple(key for key, _value in pairs))
        if (WRONG, "9") in pairs:
            self.stage.engine.tell(
                CommandFailed("ChangeSettings", "bad_file", ErrorText.of(f"{WRONG} is out of bounds.", "Change it."))
            )
        else:
            self.stands.update({key: json.loads(value) for key, value in pairs})
            self.stage.engine.tell(SettingsChanged(""))
        return True

    def _commands(self) -> list[ChangeSettings]:
        commands: list[Command] = self.stage.engine.commands
        return [one for one in commands if isinstance(one, ChangeSettings)]


@pytest.mark.parametrize("wrong", [(), (WRONG,)])
def test_one_wrong_value_fails_alone(stage: Stage, wrong: tuple[str, ...]) -> None:
    owner = QObject()
    writer = SettingsWriter(stage.engine, owner)
    stage.engine.subscribe(writer.hear)
    fates: dict[str, str] = {}
    writer.settled.connect(lambda key, fate, _words: fates.update({key: fate}))
    engine, settings = Answering(stage), Settings()
    right = ("drafting.days", "sync.poll_s", "calendar.start")
    for key in (right[0], *wrong, *right[1:]):
        value = value_of(settings, key)
        writer.change(key, "08:00" if isinstance(value, str) else 9)
    while engine.answer():
        pass
    assert set(engine.stands) == set(right)
    assert fates == {**dict.fromkeys(right, ChangeOutcome.SAVED), **dict.fromkeys(wrong, ChangeOutcome.FAILED)}
    assert len(engine.asked) == len(right) + len(wrong), "each is sent alone"


@pytest.mark.parametrize("then", [("drafting.days", 9), (WRONG, 5)])
def test_of_two_changes_on_their_way_the_wrong_one_fails(stage: Stage, then: tuple[str, Value]) -> None:
    """The engine was down: both wait for it, and it does not say which of them it refused."""
    owner = QObject()
    writer = SettingsWriter(stage.engine, owner)
    stage.engine.subscribe(writer.hear)
    fates: dict[str, str] = {}
    writer.settled.connect(lambda key, fate, _words: fates.update({key: fate}))
    engine = Answering(stage)
    for key, value in ((WRONG, 9), then, ("calendar.start", "08:00")):
        writer.change(key, value)
    while engine.answer():
        pass
    assert engine.stands == {"calendar.start": "08:00", then[0]: then[1]}
    assert fates == {WRONG: ChangeOutcome.FAILED, "calendar.start": ChangeOutcome.SAVED, then[0]: ChangeOutcome.SAVED}
