"""A file that is damaged while one works: whatever is pressed ends in a sentence, what was typed stays, and no fault is met."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.domain.errors import Offline
from app.domain.protocol.letter_commands import SendLetter
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.lists.row_painter import LOOK_ROLE
from app.ui.pages.compose.new_letter import new_letter
from app.ui.services.notices import may_have_account, said_of
from app.ui.startup.application import build_window
from app.ui.startup.options import WindowOptions
from app.ui.startup.run_window import begin_idle_work
from app.ui.window.desktop import QuitPrompt
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.recorded_engine import RecordedEngine

pytestmark = pytest.mark.expects_warnings
PAGES = (
    "inbox",
    "compose",
    *(pytest.param(one, marks=pytest.mark.soak) for one in ("review", "outbox", "waiting", "memory", "drafts")),
)
ELSEWHERE = ("window.quit", "window.import", "compose.attach", "mail.print", "mail.pdf", "window.search")
"""Ends the program, or opens a dialog of the system's that no file of ours is read for."""


def damage(file: Path) -> None:
    """A copy whose pages but the first are overwritten takes the file's place."""
    copy = file.with_suffix(".damaged")
    shutil.copyfile(file, copy)
    size = copy.stat().st_size
    with copy.open("r+b") as out:
        out.seek(4096)
        out.write(b"\xa5" * (size - 4096))
    copy.replace(file)


@pytest.fixture
def window(qtbot: QtBot, data: DataFolder, filled: LivelyStore, link: RecordedEngine) -> MainWindow:
    """At Review, over a good file that no engine writes."""
    shutil.copyfile(filled.path, data.database)
    made = build_window(data, SqliteMailboxReader(data.database), link, WindowOptions(page="review", clock=filled.clock))
    qtbot.addWidget(made, before_close_func=lambda one: one.context.reader.close())
    made.resize(1280, 820)
    with qtbot.waitExposed(made, timeout=30_000):
        made.show()
    return made


def told(window: MainWindow) -> str:
    toast = window.findChild(Toast)
    return toast.words.text() if isinstance(toast, Toast) and not toast.isHidden() else ""


def press(window: MainWindow, name: str) -> None:
    """Any key of the window's, with what it opens closed again."""
    window.actions_by_id[name].trigger()
    for menu in window.findChildren(QMenu):
        menu.close()


@pytest.mark.parametrize("name", PAGES)
def test_every_key_ends_in_a_sentence(window: MainWindow, data: DataFolder, name: str) -> None:
    if name == "compose":
        window.context.navigator.show_letter(new_letter(window.accounts()[0].id))
        window.compose_page.card.editor.insertPlainText("Words that stay")
    window.show_page(name)
    damage(data.database)
    where = "mail" if name == "inbox" else name
    for key in sorted(window.actions_by_id):
        if key.startswith(f"{where}.") and key not in ELSEWHERE:
            press(window, key)
    if name == "compose":
        assert "Words that stay" in "".join(str(one) for one in window.context.link.commands)  # type: ignore[attr-defined]


def test_a_letter_is_kept_and_can_be_sent_once_the_file_is_whole(
    window: MainWindow, data: DataFolder, filled: LivelyStore, link: RecordedEngine
) -> None:
    page = window.compose_page
    window.context.navigator.show_letter(new_letter(window.accounts()[0].id))
    page.card.to.line.setText("tom@example.com")
    page.card.subject.setText("Hello")
    page.card.editor.insertPlainText("Dear Tom")
    damage(data.database)
    page.send()
    assert "damaged" in told(window)
    assert not [one for one in link.commands if isinstance(one, SendLetter)]
    page.keeping.flush()
    good = data.root / "good.db"
    shutil.copyfile(filled.path, good)
    good.replace(data.database)
    page.send()
    assert [one.letter.body for one in link.commands if isinstance(one, SendLetter)] == ["Dear Tom"]


def test_rows_that_cannot_be_read_cover_the_page(qtbot: QtBot, window: MainWindow, data: DataFolder) -> None:
    window.show_page("inbox")
    page = window.mail_page
    damage(data.database)
    page.model.reread(page.model.ids)
    assert page.model.data(page.model.index(0, 0), LOOK_ROLE) is None
    qtbot.waitUntil(lambda: "damaged" in page.fault, timeout=30_000)


def test_no_other_mail_stays_in_place_of_one_that_cannot_be_read(window: MainWindow, data: DataFolder) -> None:
    window.show_page("inbox")
    page = window.mail_page
    assert page.desk.targets()
    damage(data.database)
    page.list.select_row(1)
    assert page.desk.targets() == []
    assert "damaged" in told(window)


def test_a_question_without_an_answer_tells_of_the_file(window: MainWindow, data: DataFolder) -> None:
    """The engine does not run over it; that alone would hide why."""
    reader = window.context.reader
    assert "damaged" not in said_of(Offline(), reader)
    damage(data.database)
    assert "damaged" in said_of(Offline(), reader)


def test_a_window_begins_and_ends_over_a_damaged_file(window: MainWindow, data: DataFolder, filled: LivelyStore) -> None:
    damage(data.database)
    assert may_have_account(window.accounts)
    begin_idle_work(window)()
    gone: list[bool] = []
    leaving = QuitPrompt(window, window.context.reader, window.context.link, filled.clock)
    leaving.ask(lambda: gone.append(True))
    assert gone == [True]
