"""What a second start hands to the first window, and what is not taken from any other visitor."""

import pytest
from PySide6.QtNetwork import QLocalSocket
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.ui import single
from app.ui.single import LONGEST_LINE, listen, raise_first, server_name


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
    assert single.CONNECT_MS < 1000
    assert not raise_first(data.root, "mailto:a@b.example")
