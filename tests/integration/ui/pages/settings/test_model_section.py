"""A provider's key: stored, refused by the keyring, kept for the session, removed.

The Test button: one question, its outcome, and stopping.
"""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.domain.error_texts import ErrorText
from app.domain.errors import ModelUnavailable
from app.domain.protocol.commands import ModelTest, StoreKey
from app.domain.protocol.commands import TestModel as AskModel
from app.domain.protocol.events import CommandFailed, KeyStored, SettingsChanged
from app.ui.pages.settings.model_section import KeyField, ModelTestRow
from app.ui.pages.settings.providers import provider_of, suggestions, wants_key
from fakes.window.page_setup import Stage, until

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def made(stage: Stage, qtbot: QtBot, model: str = "gemini/gemini-2.5-flash") -> KeyField:
    key = KeyField(stage.engine)
    qtbot.addWidget(key)
    stage.engine.subscribe(key.hear)
    key.show_model(model)
    key.show()
    return key


def test_a_key_goes_to_the_keyring_and_leaves_the_field(stage: Stage, qtbot: QtBot) -> None:
    key = made(stage, qtbot)
    assert key.field.echoMode() is QLineEdit.EchoMode.Password
    assert not key.store.isEnabled()
    qtbot.keyClicks(key.field, "secret-1")
    qtbot.keyClick(key.field, Qt.Key.Key_Return)
    assert stage.engine.commands == [StoreKey("gemini", "secret-1")]
    assert key.field.text() == "secret-1"
    stage.engine.tell(SettingsChanged("another change was saved meanwhile"))
    assert key.field.text() == "secret-1"
    stage.engine.tell(KeyStored("gemini"))
    assert key.field.text() == ""
    assert key.note.text() == "Saved in your system keychain."


def test_without_a_keyring_the_session_is_offered(stage: Stage, qtbot: QtBot) -> None:
    key = made(stage, qtbot)
    assert not key.offer.isVisible()
    qtbot.keyClicks(key.field, "secret-2")
    key.store.click()
    stage.engine.tell(CommandFailed("StoreKey", "keyring_unavailable", ErrorText.of("No keyring.", "Install one.")))
    assert key.offer.isVisible()
    assert key.field.text() == "secret-2"
    qtbot.keyClick(key.session, Qt.Key.Key_Space)
    assert stage.engine.commands[-1] == StoreKey("gemini", "secret-2", session_only=True)
    stage.engine.tell(KeyStored("gemini"))
    assert not key.offer.isVisible()
    assert key.note.text() == "Saved until you quit Replyroom."


def test_the_offer_takes_no_keyboard_from_another_page(stage: Stage, qtbot: QtBot) -> None:
    """The keyring may take its time: Space on another page must not answer what nobody sees."""
    for seen in (True, False):
        key = made(stage, qtbot)
        qtbot.keyClicks(key.field, "secret-5")
        key.store.click()
        key.field.setFocus()
        key.setVisible(seen)
        stage.engine.tell(CommandFailed("StoreKey", "keyring_unavailable", ErrorText.of("No keyring.", "Install one.")))
        assert not key.offer.isHidden()
        assert (key.focusWidget() is key.session) == seen


def test_other_trouble_is_said_without_the_offer(stage: Stage, qtbot: QtBot) -> None:
    key = made(stage, qtbot)
    qtbot.keyClicks(key.field, "secret-3")
    key.store.click()
    stage.engine.tell(CommandFailed("ChangeSettings", "refused"))
    assert key.note.text() == "Saving…"
    stage.engine.tell(CommandFailed("StoreKey", "refused"))
    assert "can't be done" in key.note.text()
    assert not key.offer.isVisible()


def test_removing(stage: Stage, qtbot: QtBot) -> None:
    key = made(stage, qtbot)
    key.remove.click()
    assert stage.engine.commands == [StoreKey("gemini", "")]
    stage.engine.tell(KeyStored("gemini"))
    assert key.note.text() == "The key was removed."


def test_another_provider_never_gets_the_typed_key(stage: Stage, qtbot: QtBot) -> None:
    key = made(stage, qtbot)
    qtbot.keyClicks(key.field, "secret-4")
    key.show_model("anthropic/claude-haiku-4-5")
    assert key.field.text() == ""
    key.show_model("ollama_chat/qwen3")
    assert not key.field.isEnabled()
    assert not key.remove.isVisible()


def test_providers() -> None:
    assert provider_of("gemini/gemini-2.5-flash") == "gemini"
    assert provider_of("gpt-5-mini") == "openai"
    assert provider_of("claude-haiku-4-5") == "anthropic"
    assert provider_of("something") == ""
    assert wants_key("openai/gpt-5-mini")
    assert not wants_key("lm_studio/local-model")
    assert not wants_key("")
    assert all(words for _, words in suggestions())


def test_where_no_model_is_named_no_key_is_talked_of(stage: Stage, qtbot: QtBot) -> None:
    key = made(stage, qtbot, "")
    assert not key.field.isEnabled()
    assert key.field.placeholderText() == ""
    key.show_model("ollama/llama3.2")
    assert "no key" in key.field.placeholderText()


WANTED = AskModel("gemini/gemini-2.5-flash", "")


def made_model_test(stage: Stage, qtbot: QtBot) -> ModelTestRow:
    row = ModelTestRow(stage.engine, lambda: WANTED)
    qtbot.addWidget(row)
    row.show()
    return row


async def test_an_answer_with_its_latency(stage: Stage, qtbot: QtBot) -> None:
    row = made_model_test(stage, qtbot)
    qtbot.keyClick(row.start, Qt.Key.Key_Space)
    await until(lambda: bool(stage.engine.queries))
    assert row.start.text() == "Stop waiting"
    stage.engine.answer(ModelTest(True, 1240.0, "Hello."))
    await until(lambda: row.start.text() == "Test")
    assert stage.engine.queries == [WANTED]
    assert row.outcome.text() == "It answered in 1.2 s"
    assert row.detail.text() == "Hello."


async def test_failures(stage: Stage, qtbot: QtBot) -> None:
    row = made_model_test(stage, qtbot)
    row.start.click()
    await until(lambda: len(stage.engine.queries) == 1)
    stage.engine.answer(ModelTest(False, 0.0, "401 invalid key"))
    await until(lambda: row.start.text() == "Test")
    assert (row.outcome.text(), row.detail.text()) == ("The test failed", "401 invalid key")
    row.start.click()
    await until(lambda: len(stage.engine.queries) == 2)
    stage.engine.refuse(ModelUnavailable("No key for gemini."))
    await until(lambda: row.start.text() == "Test")
    assert row.outcome.text() == "The test could not run"
    assert "No key for gemini." in row.detail.text()


async def test_stop_withdraws_the_question(stage: Stage, qtbot: QtBot) -> None:
    row = made_model_test(stage, qtbot)
    row.start.click()
    await until(lambda: bool(stage.engine.queries))
    row.start.click()
    await until(lambda: stage.engine.withdrawn == [WANTED])
    assert row.outcome.text() == ""
    assert row.start.text() == "Test"


async def test_a_double_click_asks_and_does_not_stop_at_once(stage: Stage, qtbot: QtBot) -> None:
    row = made_model_test(stage, qtbot)
    qtbot.mouseClick(row.start, Qt.MouseButton.LeftButton)
    qtbot.mouseDClick(row.start, Qt.MouseButton.LeftButton)
    qtbot.mouseRelease(row.start, Qt.MouseButton.LeftButton)
    await until(lambda: bool(stage.engine.queries))
    assert row.start.text() == "Stop waiting"
    stage.engine.answer(ModelTest(True, 1.0, "Hello."))
    await until(lambda: row.detail.text() == "Hello.")
    assert (stage.engine.queries, stage.engine.withdrawn) == ([WANTED], [])
