"""What a screen reader is told, asked through Qt's own accessibility interfaces, and what is announced to it.

Tooltips show what somebody wrote, whatever it looks like.
"""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.domain.error_texts import ErrorText
from app.domain.protocol.events import CommandFailed, ConnectionChanged, ConnectionState, SyncPhase, SyncProgress
from app.ui.lists.view import RowList
from app.ui.widgets import factory
from app.ui.widgets.factory import plain_tip
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.tab_order import settle

Heard = list[tuple[str, QAccessible.AnnouncementPoliteness]]


class Listener:
    """Stands where Qt hands events to the desktop's screen reader; the rest of `QAccessible` is Qt's."""

    AnnouncementPoliteness = QAccessible.AnnouncementPoliteness

    def __init__(self) -> None:
        self.heard: Heard = []

    def updateAccessibility(self, event: QAccessibleAnnouncementEvent) -> None:  # noqa: N802 - Qt's name
        """An event for the screen reader."""
        self.heard.append((event.message(), event.politeness()))


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Heard]:
    listener = Listener()
    monkeypatch.setattr(factory, "QAccessible", listener)
    yield listener.heard


def told(widget: QWidget, what: QAccessible.Text = QAccessible.Text.Name) -> str:
    """What Qt tells of a widget."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(what)


def row_told(listing: RowList, row: int) -> str:
    """What Qt tells of a row of a list."""
    interface = QAccessible.queryAccessibleInterface(listing)
    assert interface is not None
    parts = [interface.child(at) for at in range(interface.childCount())]
    cells = [one for one in parts if one.role() is QAccessible.Role.Cell]  # beside them the headers, which are hidden
    assert len(cells) == listing.model().rowCount()
    return cells[row].text(QAccessible.Text.Name)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("flagged", ("Ana Novák", "New bank account", "reply", "has warnings")),
        ("slots", ("Ana Novák", "Re: Delivery of order 4411", "reply", "has blanks")),
        ("escalation", ("escalation",)),
    ],
)
def test_a_row_of_the_queue_says_all_it_shows(
    qtbot: QtBot, window: MainWindow, store: LivelyStore, name: str, words: tuple[str, ...]
) -> None:
    settle(qtbot)
    queue = window.review_page.queue
    said = row_told(queue.list, queue.row_of(store.reviews[name])).split(", ")
    assert [one for one in words if one not in said] == []
    assert ("has warnings" in said) is ("has warnings" in words)


def test_flags_and_look_alikes_are_told(qtbot: QtBot, window: MainWindow, store: LivelyStore, heard: Heard) -> None:
    window.show_review(store.reviews["flagged"])
    settle(qtbot)
    desk = window.review_page.desk
    assert "looks like an address you know" in told(desk.flags)
    assert told(desk.flags) in [words for words, _politeness in heard]
    to = told(desk.card.to.line, QAccessible.Text.Description)
    assert to == "ana.novak@partner-example.test: impostor?"
    desk.card.to.line.setText("ann@elsewhere.example")
    assert told(desk.card.to.line, QAccessible.Text.Description) == "ann@elsewhere.example: new"
    window.show_review(store.reviews["plain"])
    settle(qtbot)
    assert told(desk.card.to.line, QAccessible.Text.Description).endswith(": in conversation")
    assert told(desk.flags) == ""


def test_the_marks_of_a_draft_are_its_description(qtbot: QtBot, window: MainWindow, store: LivelyStore) -> None:
    window.show_review(store.reviews["slots"])
    settle(qtbot)
    editor = window.review_page.desk.card.editor
    said = told(editor, QAccessible.Text.Description)
    assert said == "Fill in: your answer. Not found in your mail: “by Friday”. From your mail: “It leaves us on Monday”."
    editor.select_slot(from_start=True)
    QTest.keyClicks(editor, "AB 12")
    said = told(editor, QAccessible.Text.Description)
    assert said == "Not found in your mail: “by Friday”. From your mail: “It leaves us on Monday”."


def test_a_refused_approval_is_said_at_once(qtbot: QtBot, window: MainWindow, store: LivelyStore, heard: Heard) -> None:
    window.show_review(store.reviews["slots"])
    settle(qtbot)
    qtbot.wait(400)  # an item that only just came up is not approved
    window.actions_by_id["review.approve"].trigger()
    settle(qtbot)
    refusal = window.review_page.desk.flags.approval_error
    assert refusal
    assert (refusal, QAccessible.AnnouncementPoliteness.Assertive) in heard


def test_a_notice_is_heard_with_what_it_offers(window: MainWindow, heard: Heard) -> None:
    toast = window.findChild(Toast)
    toast.tell("Sent to Ann in 10 seconds.", "Undo", lambda: None)
    assert heard == [("Sent to Ann in 10 seconds. Undo Ctrl+Z", QAccessible.AnnouncementPoliteness.Polite)]


def test_trouble_with_the_connection_is_heard_and_its_end_too(window: MainWindow, store: LivelyStore, heard: Heard) -> None:
    for state in (ConnectionState.ONLINE, ConnectionState.OFFLINE, ConnectionState.OFFLINE, ConnectionState.ONLINE):
        window.status.connection_changed(ConnectionChanged(store.account_id, state, 0, "gmail.googleapis.com"))
    said = [words for words, _politeness in heard]
    assert len(said) == 2
    assert said[0].startswith("Offline since")
    assert said[1] == "Online"
    window.status.engine_down(4.0)
    assert "Reconnecting" in heard[-1][0]


def test_progress_is_a_value_with_words(window: MainWindow, store: LivelyStore, heard: Heard) -> None:
    window.status.sync_progress(SyncProgress(store.account_id, SyncPhase.BACKFILL, 4_113, 21_340, 380.0))
    bar = window.status.bar
    interface = QAccessible.queryAccessibleInterface(bar)
    assert interface.role() is QAccessible.Role.ProgressBar
    assert told(bar) == "Sync progress"
    assert told(bar, QAccessible.Text.Description).startswith(
        f"{QLocale().toString(4_113)} of {QLocale().toString(21_340)} emails"
    )
    assert heard == []  # it moves too often to be said


def test_what_a_page_says_itself_is_no_notice_too(window: MainWindow, heard: Heard) -> None:
    toast = window.findChild(Toast)
    assert toast is not None
    refused = CommandFailed("StartDrafting", "refused", ErrorText.of("No mail is here yet."))
    window.show_page("welcome")
    window.hear(refused)
    assert toast.isHidden()
    assert [politeness for _words, politeness in heard] == [QAccessible.AnnouncementPoliteness.Assertive]
    window.show_page("inbox")
    window.hear(refused)
    assert toast.isVisible()


@pytest.mark.parametrize(
    "words",
    [
        "Re: order 4411",
        "Re: <img src='file://host/share/x.png'> hi",
        "a < b and c > d",
        "x &lt; y",
        "<b>one</b>\n  two & three",
        "",
    ],
)
def test_words_are_shown_as_they_stand(words: str) -> None:
    tip = plain_tip(words)
    assert "<img" not in tip
    assert "<b>" not in tip
    if tip != words:
        document = QTextDocument()
        document.setHtml(tip)
        assert document.toPlainText() == words


def test_plain_words_are_left_alone() -> None:
    assert plain_tip("Ana <ana@example.org>\n2 lines") == "Ana <ana@example.org>\n2 lines"
