"""The shell: pages, counts, events, notices, keys, and that everything can be reached by name.

Whatever one types into comes back after a crash of the window, or stands here with a reason.

Pages and sections come from their registries and modules from the package, so that a new field is looked at without being named.

A new day is told once, and lists show it.

A page is made once, ahead or when it is asked for.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import cast

from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.domain.error_texts import Cause, ErrorText
from app.domain.protocol.events import (
    CommandFailed,
    ConnectionChanged,
    ConnectionState,
    EngineReady,
    ErrorReported,
    IndexProgress,
    Initiator,
    MailChanged,
    SettingsChanged,
    SyncPhase,
    SyncProgress,
    WorkChanged,
)
from app.domain.wire import Event
from app.ui.lists.model import LOOK_ROLE
from app.ui.navigation.painter import NARROW, WIDE
from app.ui.pages.settings.page import SettingsPage
from app.ui.pages.settings.sections import AppearanceSection
from app.ui.pages.shortcuts import CheatSheet
from app.ui.window.main_window import RESTART, MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import LEE, LivelyStore, Mail
from fakes.window.keyboard import press
from fakes.window.recorded_engine import RecordedEngine


def count_of(window: MainWindow, name: str) -> int:
    return next(place.count for place in window.navigation.places.places if place.name == name)


def test_keys_go_to_pages(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    window.show_page("activity")
    for key, name in (("2", "inbox"), ("4", "outbox"), ("1", "review")):
        press(f"Ctrl+{key}")
        assert window.name == name


def test_counts_stand_beside_the_pages(qtbot: QtBot, window: MainWindow, store: LivelyStore, link: RecordedEngine) -> None:
    qtbot.waitUntil(lambda: count_of(window, "review") == 8)
    assert count_of(window, "inbox") == 5
    assert count_of(window, "outbox") == 3
    store.put(Mail("n1", "n1", LEE, "Just in", "Hello", 0, labels=frozenset({"INBOX", "UNREAD"})))
    link.tell(MailChanged(store.account_id, (), Initiator.SYNC))
    qtbot.waitUntil(lambda: count_of(window, "inbox") == 6)


SAID: list[tuple[Event, Callable[[MainWindow], bool]]] = [
    (EngineReady(100.0, "openai/gpt-4o"), lambda window: window.status.model.words == "gpt-4o"),
    (ConnectionChanged(1, ConnectionState.OFFLINE, 0, ""), lambda window: "Offline" in window.status.connection.words),  # type: ignore[arg-type]
    (SyncProgress(1, SyncPhase.BACKFILL, 1, 9, -1.0), lambda window: window.status.bar.isVisible()),  # type: ignore[arg-type]
    (IndexProgress(1, 9), lambda window: "1" in window.status.sync.words),
    (WorkChanged(2, 1, False, 0, 0, 0.0), lambda window: "3" in window.status.work.words),
    (SettingsChanged("ollama/llama3"), lambda window: window.status.model.words == "llama3"),
    (
        CommandFailed("SendNow", "refused", ErrorText.of("Too late.")),
        lambda window: "Too late." in window.findChild(Toast).words.text(),
    ),
    (ErrorReported("disk_full"), lambda window: "disk is full" in window.findChild(Toast).words.text()),
    (
        ErrorReported("model_unavailable", ErrorText.of(Cause.MODEL_SERVER_FAILED, "models.example", "500")),
        lambda window: "will try again" in window.findChild(Toast).words.text(),
    ),
    (ErrorReported("bug"), lambda window: "went wrong" in window.findChild(Toast).words.text()),
]


def test_events_are_shown(window: MainWindow, link: RecordedEngine) -> None:
    for event, said in SAID:
        link.tell(event)
        assert said(window), event


def test_a_dead_engine_is_admitted_and_its_return_too(window: MainWindow, link: RecordedEngine) -> None:
    window.status.engine_down(2.0)
    assert "Reconnecting" in window.status.connection.words
    link.tell(EngineReady(100.0, ""))
    assert "Reconnecting" not in window.status.connection.words
    assert window.status.model.words == "No language model"


def test_a_changed_theme_is_worn_at_once_and_text_size_after_a_restart(
    qtbot: QtBot, window: MainWindow, link: RecordedEngine, data: DataFolder
) -> None:
    data.settings.write_text('[appearance]\ntheme = "dark"\ntext_percent = 110\n', encoding="utf-8")
    link.tell(SettingsChanged(""))
    assert window.appearance.theme.dark
    assert window.appearance.text_size == 1.0
    window.show_page("settings")
    page = cast(SettingsPage, window.page("settings"))
    page.show_section("appearance")
    page.refresh()
    section = cast(AppearanceSection, page.sections["appearance"])
    assert "Restart Replyroom" in section.restart.words
    with qtbot.waitSignal(window.quitting):
        section.restart.button.click()
    assert window.exit_code == RESTART
    data.settings.write_text('[appearance]\ntheme = "dark"\n', encoding="utf-8")
    page.refresh()
    assert section.restart.words == ""


def test_the_search_key_and_the_cheat_sheet(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    press("Ctrl+Shift+F")
    assert window.search.hasFocus()
    qtbot.keyClicks(window.search, "a?b")
    assert window.search.text() == "a?b"
    window.review_page.take_focus()
    press("Shift+?")
    sheet = window.findChild(CheatSheet)
    assert sheet.isVisible()
    middle = sheet.mapToGlobal(sheet.rect().center()) - window.mapToGlobal(window.rect().center())
    assert middle.manhattanLength() <= 4, "over the middle of the window"
    sheet.close()


def test_single_letters_are_typed_in_fields(qtbot: QtBot, window: MainWindow, store: LivelyStore, link: RecordedEngine) -> None:
    """E, R, S, X, J, K, Z are actions in the list and letters in a field."""
    window.activateWindow()
    window.review_page.open(store.reviews["meeting"])
    editor = window.review_page.desk.card.editor
    editor.setFocus()
    qtbot.keyClicks(editor, "ersxjkzw")
    assert window.review_page.desk.draft().body.startswith("ersxjkzw")  # type: ignore[union-attr]
    subject = window.review_page.desk.card.subject
    subject.setFocus()
    subject.clear()
    qtbot.keyClicks(subject, "ersxjkzw/?")
    assert subject.text() == "ersxjkzw/?"
    assert link.commands == []


def test_the_navigation_folds(window: MainWindow) -> None:
    for width in (1600, 860, 1280, 560):
        window.resize(width, 700)
        assert window.navigation.width() == (WIDE if width >= 1000 else NARROW)
        assert window.width() == width


def test_closing_remembers_the_place_and_tells(window: MainWindow) -> None:
    closed: list[int] = []
    quitting: list[int] = []
    window.closing.connect(lambda: closed.append(1))
    window.quitting.connect(lambda: quitting.append(1))
    window.resize(1111, 700)
    window.actions_by_id["window.quit"].trigger()
    window.close()
    assert (closed, quitting) == ([1], [1])
    assert window.context.state.value("window/geometry") is not None
    window.bring_to_front()
    assert window.isVisible()
    window.showMaximized()
    window.showMinimized()
    window.bring_to_front()
    assert (window.isMinimized(), window.isMaximized()) == (False, True)
    window.showNormal()


def test_words_that_were_searched_for_do_not_stand_over_another_list(window: MainWindow) -> None:
    window.search.setText("brake")
    press("Return", on=window.search)
    assert (window.name, window.search.text()) == ("search", "brake")
    window.show_page("inbox")
    assert window.search.text() == ""
    window.show_page("search")
    assert window.search.text() == "brake", "the page keeps them for who comes back"
    window.show_page("inbox")
    window.search.setText("half")
    window.show_page("outbox")
    assert window.search.text() == "half", "not searched for yet"


def test_todays_times_become_a_day_at_midnight(window: MainWindow, store: LivelyStore, qtbot: QtBot) -> None:
    window.show_page("inbox")
    model = window.mail_page.model

    def whens() -> list[str]:
        return [model.data(model.index(row, 0), LOOK_ROLE).when for row in range(model.rowCount())]

    assert any(":" in when for when in whens())
    store.now += timedelta(days=1)
    window._day_timer.timeout.emit()
    qtbot.waitUntil(lambda: not any(":" in when for when in whens()), timeout=30_000)
