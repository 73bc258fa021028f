"""Tells the engine whether anybody looks at the program: new mail is asked for at once then, and less often otherwise.

Refuses to tell of a short look away, and to tell the same twice to the same engine.
"""

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from app.domain.account_commands import Attend
from app.domain.events import EngineReady, Event
from app.domain.ports.window import EngineLink

AWAY_MS = 5000
"""Who comes back sooner was not away."""


class Attention(QObject):
    """Lives as long as `parent`. A new engine takes it that somebody looks."""

    def __init__(self, app: QGuiApplication, link: EngineLink, parent: QObject) -> None:
        super().__init__(parent)
        self._link = link
        self._told = True
        self._leaving = QTimer(self)
        self._leaving.setSingleShot(True)
        self._leaving.setInterval(AWAY_MS)
        self._leaving.timeout.connect(lambda: self._tell(looked_at=False))
        app.applicationStateChanged.connect(self._changed)
        self.destroyed.connect(link.subscribe(self._hear))

    def _changed(self, state: Qt.ApplicationState) -> None:
        if state != Qt.ApplicationState.ApplicationActive:
            self._leaving.start()
            return
        self._leaving.stop()
        self._tell(looked_at=True)

    def _hear(self, event: Event) -> None:
        if isinstance(event, EngineReady) and not self._told:
            self._link.send(Attend(looked_at=False))

    def _tell(self, *, looked_at: bool) -> None:
        if looked_at is not self._told:
            self._told = looked_at
            self._link.send(Attend(looked_at))
