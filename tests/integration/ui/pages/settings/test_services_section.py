"""Connecting calendar and contacts, and what may happen without a question."""

import json

import pytest
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from app.config.settings_file import change
from app.domain.error_texts import ErrorText
from app.domain.ids import AccountId
from app.domain.protocol.commands import ChangeSettings, ConnectService, Service
from app.domain.protocol.events import CommandFailed, ConnectionChanged, ConnectionState, SettingsChanged
from app.ui.pages.settings.google_sections import ServiceRow, ServicesSection
from app.ui.pages.settings.page import SettingsPage
from fakes.window.page_setup import Stage, cut, nameless


def shown(stage: Stage, section: str) -> SettingsPage:
    page = SettingsPage(stage.context)
    stage.show(page)
    page.show_section(section)
    return page


def service(page: SettingsPage, which: Service) -> ServiceRow:
    section = page.sections["calendar"]
    assert isinstance(section, ServicesSection)
    return section.services[which]


@pytest.mark.parametrize("which", [Service.CALENDAR, Service.CONTACTS])
def test_a_service_is_connected_by_command_and_shown_by_the_file(qtbot: QtBot, stage: Stage, which: Service) -> None:
    page = shown(stage, "calendar")
    row = service(page, which)
    assert (row.state.text(), row.disconnect_it.isVisible()) == ("Not connected", False)
    row.connect_it.click()
    assert stage.engine.commands == [ConnectService(which)]
    assert (row.waiting, row.connect_it.isEnabled(), row.state.text()) == (True, False, "Connecting…")
    change(stage.data.settings, ((f"{which}.connected", "true"),))
    stage.engine.tell(SettingsChanged(""))
    qtbot.waitUntil(lambda: row.state.text() == "Connected")
    assert (row.waiting, row.connect_it.isVisible()) == (False, False)
    assert not nameless(page)
    assert not cut(page)


def test_a_refused_consent_is_said_and_may_be_tried_again(stage: Stage) -> None:
    row = service(shown(stage, "calendar"), Service.CALENDAR)
    row.connect_it.click()
    stage.engine.tell(
        CommandFailed("ConnectService", "permission_missing", ErrorText.of("Access was not granted.", "Try again."))
    )
    assert row.note.text()
    assert (row.waiting, row.connect_it.isEnabled(), row.state.text()) == (False, True, "Not connected")


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


def test_disconnecting_is_a_setting(stage: Stage) -> None:
    change(stage.data.settings, (("calendar.connected", "true"),))
    page = shown(stage, "calendar")
    service(page, Service.CALENDAR).disconnect_it.click()
    assert stage.engine.commands == [ChangeSettings((("calendar.connected", "false"),))]


def test_kinds_are_ticked_for_drafts_without_a_question(qtbot: QtBot, stage: Stage) -> None:
    change(stage.data.settings, (("automation.auto_approve_categories", '["other"]'),))
    page = shown(stage, "automation")
    boxes = {one.text(): one for one in page.sections["automation"].findChildren(QCheckBox)}
    assert [name for name, one in boxes.items() if one.isChecked()] == ["Other"]
    assert "Complaint" not in boxes
    boxes["Inquiry"].click()
    (sent,) = stage.engine.commands
    assert isinstance(sent, ChangeSettings)
    assert {key: json.loads(value) for key, value in sent.values} == {"automation.auto_approve_categories": ["inquiry", "other"]}
    assert not nameless(page)
    assert not cut(page)
