"""The web's settings: addresses and hosts are checked before they are sent, and pasted addresses become hosts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.config.settings import WebSettings
from app.domain.protocol.commands import ChangeSettings
from app.ui.pages.settings.page import SettingsPage
from app.ui.pages.settings.sections import hosts_of
from fakes.window.page_setup import Stage, nameless

SEARCH, SITES = "web.searxng", "web.sites"


@pytest.fixture
def page(stage: Stage) -> SettingsPage:
    stage.data.settings.write_text('[web]\nsearxng = "https://find.example"\nsites = ["example.org", "a-b.example"]\n')
    made = SettingsPage(stage.context)
    stage.show(made, 1000)
    made.show_section("web")
    return made


def field(page: SettingsPage, key: str) -> QLineEdit | QPlainTextEdit:
    found = page.sections["web"].fields[key].control.field
    assert isinstance(found, QLineEdit | QPlainTextEdit)
    return found


def note(page: SettingsPage, key: str) -> str:
    return page.sections["web"].fields[key].note.text()


def test_the_files_values_are_shown(page: SettingsPage, stage: Stage) -> None:
    search, sites = field(page, SEARCH), field(page, SITES)
    assert isinstance(search, QLineEdit)
    assert search.text() == "https://find.example"
    assert isinstance(sites, QPlainTextEdit)
    assert sites.toPlainText() == "example.org\na-b.example"
    assert stage.engine.commands == []
    assert not nameless(page)


def test_sites_are_sent_as_hosts(page: SettingsPage, stage: Stage, qtbot: QtBot) -> None:
    sites = field(page, SITES)
    assert isinstance(sites, QPlainTextEdit)
    sites.setPlainText("https://Docs.Example.com/guide?x=1\nexample.org, example.org")
    qtbot.waitUntil(lambda: bool(stage.engine.commands), timeout=30_000)
    command = stage.engine.commands[-1]
    assert command == ChangeSettings(((SITES, '["docs.example.com", "example.org"]'),))


def test_what_is_no_site_is_not_sent(page: SettingsPage, stage: Stage, qtbot: QtBot) -> None:
    sites = field(page, SITES)
    assert isinstance(sites, QPlainTextEdit)
    sites.setPlainText("localhost")
    qtbot.waitUntil(lambda: "localhost" in note(page, SITES), timeout=30_000)
    assert stage.engine.commands == []


def test_what_is_no_address_is_not_sent(page: SettingsPage, stage: Stage) -> None:
    search = field(page, SEARCH)
    assert isinstance(search, QLineEdit)
    search.setText("find.example")
    search.editingFinished.emit()
    assert "full URL" in note(page, SEARCH)
    assert stage.engine.commands == []


@given(st.text(max_size=60))
def test_any_text_becomes_hosts_that_are_read_back_the_same(text: str) -> None:
    hosts = hosts_of(text)
    assert hosts_of("\n".join(hosts)) == hosts or any(not one.isascii() or set(one) & set(":/[]@?#") for one in hosts)


def test_the_files_own_rule_is_the_forms(page: SettingsPage) -> None:
    section = page.sections["web"]
    for host in ("example.org", "EXAMPLE.org", "a", "-a.org", "a_b.org", "x.y.museum"):
        hosts = hosts_of(host)
        fits = not section.check(SITES, hosts)
        try:
            import msgspec

            msgspec.convert({"sites": hosts}, WebSettings)
            taken = True
        except msgspec.ValidationError:
            taken = False
        assert fits == taken, host
