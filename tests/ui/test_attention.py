"""Whether anybody looks at the program reaches the engine: soon when somebody comes, later when nobody is left."""

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

from app.domain.account_commands import Attend
from app.domain.events import EngineReady
from app.ui.attention import Attention
from fakes.recorded_engine import RecordedEngine

ACTIVE, INACTIVE = Qt.ApplicationState.ApplicationActive, Qt.ApplicationState.ApplicationInactive


def test_a_look_away_is_told_once_it_lasts_and_a_look_back_at_once(qapp: QApplication) -> None:
    link, parent = RecordedEngine(), QObject()
    attention = Attention(qapp, link, parent)
    leaving = attention.findChildren(QTimer)[0]
    qapp.applicationStateChanged.emit(INACTIVE)
    qapp.applicationStateChanged.emit(ACTIVE)
    assert (link.commands, leaving.isActive()) == ([], False)
    for _ in range(2):
        qapp.applicationStateChanged.emit(INACTIVE)
        leaving.timeout.emit()
    link.tell(EngineReady(1, ""))
    assert link.commands == [Attend(looked_at=False)] * 2, "a new engine has to be told"
    qapp.applicationStateChanged.emit(ACTIVE)
    link.tell(EngineReady(1, ""))
    assert link.commands[2:] == [Attend(looked_at=True)]
    leaving.stop()
