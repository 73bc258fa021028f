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
    """Emits `settled(key, outcome, error text)` for each change. Values that the file already has are not sent."""

    settled = Signal(str, str, str)

    def __init__(self, link: EngineLink, parent: QObject) -> None:
        super().__init__(parent)
        self._link = link
        self._known = Settings()
        self._queued: dict[str, Value] = {}
        self._sent: dict[str, Value] = {}
        self._to_retry: dict[str, Value] = {}
        self._retrying = ""
        self._in_flight = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(COLLECT_MS)
        self._timer.timeout.connect(self.send_now)

    def read(self, settings: Settings) -> None:
        """Takes the values of the file. Sent changes that are in it are saved."""
        self._known = settings
        for key in [key for key, value in self._sent.items() if value_of(settings, key) == value]:
            del self._sent[key]
            self.settled.emit(key, ChangeOutcome.SAVED, "")

    def change(self, key: str, value: Value) -> None:
        """Queues a change. A value that the file already has only cancels a queued one."""
        if value_of(self._known, key) == value and key not in self._sent:
            self._queued.pop(key, None)
            self.settled.emit(key, ChangeOutcome.NONE, "")
            return
        self._queued[key] = value
        self.settled.emit(key, ChangeOutcome.SAVING, "")
        self._timer.start()

    def send_now(self) -> None:
        """Sends the queued changes. While refused ones are retried one by one, they wait behind those."""
        self._timer.stop()
        if not self._queued:
            return
        collected, self._queued = self._queued, {}
        if self._retrying:
            self._to_retry.update(collected)
        else:
            self._send(collected)

    def hear(self, event: Event) -> None:
        """Takes the engine's answer.

        One invalid value makes the engine refuse all values of a command, and a failure does not say which command it belongs to.
        So every refused value is sent again on its own once all commands are answered. Saved values are seen by reading the file.
        """
        if changes_settings(event):
            self._answered()
            if self._retrying and self._sent.pop(self._retrying, None) is not None:
                self.settled.emit(self._retrying, ChangeOutcome.SAVED, "")
            self._retry_next()
        elif isinstance(event, CommandFailed) and event.command == ChangeSettings.__name__:
            self._answered()
            refused, self._sent = self._sent, {}
            if len(refused) == 1 and not self._in_flight:
                words = sentence(event.code, event.text)
                self.settled.emit(next(iter(refused)), ChangeOutcome.FAILED, words)
            else:
                self._to_retry = {**refused, **self._to_retry}
            self._retry_next()

    def _answered(self) -> None:
        self._in_flight = max(0, self._in_flight - 1)

    def _retry_next(self) -> None:
        """Sends the next refused value on its own, once no command is pending."""
        if self._in_flight:
            return
        self._retrying = next(iter(self._to_retry), "")
        if self._retrying:
            self._send({self._retrying: self._to_retry.pop(self._retrying)})

    def _send(self, values: dict[str, Value]) -> None:
        self._sent.update(values)
        self._in_flight += 1
        self._link.send(ChangeSettings(tuple((key, json.dumps(value, ensure_ascii=False)) for key, value in values.items())))


def changes_settings(event: Event) -> bool:
    """Whether the settings file was written."""
    return isinstance(event, SettingsChanged)
