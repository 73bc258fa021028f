"""The icons beside a conversation's subject, by view: none that would change nothing there.

The rows of Snoozed say when each conversation comes back.
"""

from datetime import timedelta

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.domain.ids import ThreadId
from app.domain.protocol.commands import ChangeSettings
from app.domain.protocol.events import SettingsChanged
from app.domain.protocol.views import MailView
from app.store.mail.snoozes import Snoozes
from app.ui.pages.mail.desk import NAMES
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.recorded_engine import RecordedEngine


def shown(window: MainWindow) -> set[str]:
    """The actions that have an icon now."""
    return {name for name, tool in window.mail_page.tools.tools.items() if not tool.isHidden()}


def test_what_changes_nothing_is_not_offered(window: MainWindow) -> None:
    window.show_page("inbox")
    for view, gone in (
        (MailView.INBOX, {"mail.inbox"}),
        (MailView.SPAM, {"mail.archive"}),
        (MailView.TRASH, {"mail.archive", "mail.trash"}),
    ):
        window.mail_page.show_view(view)
        assert shown(window) == set(NAMES) - gone, view


def spoken(window: MainWindow) -> str:
    """What a screen reader says of the first row."""
    model = window.mail_page.model
    return str(model.data(model.index(0, 0), int(Qt.ItemDataRole.AccessibleTextRole)))


def test_a_snoozed_row_says_when_it_comes_back(window: MainWindow, store: LivelyStore) -> None:
    thread = ThreadId(store.mails["m01"].thread_id)
    Snoozes(store.db, store.clock).put("k", [thread], store.now + timedelta(days=2))
    window.show_page("snoozed")
    assert window.mail_page.model.rowCount() == 1
    assert "back on Sun" in spoken(window)
    window.show_page("all")
    assert "back" not in spoken(window)


def test_rows_become_compact(qtbot: QtBot, window: MainWindow, data: DataFolder, link: RecordedEngine) -> None:
    window.show_page("inbox")
    rows = window.mail_page.list
    before, current = rows.row_height, rows.current_row()
    window.actions_by_id["mail.density"].trigger()
    assert link.commands[-1] == ChangeSettings((("reading.density", '"compact"'),))
    data.settings.write_text('[reading]\ndensity = "compact"\n', encoding="utf-8")
    link.tell(SettingsChanged(""))
    assert rows.row_height < before * 0.7
    assert rows.verticalHeader().sectionSize(1) == rows.row_height  # the first has a heading
    assert rows.current_row() == current
    window.actions_by_id["mail.density"].trigger()
    assert link.commands[-1] == ChangeSettings((("reading.density", '"comfortable"'),))
