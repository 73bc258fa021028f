"""A letter comes back scrolled as it was, with its quoted words unfolded: plain ones and those in Chromium."""

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.message.body import BodyView
from app.ui.message.thread_view import ReadingPane, keep_reading
from app.ui.session.restorable_parts import RestorableParts
from fakes.engine.store.sample_store import LivelyStore, Mail
from fakes.gmail.messages import mail
from fakes.window.page_setup import Stage

LONG = "\n".join(f"Line {number} of a long letter." for number in range(200))
HTML = "".join(f"<p>Line {number} of a long letter.</p>" for number in range(200))
QUOTED = f"<blockquote>{HTML}</blockquote><p>Yes.</p>"


def shown(qtbot: QtBot, stage: Stage) -> BodyView:
    """A view on screen, with nothing in it."""
    body = BodyView(stage.context)
    qtbot.addWidget(body)
    body.resize(500, 300)
    body.show()
    return body


def test_plain_words(qtbot: QtBot, lively_stage: Stage) -> None:
    letter = mail(LONG, number=7)
    body = shown(qtbot, lively_stage)
    body.show_message(letter)
    body._text.verticalScrollBar().setValue(900)
    place = body.place()
    body.show_message(replace(letter, labels=frozenset()))
    assert body.place() == place, "read again, it stays"
    again = shown(qtbot, lively_stage)
    again.show_message(letter)
    assert again.return_to(place)
    qtbot.waitUntil(lambda: again._text.verticalScrollBar().value() == 900, timeout=30_000)
    other = mail(LONG, number=8)
    again.show_message(other)
    assert again._text.verticalScrollBar().value() == 0
    assert not again.return_to(place), "that was another letter"


def test_unfolded_words(qtbot: QtBot, lively_stage: Stage) -> None:
    letter = mail("Yes.\n\nOn Monday, Mia wrote:\n> Is it?\n> Really?", number=7)
    body = shown(qtbot, lively_stage)
    body.show_message(letter)
    assert "Really" not in body.text
    with qtbot.waitSignal(body.moved, timeout=30_000):
        body._quoted.click()
    again = shown(qtbot, lively_stage)
    again.show_message(letter)
    again.return_to(body.place())
    assert "Really" in again.text


@pytest.mark.soak
def test_in_chromium(qtbot: QtBot, lively_stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.ui.message.body.web_refused", lambda: False)
    letter = replace(mail("Yes.", number=7), body_html=QUOTED)
    body = shown(qtbot, lively_stage)
    body.show_message(letter)
    body.return_to({"about": str(letter.id), "y": 700, "unfolded": 1})
    assert body.place()["y"] == 700, "it is there before Chromium is"
    qtbot.waitUntil(lambda: body.web is not None and body.web.scrolled_y == 700, timeout=60_000)
    assert body.place() == {"about": str(letter.id), "y": 700, "unfolded": 1}
    body.set_inline({"x": lively_stage.data.root})
    body._load_page()
    assert body.web is not None
    with qtbot.waitSignal(body.web.loadFinished, timeout=60_000):
        pass
    qtbot.waitUntil(lambda: body.web is not None and body.web.scrolled_y == 700, timeout=60_000)
    body.show_message(replace(letter, id=mail("x", number=9).id))
    with qtbot.waitSignal(body.web.loadFinished, timeout=60_000):
        pass
    qtbot.waitUntil(lambda: body.place()["y"] == 0, timeout=60_000)
    qtbot.waitUntil(lambda: _unfolds(body), timeout=60_000)


def _unfolds(body: BodyView) -> bool:
    """Click where the quoted words are unfolded, as a reader does; whether they are."""
    assert body.web is not None
    inside = body.web.focusProxy()
    if isinstance(inside, QWidget):
        QTest.mouseClick(inside, Qt.MouseButton.LeftButton, pos=QPoint(30, 30))
    return body.place()["unfolded"] == 1


def test_a_conversation_comes_back_at_its_letter(qtbot: QtBot, lively_stage: Stage, store: LivelyStore) -> None:
    stage = lively_stage
    first = store.put(Mail("p1", "p", store.mails["m01"].sender, "Long", LONG, 9))
    store.put(Mail("p2", "p", store.mails["m01"].sender, "Long", LONG, 8))
    reader = SqliteMailboxReader(store.path)
    context = replace(stage.context, reader=reader)
    owner = QObject()
    pane, parts = ReadingPane(context), RestorableParts(owner)
    keep_reading(parts, pane)
    parts.begin_at({"reading": json.dumps([{"thread": int(first.thread_id), "about": str(first.id), "y": 300, "unfolded": 0}])})
    qtbot.addWidget(pane)
    pane.resize(700, 500)
    pane.show()
    assert parts.waits("reading")
    pane.show_thread(first.thread_id)
    assert pane.message == first
    assert not parts.waits("reading")
    qtbot.waitUntil(lambda: pane.body._text.verticalScrollBar().value() == 300, timeout=30_000)
    assert json.loads(str(parts.place()["reading"]))[0]["y"] == 300
    reader.close()
