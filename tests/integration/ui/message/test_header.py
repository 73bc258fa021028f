"""The details of a message's header: everybody with addresses, where answers go, who signed it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.domain.mail.message import Address
from app.domain.record import replace
from app.ui.message.header import MessageHeader
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore

SIGNED = ("Authentication-Results", "mx.google.com; dkim=pass header.i=@studio.example header.s=a; spf=pass")


def test_a_click_shows_everybody(qtbot: QtBot, window: MainWindow, store: LivelyStore) -> None:
    header = MessageHeader(window.appearance, window.context.clock)
    qtbot.addWidget(header)
    header.show()
    answers = (Address("desk@studio.example"),)
    header.show_message(replace(store.mails["m04"], reply_to=answers, headers=(SIGNED,)))
    assert not header.details.isVisible()
    qtbot.mouseClick(header.more, Qt.MouseButton.LeftButton)
    assert header.details.isVisible()
    assert header.details.text().splitlines() == [
        "From: Lee Wong <lee.wong@studio.example>",
        "To: Mia Example <mia@workshop.example>",
        "Cc: Tom Harding <tom@cycles.example>",
        "Reply to: desk@studio.example",
        "Date: Fri 20 Nov 2026, 10:57",
        "Signed by: studio.example",
    ]
    qtbot.mouseClick(header.more, Qt.MouseButton.LeftButton)
    assert not header.details.isVisible()


def test_a_narrow_header_leaves_the_recipients_room(qtbot: QtBot, window: MainWindow, store: LivelyStore) -> None:
    header = MessageHeader(window.appearance, window.context.clock)
    qtbot.addWidget(header)
    header.show_message(store.mails["m04"])
    shown = []
    for width in (700, 320):
        header.resize(width, 60)
        header.show()
        shown.append([one.text() for one in header.findChildren(QLabel) if "10:57" in one.text() and one is not header.details])
    assert shown == [["Fri 20 Nov 2026, 10:57"], ["10:57"]]
