"""What is half typed in the settings comes back: lines that are not saved, a rule that is being written, the chosen profile.

A form at large text and in narrow windows: words above their controls, and no word cut.
"""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.config.settings_file import change
from app.domain.agents.routing import RoutingRule, RuleMatch
from app.domain.agents.runs import Route
from app.domain.error_texts import ErrorText
from app.domain.protocol.agent_commands import FileError, RulesAnswer, SaveRules
from app.domain.protocol.commands import ChangeSettings
from app.domain.record import replace
from app.ui.pages.settings.form import ChangeOutcome, Form, FormArea, SettingsWriter
from app.ui.pages.settings.page import SettingsPage
from app.ui.pages.settings.rules.rules_section import EDITOR, LIST, RulesSection
from app.ui.session.session_store import PageState
from app.ui.widgets import form_controls
from app.ui.widgets.factory import button
from fakes.window.page_setup import Stage

SHOP = RoutingRule("shop", RuleMatch(sender_domain="shop.example"), Route.PIPELINE)
REST = RoutingRule("rest", RuleMatch(all=True), Route.PIPELINE)
NOW = RulesAnswer("/home/me/routing.yaml", (SHOP, REST), (), "f1")


def page_at(stage: Stage, section: str, place: PageState | None = None) -> SettingsPage:
    page = SettingsPage(stage.context)
    page.restore_state({**(place or {}), "section": section})
    stage.show(page)
    return page


def line(page: SettingsPage, section: str, key: str) -> QLineEdit:
    field = page.sections[section].fields[key].control.field
    assert isinstance(field, QLineEdit)
    return field


def test_a_line_comes_back_unsaved(stage: Stage) -> None:
    left = page_at(stage, "web")
    QTest.keyClicks(line(left, "web", "web.searxng"), "https://sear")
    place = left.save_state()
    again = page_at(stage, "web", place)
    field = again.sections["web"].fields["web.searxng"]
    assert (line(again, "web", "web.searxng").text(), field.fate) == ("https://sear", ChangeOutcome.UNSAVED)
    assert not [one for one in stage.engine.commands if isinstance(one, ChangeSettings)], "nobody had done with it"
    change(stage.data.settings, (("web.searxng", '"https://other.example"'),))
    again.refresh()
    assert line(again, "web", "web.searxng").text() == "https://sear"
    line(left, "web", "web.searxng").setText("no address")
    line(left, "web", "web.searxng").editingFinished.emit()
    again = page_at(stage, "web", left.save_state())
    field = again.sections["web"].fields["web.searxng"]
    assert (line(again, "web", "web.searxng").text(), field.fate) == ("no address", ChangeOutcome.UNSAVED)


def test_a_key_is_never_written(stage: Stage) -> None:
    left = page_at(stage, "model")
    section = left.sections["model"]
    section.key.field.setEnabled(True)  # type: ignore[attr-defined]
    QTest.keyClicks(section.key.field, "sk-hush")  # type: ignore[attr-defined]
    assert section.key.field.text() == "sk-hush"  # type: ignore[attr-defined]
    left.show_section("accounts")
    QTest.keyClicks(left.sections["accounts"].client.line, "/home/me/hush.json")  # type: ignore[attr-defined]
    assert "hush" not in str(left.save_state())


def rules(page: SettingsPage, now: RulesAnswer = NOW) -> RulesSection:
    section = page.sections["rules"]
    assert isinstance(section, RulesSection)
    section._answered(now)
    return section


def test_a_half_written_rule_comes_back_when_the_rules_are_known(stage: Stage) -> None:
    left = page_at(stage, "rules")
    writing = rules(left)
    writing.table.selectRow(1)
    writing.edit()
    writing.editor.texts["subject_contains"].setText("offer")
    writing.editor.headers.setPlainText("X-A: ^b")
    writing.editor.name.setText("the res")
    place = left.save_state()
    again = page_at(stage, "rules", place)
    assert again.save_state() == place
    section = rules(again, replace(NOW, error=FileError(3, ErrorText.of("Broken.", "Mend it."))))
    assert (section.stack.currentIndex(), again.save_state()) == (LIST, place)
    rules(again)
    assert section.stack.currentIndex() == EDITOR
    assert section.editor.written() == writing.editor.written()
    section.editor.submit()
    assert stage.engine.commands[-1] == SaveRules((SHOP, writing.editor.written()), "f1")
    section.leave_editor()
    assert "rule.name" not in again.save_state()


HINT = "A sentence that is much longer than the control beside it, so that its lines decide how high the row has to be. " * 3


@pytest.mark.parametrize(
    ("size", "width", "stacked"), [(1.0, 1200, False), (1.0, 500, True), (2.0, 1400, False), (2.0, 900, True)]
)
def test_no_hint_is_cut(qtbot: QtBot, stage: Stage, size: float, width: int, stacked: bool) -> None:
    stage.appearance.apply("light", size)
    form = Form(SettingsWriter(stage.engine, stage.appearance), "Title", "Intro")
    for number in range(3):
        form.add(f"drafting.row{number}", f"Row {number}", HINT, form_controls.line())
    area = FormArea(form)
    qtbot.addWidget(area)
    stage.dress(area)
    area.resize(width, 700)
    area.show()
    assert QTest.qWaitForWindowExposed(area, 30_000)
    words = [one for one in form.findChildren(QLabel) if one.text() == HINT]
    lines = [field.control.widget for field in form.fields.values()]
    qtbot.waitUntil(lambda: all(one.height() >= one.heightForWidth(one.width()) for one in words), timeout=30_000)
    for word, line in zip(words, lines, strict=True):
        at, beside = word.mapTo(form, word.rect().topLeft()), line.mapTo(form, line.rect().topLeft())
        assert (beside.y() > at.y()) is stacked
        assert (beside.x() > at.x()) is not stacked
    assert area.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    qtbot.waitUntil(lambda: form.width() <= area.viewport().width(), timeout=30_000)


def test_what_is_pressed_or_ticked_is_spoken_as_it_is_written(qtbot: QtBot, stage: Stage) -> None:
    form = Form(SettingsWriter(stage.engine, stage.appearance), "Keyboard shortcuts")
    qtbot.addWidget(form)
    pressed = button("Change keyboard shortcuts")
    form.add_widget("Your keys", "As in Gmail.", pressed)
    ticked = form.add(
        "sync.older_paused", "Older mail", "New mail comes in.", form_controls.switch("Pause downloading older mail")
    ).field
    typed = form.add("model.name", "Model", "", form_controls.line()).field
    spoken = [QAccessible.queryAccessibleInterface(one) for one in (pressed, ticked, typed)]
    name, about = QAccessible.Text.Name, QAccessible.Text.Description
    assert [one.text(name) for one in spoken] == ["Change keyboard shortcuts", "Pause downloading older mail", "Model"]
    assert [one.text(about) for one in spoken] == ["Your keys. As in Gmail.", "Older mail. New mail comes in.", ""]
