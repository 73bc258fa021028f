"""Sends changed settings: collects them for a moment, sends them as one command and reports the outcome."""

import json
from enum import StrEnum

from PySide6.QtCore import QObject, QTimer, Signal

from app.config.settings import Settings
from app.domain.ports.window import EngineLink
from app.domain.protocol.commands import ChangeSettings
from app.domain.protocol.events import CommandFailed, Event, SettingsChanged
from app.ui.i18n.error_messages import sentence
from app.ui.widgets.form_controls import Value, value_of

COLLECT_MS = 200


class ChangeOutcome(StrEnum):
    """State of a change. `UNSAVED` means that the user is still typing."""

    NONE = "none"
    UNSAVED = "unsaved"
    SAVING = "saving"
    SAVED = "saved"
    FAILED = "failed"


class SettingsWriter(QObject):
    """Emits `settled(key, outcome, error text)` for each change. Values that the file already has are not sent.

    Each value is a command of its own, so that a wrong one does not stop the others. The engine answers commands in order.
    """

    settled = Signal(str, str, str)

    def __init__(self, link: EngineLink, parent: QObject) -> None:
        super().__init__(parent)
        self._link = link
        self._known = Settings()
        self._queued: dict[str, Value] = {}
        self._sent: list[dict[str, Value]] = []
        self._saved: dict[str, Value] = {}
        self._timer = QTimer(self, singleShot=True, interval=COLLECT_MS)
        self._timer.timeout.connect(self.send_now)

    def read(self, settings: Settings) -> None:
        """Takes the values of the file."""
        self._known, self._saved = settings, {}

    def change(self, key: str, value: Value) -> None:
        """Queues a change. A value that the file already has only cancels a queued one."""
        waits = any(key in sent for sent in self._sent)
        if not waits and self._saved.get(key, value_of(self._known, key)) == value:
            self._queued.pop(key, None)
            self.settled.emit(key, ChangeOutcome.NONE, "")
            return
        self._queued[key] = value
        self.settled.emit(key, ChangeOutcome.SAVING, "")
        self._timer.start()

    def send_now(self) -> None:
        self._timer.stop()
        queued, self._queued = self._queued, {}
        for key, value in queued.items():
            self._send({key: value})

    def change_together(self, values: dict[str, Value]) -> None:
        """Sends changes that only make sense together as one command, right away."""
        for key in values:
            self._queued.pop(key, None)
            self.settled.emit(key, ChangeOutcome.SAVING, "")
        self._send(values)

    def _send(self, values: dict[str, Value]) -> None:
        self._sent.append(values)
        self._link.send(ChangeSettings(tuple((key, json.dumps(value, ensure_ascii=False)) for key, value in values.items())))

    def hear(self, event: Event) -> None:
        """Takes the engine's answer to the oldest command."""
        if not self._sent:
            return
        if changes_settings(event):
            sent = self._sent.pop(0)
            self._saved |= sent
            for key in sent:
                self._settle(key, ChangeOutcome.SAVED, "")
        elif isinstance(event, CommandFailed) and event.command == ChangeSettings.__name__:
            for key in self._sent.pop(0):
                self._settle(key, ChangeOutcome.FAILED, sentence(event.code, event.text))

    def _settle(self, key: str, outcome: ChangeOutcome, words: str) -> None:
        """Emits an outcome, unless a newer change of the same setting is still on its way."""
        if key not in self._queued and all(key not in sent for sent in self._sent):
            self.settled.emit(key, outcome, words)


def changes_settings(event: Event) -> bool:
    return isinstance(event, SettingsChanged)
