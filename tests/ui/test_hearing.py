"""What the window's own actions and events do, beyond what its pages test: pause, sync, where to begin."""

from app.domain.commands import PauseAgents, SyncNow
from app.domain.events import ConnectionChanged, ConnectionState, WorkChanged
from app.domain.ids import AccountId
from app.ui.furnishing import first_page
from app.ui.hearing import Hearing
from app.ui.main_window import MainWindow
from app.ui.shell import Shell
from fakes.recorded_engine import RecordedEngine


def test_actions_say_and_do_what_the_engine_last_said(window: MainWindow, link: RecordedEngine) -> None:
    actions = window.actions_by_id
    link.tell(WorkChanged(0, 0, True, 0, 0, 0.0))
    assert "go on" in actions["window.pause"].text()
    actions["window.pause"].trigger()
    actions["window.sync"].trigger()
    assert link.commands[-2:] == [PauseAgents(False), SyncNow()]
    link.tell(WorkChanged(0, 0, False, 0, 0, 0.0))
    assert "Pause" in actions["window.pause"].text()


def test_a_page_made_later_hears_of_the_connection(window: MainWindow, link: RecordedEngine) -> None:
    offline = ConnectionChanged(AccountId(1), ConnectionState.OFFLINE, 0, "")
    link.tell(offline)
    hearing = window.findChild(Hearing)
    assert hearing is not None
    assert hearing.connection == offline


def test_it_begins_where_the_user_left(window: MainWindow) -> None:
    window.show_page("outbox")
    assert first_page(window._context) == "outbox"


def test_a_shell_without_a_window_does_nothing(window: MainWindow) -> None:
    shell = Shell()
    shell.show_page("inbox")
    shell.tell("Nobody hears this")
    assert window.name == "review"
    shell.window = window
    shell.show_page("inbox")
    assert window.name == "inbox"
    shell.leave_letter()
    assert window.name == "review"
