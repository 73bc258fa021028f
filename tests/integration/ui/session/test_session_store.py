"""Where the user is outlives the window: what is kept, when it is written, and what an account takes with it.

A damaged place is no place: the window starts, every page opens, and what is whole of the place is used.
"""

import json
import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPlainTextEdit, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.domain.drafting.draft import Draft
from app.domain.ids import AccountId, LetterId
from app.domain.mail.letter import Letter, LetterKind
from app.domain.protocol.events import EngineReady
from app.store.accounts import Accounts
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.message.remote_images import RemoteImageChoice
from app.ui.session.session_store import (
    LARGEST_LONG,
    SAVE_MS,
    PageState,
    SessionStore,
    line_of,
    long_number,
    number,
    text_of,
    type_again,
    typed_texts,
)
from app.ui.session.typed_text import KeptLetters, UnsavedEdits, forget_account
from app.ui.startup.application import WindowOptions, build_window
from app.ui.startup.assembly import first_page
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.keyboard import Keyboard
from fakes.window.recorded_engine import RecordedEngine


def kept(data: DataFolder) -> dict[str, PageState]:
    file = data.session
    return json.loads(file.read_text()) if file.exists() else {}


NAME = "session.json"


def test_it_is_written_once_whole_and_only_when_changed(qtbot: QtBot, tmp_path: Path) -> None:
    owner, file = QObject(), tmp_path / NAME
    place: PageState = {"row": "7", "above": 3}
    made = SessionStore(file, owner)
    moved = made.follow("mail", lambda: place)
    moved()
    assert not file.exists()
    qtbot.waitUntil(file.exists, timeout=30_000)
    assert SessionStore(file, owner).at("mail") == place
    assert file.stat().st_mode & 0o77 == 0
    file.unlink()
    moved()
    made.save()
    assert not file.exists(), "nothing moved, so nothing is written"
    place = {"row": "8"}
    moved()
    made.save()
    assert SessionStore(file, owner).at("mail") == place
    assert [one.name for one in tmp_path.iterdir()] == [NAME]


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe stands for a slow disk")
def test_the_window_does_not_wait_for_a_slow_disk(qtbot: QtBot, tmp_path: Path) -> None:
    owner, slow = QObject(), tmp_path / "session.new"
    os.mkfifo(slow)  # opening it waits for a reader
    made = SessionStore(tmp_path / NAME, owner)
    made.follow("mail", lambda: {"row": "7"})()
    qtbot.wait(2 * SAVE_MS)
    assert json.loads(slow.read_text()) == {"mail": {"row": "7"}}
    made.save()
    assert (tmp_path / NAME).exists(), "the end waits until it is written"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"mail": 3}', '{"mail": {"row": [1]}}', "\x00\xff", '{"mail": {"row": null}}'])
def test_a_broken_file_is_no_file(tmp_path: Path, text: str) -> None:
    (tmp_path / NAME).write_text(text, encoding="latin-1")
    owner = QObject()
    assert SessionStore(tmp_path / NAME, owner).at("mail") == {}


@pytest.mark.expects_warnings
def test_a_folder_that_cannot_be_written_costs_only_the_place(qapp: QApplication, tmp_path: Path) -> None:
    owner = QObject()
    made = SessionStore(tmp_path / "gone" / NAME, owner)
    made.follow("mail", lambda: {"row": "1"})()
    made.save()
    assert made.at("mail") == {"row": "1"}


def test_a_label_is_a_place_too_and_its_search_waits_for_the_engine(window: MainWindow) -> None:
    window.show_page("label:Invoices")
    window.hear(EngineReady(1.0, ""))
    window._session.save()
    assert (first_page(window.context), window.mail_page.search_text) == ("label:Invoices", "label:Invoices")


def test_a_forgotten_account_takes_places_and_searches_along(window: MainWindow, data: DataFolder, store: LivelyStore) -> None:
    window.show_page("search")
    Keyboard().type("a secret word")
    window.search.setText("another secret")
    window._session.save()
    assert "secret" in (data.session).read_text()
    reader = window.context.reader
    forget_account(window.state, reader, reader.accounts()[0].id)
    window.context.navigator.forget_words()
    window._session.save()
    assert (window.search.text(), window.search_page.line.text()) == ("", "")
    assert "secret" not in json.dumps(kept(data))


@pytest.mark.parametrize("last", [False, True])
def test_half_typed_words_go_with_their_account_and_those_of_nobody_with_the_last(
    window: MainWindow, data: DataFolder, store: LivelyStore, last: bool
) -> None:
    if not last:
        Accounts(store.db).add("other@example.org", "Other", ("other@example.org",), "", "#2B59C3")
    window.show_page("assistant")
    Keyboard().type("a secret request")
    window.show_page("memory")
    page = window.page("memory")
    page.add()  # type: ignore[attr-defined]
    Keyboard().type("a rule of mine")
    window._session.save()
    for words in ("secret request", "rule of mine"):
        assert words in data.session.read_text()
    forget_account(window.state, window.context.reader, window.accounts()[0].id)
    window.context.navigator.forget_words()
    text = data.session.read_text() if data.session.exists() else ""
    assert "secret" not in text
    assert ("rule of mine" in text) is not last


DAMAGED = ("x", "", "7.5", "²", "1" * 5000, -(10**30), 10**30)


@pytest.mark.parametrize("value", DAMAGED)
def test_what_is_no_number_is_none(value: str | int) -> None:
    assert (number({"y": value}, "y"), long_number({"y": value}, "y")) == (0, 0)
    assert number({}, "y") == long_number({}, "y") == 0


def test_what_could_not_be_written_again_is_not_kept(tmp_path: Path) -> None:
    file, owner = tmp_path / NAME, QObject()
    values = {"a": 10**30, "b": LARGEST_LONG, "d": 1.5, "e": None, "f": "whole"}
    file.write_text(json.dumps({"mail": values}))
    assert SessionStore(file, owner).at("mail") == {"b": LARGEST_LONG, "f": "whole"}
    file.write_text("[" * 100_000)
    assert SessionStore(file, owner).at("mail") == {}, "nested too deep to be read"


def damaged(store: LivelyStore, bad: object) -> dict[str, object]:
    """Where somebody was on every page, with each number but those that name the thing replaced."""
    thread, review = int(store.mails["m01"].thread_id), store.reviews["plain"]
    listed = {"row": bad, "top": str(thread), "above": bad}
    return {
        "window": {"page": "long ago", "search": "half"},
        "mail": {"list": "inbox", "message": bad, "thread": bad, **listed},
        "review": {"row": str(review), "top": str(review), "above": bad, "decided": 0},
        "outbox": listed,
        "activity": listed,
        "assistant": {**listed, "text": "half a", "account": bad, "plan:x": bad, "asked:x": bad},
        "memory": {**listed, "adding": 0, "about": bad, "group": bad, "text": "half a"},
        "templates": {**listed, "id": bad, "name": "half", "text": "half a"},
        "settings": {"section": bad, "model.name": bad, "rule.old": bad},
    }


def again_damaged_places(qtbot: QtBot, data: DataFolder, store: LivelyStore) -> MainWindow:
    """A window over the folder as it lies there, begun where its file says."""
    made = build_window(data, SqliteMailboxReader(data.database), RecordedEngine(), WindowOptions(clock=store.clock))
    made.resize(1280, 820)
    qtbot.addWidget(made, before_close_func=lambda one: one.context.reader.close())
    with qtbot.waitExposed(made, timeout=30_000):
        made.show()
    return made


@pytest.mark.parametrize(
    "bad", ["x", pytest.param(10**30, marks=pytest.mark.soak), pytest.param(LARGEST_LONG, marks=pytest.mark.soak)]
)
def test_every_page_opens_over_a_damaged_place(qtbot: QtBot, data: DataFolder, store: LivelyStore, bad: object) -> None:
    data.session.write_text(json.dumps(damaged(store, bad)))
    window = again_damaged_places(qtbot, data, store)
    assert (window.name, first_page(window.context)) == ("review", "review"), "that page is gone"
    assert window.search.text() == "half"
    for page in ("inbox", "outbox", "assistant", "activity", "memory", "templates", "settings", "compose", "review"):
        window.show_page(page)
    review = window.review_page.current_review()
    assert review is not None and review.id == store.reviews["plain"], "what is whole is used"
    memory = window.page("memory")
    assert memory.editor.text.toPlainText() == "half a", "no words are lost"  # type: ignore[attr-defined]
    window._session.save()
    json.loads(data.session.read_text())


def box() -> QComboBox:
    made = QComboBox()
    made.setEditable(True)
    return made


@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit, QTextEdit, box])
def test_text_is_set_again(qtbot: QtBot, kind: type[QWidget]) -> None:
    holder = kind()
    qtbot.addWidget(holder)
    field = line_of(holder)
    assert field is not None
    type_again({"text": "Dear Ana"}, text=field)
    assert typed_texts(text=field) == {"text": "Dear Ana"}
    type_again({"other": "x", "text": 3}, text=field)
    assert text_of(field) == "Dear Ana", "only text, and only its own"


OTHER = AccountId(99)


@pytest.fixture
def state(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


def test_the_words_of_the_account_go(state: QSettings, store: LivelyStore, tmp_path: Path) -> None:
    reader = SqliteMailboxReader(store.path)
    mine = reader.accounts()[0].id
    review = reader.review(store.reviews["meeting"])
    UnsavedEdits(state).keep(review.id, 1, Draft((), (), (), "Hush", "a secret edit", "template"))
    KeptLetters(state).keep(Letter(LetterId("l1"), mine, LetterKind.NEW, body="a secret letter"), 1)
    KeptLetters(state).keep(Letter(LetterId("l2"), OTHER, LetterKind.NEW, body="somebody else's"), 1)
    RemoteImageChoice(state).allow("friend@secret.example", allowed=True)
    forget_account(state, reader, mine)
    reader.close()
    text = (tmp_path / "window.ini").read_text()
    assert "secret" not in text
    assert "somebody else's" in text


def test_another_accounts_edits_stay(state: QSettings, store: LivelyStore) -> None:
    reader = SqliteMailboxReader(store.path)
    review = reader.review(store.reviews["meeting"])
    UnsavedEdits(state).keep(review.id, 1, Draft((), (), (), "Hush", "an edit", "template"))
    RemoteImageChoice(state).allow("friend@example.org", allowed=True)
    forget_account(state, reader, OTHER)
    reader.close()
    assert UnsavedEdits(state).draft(review.id, 1) is not None
    assert RemoteImageChoice(state).allowed("friend@example.org")
