"""A provider's key: stored, refused by the keyring, kept for the session, removed.

The test: its outcome in words, and stopping.

From a card to a model in use: the list of models, an address that is completed, servers on this computer.
"""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from app.config.settings import ModelSettings, Settings
from app.domain.error_texts import Cause, ErrorText
from app.domain.errors import ModelUnavailable
from app.domain.ids import MessageId
from app.domain.protocol.commands import (
    ChangeSettings,
    DraftFault,
    FindModelServers,
    ListModels,
    ModelList,
    ModelServer,
    ModelServers,
    ModelTest,
    ModelTried,
    StoreKey,
    TrialMail,
    TrialMails,
    TryModel,
)
from app.domain.protocol.commands import TestModel as AskModel
from app.domain.protocol.events import CommandFailed, KeyStored, SettingsChanged
from app.domain.record import replace
from app.ui.i18n.formatting import decision_words
from app.ui.pages.settings.form import SettingsWriter
from app.ui.pages.settings.model_section import KeyField, ModelSection, ModelTestRow
from app.ui.pages.settings.model_trial import MESSAGES, ModelTrialDialog
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage, until


def made(stage: Stage, qtbot: QtBot, provider: str = "gemini") -> KeyField:
    key = KeyField(stage.engine)
    qtbot.addWidget(key)
    stage.engine.subscribe(key.hear)
    key.show_provider(provider, "Google Gemini")
    key.show()
    return key


def test_a_key_goes_to_the_keyring_and_leaves_the_field(stage: Stage, qtbot: QtBot) -> None:
    key = made(stage, qtbot)
    assert key.field.echoMode() is QLineEdit.EchoMode.Password
    assert not key.store.isEnabled()
    qtbot.keyClicks(key.field, "secret-1")
    press("Return", on=key.field)
    assert stage.engine.commands == [StoreKey("gemini", "secret-1")]
    assert key.field.text() == "secret-1"
    stage.engine.tell(SettingsChanged("another change was saved meanwhile"))
    assert key.field.text() == "secret-1"
    stage.engine.tell(KeyStored("gemini"))
    assert key.field.text() == ""
    assert key.note.text() == "Saved in your system keychain."
    key.remove.click()
    assert stage.engine.commands[-1] == StoreKey("gemini", "")
    stage.engine.tell(KeyStored("gemini"))
    assert key.note.text() == "The key was removed."
    assert not key.remove.isVisible()


def test_without_a_keyring_the_session_is_offered(stage: Stage, qtbot: QtBot) -> None:
    key = made(stage, qtbot)
    assert not key.offer.isVisible()
    qtbot.keyClicks(key.field, "secret-2")
    key.store.click()
    stage.engine.tell(CommandFailed("ChangeSettings", "refused"))
    assert key.note.text() == "Saving…"
    stage.engine.tell(CommandFailed("StoreKey", "refused"))
    assert "can't be done" in key.note.text()
    assert not key.offer.isVisible()
    key.store.click()
    stage.engine.tell(CommandFailed("StoreKey", "keyring_unavailable", ErrorText.of("No keyring.", "Install one.")))
    assert key.offer.isVisible()
    assert key.focusWidget() is key.session
    assert key.field.text() == "secret-2"
    press("Space", on=key.session)
    assert stage.engine.commands[-1] == StoreKey("gemini", "secret-2", session_only=True)
    stage.engine.tell(KeyStored("gemini"))
    assert not key.offer.isVisible()
    assert key.note.text() == "Saved until you quit Replyroom."
    qtbot.keyClicks(key.field, "secret-5")
    key.store.click()
    key.field.setFocus()
    key.hide()
    stage.engine.tell(CommandFailed("StoreKey", "keyring_unavailable", ErrorText.of("No keyring.", "Install one.")))
    assert not key.offer.isHidden() and key.focusWidget() is not key.session, "Space on another page must not answer it"


def test_what_comes_along_with_a_copied_key_is_left_out(stage: Stage, qtbot: QtBot) -> None:
    key = made(stage, qtbot)
    key.field.setText(' Bearer “sk-1\u200b23 \n45" ')
    key.store.click()
    assert stage.engine.commands == [StoreKey("gemini", "sk-12345")]


async def test_a_key_that_is_refused_can_be_removed(stage: Stage, qtbot: QtBot) -> None:
    section = await made_section(stage, qtbot)
    section.cards.cards["gemini"].click()
    await until(lambda: stage.engine.queries == [ListModels("gemini", "")])
    stage.engine.refuse(ModelUnavailable(Cause.MODEL_KEY_REFUSED, "Google Gemini"))
    await until(lambda: "rejected the key" in section.listed.text())
    assert section.key.remove.isVisible()
    section.key.remove.click()
    assert stage.engine.commands == [StoreKey("gemini", "")]


def test_another_provider_never_gets_the_typed_key(stage: Stage, qtbot: QtBot) -> None:
    key = made(stage, qtbot)
    qtbot.keyClicks(key.field, "secret-4")
    key.show_provider("anthropic", "Anthropic")
    assert key.field.text() == ""
    key.show_provider("", "")
    assert not key.field.isEnabled()
    assert not key.remove.isVisible()


WANTED = AskModel("gemini/gemini-2.5-flash", "")


def made_model_test(stage: Stage, qtbot: QtBot) -> ModelTestRow:
    row = ModelTestRow(stage.engine, lambda: WANTED)
    qtbot.addWidget(row)
    row.show()
    return row


async def test_it_says_in_words_what_a_model_can_do(stage: Stage, qtbot: QtBot) -> None:
    row = made_model_test(stage, qtbot)
    said = []
    for sorts, calls_tools in ((True, True), (True, False), (False, True), (False, False)):
        press("Space", on=row.start)
        await until(lambda: bool(stage.engine.queries))
        assert row.start.text() == "Stop waiting"
        stage.engine.answer(ModelTest(1240.0, sorts, calls_tools))
        await until(lambda: row.start.text() == "Test")
        assert row.outcome.text() == "The model works"
        assert "1.2 s" in row.detail.text()
        said.append(row.detail.text())
        stage.engine.queries.clear()
    assert len(set(said)) == 4
    assert not row.anyway.isVisible()
    row.start.click()
    await until(lambda: len(stage.engine.queries) == 1)
    stage.engine.refuse(ModelUnavailable("No key for gemini."))
    await until(lambda: row.start.text() == "Test")
    assert (row.outcome.text(), row.anyway.isVisible()) == ("The test failed", True)
    assert "No key for gemini." in row.detail.text()
    with qtbot.waitSignal(row.use_anyway) as taken:
        row.anyway.click()
    assert taken.args == [WANTED]


async def test_a_double_click_asks_and_does_not_stop_at_once(stage: Stage, qtbot: QtBot) -> None:
    row = made_model_test(stage, qtbot)
    qtbot.mouseClick(row.start, Qt.MouseButton.LeftButton)
    qtbot.mouseDClick(row.start, Qt.MouseButton.LeftButton)
    qtbot.mouseRelease(row.start, Qt.MouseButton.LeftButton)
    await until(lambda: bool(stage.engine.queries))
    assert row.start.text() == "Stop waiting"
    stage.engine.answer(ModelTest(1.0, True, True))
    await until(lambda: row.outcome.text() == "The model works")
    assert (stage.engine.queries, stage.engine.withdrawn) == ([WANTED], [])
    row.start.click()
    await until(lambda: len(stage.engine.queries) == 2)
    row.start.click()
    await until(lambda: stage.engine.withdrawn == [WANTED])
    assert (row.outcome.text(), row.start.text()) == ("", "Test")


async def made_section(stage: Stage, qtbot: QtBot, model: str = "", base: str = "") -> ModelSection:
    """The section on screen; no server runs on this computer."""
    writer = SettingsWriter(stage.engine, stage.appearance)
    section = ModelSection(writer, stage.engine, stage.context.icons)
    qtbot.addWidget(section)
    stage.engine.subscribe(writer.hear)
    stage.engine.subscribe(section.hear)
    section.show_values(Settings(model=ModelSettings(name=model, api_base=base)))
    section.show()
    await until(lambda: FindModelServers() in stage.engine.queries)
    stage.engine.answer(ModelServers(()))
    stage.engine.queries.clear()
    return section


async def test_from_a_card_to_a_model_in_use(stage: Stage, qtbot: QtBot) -> None:
    section = await made_section(stage, qtbot)
    assert section.cards.cards[""].isChecked()
    assert not section.row_of(section.key).isVisibleTo(section)
    section.cards.cards["gemini"].click()
    await until(lambda: stage.engine.queries == [ListModels("gemini", "")])
    stage.engine.refuse(ModelUnavailable(Cause.MODEL_WITHOUT_KEY, "Google Gemini"))
    await until(lambda: "Save the key" in section.listed.text())
    qtbot.keyClicks(section.key.field, "secret")
    press("Return", on=section.key.field)
    assert stage.engine.commands == [StoreKey("gemini", "secret")]
    stage.engine.tell(KeyStored("gemini"))
    await until(lambda: len(stage.engine.queries) == 2)
    stage.engine.answer(ModelList("https://x", ("gemini-2.5-flash", "gemini-9")))
    await until(lambda: "2 model" in section.listed.text())
    section.models.announce("gemini-9")
    section.models.show_value("gemini-9")
    section.models.announce("gemini-9")
    await until(lambda: stage.engine.queries[-1] == AskModel("gemini/gemini-9", ""))
    assert stage.engine.commands == [StoreKey("gemini", "secret")]
    stage.engine.answer(ModelTest(900.0, True, True))
    await until(lambda: isinstance(stage.engine.commands[-1], ChangeSettings))
    assert stage.engine.commands[-1] == ChangeSettings((("model.name", '"gemini/gemini-9"'), ("model.api_base", '""')))


async def test_a_server_on_this_computer_is_offered_and_needs_no_key(stage: Stage, qtbot: QtBot) -> None:
    section = await made_section(stage, qtbot)
    section.cards.show_found((ModelServer("ollama", "http://127.0.0.1:11434", ("llama3.1", "qwen3")),))
    card = section.cards.cards["ollama"]
    assert "2 model" in card.accessibleDescription()
    card.click()
    assert not section.row_of(section.key).isVisibleTo(section)
    assert section.row_of(section.address).isVisibleTo(section)
    await until(lambda: stage.engine.queries == [ListModels("ollama", "http://127.0.0.1:11434")])
    stage.engine.answer(ModelList("http://127.0.0.1:11434", ("llama3.1", "qwen3")))
    await until(lambda: "2 model" in section.listed.text())
    section.models.show_value("qwen3")
    section.models.announce("qwen3")
    await until(lambda: stage.engine.queries[-1] == AskModel("ollama_chat/qwen3", "http://127.0.0.1:11434"))


async def test_a_model_file_is_chosen_tested_and_used(stage: Stage, qtbot: QtBot) -> None:
    section = await made_section(stage, qtbot)
    section.cards.cards["gguf"].click()
    dialog = next(one for one in section.window().findChildren(QFileDialog))
    assert dialog.nameFilters()[0].endswith("(*.gguf)") and not section.row_of(section.address).isVisibleTo(section)
    dialog.fileSelected.emit("/models/my model.gguf")
    dialog.close()
    await until(lambda: stage.engine.queries[-1:] == [AskModel("gguf//models/my model.gguf", "")])
    stage.engine.answer(ModelTest(900.0, True, False))
    await until(lambda: bool(stage.engine.commands))
    assert stage.engine.commands == [ChangeSettings((("model.name", '"gguf//models/my model.gguf"'), ("model.api_base", '""')))]


async def test_the_saved_model_is_shown_with_its_card(stage: Stage, qtbot: QtBot) -> None:
    section = await made_section(stage, qtbot, "ollama_chat/qwen3", "http://127.0.0.1:11434")
    assert [name for name, card in section.cards.cards.items() if card.isChecked()] == ["ollama"]
    assert not section.row_of(section.fields["model.name"].control.widget).isVisibleTo(section)
    section.show_values(Settings(model=ModelSettings(name="groq/llama-3.3")))
    assert [name for name, card in section.cards.cards.items() if card.isChecked()] == []
    assert section.row_of(section.fields["model.name"].control.widget).isVisibleTo(section)
    section.cards.cards[""].click()
    assert stage.engine.commands == [ChangeSettings((("model.name", '""'), ("model.api_base", '""')))]
    assert not section.row_of(section.test).isVisibleTo(section)
    section.cards.cards["compatible"].click()
    assert section.row_of(section.key).isVisibleTo(section)
    qtbot.keyClicks(section.address, "127.0.0.1:18080")
    press("Return", on=section.address)
    await until(lambda: stage.engine.queries == [ListModels("compatible", "http://127.0.0.1:18080")])
    stage.engine.answer(ModelList("http://127.0.0.1:18080/v1", ()))
    await until(lambda: "Type the model's name" in section.listed.text())
    assert section.address.text() == "http://127.0.0.1:18080/v1"


OWN, DRAFT = "It costs 5 EUR.", "Hello Ann"
TRIED = ModelTried(MessageId(1), "Ann", "Price?", True, OWN, "respond", "Asks.", DRAFT, 0, (), 2.0, 900, 0.01, local="respond")


async def test_a_model_is_tried_on_past_messages(stage: Stage, qtbot: QtBot) -> None:
    dialog = ModelTrialDialog(stage.engine, AskModel("openai/x", ""), stage.context.search_line)
    dialog.show()
    await until(lambda: bool(stage.engine.queries))
    assert stage.engine.queries == [TrialMail(MESSAGES)]
    stage.engine.answer(TrialMails((MessageId(1), MessageId(2), MessageId(3))))
    for one in (
        TRIED,
        replace(TRIED, message_id=MessageId(2), answered=False, faults=(DraftFault.PREAMBLE,)),
        replace(TRIED, message_id=MessageId(3), error=ErrorText.of(Cause.MODEL_EMPTY, "openai/x").stored(), body=""),
    ):
        await until(lambda one=one: stage.engine.queries[-1] == TryModel("openai/x", "", one.message_id))
        stage.engine.answer(one)
    await until(lambda: not dialog.stop.isEnabled())
    words = dialog.summary.text()
    assert "1 of 2 sorted as you decided, 1 without a model. 1 of 2 drafts without problems. 2.0 s per message, " in words
    assert "10.00 per 1,000 messages." in words.replace("$", "")
    assert dialog.table.item(2, 2).text() == "no answer"  # type: ignore[union-attr]
    assert [dialog.table.item(at, 3).text() for at in range(3)] == ["good", "extra words around the draft", ""]  # type: ignore[union-attr]
    assert "Hello Ann" in dialog.text.toPlainText() and "It costs 5 EUR." in dialog.text.toPlainText()
    dialog.close()


async def test_a_weak_model_is_tried_to_the_end_and_advised_against(stage: Stage, qtbot: QtBot) -> None:
    dialog = ModelTrialDialog(stage.engine, AskModel("openai/x", ""), stage.context.search_line)
    await until(lambda: bool(stage.engine.queries))
    stage.engine.answer(TrialMails(tuple(map(MessageId, range(1, MESSAGES + 1)))))
    error = ErrorText.of(Cause.UNUSABLE_TWICE, "openai/x").stored()
    for number in range(1, MESSAGES + 1):
        await until(lambda number=number: stage.engine.queries[-1] == TryModel("openai/x", "", MessageId(number)))
        failed = replace(TRIED, message_id=MessageId(number), decision="", body="", error=error, unusable=True)
        stage.engine.answer(replace(TRIED, local="notify", overruled=True) if number == MESSAGES else failed)
    await until(lambda: not dialog.stop.isEnabled())
    words = dialog.summary.text()
    assert "1 of 20 sorted as you decided, 19 without a model." in words and "19 of 20 answers couldn't be used" in words
    assert words.endswith("Choose another model, or none. This one rarely helps.")
    shown = [dialog.table.item(at, 2).text() for at in (0, MESSAGES - 1)]  # type: ignore[union-attr]
    assert shown == [f"unusable → {decision_words('respond')}", f"{decision_words('respond')} → {decision_words('notify')}"]
    dialog.close()
