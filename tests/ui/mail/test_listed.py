"""The rows of Snoozed say when each conversation comes back."""

from datetime import timedelta

from PySide6.QtCore import Qt

from app.domain.ids import ThreadId
from app.store.snoozes import Snoozes
from app.ui.main_window import MainWindow
from fakes.lively_store import LivelyStore


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
