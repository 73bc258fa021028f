"""Addresses that the system opens with the program (macOS): none is lost before the window stands, each is told once after.

What a second start hands to the first window, and what is not taken from any other visitor.

One window per folder: the lock tells, a second start raises the first, a dead window's lock is nobody's.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtNetwork import QLocalSocket
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.startup import single_instance
from app.ui.startup.application import WindowOptions, build_window
from app.ui.startup.single_instance import LONGEST_LINE, QtProgram, SingleInstance, listen, raise_first, server_name
from app.ui.window.main_window import MainWindow
from fakes.window.recorded_engine import RecordedEngine


def open_with(app: QApplication, address: str) -> None:
    QCoreApplication.sendEvent(app, QFileOpenEvent(QUrl(address)))


def test_what_came_early_is_kept_and_what_comes_later_is_told(qapp: QApplication) -> None:
    assert isinstance(qapp, QtProgram)
    open_with(qapp, "mailto:a@b.example")
    assert qapp.hear() == ["mailto:a@b.example"]
    told: list[str] = []
    connection = qapp.opened.connect(told.append)
    open_with(qapp, "mailto:c@d.example?subject=a%20b")
    qapp.opened.disconnect(connection)
    assert told == ["mailto:c@d.example?subject=a%20b"]
    assert qapp.hear() == []


def test_a_window_asked_to_write_begins_a_letter_and_sends_nothing(window: MainWindow) -> None:
    window.asked_to_write.emit("mailto:ann@example.org?subject=Hello&body=Text")
    assert window.name == "compose"
    letter = window.compose_page.card.letter()
    assert ([one.email for one in letter.to], letter.subject, letter.body) == (["ann@example.org"], "Hello", "Text")


def test_without_an_account_it_says_so_and_asks_nobody_else(qtbot: QtBot, qapp: QApplication, data: DataFolder) -> None:
    reader, opened = SqliteMailboxReader(data.database), list[str]()
    window = build_window(data, reader, RecordedEngine(), WindowOptions(mailto="mailto:a@b.example", open_link=opened.append))
    qtbot.addWidget(window)
    window.context.open_link("mailto:a@b.example")
    window.context.open_link("https://example.org")
    assert (window.name, opened) == ("welcome", ["https://example.org"])
    reader.close()


def test_an_address_is_handed_over_whole(qtbot: QtBot, data: DataFolder) -> None:
    raised: list[int] = []
    asked: list[str] = []
    server = listen(data.root, lambda: raised.append(1), asked.append)
    long = "mailto:ann@example.org?body=" + "š" * 60_000
    assert raise_first(data.root, long)
    qtbot.waitUntil(lambda: bool(asked), timeout=30_000)
    assert raise_first(data.root)
    qtbot.waitUntil(lambda: len(raised) == 2, timeout=30_000)
    assert raise_first(data.root, "mailto:a@b.example?body=two\nlines")
    qtbot.waitUntil(lambda: len(asked) == 2, timeout=30_000)
    assert asked == [long, "mailto:a@b.example?body=two lines"]
    server.close()


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\n",
        b"write",
        b"write file:///etc/passwd\n",
        b"delete everything\n",
        b"write mailto:" + b"x" * (LONGEST_LINE + 9) + b"\n",
    ],
)
def test_other_words_only_raise(qtbot: QtBot, data: DataFolder, said: bytes) -> None:
    raised: list[int] = []
    asked: list[str] = []
    server = listen(data.root, lambda: raised.append(1), asked.append)
    visitor = QLocalSocket()
    visitor.connectToServer(server_name(data.root))
    assert visitor.waitForConnected(30_000)
    visitor.write(said)
    qtbot.waitUntil(lambda: raised == [1] and visitor.bytesToWrite() == 0, timeout=30_000)
    visitor.disconnectFromServer()
    qtbot.waitUntil(lambda: not server.findChildren(QLocalSocket), timeout=30_000)
    assert asked == []
    server.close()


def test_nobody_there(data: DataFolder) -> None:
    assert single_instance.CONNECT_MS < 1000
    assert not raise_first(data.root, "mailto:a@b.example")


SECOND = """
import sys
from pathlib import Path
from app.config.paths import DataFolder
from app.ui.startup.single_instance import SingleInstance
only = SingleInstance(DataFolder(Path(sys.argv[1])))
print(only.raised_other())
"""
DYING = SECOND + "import os\nos._exit(0)\n"


def test_a_second_start_raises_the_window_that_has_the_lock(qtbot: QtBot, data: DataFolder) -> None:
    first = SingleInstance(data)
    assert not first.raised_other()
    calls: list[int] = []
    server = listen(data.root, lambda: calls.append(1))
    second = subprocess.Popen([sys.executable, "-c", SECOND, str(data.root)], stdout=subprocess.PIPE, text=True)
    qtbot.waitUntil(lambda: calls == [1], timeout=30_000)
    assert second.communicate(timeout=30)[0].strip() == "True"
    server.close()
    first.release()


def test_a_window_that_does_not_answer_keeps_nobody_out(data: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_instance, "TRIES", 2)
    monkeypatch.setattr(single_instance, "PAUSE_S", 0.0)
    first, second = SingleInstance(data), SingleInstance(data)
    assert not first.raised_other()
    assert not second.raised_other()
    first.release()
    assert not second.raised_other()
    second.release()


def test_the_lock_of_a_window_that_died_is_taken_over(data: DataFolder) -> None:
    subprocess.run([sys.executable, "-c", DYING, str(data.root)], check=True, timeout=60)
    assert data.window_lock.exists()
    only = SingleInstance(data)
    assert not only.raised_other()
    only.release()
    assert not data.window_lock.exists()


AGAIN = """
import sys
from pathlib import Path
from app.ui.startup.single_instance import start_again
path = Path(sys.argv[1])
path.write_text(path.read_text() + " ".join(sys.argv[2:]) + ";" if path.exists() else "first;")
if path.read_text() == "first;":
    start_again()
"""


def test_the_program_starts_again_with_its_arguments_but_no_address(tmp_path: Path, qtbot: QtBot) -> None:
    script, noted = tmp_path / "again.py", tmp_path / "noted"
    script.write_text(AGAIN)
    environment = {**os.environ, "PYTHONPATH": str(Path(single_instance.__file__).parents[3])}
    subprocess.run([sys.executable, str(script), str(noted), "window", "mailto:a@b.example"], check=True, env=environment)
    qtbot.waitUntil(lambda: noted.read_text() == "first;window;")
