"""Several changes on their way: each is a command of its own, and only what is wrong counts as failed."""

import json

import pytest
from PySide6.QtCore import QObject

from app.domain.error_texts import ErrorText
from app.domain.protocol.commands import ChangeSettings
from app.domain.protocol.events import CommandFailed, SettingsChanged
from app.ui.pages.settings.form import ChangeOutcome, SettingsWriter
from app.ui.widgets.form_controls import Value
from fakes.window.page_setup import Stage

WRONG = ("sending.undo_s", 9)
HOUR = ("calendar.start", "08:00")


@pytest.mark.parametrize(
    "changes",
    [
        [("drafting.days", 9), ("sync.poll_s", 9), HOUR],
        [("drafting.days", 9), WRONG, ("sync.poll_s", 9), HOUR],
        [WRONG, ("drafting.days", 9), HOUR],
        [WRONG, ("sending.undo_s", 5), HOUR],
    ],
)
def test_one_wrong_value_fails_alone(stage: Stage, changes: list[tuple[str, Value]]) -> None:
    """The engine was down: all wait for it, and it does not say which of them it refused."""
    owner = QObject()
    writer = SettingsWriter(stage.engine, owner)
    stage.engine.subscribe(writer.hear)
    fates: dict[str, list[str]] = {key: [] for key, _value in changes}
    writer.settled.connect(lambda key, fate, _words: fates[key].append(fate))
    for key, value in changes:
        writer.change(key, value)
    assert [one.values for one in stage.engine.commands if isinstance(one, ChangeSettings)] == [
        ((key, json.dumps(value)),) for key, value in changes
    ]
    for one in changes:
        refused = CommandFailed("ChangeSettings", "bad_file", ErrorText.of("It is out of bounds.", "Change it."))
        stage.engine.tell(refused if one == WRONG else SettingsChanged(""))
    for key, value in dict(changes).items():
        fate = ChangeOutcome.FAILED if (key, value) == WRONG else ChangeOutcome.SAVED
        assert [one for one in fates[key] if one != ChangeOutcome.SAVING] == [fate], "only the newest change settles it"
