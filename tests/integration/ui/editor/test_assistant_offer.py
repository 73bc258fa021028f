"""A line that is a request: told from a search, offered wherever one types, and handed over by a key."""

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.domain.protocol.assistant_commands import AskAssistant
from app.ui.editor.assistant_offer import looks_like_request, offer_words
from app.ui.pages.assistant.page import AssistantPage
from app.ui.palette import Palette
from app.ui.window.main_window import MainWindow
from fakes.window.keyboard import press
from fakes.window.recorded_engine import RecordedEngine


@pytest.mark.parametrize(
    "text",
    [
        "when does order 4411 arrive",
        "Did Ana answer?",
        "Sum up Tom's mails",
        "Najdi poslední fakturu",
        "Shrň e-maily od Toma",
        "Kdy?!?? to bude?",
    ],
)
def test_requests_are_told(text: str) -> None:
    assert looks_like_request(text)


@pytest.mark.parametrize(
    "text", ["", "order 4411", "find", "?", "write mail", "from:ana find it now", "what is:unread today", "go to inbox"]
)
def test_searches_are_told(text: str) -> None:
    assert not looks_like_request(text)


def asks(link: RecordedEngine) -> list[str]:
    return [one.text for one in link.commands if isinstance(one, AskAssistant)]


def opened(window: MainWindow, text: str) -> Palette:
    window.show_page("inbox")
    window.actions_by_id["window.palette"].trigger()
    found = window.findChild(Palette)
    QTest.keyClicks(found.line, text)
    return found


def test_the_palette_hands_a_request_over(window: MainWindow, link: RecordedEngine) -> None:
    palette = opened(window, "when does order 4411 arrive")
    assert palette.titles()[0] == offer_words("when does order 4411 arrive")
    press("Return", on=palette.line)
    assert asks(link) == ["when does order 4411 arrive"]
    assert window.name == "assistant"
    page = window.page("assistant")
    assert isinstance(page, AssistantPage)
    assert page.detail.words.text() == "when does order 4411 arrive"


def test_the_palette_asks_by_its_key(window: MainWindow, link: RecordedEngine) -> None:
    palette = opened(window, "compose")
    assert palette.titles()[0] == "Compose", "a command that is called so comes first"
    press("Ctrl+Return", on=palette.line)
    assert asks(link) == ["compose"]


def test_the_line_of_the_window_asks_by_the_key_and_searches_by_enter(
    qtbot: QtBot, window: MainWindow, link: RecordedEngine
) -> None:
    window.activateWindow()
    window.search.setFocus()
    qtbot.keyClicks(window.search, "order 4411")
    press("Ctrl+Return", on=window.search)
    assert (asks(link), window.name, window.search.text()) == (["order 4411"], "assistant", "")
    window.search.setFocus()
    qtbot.keyClicks(window.search, "when does it arrive?")
    press("Return", on=window.search)
    assert window.name == "search"
    assert asks(link) == ["order 4411"]
    window.search_page.ask.click()
    assert asks(link) == ["order 4411", "when does it arrive?"]
