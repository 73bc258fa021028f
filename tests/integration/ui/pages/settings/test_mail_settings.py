"""Signature and vacation responder are Gmail's: read when the section is shown, written on request; a refusal is said."""

import pytest
from PySide6.QtCore import QDate
from pytestqt.qtbot import QtBot

from app.domain.errors import PermissionMissing
from app.domain.mail.message import Vacation
from app.domain.protocol.account_commands import ChangeMailSettings, MailSettings, ReadMailSettings, Signature
from app.ui.pages.settings.google_sections import SendingSection
from app.ui.pages.settings.page import SettingsPage
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.page_setup import nameless, until
from fakes.window.recorded_engine import RecordedEngine

OWN = "mia@workshop.example"
HERE = MailSettings((Signature(OWN, "<p>Mia</p>"), Signature("shop@workshop.example", "")), Vacation())


@pytest.fixture
def page(window: MainWindow) -> SettingsPage:
    made = window.page("settings")
    assert isinstance(made, SettingsPage)
    window.show_page("settings")
    return made


async def read(page: SettingsPage, link: RecordedEngine, store: LivelyStore) -> SendingSection:
    page.show_section("sending")  # here, where the loop runs on which it asks
    section = page.sections["sending"]
    assert isinstance(section, SendingSection)
    assert not section.signature.isEnabled()
    await until(lambda: link.asked(ReadMailSettings) == 1)
    link.answer(HERE, ReadMailSettings)
    await until(section.signature.isEnabled)
    return section


async def test_the_signature_is_read_and_written(
    page: SettingsPage, link: RecordedEngine, store: LivelyStore, qtbot: QtBot
) -> None:
    section = await read(page, link, store)
    assert [section.box.itemText(at) for at in range(section.box.count())] == [OWN, "shop@workshop.example"]
    assert section.signature.field.toPlainText() == "Mia"
    assert not nameless(page)
    section.signature.field.clear()
    qtbot.keyClicks(section.signature.field, "Mia, workshop")
    section.signature.save.click()
    await until(lambda: link.asked(ChangeMailSettings) == 1)
    change = next(one for one in link.queries if isinstance(one, ChangeMailSettings))
    assert change.account_id == store.account_id
    assert change.signature.email == OWN
    assert "Mia, workshop" in change.signature.html
    assert "-qt-" not in change.signature.html
    assert change.vacation is None
    link.refuse(PermissionMissing("Not granted."), ChangeMailSettings)
    await until(lambda: bool(section.note.text()) and section.signature.isEnabled())
    assert section.signature.field.toPlainText() == "Mia, workshop", "nothing that was typed is lost"


async def test_the_vacation_responder(page: SettingsPage, link: RecordedEngine, store: LivelyStore, qtbot: QtBot) -> None:
    section = await read(page, link, store)
    editor = section.vacation
    editor.on.setChecked(True)
    editor.save.click()
    assert "subject or a message" in section.note.text()
    qtbot.keyClicks(editor.subject, "Away")
    editor.ends.setChecked(True)
    editor.last.setDate(editor.first.date().addDays(-1))
    editor.save.click()
    assert "last day" in section.note.text()
    assert link.asked(ChangeMailSettings) == 0
    editor.first.setDate(QDate(2027, 2, 1))
    editor.last.setDate(QDate(2027, 2, 5))
    editor.save.click()
    await until(lambda: link.asked(ChangeMailSettings) == 1)
    change = next(one for one in link.queries if isinstance(one, ChangeMailSettings))
    assert (change.vacation.on, change.vacation.subject) == (True, "Away")
    assert change.vacation.until_ms - change.vacation.from_ms == 5 * 24 * 3_600_000
    link.answer(MailSettings(HERE.signatures, change.vacation), ChangeMailSettings)
    await until(lambda: section.note.text() == "Saved to Gmail.")
    assert editor.last.date() == QDate(2027, 2, 5)
