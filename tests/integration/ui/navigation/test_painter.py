"""Small parts of the shell: navigation, status line, panes, states, elided words, page staleness."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.domain.ids import AccountId
from app.domain.mail.message import Label
from app.domain.protocol.events import (
    ConnectionChanged,
    ConnectionState,
    IndexProgress,
    Initiator,
    MailChanged,
    SyncPhase,
    SyncProgress,
    WorkChanged,
)
from app.domain.wire import Event
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.ui.navigation.painter import Place
from app.ui.navigation.places import MOST_LABELS, label_places
from app.ui.navigation.view import Navigation
from app.ui.pages.base import Page
from app.ui.widgets.labels import ElidedLabel
from app.ui.widgets.split_view import EmptyState, ListAndDetail
from app.ui.window.status_bar import StatusLine
from fakes.engine.store.values import ME
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage

ACCOUNT = AccountId(1)
PLACES = [Place("review", "Review", "review"), Place(""), Place("inbox", "Inbox", "inbox")]


@pytest.fixture
def navigation(qtbot: QtBot, stage: Stage) -> Navigation:
    made = Navigation(stage.appearance, stage.context.icons, list(PLACES), "Pages")
    qtbot.addWidget(made)
    made.resize(220, 300)
    made.show()
    return made


def test_the_keyboard_walks_the_places_and_skips_gaps(navigation: Navigation) -> None:
    went: list[str] = []
    navigation.went.connect(went.append)
    navigation.mark("review")
    assert went == []
    navigation.setFocus()
    press("Down", on=navigation)
    assert went == ["inbox"]


def test_counts_are_spoken_and_painted(navigation: Navigation) -> None:
    before = navigation.grab().toImage()
    navigation.places.set_count("inbox", 23, strong=True)
    assert navigation.places.data(navigation.places.index(2)) == "Inbox 23"
    assert navigation.grab().toImage() != before
    navigation.places.set_count("inbox", 0, strong=True)
    assert navigation.places.data(navigation.places.index(2)) == "Inbox"


def test_a_list_with_room_is_as_wide_as_its_titles(qtbot: QtBot, stage: Stage) -> None:
    places = [Place("calendar", "Calendar, contacts and all else that is shared", "calendar")]
    made = Navigation(stage.appearance, stage.context.icons, places, "Sections", 24)
    qtbot.addWidget(made)
    usual, words = made.width(), made.fontMetrics().horizontalAdvance(places[0].title)
    assert usual < words
    made.fit(24, 1000)
    assert made.width() > words
    made.fit(24, usual)
    assert made.width() == usual


@pytest.fixture
def status(qtbot: QtBot, stage: Stage) -> StatusLine:
    made = StatusLine(stage.context.icons)
    qtbot.addWidget(made)
    made.resize(1200, 30)
    made.show()
    return made


def test_connection_is_said_in_words(status: StatusLine) -> None:
    said = []
    for state in ConnectionState:
        status.connection_changed(ConnectionChanged(ACCOUNT, state, 1_763_639_999_000, ""))
        said.append(status.connection.words)
    assert len(set(said)) == len(ConnectionState)
    assert any("since" in words for words in said)


def test_progress_has_real_numbers_and_an_estimate_only_when_there_is_one(status: StatusLine) -> None:
    status.sync_progress(SyncProgress(ACCOUNT, SyncPhase.BACKFILL, 410, 1000, -1.0))
    assert status.bar.isVisible()
    assert status.bar.value() == 410
    assert "410" in status.sync.words
    assert "left" not in status.sync.words
    status.sync_progress(SyncProgress(ACCOUNT, SyncPhase.BACKFILL, 500, 1000, 300.0))
    assert "5" in status.sync.words
    assert "left" in status.sync.words
    status.index_progress(IndexProgress(1, 9))
    assert "Indexing" not in status.sync.words
    status.sync_progress(SyncProgress(ACCOUNT, SyncPhase.CURRENT, 1000, 1000, 0.0))
    assert not status.bar.isVisible()
    status.index_progress(IndexProgress(1, 9))
    assert "Indexing" in status.sync.words
    status.index_progress(IndexProgress(9, 9))
    assert status.sync.words == ""


def test_cost_and_load_are_shown(status: StatusLine) -> None:
    status.work_changed(WorkChanged(3, 1, False, 14, 21_000, 0.031))
    assert "4" in status.work.words
    assert "token" not in status.work.words
    assert "token" in status.model.toolTip()
    assert "$0.03" in status.model.toolTip()
    status.work_changed(WorkChanged(0, 0, True, 0, 0, 0.0))
    assert "paused" in status.work.words
    status.set_pending(2, 1)
    assert "2" in status.pending.words
    assert "1" in status.pending.words
    status.set_pending(0, 0)
    assert status.pending.words == ""


def test_what_matters_least_goes_first(status: StatusLine) -> None:
    status.resize(500, 30)
    assert not status.model.isVisible()
    assert not status.work.isVisible()
    assert status.connection.isVisible()


def panes(qtbot: QtBot, stage: Stage) -> tuple[ListAndDetail, QWidget, QWidget]:
    listing, detail = QWidget(), QWidget()
    made = ListAndDetail(listing, detail, stage.context.state, "test")
    qtbot.addWidget(made)
    made.resize(1200, 600)
    made.show()
    return made, listing, detail


def test_a_splitter_remembers_its_place(qtbot: QtBot, stage: Stage) -> None:
    stage.context.state.setValue("splitters/test", 300)
    made, listing, _detail = panes(qtbot, stage)
    assert abs(listing.width() - 300) < 3
    for at in (320, 333):
        made.splitterMoved.emit(at, 1)
    made.hide()  # whoever goes at once finds it noted too
    stage.context.state.sync()
    again = QSettings(stage.context.state.fileName(), QSettings.Format.IniFormat)
    assert int(str(again.value("splitters/test"))) == 333


def test_a_state_has_one_sentence_and_one_action(qtbot: QtBot, stage: Stage) -> None:
    made, calls = EmptyState(stage.context.icons), []
    qtbot.addWidget(made)
    made.show()
    made.show_state("empty", "Nothing here", "It comes by itself.", "Look", lambda: calls.append(1))
    made.findChild(QPushButton).click()
    assert calls == [1]
    assert made.accessibleName() == "Nothing here. It comes by itself."
    made.show_state("empty", "Nothing here", "")
    assert not made.findChild(QPushButton).isVisible()


def test_elided_words_say_the_rest_in_the_tooltip(qtbot: QtBot) -> None:
    made = ElidedLabel("a long address that does not fit")
    qtbot.addWidget(made)
    made.resize(60, 20)
    made.show()
    assert made.shown.endswith("…")
    assert made.toolTip() == made.words == made.accessibleName()
    made.resize(800, 20)
    assert made.shown == made.words
    assert made.toolTip() == ""


class Counting(Page):
    """Counts its readings."""

    readings = 0

    def refresh(self) -> None:
        self.readings += 1

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, MailChanged)


def test_a_hidden_page_reads_nothing_and_a_shown_one_reads_bursts_once(qtbot: QtBot, stage: Stage) -> None:
    page = Counting(stage.context, "counting", "Counting")
    qtbot.addWidget(page)
    changed = MailChanged(ACCOUNT, (), Initiator.SYNC)
    for _ in range(20):
        page.hear(changed)
    qtbot.wait(20)
    assert page.readings == 0
    page.show()
    qtbot.waitUntil(lambda: page.readings == 1)
    for _ in range(100):
        page.hear(changed)
    qtbot.waitUntil(lambda: page.readings == 2)
    page.hear(WorkChanged(0, 0, False, 0, 0, 0.0))
    qtbot.wait(20)
    assert page.readings == 2
    page.hide()
    page.hear(changed)
    qtbot.wait(20)
    assert page.readings == 2
    page.show()
    assert page.readings == 3


@pytest.fixture
def db(stage: Stage) -> Iterator[Database]:
    with closing(Database.open(stage.data.database)) as made:
        Accounts(made).add(ME.email, ME.name, (ME.email,), "", "#000000")
        yield made


def test_labels_of_many_accounts_are_asked_for_at_once(stage: Stage, db: Database) -> None:
    for number in range(12):
        whose = Accounts(db).add(f"a{number}@example.org", "", (), "", "#000000")
        labels = tuple(Label(f"L{at}", f"Label {at:02}", "user") for at in range(50))
        Messages(db).apply(whose, SyncPage(labels=labels))
    queries: list[str] = []
    with stage.reader.reading() as connection:
        connection.set_trace_callback(queries.append)
        places = label_places(stage.reader)
        connection.set_trace_callback(None)
    assert len(queries) == 2
    assert [one.title for one in places if one.icon == "label"] == [f"Label {at:02}" for at in range(MOST_LABELS)]
