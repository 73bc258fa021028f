"""The rules in the settings, by keyboard: written, tried, moved, deleted, and what happens when the file is broken."""

import asyncio

import pytest
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from app.domain.agents.routing import HeaderPattern, Routed, RoutingRule, RuleAction, RuleMatch
from app.domain.agents.runs import Route
from app.domain.error_texts import ErrorText
from app.domain.errors import NotAllowed
from app.domain.ids import MessageId, ThreadId
from app.domain.protocol.agent_commands import FileError, ReadRules, RulesAnswer, RulesTried, SaveRules, TriedMail, TryRules
from app.domain.protocol.changes import ApplyRule, UndoChange
from app.domain.protocol.events import CommandFailed, EngineReady, RulesChanged
from app.domain.record import replace
from app.link.frames import LinkClosed
from app.ui.pages.settings.page import SettingsPage
from app.ui.pages.settings.rules.rules_section import EDITOR, LIST, RulesSection
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage, cut, nameless, until

SHOP = RoutingRule(
    "shop", RuleMatch(sender_domain="shop.example", header_match=(HeaderPattern("X-A", "^b$"),)), Route.RESPONSE_AGENT
)
DRUGS = RoutingRule("drugs", RuleMatch(forwarded_from="info@leky.example"), Route.AGENT, "pharmacy")
REST = RoutingRule("rest", RuleMatch(all=True), Route.PIPELINE)
BROKEN = FileError(7, ErrorText.of("There is no route 'x'.", "Choose another."))
NOW = RulesAnswer("/home/me/routing.yaml", (SHOP, DRUGS, REST), ("pharmacy",), "f1")


async def on_screen(stage: Stage, now: RulesAnswer | None = NOW, width: int = 1000) -> RulesSection:
    """The section with these rules; None leaves the engine's answer to the test."""
    page = SettingsPage(stage.context)
    stage.show(page, width, 900, wait=False)
    page.show_section("rules")
    section = page.sections["rules"]
    assert isinstance(section, RulesSection)
    await until(lambda: ReadRules() in stage.engine.queries)
    if now is not None:
        stage.engine.answer(now)
        await until(lambda: section.now is not None)
    return section


async def reread(stage: Stage, section: RulesSection, now: RulesAnswer) -> None:
    """The file changed: the section reads these rules again."""
    asked = stage.engine.asked(ReadRules)
    stage.engine.tell(RulesChanged())
    await until(lambda: stage.engine.asked(ReadRules) > asked)
    stage.engine.answer(now, ReadRules)
    await until(lambda: section.now is not None and section.now.fingerprint == now.fingerprint)


def sent(stage: Stage) -> SaveRules:
    command = stage.engine.commands[-1]
    assert isinstance(command, SaveRules)
    return command


async def saved(stage: Stage, section: RulesSection, fingerprint: str = "f2") -> SaveRules:
    command = sent(stage)
    await reread(stage, section, replace(NOW, rules=command.rules, fingerprint=fingerprint))
    return command


def cells(section: RulesSection) -> list[str]:
    found = (section.table.item(at, 0) for at in range(section.table.rowCount()))
    return [one.text() for one in found if one is not None]


async def test_a_rule_is_written_tried_and_saved_by_keyboard(stage: Stage, qtbot: QtBot) -> None:
    section = await on_screen(stage)
    section.table.setFocus()
    press("Insert", on=section.table)
    editor = section.editor
    assert section.stack.currentIndex() == EDITOR
    assert not editor.save.isEnabled()
    qtbot.keyClicks(editor.name, "orders")
    qtbot.keyClicks(editor.texts["subject_contains"], "Order")
    assert editor.save.isEnabled()
    assert not editor.trial.words.text(), "nothing is missing any more"
    await until(lambda: isinstance(stage.engine.queries[-1], TryRules))
    asked = stage.engine.queries[-1]
    assert isinstance(asked, TryRules)
    orders = RoutingRule("orders", RuleMatch(subject_contains="Order"), Route.PIPELINE)
    assert (asked.rules, asked.focus, asked.limit) == ((orders, SHOP, DRUGS, REST), "orders", 200)
    routed = Routed(Route.PIPELINE, "rest"), Routed(Route.PIPELINE, "orders")
    stage.engine.answer(RulesTried(200, (TriedMail(MessageId(1), ThreadId(1), *routed, holds=True),)))
    await until(lambda: "1 of your last 200" in editor.trial.words.text())
    press("Ctrl+Return", on=editor.name)
    command = await saved(stage, section)
    assert command == SaveRules((orders, SHOP, DRUGS, REST), "f1")
    assert section.stack.currentIndex() == LIST
    assert cells(section) == ["orders", "shop", "drugs", "rest"]


async def test_a_rule_labels_and_archives(stage: Stage, qtbot: QtBot) -> None:
    section = await on_screen(stage)
    section.begin(RoutingRule("news", RuleMatch(sender_email="n@shop.example"), Route.SORT, actions=(RuleAction.ARCHIVE,)))
    editor = section.editor
    editor.label.setFocus()
    qtbot.keyClicks(editor.label, "Reading")
    press("Space", on=editor.ticks[RuleAction.MARK_READ])
    press("Ctrl+Return", on=editor.name)
    (rule, *_) = (await saved(stage, section)).rules
    assert (rule.route, rule.label, rule.actions) == (Route.SORT, "Reading", (RuleAction.ARCHIVE, RuleAction.MARK_READ))
    shown = section.table.item(0, 2)
    assert shown.text() == "Label “Reading” · Archive · Mark as read · Don't draft a reply"


async def test_editing_keeps_what_is_not_touched(stage: Stage) -> None:
    section = await on_screen(stage)
    section.table.setFocus()
    press("Return", on=section.table)
    assert section.editor.written() == SHOP
    section.editor.headers.appendPlainText("List-Id: a:b")
    section.editor.submit()
    changed, *others = sent(stage).rules
    assert changed.match.header_match == (HeaderPattern("X-A", "^b$"), HeaderPattern("List-Id", "a:b"))
    assert others == [DRUGS, REST]


async def test_quick_moves_are_saved_one_after_the_other_though_the_page_is_left(stage: Stage) -> None:
    section = await on_screen(stage)
    section.table.setFocus()
    for _ in range(2):
        press("Alt+Down", on=section.table)
    assert cells(section) == ["drugs", "rest", "shop"]
    assert [one.rules for one in stage.engine.commands if isinstance(one, SaveRules)] == [(DRUGS, SHOP, REST)]
    section.window().hide()
    await saved(stage, section, "f2")
    await until(lambda: len(stage.engine.commands) == 2)
    assert sent(stage) == SaveRules((DRUGS, REST, SHOP), "f2")
    await saved(stage, section, "f3")
    assert cells(section) == ["drugs", "rest", "shop"]


async def test_a_deleted_rule_can_be_brought_back(stage: Stage) -> None:
    section = await on_screen(stage)
    held = {one.key().toString(): one.autoRepeat() for one in section.table.findChildren(QShortcut)}
    assert {key for key, again in held.items() if again} == {"Alt+Up", "Alt+Down"}, "a held Delete takes one rule"
    section.table.setFocus()
    section.table.selectRow(1)
    press("Delete", on=section.table)
    assert stage.engine.commands == [SaveRules((SHOP, REST), "f1")]
    assert stage.neighbours.told == ["The rule “drugs” was deleted."]
    await saved(stage, section)
    stage.neighbours.offers[0]()
    assert stage.engine.commands[-1] == SaveRules((SHOP, DRUGS, REST), "f2")


async def test_what_the_engine_refuses_is_told_in_place_and_stays_written(stage: Stage) -> None:
    section = await on_screen(stage)
    section.edit()
    section.editor.headers.setPlainText("X-A: (")
    await until(lambda: isinstance(stage.engine.queries[-1], TryRules))
    stage.engine.refuse(NotAllowed("The pattern for X-A is wrong.", "Fix the regular expression."))
    await until(lambda: "Fix the regular expression." in section.editor.trial.words.text())
    section.editor.submit()
    stage.engine.tell(CommandFailed("SaveRules", "refused", ErrorText.of("The pattern for X-A is wrong.", "Mend it.")))
    assert "Mend it." in section.editor.error.text()
    assert section.editor.headers.toPlainText() == "X-A: ("
    assert section.stack.currentIndex() == EDITOR
    assert section.error.text() == section.editor.error.text()


async def test_a_broken_file_is_shown_and_nothing_can_be_changed(stage: Stage, qtbot: QtBot) -> None:
    section = await on_screen(stage, replace(NOW, error=BROKEN))
    assert section.file_error.isVisible()
    assert "routing.yaml, line 7" in section.file_error.where.text()
    assert "There is no route" in section.file_error.words.text()
    assert cells(section) == ["shop", "drugs", "rest"]
    assert not any(one.isEnabled() for one in section.buttons.values())
    assert not section.hint.isVisible(), "keys that do nothing"
    section.table.setFocus()
    section.table.selectRow(1)
    press("Delete", "Alt+Down", on=section.table)
    assert cells(section) == ["shop", "drugs", "rest"]
    assert (stage.engine.commands, stage.neighbours.told) == ([], [])
    section.file_error.open_file.click()
    assert stage.opened == ["file:///home/me/routing.yaml"]


async def test_a_broken_file_with_nothing_in_force_promises_no_last_state_and_does_not_scroll(stage: Stage) -> None:
    section = await on_screen(stage, replace(NOW, rules=(), error=BROKEN))
    assert "None of it applies" in section.file_error.words.text()
    assert not section.empty.isVisible()
    area = section.parentWidget().parentWidget()
    assert isinstance(area, QScrollArea)
    section.window().resize(1000, 600)
    await until(lambda: area.height() < 700 and area.verticalScrollBar().maximum() == 0)
    assert section.editor.heightForWidth(800) + section.file_error.height() > area.height()


async def test_without_rules_one_sentence_says_what_happens(stage: Stage) -> None:
    section = await on_screen(stage, None)
    assert section.empty.isHidden(), "nobody has read them yet"
    stage.engine.answer(replace(NOW, rules=(), profiles=()))
    await until(lambda: section.now is not None)
    assert section.empty.isVisible()
    assert not section.table.isVisible() and not section.hint.isVisible()
    assert [name for name, one in section.buttons.items() if one.isVisible()] == ["add"]
    section.buttons["add"].click()
    press("Escape", on=section.editor.name)
    assert section.buttons["add"].hasFocus()


async def test_an_agent_needs_a_profile(stage: Stage) -> None:
    section = await on_screen(stage, replace(NOW, profiles=()))
    section.add_rule()
    section.editor.name.setText("a")
    section.editor.every.setChecked(True)
    section.editor.goal.setCurrentIndex(section.editor.goal.findData(Route.AGENT.value))
    assert not section.editor.save.isEnabled()
    assert section.editor.profile.isVisible()


async def test_a_rule_begun_from_a_mail_leads_back_to_it(stage: Stage) -> None:
    begun, back = RoutingRule("Ana", RuleMatch(sender_email="ana@partner.org"), Route.PIPELINE), list[str]()
    section = await on_screen(stage)
    section.begin(begun, lambda: back.append("saved"))
    section.editor.submit()
    assert back == [], "not before it is saved"
    await saved(stage, section)
    assert back == ["saved"]
    assert stage.neighbours.told[-1] == "The rule “Ana” is saved."
    section.begin(begun, lambda: back.append("given up"))
    section.give_up()
    assert back == ["saved", "given up"]
    section.edit()
    section.leave_editor()
    assert back == ["saved", "given up"], "another rule leads nowhere"
    section.begin(begun, lambda: back.append("left"))
    page = section.window()
    assert isinstance(page, SettingsPage)
    page.show_section("about")
    section.leave_editor()
    assert back == ["saved", "given up"], "the user is elsewhere"


async def test_rules_that_come_late_take_no_keyboard(stage: Stage) -> None:
    """A rule was begun and the user went on to another section: what was typed there went into a field nobody saw."""
    section = await on_screen(stage)
    page = section.window()
    assert isinstance(page, SettingsPage)
    section.now = None
    section.begin(RoutingRule("Ana", RuleMatch(sender_email="ana@partner.org"), Route.PIPELINE))
    page.show_section("about")
    page.list.setFocus()
    section.read()
    await until(lambda: stage.engine.asked(ReadRules) == 2)
    stage.engine.answer(NOW)
    await until(lambda: section.now is not None)
    assert section.stack.currentIndex() == EDITOR
    assert page.focusWidget() is page.list
    section.leave_editor()
    assert page.focusWidget() is page.list


async def test_a_save_that_ends_late_leaves_the_editor_open(stage: Stage) -> None:
    """Moved, and at once the next is edited: the answer to the move must not throw away what is being written."""
    section = await on_screen(stage)
    section.shift(1)
    section.edit()
    section.editor.name.setText("being written")
    await saved(stage, section)
    assert section.stack.currentIndex() == EDITOR
    assert section.editor.name.text() == "being written"
    section.editor.submit()
    command = await saved(stage, section, "f3")
    assert [one.name for one in command.rules] == ["drugs", "being written", "rest"]
    assert section.stack.currentIndex() == LIST


async def test_rules_that_changed_in_the_file_meanwhile_stay(stage: Stage) -> None:
    section = await on_screen(stage)
    section.edit()
    section.editor.name.setText("mine")
    await reread(stage, section, replace(NOW, rules=(REST, SHOP), fingerprint="by hand"))
    section.editor.submit()
    assert [one.name for one in sent(stage).rules] == ["rest", "mine"]
    assert sent(stage).fingerprint == "by hand"


async def test_undo_takes_back_that_rule_and_nothing_else(stage: Stage) -> None:
    section = await on_screen(stage)
    section.edit()
    section.editor.name.setText("renamed")
    section.editor.submit()
    await saved(stage, section)
    section.table.selectRow(2)
    section.shift(-1)
    await saved(stage, section, "f3")
    section.add_rule()
    section.editor.name.setText("another")
    stage.neighbours.offers[0]()
    command = await saved(stage, section, "f4")
    assert [one.name for one in command.rules] == ["shop", "rest", "drugs"]
    assert section.stack.currentIndex() == EDITOR
    assert section.editor.name.text() == "another"


async def test_what_is_chosen_stays_chosen_when_the_file_changes(stage: Stage) -> None:
    section = await on_screen(stage)
    section.table.selectRow(1)
    await reread(stage, section, replace(NOW, rules=(REST, SHOP, DRUGS), fingerprint="by hand"))
    assert section.table.currentRow() == 2
    section.delete()
    assert [one.name for one in sent(stage).rules] == ["rest", "shop"]


@pytest.mark.parametrize(("size", "width"), [(2.0, 860), (1.25, 900), (1.0, 1000)])
async def test_no_column_is_out_of_sight_and_all_is_named(stage: Stage, size: float, width: int) -> None:
    stage.appearance.apply("light", size)
    section = await on_screen(stage, width=width)
    table = section.table
    assert table.item(0, 1).text().startswith("from anyone at shop.example and header X-A matches ^b$")  # type: ignore[union-attr]
    await until(lambda: table.columnViewportPosition(1) + table.columnWidth(1) <= table.viewport().width())
    shown = [cell for at in range(3) if (cell := table.item(1, at)) is not None and not table.isColumnHidden(at)]
    assert "Use agent profile: pharmacy" in "\n".join(one.text() for one in shown)
    assert table.horizontalScrollBar().maximum() == 0
    page = section.window()
    assert isinstance(page, SettingsPage)
    for opening in (section.leave_editor, section.edit):
        opening()
        await asyncio.sleep(0.05)
        assert nameless(page) == []
        assert size == 2.0 or cut(page) == []


async def test_rules_that_could_not_be_read_lose_their_trouble_when_they_are(stage: Stage) -> None:
    section = await on_screen(stage, None)
    stage.data.database.write_bytes(b"\xa5" * 20_000)
    stage.engine.refuse(LinkClosed("The engine is not running."))
    await until(section.error.isVisible)
    assert "is damaged" in section.error.text()
    stage.engine.tell(EngineReady(1, ""))
    await until(lambda: stage.engine.queries.count(ReadRules()) == 2)
    stage.engine.answer(NOW)
    await until(lambda: cells(section) == ["shop", "drugs", "rest"])
    assert not section.error.isVisible()
    assert not section.editor.error.text()


async def test_a_rule_that_was_given_up_can_be_had_back(stage: Stage) -> None:
    section = await on_screen(stage)
    section.edit()
    press("Escape", on=section.editor.name)
    assert (stage.neighbours.offers, section.stack.currentIndex()) == ([], LIST), "nothing was written"
    section.edit()
    section.editor.texts["subject_contains"].setText("urgent")
    press("Escape", on=section.editor.name)
    assert section.stack.currentIndex() == LIST
    stage.neighbours.offers[0]()
    assert section.stack.currentIndex() == EDITOR
    section.editor.submit()
    assert [one.match.subject_contains for one in sent(stage).rules] == ["urgent", "", ""]
    section.editor.texts["subject_contains"].setText("very urgent")
    section.begin(RoutingRule("", RuleMatch(sender_email="ana@shop.example"), Route.PIPELINE))
    assert section.editor.texts["sender_email"].text() == "ana@shop.example"
    stage.neighbours.offers[-1]()
    assert section.editor.texts["subject_contains"].text() == "very urgent"


async def test_a_sentence_fills_the_form_and_messages_here_follow(stage: Stage, qtbot: QtBot) -> None:
    section = await on_screen(stage)
    section.add_rule()
    editor = section.editor
    qtbot.keyClicks(editor.sentence, "hello")
    press("Return", on=editor.sentence)
    assert "Say which messages" in editor.error.text()
    editor.sentence.setText("archive newsletters from A. Meyer (shop) and mark them read")
    press("Return", on=editor.sentence)
    rule = editor.written()
    assert rule.actions == (RuleAction.ARCHIVE, RuleAction.MARK_READ)
    assert (editor.bulk.isChecked(), editor.who.text(), editor.headers.toPlainText()) == (True, "A. Meyer (shop)", "")
    assert editor.error.text() == ""
    assert not editor.headers.isVisible()
    editor.more.click()
    assert editor.headers.isVisible()
    assert not editor.here.isVisible(), "nothing was tried yet"
    await until(lambda: any(isinstance(one, TryRules) for one in stage.engine.queries))
    now, then = Routed(Route.PIPELINE), Routed(Route.SORT, rule.name)
    mails = tuple(TriedMail(MessageId(number), ThreadId(1), now, then, holds=number < 3) for number in (1, 2, 3))
    stage.engine.answer(RulesTried(200, mails), TryRules)
    await until(editor.here.isVisible)
    assert "to 2 message" in editor.here.text()
    editor.here.setChecked(True)
    editor.submit()
    await saved(stage, section)
    shown = section.table.item(0, 1)
    assert shown is not None and shown.text() == "newsletters and mailing lists and sender contains “A. Meyer (shop)”"
    applied = stage.engine.commands[-1]
    assert isinstance(applied, ApplyRule)
    assert (applied.message_ids, applied.actions) == ((MessageId(1), MessageId(2)), rule.actions)
    stage.neighbours.offers[-1]()
    assert UndoChange(applied.key) in stage.engine.commands
    assert rule not in sent(stage).rules, "one undo takes both back"


async def test_many_rules_are_searched(stage: Stage, qtbot: QtBot) -> None:
    section = await on_screen(stage)
    assert section.search.isHidden(), "three rules are seen at a glance"
    rules = [replace(SHOP, name=f"rule {at}", match=RuleMatch(sender_domain=f"s{at}.example")) for at in range(6)]
    await reread(stage, section, replace(NOW, rules=(*rules, DRUGS), fingerprint="f2"))
    assert section.table.rowCount() == 7
    assert section.search.isVisible() and section.buttons["down"].isEnabled()
    qtbot.keyClicks(section.search, "LÉKY")
    left = [at for at in range(section.table.rowCount()) if not section.table.isRowHidden(at)]
    assert left == [6] and section.table.currentRow() == 6
    assert not section.buttons["up"].isEnabled(), "its neighbours are hidden"
    section.shift(-1)
    assert stage.engine.commands == []
    press("Return", on=section.search)
    assert section.table.hasFocus()
    section.search.clear()
    assert not any(section.table.isRowHidden(at) for at in range(section.table.rowCount()))
    assert section.buttons["up"].isEnabled()
