"""However much is kept, a page reads what it shows: rows are counted here, never time."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.domain.agents.memory import Namespace
from app.domain.agents.routing import RoutingRule, RuleMatch
from app.domain.agents.runs import DailyWork, Route
from app.domain.ids import AccountId, GmailId, GmailThreadId, LetterId, MessageId, ReviewId, ThreadId
from app.domain.mail.letter import Letter, LetterKind
from app.domain.mail.message import Address, Label
from app.domain.mail.outbox import OutboxKind, OutboxState
from app.store.accounts.accounts import Accounts
from app.store.db.database import Database
from app.store.learning.preferences import Preferences
from app.store.letters.letters import Letters
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.outbox.outbox import NewOutbox, insert_item
from app.ui.message.thread_view import ReadingPane
from app.ui.navigation.places import MOST_LABELS, label_places, name_of_label
from app.ui.pages.activity.charts import Charts
from app.ui.pages.compose.drafts import DraftsPage
from app.ui.pages.mail.label_picker import LabelPicker
from app.ui.pages.memory.page import MemoryPage
from app.ui.pages.outbox.page import OutboxPage
from app.ui.window.desktop import in_state
from app.ui.window.main_window import MainWindow
from fakes.engine.store.values import ME, remote
from fakes.window.page_setup import Stage

NOW = datetime(2026, 3, 12, 9, 0, tzinfo=UTC)
MANY_ROWS = 400
ON_SCREEN = 64


@pytest.fixture
def db(lively_stage: Stage) -> Iterator[Database]:
    """The engine's side of the page's file, with an account."""
    with closing(Database.open(lively_stage.data.database)) as made:
        Accounts(made).add(ME.email, ME.name, (ME.email,), "", "#000000")
        yield made


def counted(monkeypatch: pytest.MonkeyPatch, stage: Stage, name: str) -> list[int]:
    """How many rows each call of a reader's method was asked for, or one."""
    asked: list[int] = []
    really: Callable[..., Mapping[object, object] | object] = getattr(stage.reader, name)

    def call(ids: Iterable[int] | int) -> object:
        ids = list(ids) if isinstance(ids, Iterable) else ids
        asked.append(len(ids) if isinstance(ids, list) else 1)
        return really(ids)

    monkeypatch.setattr(stage.reader, name, call)
    return asked


def test_memory_reads_what_is_on_screen(lively_stage: Stage, db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Preferences(db, lambda: NOW)
    for number in range(MANY_ROWS):
        kept.add(Namespace.TRIAGE, f"Note {number}")
    asked = counted(monkeypatch, lively_stage, "preferences_of")
    page = MemoryPage(lively_stage.context)
    lively_stage.show(page)
    assert page.model.rowCount() == MANY_ROWS
    assert page.words.text() == f"Note {MANY_ROWS - 1}"
    assert 0 < sum(asked) <= ON_SCREEN


def test_drafts_read_what_is_on_screen(lively_stage: Stage, db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    minutes = iter(range(MANY_ROWS))
    letters = Letters(db, lambda: NOW + timedelta(minutes=next(minutes)))
    for number in range(MANY_ROWS // 4):
        letters.save(Letter(LetterId(f"L{number}"), AccountId(1), LetterKind.NEW, subject=f"Letter {number}"), 1)
    drafts = [
        remote(f"d{number}", f"d{number}", labels=("DRAFT",), sender=ME, minutes=-number) for number in range(MANY_ROWS // 4)
    ]
    Messages(db).apply(AccountId(1), SyncPage(messages=tuple(drafts)))
    asked = counted(monkeypatch, lively_stage, "letters_of"), counted(monkeypatch, lively_stage, "messages_of")
    page = DraftsPage(lively_stage.context)
    lively_stage.show(page)
    assert page.model.rowCount() == MANY_ROWS // 2
    assert page.list.current_row() == 0
    assert 0 < sum(asked[0]) + sum(asked[1]) <= ON_SCREEN
    ours = [page.model.record(row) for row in range(MANY_ROWS // 4)]
    assert [getattr(one, "letter", None) is not None for one in ours] == [True] * (MANY_ROWS // 4)


def test_the_outbox_reads_what_is_on_screen(lively_stage: Stage, db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with db.transaction() as connection:
        for number in range(MANY_ROWS):
            mail = NewOutbox(
                AccountId(1), ReviewId(0), OutboxKind.SEND, ThreadId(1), GmailThreadId(""), "", f"Mail {number}",
                b"", "", f"m{number}", GmailId(""), NOW,
            )  # fmt: skip
            insert_item(connection, mail, NOW)
    mails = tuple(remote(f"m{number}", "long", minutes=number, text=f"Body {number}") for number in range(60))
    Messages(db).apply(AccountId(1), SyncPage(messages=mails))
    asked = counted(monkeypatch, lively_stage, "outbox_of")
    bodies = counted(monkeypatch, lively_stage, "message"), counted(monkeypatch, lively_stage, "messages")
    page = OutboxPage(lively_stage.context)
    lively_stage.show(page)
    assert page.model.rowCount() == MANY_ROWS
    assert page.item is not None and page.item.subject == f"Mail {MANY_ROWS - 1}"
    assert 0 < sum(asked) <= ON_SCREEN
    newest = page._newest()
    assert newest is not None and newest.body_text == "Body 59"
    assert (bodies[0], bodies[1]) == ([1], []), "one body of its conversation"
    page.list.select_row(MANY_ROWS - 1)
    assert page.item.subject == "Mail 0"
    assert sum(asked) <= 3 * ON_SCREEN


def test_the_tray_reads_only_what_may_still_leave(lively_stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = counted(monkeypatch, lively_stage, "outbox_of")
    monkeypatch.setattr(lively_stage.reader, "outbox", lambda limit=500: pytest.fail("all of it was read"))
    assert in_state(lively_stage.reader, OutboxState.HELD) == set()
    assert asked == []


def test_one_body_of_a_long_conversation_is_read(lively_stage: Stage, db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    mails = tuple(remote(f"m{number}", "long", minutes=number, text=f"Body {number}") for number in range(60))
    Messages(db).apply(AccountId(1), SyncPage(messages=mails))
    asked = counted(monkeypatch, lively_stage, "message"), counted(monkeypatch, lively_stage, "messages")
    pane = ReadingPane(lively_stage.context)
    pane.show_thread(ThreadId(1))
    assert pane.message is not None
    assert pane.message.body_text == "Body 59"
    assert (asked[0], asked[1]) == ([1], [])
    pane._show_message(MessageId(3))
    assert pane.message.body_text == "Body 2"
    assert len(asked[0]) == 2
    pane.show_soon(ThreadId(1))
    assert pane.message.id == MessageId(3), "what is read stays, whatever else changed"
    assert pane.settled
    pane.close()
    pane.deleteLater()


def test_labels_of_many_accounts_are_asked_for_at_once(lively_stage: Stage, db: Database) -> None:
    for number in range(12):
        whose = Accounts(db).add(f"a{number}@example.org", "", (), "", "#000000")
        labels = tuple(Label(f"L{at}", f"Label {at:02}", "user") for at in range(50))
        Messages(db).apply(whose, SyncPage(labels=labels))
    queries: list[str] = []
    with lively_stage.reader.reading() as connection:
        assert connection is not None
        connection.set_trace_callback(queries.append)
        places = label_places(lively_stage.reader)
        connection.set_trace_callback(None)
    assert len(queries) == 2
    assert [one.title for one in places if one.icon == "label"] == [f"Label {at:02}" for at in range(MOST_LABELS)]


def test_labels_are_found_by_typing_and_new_ones_named(qtbot: QtBot) -> None:
    labels = [Label(f"L{at}", f"Label {at:04}", "user") for at in range(300)]
    taken: list[Label] = []
    parent = QWidget()
    qtbot.addWidget(parent)
    picker = LabelPicker("Label", labels, frozenset({"L0"}), taken.append, lambda _name: None, parent)
    assert [picker.list.item(row).text() for row in (0, 299)] == ["✓ Label 0000", "Label 0299"]
    picker.field.setText("0299")
    assert [picker.list.item(row).text() for row in range(picker.list.count())] == ["Label 0299", "New label “0299”"]
    picker.take()
    assert [one.name for one in taken] == ["Label 0299"]


def test_charts_that_are_shown_read_two_days_again(lively_stage: Stage, db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with db.transaction() as connection:
        for days in range(10):
            at = int((lively_stage.context.clock() - timedelta(days=days)).timestamp() * 1000)
            values = (f"r{days}", "draft", "m", 1, 1, 0.0, 1.0, "h", 1, "", at)
            connection.execute(f"INSERT INTO llm_calls VALUES (NULL{', ?' * len(values)})", values)
    asked: list[datetime] = []
    really = lively_stage.reader.days_of_work

    def counted_days(since: datetime) -> tuple[DailyWork, ...]:
        asked.append(since)
        return really(since)

    monkeypatch.setattr(lively_stage.reader, "days_of_work", counted_days)
    charts = Charts(lively_stage.context, lambda: None)
    charts.refresh()
    before = charts.days
    charts.follow()
    assert charts.days == before
    assert sum(one.calls for one in before) > 2
    assert asked[1] - asked[0] > timedelta(days=4)
    assert lively_stage.context.clock() - asked[1] < timedelta(days=2)
    charts.refresh()
    assert asked[2] == asked[0]
    charts.deleteLater()


def rule(number: int) -> RoutingRule:
    """A rule of its own."""
    return RoutingRule(f"rule {number}", RuleMatch(sender_email=Address(f"a{number}@x.org").email), Route.PIPELINE)


def test_a_label_is_looked_up_once_and_also_behind_the_first_ones(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, asked = window.mail_page.context.reader, []
    names = tuple(f"Label {number:04}" for number in range(MANY_ROWS))
    monkeypatch.setattr(reader, "label_names", lambda: asked.append(1) or names)
    assert name_of_label(reader, "label:Label-0399") == "Label 0399"
    asked.clear()
    window.mail_page.search("label:Label-0399")
    for _ in range(5):
        window.mail_page.refresh()
    assert window.mail_page._heading.text() == "Label 0399"
    assert len(asked) == 1
    window.mail_page.search("from:ana")
    window.mail_page.refresh()
    assert len(asked) == 1, "no label's name begins so"
