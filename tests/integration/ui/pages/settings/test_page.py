"""The settings page with real widgets, keyboard and file; the engine's part is done by the test."""

import json
import tomllib
from typing import cast

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.config.settings_file import change
from app.domain.error_texts import ErrorText
from app.domain.protocol.commands import ChangeSettings
from app.domain.protocol.events import CommandFailed, SettingsChanged
from app.ui.pages.settings.model_section import ModelSection
from app.ui.pages.settings.page import SettingsPage
from app.ui.pages.settings.settings_table import SettingTexts, section_of
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage, cut, nameless


def shown(stage: Stage, section: str = "model", width: int = 1000) -> SettingsPage:
    page = SettingsPage(stage.context)
    stage.show(page, width)
    page.show_section(section)
    return page


def line(page: SettingsPage, key: str) -> QLineEdit:
    field = page.findChild(QLineEdit, key)
    assert isinstance(field, QLineEdit)
    return field


def box(page: SettingsPage, key: str) -> QComboBox:
    field = page.findChild(QComboBox, key)
    assert isinstance(field, QComboBox)
    return field


def note(page: SettingsPage, key: str) -> str:
    return page.sections[key.partition(".")[0]].fields[key].note.text()


def type_over(qtbot: QtBot, field: QWidget, text: str) -> None:
    field.setFocus()
    press("Ctrl+A", on=field)
    qtbot.keyClicks(field, text)


def obey(stage: Stage, at: int = -1) -> None:
    command = stage.engine.commands[at]
    assert isinstance(command, ChangeSettings)
    change(stage.data.settings, command.values)
    stage.engine.tell(SettingsChanged(""))


def sent(stage: Stage) -> list[dict[str, object]]:
    return [{k: json.loads(v) for k, v in c.values} for c in stage.engine.commands if isinstance(c, ChangeSettings)]


def test_shows_what_the_file_says(stage: Stage) -> None:
    stage.data.settings.write_text('[model]\nname = "ollama_chat/qwen3"\n[sending]\nundo_s = 42\n[calendar]\nweekdays = [5, 6]\n')
    page = shown(stage)
    assert line(page, "model.name").text() == "ollama_chat/qwen3"
    page.show_section("sending")
    assert line(page, "sending.undo_s").text() == "42"
    page.show_section("calendar")
    pressed = {b.accessibleName() for b in page.sections["calendar"].findChildren(QPushButton) if b.isChecked()}
    assert pressed == {QLocale().standaloneDayName(6), QLocale().standaloneDayName(7)}
    assert stage.engine.commands == []


def test_what_is_made_ahead_leaves_the_section_that_the_user_opened(stage: Stage) -> None:
    page = SettingsPage(stage.context)
    steps = page.steps_ahead()
    page.show_section("sending")
    stage.show(page)
    for step in steps:
        step()
    assert page.shown == "sending"
    assert page.sections["sending"].isVisible()


def test_a_change_is_sent_alone_and_said_to_be_saved(stage: Stage, qtbot: QtBot) -> None:
    """Typing says unsaved, leaving the field sends that key only, the written file says saved."""
    page = shown(stage, "sending")
    field = line(page, "sending.undo_s")
    type_over(qtbot, field, "25")
    assert note(page, "sending.undo_s") == "Not saved yet"
    press("Return", on=field)
    qtbot.waitUntil(lambda: bool(stage.engine.commands))
    assert sent(stage) == [{"sending.undo_s": 25}]
    assert note(page, "sending.undo_s") == "Saving…"
    obey(stage)
    qtbot.waitUntil(lambda: note(page, "sending.undo_s") == "Saved")
    assert tomllib.loads(stage.data.settings.read_text())["sending"] == {"undo_s": 25}
    press("Return", on=field)
    qtbot.wait(300)
    assert len(stage.engine.commands) == 1, "the same value is not sent again"


def test_arrow_keys_step(stage: Stage) -> None:
    page = shown(stage, "sending")
    field = line(page, "sending.undo_s")
    field.setFocus()
    for _ in range(3):
        press("Up", on=field)
    assert sent(stage)[-1] == {"sending.undo_s": 13}


def test_out_of_bounds_is_refused_in_words(stage: Stage, qtbot: QtBot) -> None:
    page = shown(stage, "sending")
    field = line(page, "sending.undo_s")
    for wrong in ("301", "-1", "soon"):
        type_over(qtbot, field, wrong)
        press("Return", on=field)
        assert note(page, "sending.undo_s") == "Write a number from 0 to 300."
        assert field.text() == wrong
    qtbot.wait(300)
    assert stage.engine.commands == []


def test_the_engine_refuses_visibly_and_the_typed_value_stays(stage: Stage, qtbot: QtBot) -> None:
    """A refusal is said at the field; a reread of the file does not wipe what the user typed."""
    page = shown(stage, "drafting")
    field = page.findChild(QPlainTextEdit, "drafting.background")
    assert isinstance(field, QPlainTextEdit)
    field.setFocus()
    qtbot.keyClicks(field, "Bicycles")
    qtbot.waitUntil(lambda: bool(stage.engine.commands))
    assert sent(stage) == [{"drafting.background": "Bicycles"}]
    stage.engine.tell(CommandFailed("ChangeSettings", "disk_full", ErrorText.of("settings.toml", "Free some space.")))
    assert "disk is full" in note(page, "drafting.background")
    stage.engine.tell(SettingsChanged(""))
    qtbot.wait(250)
    assert field.toPlainText() == "Bicycles"


def test_days_and_hours(stage: Stage, qtbot: QtBot) -> None:
    """A day toggled with the keyboard, an hour chosen, an impossible day refused."""
    page = shown(stage, "calendar")
    saturday = QLocale().standaloneDayName(6)
    button = next(b for b in page.sections["calendar"].findChildren(QPushButton) if b.accessibleName() == saturday)
    button.setFocus()
    press("Space", on=button)
    start = box(page, "calendar.start")
    start.setCurrentIndex(start.findData("10:30"))
    qtbot.waitUntil(lambda: bool(stage.engine.commands))
    assert sent(stage) == [{"calendar.weekdays": [0, 1, 2, 3, 4, 5]}, {"calendar.start": "10:30"}]
    start.setCurrentIndex(start.findData("20:00"))
    assert "after start time" in note(page, "calendar.start")
    zone = box(page, "calendar.time_zone")
    type_over(qtbot, zone.lineEdit(), "Europe/Nowhere")
    press("Return", on=zone.lineEdit())
    assert "Europe/Nowhere" in note(page, "calendar.time_zone")
    qtbot.wait(300)
    assert len(stage.engine.commands) == 2


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("appearance", "appearance.theme", "dark"),
        ("appearance", "appearance.text_percent", 125),
        ("drafting", "drafting.concurrency", 4),
    ],
)
def test_choices_are_json_values(stage: Stage, qtbot: QtBot, section: str, key: str, value: object) -> None:
    page = shown(stage, section)
    field = box(page, key)
    field.setCurrentIndex(field.findData(value))
    qtbot.waitUntil(lambda: bool(stage.engine.commands))
    assert sent(stage) == [{key: value}]
    obey(stage)
    qtbot.waitUntil(lambda: note(page, key) == "Saved")


@pytest.mark.parametrize(("key", "on"), [("drafting.paused", True), ("notifications.in_tray", False)])
def test_a_switch_is_turned_by_keyboard(stage: Stage, qtbot: QtBot, key: str, on: bool) -> None:
    page = shown(stage, key.partition(".")[0])
    box = page.findChild(QCheckBox, key)
    assert isinstance(box, QCheckBox)
    box.setFocus()
    press("Space", on=box)
    qtbot.waitUntil(lambda: bool(stage.engine.commands))
    assert (sent(stage), box.isChecked()) == ([{key: on}], on)


def test_a_model_id_and_caps(stage: Stage, qtbot: QtBot) -> None:
    page = shown(stage)
    cast(ModelSection, page.sections["model"]).more.click()
    field = line(page, "model.name")
    type_over(qtbot, field, "openai/gpt-5-mini")
    press("Return", on=field)
    usd = line(page, "model.daily_usd")
    type_over(qtbot, usd, "2.5")
    press("Return", on=usd)
    assert usd.text() == QLocale().toString(2.5, "f", 2)
    qtbot.waitUntil(lambda: bool(stage.engine.commands))
    assert sent(stage) == [{"model.name": "openai/gpt-5-mini"}, {"model.daily_usd": 2.5}]
    type_over(qtbot, field, "not a model")
    press("Return", on=field)
    assert note(page, "model.name") == "A model ID has no spaces."
    address = line(page, "model.api_base")
    type_over(qtbot, address, "localhost:1234")
    press("Return", on=address)
    assert "http://" in note(page, "model.api_base")


def test_a_broken_file_locks_the_page_until_it_is_mended(stage: Stage, qtbot: QtBot) -> None:
    """File, line and remedy are said; mending the file is noticed without a click."""
    stage.data.settings.write_text('[sending]\nundo_s = "soon"\n')
    page = shown(stage, "sending")
    assert page.broken.isVisible()
    words = " ".join(
        child.text() for child in page.broken.findChildren(type(page.sections["sending"].fields["sending.undo_s"].note))
    )
    assert "settings.toml" in words
    assert "line 2" in words
    assert "Fix this line" in words
    assert not line(page, "sending.undo_s").isEnabled()
    page.broken.open_file.click()
    assert stage.opened[-1].endswith("/settings.toml")
    stage.data.settings.write_text("[sending]\nundo_s = 33\n")
    qtbot.waitUntil(lambda: not page.broken.isVisible())
    assert line(page, "sending.undo_s").isEnabled()
    assert line(page, "sending.undo_s").text() == "33"


def test_about_opens_the_folders(stage: Stage) -> None:
    page = shown(stage, "about")
    about = page.sections["about"]
    for button in about.findChildren(QPushButton):
        button.click()
    assert [one.removeprefix("file://") for one in stage.opened] == [str(stage.data.root), str(stage.data.logs)]


def test_the_preview_is_one_click_away(stage: Stage) -> None:
    page = shown(stage, "drafting")
    button = next(b for b in page.sections["drafting"].findChildren(QPushButton) if "preview" in b.text())
    button.click()
    assert stage.neighbours.went == ["welcome"]


def test_sections_by_keyboard_and_names_for_all(stage: Stage) -> None:
    """Down goes to the next section, Tab into its first control; nothing is nameless."""
    page = shown(stage)
    page.take_focus()
    press("Down", on=page.list)
    assert page.shown == "drafting"
    press("Tab", on=page.list)
    focused = QApplication.focusWidget()
    assert focused.objectName() == "drafting.paused"
    for section, *_words in SettingTexts(page).sections():
        page.show_section(section)
    assert nameless(page) == []


def test_nothing_is_cut_in_large_type(stage: Stage, qtbot: QtBot) -> None:
    stage.appearance.apply("light", 1.25)
    page = shown(stage, width=860)
    for section, *_words in SettingTexts(page).sections():
        page.show_section(section)
        qtbot.wait(20)
        assert cut(page) == [], section


@pytest.mark.parametrize(
    ("section", "key", "typed", "value"),
    [
        ("model", "model.name", "ollama/qwen3", "ollama/qwen3"),
        ("model", "model.daily_calls", "7", 7),
        ("drafting", "drafting.background", "A workshop.", "A workshop."),
        ("web", "web.sites", "example.org", ["example.org"]),
    ],
)
def test_what_is_typed_is_saved_when_the_window_goes(
    stage: Stage, qtbot: QtBot, section: str, key: str, typed: str, value: object
) -> None:
    """Quit from the middle of a field: no pause in typing comes any more, and no other field takes the keyboard."""
    page = shown(stage, section)
    field = page.sections[section].fields[key].control.field
    type_over(qtbot, field, typed)
    page.hide()
    assert sent(stage) == [{key: value}]
    page.show()
    page.hide()
    assert sent(stage) == [{key: value}]


@pytest.mark.parametrize(("section", "key"), [("drafting", "drafting.background"), ("web", "web.sites")])
def test_a_pause_in_typing_leaves_the_cursor_and_the_words(stage: Stage, qtbot: QtBot, section: str, key: str) -> None:
    """What was saved meanwhile stands there already; whoever goes on typing goes on where they were."""
    page = shown(stage, section)
    field = page.findChild(QPlainTextEdit, key)
    assert isinstance(field, QPlainTextEdit)
    type_over(qtbot, field, "shop.example ")
    qtbot.waitUntil(lambda: bool(stage.engine.commands), timeout=30_000)
    obey(stage)
    qtbot.waitUntil(lambda: note(page, key) == "Saved", timeout=30_000)
    qtbot.keyClicks(field, "and.example")
    assert field.toPlainText() == "shop.example and.example"


@pytest.mark.parametrize("first", ["calendar.start", "calendar.end"])
def test_a_day_that_is_moved_as_a_whole_is_saved_with_its_second_hour(stage: Stage, qtbot: QtBot, first: str) -> None:
    """The first hour that was chosen did not fit the other one as it was; now it does."""
    page = shown(stage, "calendar")
    evening = {"calendar.start": "20:00", "calendar.end": "22:00"}
    morning = {"calendar.start": "04:00", "calendar.end": "06:00"}
    wanted = evening if first == "calendar.start" else morning
    for key in (first, *(key for key in wanted if key != first)):
        field = box(page, key)
        field.setCurrentIndex(field.findData(wanted[key]))
    qtbot.waitUntil(lambda: bool(stage.engine.commands), timeout=30_000)
    assert {key: value for one in sent(stage) for key, value in one.items()} == wanted
    obey(stage, 0)
    obey(stage, 1)
    qtbot.waitUntil(lambda: {note(page, key) for key in wanted} == {"Saved"}, timeout=30_000)


def test_a_setting_is_found_by_its_words(stage: Stage, qtbot: QtBot) -> None:
    """By title, hint, choices or what else stands in a section; Enter opens its section at it."""
    page = shown(stage)
    qtbot.keyClicks(page.search.line, "undo")
    assert not page.list.isVisible()
    assert page.search.hits.item(0).text() == "Undo send · Sending"
    press("Return", on=page.search.line)
    assert page.shown == "sending"
    assert page.list.isVisible()
    assert page.search.line.text() == ""
    assert page.focusWidget() is page.sections["sending"].fields["sending.undo_s"].control.field
    for words, section in (("vacation", "sending"), ("ollama", "model"), ("čeština", "appearance"), ("gmail keys", "appearance")):
        page.search.line.setText(words)
        page.search.hits.itemClicked.emit(page.search.hits.item(0))
        assert page.shown == section, words
    page.search.line.setText("zeppelin")
    assert page.search.hits.item(0).text() == "No setting found"
    press("Escape", on=page.search.line)
    assert page.search.line.text() == ""
    assert page.list.isVisible()


def test_every_setting_stands_where_the_search_leads(stage: Stage) -> None:
    page = shown(stage)
    for key in SettingTexts(page).settings():
        page.show_section(section_of(key))
        assert key in page.sections[page.shown].fields
