"""A letter that is shown again stays scrolled as it was: plain ones and those in Chromium."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.message.body import BodyView
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
    body.show_message(replace(letter, labels=frozenset()))
    assert body._text.verticalScrollBar().value() == 900, "read again, it stays"
    body.show_message(mail(LONG, number=8))
    assert body._text.verticalScrollBar().value() == 0


def test_unfolded_words(qtbot: QtBot, lively_stage: Stage) -> None:
    letter = mail("Yes.\n\nOn Monday, Mia wrote:\n> Is it?\n> Really?", number=7)
    body = shown(qtbot, lively_stage)
    body.show_message(letter)
    assert "Really" not in body.text
    body._quoted.click()
    assert "Really" in body.text


@pytest.mark.soak
def test_in_chromium(qtbot: QtBot, lively_stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.ui.message.body.web_refused", lambda: False)
    letter = replace(mail("Yes.", number=7), body_html=HTML)
    body = shown(qtbot, lively_stage)
    body.show_message(letter)
    qtbot.waitUntil(lambda: body.web is not None and body.web.isVisible(), timeout=60_000)
    assert body.web is not None
    qtbot.waitUntil(lambda: _scrolls(body), timeout=60_000)
    qtbot.wait(700)  # Chromium glides
    y = body.web.scrolled_y
    body.set_inline({"x": lively_stage.data.root})
    body._load_page()
    with qtbot.waitSignal(body.web.loadFinished, timeout=60_000):
        pass
    qtbot.waitUntil(lambda: body.web is not None and body.web.scrolled_y == y, timeout=60_000)
    body.show_message(replace(letter, id=mail("x", number=9).id, body_html=QUOTED))
    with qtbot.waitSignal(body.web.loadFinished, timeout=60_000):
        pass
    qtbot.waitUntil(lambda: body.web is not None and body.web.scrolled_y == 0, timeout=60_000)
    qtbot.waitUntil(lambda: _unfolds(body), timeout=60_000)


def _scrolls(body: BodyView) -> bool:
    """Press the key for a page down; whether the mail is scrolled."""
    assert body.web is not None
    inside = body.web.focusProxy()
    if isinstance(inside, QWidget):
        body.window().activateWindow()
        inside.setFocus()
        QTest.keyClick(inside, Qt.Key.Key_PageDown)
    return body.web.scrolled_y > 0


def _unfolds(body: BodyView) -> bool:
    """Click where the quoted words are unfolded, as a reader does; whether they are."""
    assert body.web is not None
    inside = body.web.focusProxy()
    if isinstance(inside, QWidget):
        QTest.mouseClick(inside, Qt.MouseButton.LeftButton, pos=QPoint(30, 30))
    return body._unfolded
