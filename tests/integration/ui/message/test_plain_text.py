"""A long plain mail is there whole, and no line is laid out that would take minutes; a copy has the lines as they were."""

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.ui.message.body import BodyView
from app.ui.message.plain_text import PIECE, LongText
from app.ui.message.thread_view import ReadingPane
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import ANA, FAKE, OWNER, LivelyStore, Mail
from fakes.gmail.messages import mail
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage

LINES = "\n".join(f"Line {number} of a very long mail, with some words in it." for number in range(3000))
ONE_LINE = "x" * 5000 + " " + "word " * 4000 + "https://shop.example/" + "y" * 5000
SHORT = "Yes.\n\nhttps://shop.example/a"


def view(qtbot: QtBot, stage: Stage) -> LongText:
    made = LongText(stage.appearance, "Message text")
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.show()
    return made


@pytest.mark.parametrize("text", [LINES, ONE_LINE, "", "\n\n", f"😀{ONE_LINE}\n{ONE_LINE}\n"])
def test_everything_comes_in_its_order(qtbot: QtBot, stage: Stage, text: str) -> None:
    made = view(qtbot, stage)
    made.show_words(text)
    made.selectAll()
    assert made.createMimeDataFromSelection().text() == text
    assert made.words == text
    block = made.document().begin()
    while block.isValid():
        assert block.length() <= PIECE + 4, "Qt counts two for one beyond the first plane"
        block = block.next()


def test_links_by_click_and_by_key(qtbot: QtBot, stage: Stage) -> None:
    made = view(qtbot, stage)
    made.show_words(f"https://shop.example/a and\nhttps://shop.example/b\n{ONE_LINE}")
    clicked: list[QUrl] = []
    made.anchorClicked.connect(clicked.append)

    def link() -> QPoint:
        return made.cursorRect().center() + QPoint(12, 0)  # it moves with the layout

    def points() -> bool:
        for place in (QPoint(1, 1), link()):  # the pointer may already be there, and would not move
            QTest.mouseMove(made.window().windowHandle(), made.viewport().mapTo(made.window(), place))
        return made.viewport().cursor().shape() is Qt.CursorShape.PointingHandCursor

    qtbot.waitUntil(points)
    QTest.mouseClick(made.viewport(), Qt.MouseButton.LeftButton, pos=link())
    made.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(2):
        press("Tab", on=made)
    press("Return", "Backtab", "Return", on=made)
    assert [one.path() for one in clicked] == ["/a", "/b", "/a"]


def body(qtbot: QtBot, stage: Stage) -> BodyView:
    made = BodyView(stage.context)
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.show()
    return made


def test_a_mail_of_any_length(qtbot: QtBot, stage: Stage) -> None:
    made = body(qtbot, stage)
    made.show_message(mail(LINES, number=7))
    long = made.findChild(LongText)
    assert long.isVisible()
    assert made.text == LINES
    made.show_message(mail(SHORT, number=8))
    assert made.text == SHORT
    assert not long.isVisible()
    assert long.toPlainText() == "", "what is not looked at takes no memory"


@pytest.fixture
def pane(window: MainWindow, store: LivelyStore) -> ReadingPane:
    """A conversation of five messages on screen, the newest open."""
    for number in range(5):
        who, to = (ANA, OWNER) if number % 2 == 0 else (OWNER, ANA)
        text = f"Answer number {number}.\n\nOn Monday somebody wrote:\n> Earlier words {number}.\n"
        store.put(Mail(f"c{number}", "t-stack", who, "A long talk", text, 50 - number, to=(to,)))
    window.show_page("inbox")
    window.activateWindow()
    page = window.mail_page
    page.list.select_row(page.model.row_of(store.mails["c4"].thread_id))
    page.reading.settle()
    page.take_focus()
    return page.reading


def test_all_messages_stand_below_each_other(pane: ReadingPane, store: LivelyStore) -> None:
    assert not pane.unfolded
    press(";")
    assert pane.body.conversation.isVisible()
    text = pane.body.conversation.toPlainText()
    assert [text.find(f"Answer number {number}") for number in range(5)] == sorted(
        text.find(f"Answer number {number}") for number in range(5)
    )
    assert "Answer number 0" in text and "Earlier words" not in text, "quoted parts are folded"
    pane.body.conversation.anchorClicked.emit(QUrl(f"quote:{store.mails['c2'].id}"))
    assert "Earlier words 2" in pane.body.conversation.toPlainText()
    high = pane.body.conversation.document().size().height()
    pane.body.conversation.anchorClicked.emit(QUrl(f"fold:{store.mails['c2'].id}"))
    assert pane.body.conversation.document().size().height() < high
    assert "Earlier words 2" not in pane.body.conversation.toPlainText()
    press(":")
    assert not pane.body.conversation.isVisible()


def test_html_is_shown_below_each_other_too(qtbot: QtBot, pane: ReadingPane, store: LivelyStore) -> None:
    html = '<h2>Big {}</h2><img data-remote-src="https://pictures.test/{}.png" width="90" height="60">'
    for number, who in ((7, ANA), (8, FAKE)):
        store.put(Mail(f"c{number}", "t-stack", who, "A long talk", "Text only", 9 - number, html.format(number, number)))
    pane.show_thread(store.mails["c4"].thread_id, store.mails["c4"].id)
    press(";")
    assert "Text only" in pane.body.conversation.toPlainText(), "the text is there before Chromium is"
    qtbot.waitUntil(lambda: pane.body.web is not None and pane.body.web.isVisible(), timeout=30_000)
    view = pane.body.web
    assert view is not None
    for words, wanted in (("Answer number 4", 1), ("Big 7", 1), ("Big 8", 1), ("Text only", 0)):
        found: list[int] = []
        view.find_next(words, False, lambda _at, count, found=found: found.append(count))
        qtbot.waitUntil(lambda found=found: bool(found), timeout=30_000)
        assert found == [wanted], words
    assert "2 remote images" in pane.body.notice
    assert not any("Always" in one.text() for one in pane.body.findChildren(QPushButton) if one.isVisible()), "of whom?"
    press("N")
    assert pane.message is not None and pane.message.id == store.mails["c7"].id
    qtbot.waitUntil(lambda: view.url().fragment() == f"m{store.mails['c7'].id}" and view.scrolled_y > 0, timeout=30_000)
    press(":")
    assert not pane.unfolded


def test_keys_go_from_message_to_message(pane: ReadingPane, store: LivelyStore) -> None:
    press("P")
    assert pane.message is not None and pane.message.id == store.mails["c3"].id
    press(";", "P")
    assert pane.message.id == store.mails["c2"].id, "what an answer would answer"
    press("N")
    assert pane.message.id == store.mails["c3"].id
    press(":", "N")
    assert pane.message.id == store.mails["c4"].id


def test_another_conversation_is_folded_again(pane: ReadingPane, store: LivelyStore, window: MainWindow) -> None:
    press(";")
    store.put(Mail("c5", "t-stack", ANA, "A long talk", "One more answer.", 1))
    window.mail_page.refresh()
    pane.settle()
    assert pane.unfolded and "One more answer" in pane.body.conversation.toPlainText()
    pane.show_thread(store.mails["m04"].thread_id)
    assert not pane.unfolded and pane.body.isVisible()


def test_links_of_a_suspected_message_ask_twice(pane: ReadingPane, store: LivelyStore) -> None:
    fraud = "Our bank account changed: https://pay.test/x"
    store.put(Mail("c6", "t-stack", FAKE, "A long talk", fraud, 1))
    pane.show_thread(store.mails["c4"].thread_id)
    pane.unfold()
    opened: list[str] = []
    pane.body._links._open_link = opened.append
    pane.body.conversation.anchorClicked.emit(QUrl("https://pay.test/x"))
    pane.body._links.open.click()
    assert opened == []
    pane.body._links.open.click()
    assert opened == ["https://pay.test/x"]
