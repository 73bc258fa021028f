"""The settings page with real widgets, keyboard and file; the engine's part is done by the test."""

import json
import tomllib
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.config.settings_file import change
from app.domain.error_texts import ErrorText
from app.domain.ids import AccountId
from app.domain.protocol.commands import ChangeSettings, ConnectService, Service
from app.domain.protocol.events import CommandFailed, ConnectionChanged, ConnectionState, SettingsChanged
from app.ui.pages.settings.form import Form
from app.ui.pages.settings.google_sections import ServiceRow, ServicesSection
from app.ui.pages.settings.model_section import ModelSection
from app.ui.pages.settings.page import SettingsPage
from app.ui.pages.settings.sections import hosts_of
from app.ui.pages.settings.settings_table import SettingTexts, section_of
from app.ui.session.session_store import text_of
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage, cut, nameless


def shown(stage: Stage, section: str = "model", width: int = 1000) -> SettingsPage:
    page = SettingsPage(stage.context)
    stage.show(page, width)
    page.show_section(section)
    return page


def shown_in(page: SettingsPage, section: str) -> Form:
    page.show_section(section)
    return page.sections[section]


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


def test_each_kind_of_control_sends_its_value(stage: Stage, qtbot: QtBot) -> None:
    """Numbers, amounts, choices, switches, days, ticks and lines of hosts, by keyboard; each alone."""
    page = shown(stage, "sending")
    field = line(page, "sending.undo_s")
    field.setFocus()
    press("Up", "Up", "Up", on=field)
    assert sent(stage)[-1] == {"sending.undo_s": 13}
    cast(ModelSection, shown_in(page, "model")).more.click()
    for key, typed, value in (("model.name", "openai/gpt-5-mini", "openai/gpt-5-mini"), ("model.daily_usd", "2.5", 2.5)):
        type_over(qtbot, line(page, key), typed)
        press("Return", on=line(page, key))
        assert sent(stage)[-1] == {key: value}
    assert line(page, "model.daily_usd").text() == QLocale().toString(2.5, "f", 2)
    for key, choice in (("appearance.theme", "dark"), ("appearance.text_percent", 125), ("drafting.concurrency", 4)):
        shown_in(page, key.partition(".")[0])
        box(page, key).setCurrentIndex(box(page, key).findData(choice))
        assert sent(stage)[-1] == {key: choice}
    for key, on in (("drafting.paused", True), ("notifications.in_tray", False)):
        switch = shown_in(page, key.partition(".")[0]).fields[key].control.field
        switch.setFocus()
        press("Space", on=switch)
        assert sent(stage)[-1] == {key: on}
    ticks = {one.text(): one for one in shown_in(page, "automation").findChildren(QCheckBox)}
    assert "Complaint" not in ticks
    ticks["Inquiry"].click()
    assert sent(stage)[-1] == {"automation.auto_approve_categories": ["inquiry"]}
    shown_in(page, "web")
    field = page.findChild(QPlainTextEdit, "web.sites")
    field.setPlainText("https://Docs.Example.com/guide?x=1\nexample.org, example.org")
    page.sections["web"].fields["web.sites"].control.settle()
    assert sent(stage)[-1] == {"web.sites": ["docs.example.com", "example.org"]}


@pytest.mark.parametrize(
    ("key", "typed", "words"),
    [
        ("sending.undo_s", "301", "Write a number from 0 to 300."),
        ("sending.undo_s", "-1", "Write a number from 0 to 300."),
        ("sending.undo_s", "soon", "Write a number from 0 to 300."),
        ("model.name", "not a model", "A model ID has no spaces."),
        ("model.api_base", "localhost:1234", "Start the URL with http:// or https://."),
        ("web.searxng", "find.example", "Enter the full URL, for example https://search.example.org."),
        ("web.sites", "localhost", "“localhost” isn't a site name. For example, example.org."),
    ],
)
def test_what_is_wrong_is_refused_in_words_and_stays(stage: Stage, key: str, typed: str, words: str) -> None:
    page = shown(stage, key.partition(".")[0])
    control = page.sections[page.shown].fields[key].control
    control.field.setText(typed) if isinstance(control.field, QLineEdit) else control.field.setPlainText(typed)
    control.settle()
    assert note(page, key) == words
    assert text_of(control.field) == typed
    assert stage.engine.commands == []


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
    assert "sending.undo_s" not in page.save_state()
    assert tomllib.loads(stage.data.settings.read_text())["sending"] == {"undo_s": 25}
    press("Return", on=field)
    qtbot.wait(300)
    assert len(stage.engine.commands) == 1, "the same value is not sent again"


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


def test_every_section_is_reached_by_keyboard_named_and_whole_in_large_type(stage: Stage, qtbot: QtBot) -> None:
    """Down goes to the next section, Tab into its first control; every setting stands where the search leads."""
    stage.appearance.apply("light", 1.25)
    page = shown(stage, width=860)
    page.take_focus()
    press("Down", on=page.list)
    assert page.shown == "drafting"
    press("Tab", on=page.list)
    assert QApplication.focusWidget().objectName() == "drafting.paused"
    for section, *_words in SettingTexts(page).sections():
        page.show_section(section)
        qtbot.wait(20)
        assert cut(page) == [], section
    assert nameless(page) == []
    for key in SettingTexts(page).settings():
        assert key in page.sections[section_of(key)].fields
    for button in page.sections["about"].findChildren(QPushButton)[:2]:
        button.click()
    assert [one.removeprefix("file://") for one in stage.opened] == [str(stage.data.root), str(stage.data.logs)]
    next(one for one in page.sections["drafting"].findChildren(QPushButton) if "preview" in one.text()).click()
    assert stage.neighbours.went == ["welcome"]


def service(page: SettingsPage, which: Service) -> ServiceRow:
    return cast(ServicesSection, page.sections["calendar"]).services[which]


@pytest.mark.parametrize("which", [Service.CALENDAR, Service.CONTACTS])
def test_a_service_is_connected_by_command_and_shown_by_the_file(qtbot: QtBot, stage: Stage, which: Service) -> None:
    page = shown(stage, "calendar")
    row = service(page, which)
    assert (row.state.text(), row.disconnect_it.isVisible()) == ("Not connected", False)
    row.connect_it.click()
    assert stage.engine.commands == [ConnectService(which)]
    assert (row.waiting, row.connect_it.isEnabled(), row.state.text()) == (True, False, "Connecting…")
    failed = CommandFailed("ConnectService", "permission_missing", ErrorText.of("Access was not granted.", "Try again."))
    stage.engine.tell(failed)
    assert row.note.text()
    assert (row.waiting, row.connect_it.isEnabled(), row.state.text()) == (False, True, "Not connected")
    change(stage.data.settings, ((f"{which}.connected", "true"),))
    stage.engine.tell(SettingsChanged(""))
    qtbot.waitUntil(lambda: row.state.text() == "Connected")
    assert (row.waiting, row.connect_it.isVisible()) == (False, False)
    row.disconnect_it.click()
    assert sent(stage) == [{f"{which}.connected": False}]


def test_nothing_stands_as_connected_while_google_wants_a_sign_in(qtbot: QtBot, stage: Stage) -> None:
    change(stage.data.settings, (("calendar.connected", "true"),))
    page = shown(stage, "calendar")
    calendar, contacts = service(page, Service.CALENDAR), service(page, Service.CONTACTS)
    for account in (1, 2):
        stage.engine.tell(ConnectionChanged(AccountId(account), ConnectionState.LOGIN_NEEDED, 0, ""))
    assert (calendar.state.text(), calendar.state.property("tone")) == ("Waits until you sign in again", "warning")
    assert contacts.state.text() == "Not connected"
    qtbot.waitUntil(lambda: not cut(page))
    stage.engine.tell(ConnectionChanged(AccountId(1), ConnectionState.ONLINE, 0, ""))
    assert calendar.state.property("tone") == "warning", "the other account's calendar is not read yet"
    stage.engine.tell(ConnectionChanged(AccountId(2), ConnectionState.ONLINE, 0, ""))
    assert (calendar.state.text(), calendar.state.property("tone")) == ("Connected", "positive")


@given(st.text(max_size=60))
def test_any_text_becomes_hosts_that_are_read_back_the_same(text: str) -> None:
    hosts = hosts_of(text)
    assert hosts_of("\n".join(hosts)) == hosts or any(not one.isascii() or set(one) & set(":/[]@?#") for one in hosts)
