"""Privacy: what leaves as the settings say, whose pictures load, words taught to the spelling; each goes with a way back."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from app.ui.editor.spelling import known_words, teach
from app.ui.message.remote_images import RemoteImageChoice
from app.ui.pages.settings.about import fact
from app.ui.pages.settings.page import SettingsPage, make_settings_page
from app.ui.pages.settings.privacy import PrivacySection, host_of, is_here, paragraphs
from app.ui.theme.metrics import Space
from fakes.window.page_setup import Stage, cut, nameless


def section(stage: Stage, settings: str = "") -> PrivacySection:
    stage.data.settings.write_text(settings)
    page: SettingsPage = make_settings_page(stage.context)
    stage.show(page, 1000)
    page.show_section("privacy")
    assert not nameless(page)
    assert not cut(page)
    found = page.sections["privacy"]
    assert isinstance(found, PrivacySection)
    found.window().setProperty("kept", page)
    return found


@pytest.mark.parametrize(
    ("settings", "said", "unsaid"),
    [
        ("", "No language model", "sent to"),
        ('[model]\nname = "openai/gpt-5-mini"\n', "sent to OpenAI", "on this computer"),
        ('[model]\nname = "ollama_chat/qwen3"\n', "model on this computer", "No language model"),
        ('[model]\nname = "ollama_chat/qwen3"\napi_base = "http://box.lan:11434"\n', "sent to box.lan", "on this computer"),
        ('[model]\nname = "openai/x"\napi_base = "http://[::1]:8080/v1"\n', "model on this computer", "OpenAI"),
        ('[web]\nsearxng = "https://find.example/s"\n', "search for goes to find.example", "Agents may read"),
        ('[web]\nsites = ["docs.example"]\n', "pages of: docs.example", "search for"),
        ("[calendar]\nconnected = true\n", "meetings you approve", "pages of"),
    ],
)
def test_what_leaves_is_said_as_it_is_set(stage: Stage, settings: str, said: str, unsaid: str) -> None:
    words = section(stage, settings).leaving.text()
    assert said in words
    assert unsaid not in words.replace("Mail goes to", "")


def test_sentences_stand_apart(qtbot: QtBot) -> None:
    said = ["One.", "Two <b>."]
    shown = fact(paragraphs(said))
    qtbot.addWidget(shown)
    shown.setTextFormat(Qt.TextFormat.RichText)
    assert "&lt;b&gt;" in shown.text()
    one_line = fact("One.")
    qtbot.addWidget(one_line)
    assert shown.heightForWidth(900) >= 2 * one_line.heightForWidth(900) + Space.SMALL


def test_senders_of_pictures_are_taken_off_with_a_way_back(stage: Stage, undo: Callable[[], object]) -> None:
    choice = RemoteImageChoice(stage.context.state)
    form = section(stage)
    assert form.senders.shown == ()
    choice.allow("News@shop.example", True)
    choice.allow("ana@a.example", True)
    form.hide()
    form.show()
    assert form.senders.shown == ("ana@a.example", "news@shop.example")
    form.senders.findChildren(QToolButton)[-1].click()
    assert not choice.allowed("news@shop.example")
    assert form.senders.shown == ("ana@a.example",)
    undo()
    assert choice.allowed("news@shop.example")
    assert len(form.senders.shown or ()) == 2


def test_words_are_taken_off_with_a_way_back(stage: Stage, undo: Callable[[], object]) -> None:
    for word in ("Brno", "alfa"):
        teach(stage.context.state, word, True)
    form = section(stage)
    assert form.words.shown == ("alfa", "Brno")
    first = form.words.findChildren(QToolButton)[0]
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Space)
    held = form.focusWidget()
    assert isinstance(held, QToolButton) and held.accessibleName() == "Take off Brno", "the keyboard goes to the next"
    assert known_words(stage.context.state) == {"Brno"}
    undo()
    assert form.words.shown == ("alfa", "Brno")


def test_addresses_of_this_computer() -> None:
    assert is_here("localhost") and is_here("127.0.0.1") and is_here("::1")
    assert not is_here("") and not is_here("10.0.0.2") and not is_here("localhost.example")
    assert host_of("https://a.example:80/x") == "a.example"
    assert host_of("http://[broken") == ""


@pytest.fixture
def undo(stage: Stage) -> Callable[[], object]:
    """What the newest notice offers."""
    return lambda: stage.neighbours.offers.pop()()
