"""Compact lists: two lines a row, by the setting or the action; the place in the list stays."""

from pytestqt.qtbot import QtBot

from app.config.appearance import first_looks
from app.config.paths import DataFolder
from app.domain.protocol.commands import ChangeSettings
from app.domain.protocol.events import SettingsChanged
from app.ui.window.main_window import MainWindow
from fakes.window.recorded_engine import RecordedEngine


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


def test_the_first_frame_is_as_compact(data: DataFolder) -> None:
    data.settings.write_text('[reading]\ndensity = "compact"\n', encoding="utf-8")
    assert first_looks(data.settings).compact
