"""The memory page over a real file: what is listed, and what the user's hand sends to the engine."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from app.config.settings_file import change
from app.domain.agents.memory import PROFILE, Namespace, Preference, PreferenceRule, RuleKind, lesson_of
from app.domain.agents.owner_profile import OwnerFacts, Voice, WritingStyle, profile_rules
from app.domain.ids import AccountId, ReviewId
from app.domain.mail.triage import OwnerVerdict
from app.domain.protocol.commands import AddPreference, ChangeSettings, DeletePreference, EditPreference
from app.domain.protocol.events import CommandFailed, MemoryChanged
from app.store.db.database import Database
from app.store.learning.preferences import Preferences, insert
from app.ui.i18n.formatting import number_words
from app.ui.pages.memory.memory_texts import preference_words, source_words, title_words
from app.ui.pages.memory.page import LONGEST_TEXT, MemoryPage
from fakes.window.keyboard import press
from fakes.window.page_setup import NOW, Stage, cut, nameless

CHEERS = PreferenceRule(RuleKind.SIGN_OFF, "en", "Cheers,\nMia")
SILENT = PreferenceRule(RuleKind.SENDER, "sender:deals@offers.example", "ignore")


@pytest.fixture
def db(stage: Stage) -> Iterator[Database]:
    opened = Database.open(stage.data.database)
    yield opened
    opened.close()


def learn(db: Database, *rules: PreferenceRule) -> list[int]:
    with db.transaction() as connection:
        lessons = [lesson_of(rule) for rule in rules]
        return [insert(connection, one.namespace, one.text, one.rule, ReviewId(4), 0) for one in lessons]


def test_it_says_what_past_mail_taught_or_that_it_is_a_cold_start(stage: Stage, db: Database) -> None:
    learn(db, CHEERS)
    page = shown(stage)
    assert page.learned.text().startswith("Your past email")
    with db.transaction() as connection:
        connection.execute(
            "INSERT INTO accounts (email, name, send_as, signature, colour) VALUES ('a@b.example', '', '', '', '')"
        )
        connection.execute("INSERT INTO owner_models VALUES (1, 'v', 0, 900, 3, '[]', x'')")
    page.refresh()
    assert page.learned.text().startswith("You answered 3 of 900")
    db.write("UPDATE owner_models SET answered = 120")
    page.refresh()
    assert "120" in page.learned.text() and "Cold" not in page.learned.text()


def shown(stage: Stage, width: int = 1000) -> MemoryPage:
    page = MemoryPage(stage.context)
    stage.show(page, width)
    return page


def test_it_lists_by_group_and_says_where_from(stage: Stage, db: Database, qtmodeltester: ModelTester) -> None:
    learn(db, CHEERS, SILENT, PreferenceRule(RuleKind.CORRECTION, "message:7 ana@partner.org The list", "needs_reply"))
    Preferences(db, lambda: NOW).add(Namespace.CALENDAR, "No meetings on Mondays.")
    change(stage.data.settings, (("drafting.background", '"A workshop in Brno."'),))
    page = shown(stage)
    qtmodeltester.check(page.model)
    records = [page.model.record(row) for row in range(page.model.rowCount())]
    assert [one.namespace for one in records if one] == [
        Namespace.TRIAGE, Namespace.TRIAGE, Namespace.RESPONSE, Namespace.CALENDAR, Namespace.BACKGROUND,
    ]  # fmt: skip
    page.list.select_row(4)
    assert not stage.context.actions["memory.delete"].isEnabled(), "it is a setting"
    page.edit()
    page.editor.text.setPlainText("")
    page.editor.submit()
    assert stage.engine.commands == [ChangeSettings((("drafting.background", '""'),))]
    page.list.select_row(0)
    assert page.words.text() == "“The list” from ana@partner.org needed a reply."
    page.list.select_row(1)
    assert "deals@offers.example" in page.words.text()
    page.open_source.click()
    assert stage.neighbours.went == [("review", 4)]
    assert not nameless(page)
    assert not cut(page)


def test_edit_in_place_by_keyboard(qtbot: QtBot, stage: Stage, db: Database) -> None:
    (first,) = learn(db, CHEERS)
    page = shown(stage)
    page.take_focus()
    press("E", on=page.list)
    assert page.editor.text.toPlainText() == "Cheers,\nMia"
    assert page.editor.text.hasFocus()
    qtbot.keyClicks(page.editor.text, "Bye")
    press("Ctrl+Return", on=page.editor.text)
    assert stage.engine.commands == [EditPreference(first, "Bye")]
    assert page.editor.isHidden() or not page.editor.isVisible()


def test_escape_changes_nothing_and_too_much_cannot_be_saved(stage: Stage, db: Database) -> None:
    learn(db, CHEERS)
    page = shown(stage)
    page.edit()
    page.editor.text.setPlainText("x" * (LONGEST_TEXT + 1))
    assert not page.editor.save.isEnabled()
    assert page.editor.too_long.isVisible()
    assert page.editor.too_long.text() == f"{number_words(LONGEST_TEXT + 1)} / {number_words(LONGEST_TEXT)}"
    page.editor.text.setPlainText("x" * LONGEST_TEXT)
    assert not page.editor.too_long.isVisible()
    press("Escape", on=page.editor.text)
    assert stage.engine.commands == []
    assert page.words.isVisible()


def test_a_sender_is_deleted_but_not_edited(stage: Stage, db: Database) -> None:
    (first,) = learn(db, SILENT)
    page = shown(stage)
    assert not stage.context.actions["memory.edit"].isEnabled()
    keys = {"memory.edit": False, "memory.delete": True}
    assert {one: stage.context.actions[one].isVisible() for one in keys} == keys
    page.edit()
    assert not page.editor.isVisible()
    page.take_focus()
    press("Delete", "Delete", on=page.list)
    assert stage.engine.commands == [DeletePreference(first)], "pressed twice"
    assert stage.neighbours.told == ["Deleted"]
    stage.engine.tell(MemoryChanged((first,)))
    page.delete()
    assert len(stage.engine.commands) == 2


def test_nothing_yet_and_a_first_preference(qtbot: QtBot, stage: Stage, db: Database) -> None:
    page = shown(stage)
    assert page.state.isVisible()
    assert not stage.context.actions["memory.delete"].isEnabled()
    page.add()
    assert not page.editor.save.isEnabled()
    qtbot.keyClicks(page.editor.text, "Be brief.")
    page.editor.save.click()
    assert stage.engine.commands == [AddPreference(Namespace.RESPONSE, "Be brief.")]
    Preferences(db, lambda: NOW).add(Namespace.RESPONSE, "Be brief.")
    stage.engine.tell(MemoryChanged((1,)))
    qtbot.waitUntil(lambda: page.words.text() == "Be brief.")


def test_the_profile_from_sent_mail_is_read_edited_and_cleared(stage: Stage, db: Database) -> None:
    voice = Voice(40, (WritingStyle("cs", True, "Dobrý den,", "S pozdravem\nMia", 60),), True, "f")
    facts = OwnerFacts(40, ("Mia Malá",), "baker", "+420 601 222 333", languages=(("cs", 80), ("en", 20)), hours=(8, 17))
    first, second = Preferences(db, lambda: NOW).put_profile(profile_rules(AccountId(1), voice, facts))
    page = shown(stage)
    assert page.words.text().splitlines() == [
        "Czech, formal: begins with “Dobrý den,”, ends with “S pozdravem / Mia”, about 60 words.",
        "Writes as “we”.",
        "Uses the feminine form in Czech (psala jsem).",
    ]
    page.edit()
    page.editor.submit()
    assert stage.engine.commands == [], "saved without a change, it goes on following sent mail"
    page.list.select_row(1)
    assert "Phone: +420 601 222 333" in page.words.text() and "80 %" in page.words.text()
    page.edit()
    page.editor.text.setPlainText("")
    page.editor.submit()
    assert stage.engine.commands == [EditPreference(second, "")]
    assert stage.context.actions["memory.delete"].isEnabled() and first != second
    QApplication.processEvents()
    assert not cut(page) and not nameless(page)


@pytest.mark.parametrize("kind", sorted(set(RuleKind) - PROFILE))
def test_every_rule_has_words(kind: RuleKind) -> None:
    values = {
        RuleKind.CORRECTION: (OwnerVerdict.SPAM,),
        RuleKind.SENDER: ("ignore", "notify", "respond"),
    }.get(kind, ("ty", "vy", "Hi {first},", ""))
    scopes = ("message:7 a@b.example The list",) if kind is RuleKind.CORRECTION else ("en", "", "sender:a@b.example")
    for rule in (PreferenceRule(kind, scope, value) for scope, value in product(scopes, values)):
        one = Preference(1, Namespace.RESPONSE, "x", ReviewId(2), datetime(2026, 11, 1, tzinfo=UTC), 1200, rule, (ReviewId(2),))
        assert title_words(one)
        assert "%" not in preference_words(one) + source_words(one)
        assert "{" not in preference_words(one) or kind in (RuleKind.MEETING_LENGTH, RuleKind.MEETING_TIME)


@pytest.mark.parametrize("new", [True, False])
def test_what_is_being_written_outlives_what_happens_to_the_list(stage: Stage, db: Database, new: bool) -> None:
    """What is deleted while it is changed is added anew."""
    learn(db, CHEERS, SILENT)
    page = shown(stage)
    page.list.select_row(next(at for at in (0, 1) if (one := page.model.record(at)) and one.rule == CHEERS))
    page.add() if new else page.edit()
    page.editor.text.setPlainText("Always answer on the same day.")
    Preferences(db, lambda: NOW).delete(page.model.id_at(page.list.current_row()))
    page.refresh()
    assert page.editor.isVisible() and page.model.rowCount() == 1
    page.list.select_row(0)
    assert page.editor.isVisible()
    page.editor.submit()
    assert stage.engine.commands == [AddPreference(Namespace.RESPONSE, "Always answer on the same day.")]


def test_in_a_narrow_window_the_keyboard_stays_on_screen_after_writing(stage: Stage, db: Database) -> None:
    learn(db, CHEERS)
    page = shown(stage, 480)
    page.add()
    page.editor.cancel.click()
    held = QApplication.focusWidget()
    assert held.isVisible()
    page.edit()
    assert page.editor.isVisible()
    assert page.go_back() and page.go_back() and not page.go_back()


def reopened(stage: Stage, left: MemoryPage) -> MemoryPage:
    page = MemoryPage(stage.context)
    page.restore_state(left.save_state())
    stage.show(page)
    return page


def test_a_half_typed_change_comes_back_and_is_a_new_one_where_its_own_is_gone(stage: Stage, db: Database) -> None:
    kept = Preferences(db, lambda: NOW)
    kept.add(Namespace.CALENDAR, "No meetings on Mondays.")
    kept.add(Namespace.RESPONSE, "Sign with Mia.")
    left = shown(stage)
    left.list.select_row(1)
    left.edit()
    left.editor.text.setPlainText("No meetings on Mondays or")
    page = reopened(stage, left)
    assert (page.editor.text.toPlainText(), page.editor.changed) == ("No meetings on Mondays or", True)
    page.editor.submit()
    assert stage.engine.commands[-1] == EditPreference(left.current.id, "No meetings on Mondays or")
    kept.delete(left.current.id)
    page = reopened(stage, left)
    page.editor.submit()
    assert isinstance(stage.engine.commands[-1], AddPreference)
    assert stage.engine.commands[-1].text == "No meetings on Mondays or"


def test_what_could_not_be_kept_is_in_the_editor_again(qtbot: QtBot, stage: Stage, db: Database) -> None:
    (first,) = learn(db, CHEERS)
    page = shown(stage)
    page.edit()
    page.editor.text.setPlainText("Bye,\nMia")
    page.editor.submit()
    stage.engine.tell(CommandFailed("SyncNow", "offline"))
    qtbot.waitUntil(lambda: not page._stale, timeout=30_000)
    assert not page.editor.isVisible()
    page.hide()
    stage.engine.tell(CommandFailed("EditPreference", "disk_full"))
    page.show()
    assert page.editor.isVisible()
    assert page.editor.text.toPlainText() == "Bye,\nMia"
    page.editor.submit()
    assert stage.engine.commands == [EditPreference(first, "Bye,\nMia")] * 2


def test_what_was_given_up_can_be_had_back(qtbot: QtBot, stage: Stage, db: Database) -> None:
    page = shown(stage)
    page.add()
    page.editor.group.setCurrentIndex(2)
    press("Escape", on=page.editor.text)
    assert stage.neighbours.offers == [], "nothing was written"
    page.add()
    page.editor.group.setCurrentIndex(2)
    page.editor.text.setPlainText("No meetings on Mondays")
    again = reopened(stage, page)
    assert again.editor.group.currentData() == Namespace.CALENDAR
    assert again.editor.text.toPlainText() == "No meetings on Mondays"
    press("Escape", on=page.editor.text)
    stage.neighbours.offers[0]()
    qtbot.waitUntil(page.editor.isVisible, timeout=30_000)
    page.editor.submit()
    assert stage.engine.commands == [AddPreference(Namespace.CALENDAR, "No meetings on Mondays")]


def test_another_one_is_not_written_over_what_is_being_written(qtbot: QtBot, stage: Stage, db: Database) -> None:
    learn(db, CHEERS)
    page = shown(stage)
    page.add()
    page.editor.text.setPlainText("Half a sent")
    page.edit()
    assert page.editor.text.toPlainText() == "Cheers,\nMia"
    stage.neighbours.offers[0]()
    page.editor.cancel.click()
    qtbot.waitUntil(lambda: page.editor.text.toPlainText() == "Half a sent", timeout=30_000)
    assert page.editor.isVisible()


def test_what_is_chosen_is_deleted_while_another_one_is_being_written(stage: Stage, db: Database) -> None:
    learn(db, CHEERS, SILENT)
    page = shown(stage)
    written = next(at for at in (0, 1) if (one := page.model.record(at)) and one.rule == CHEERS)
    page.list.select_row(written)
    page.edit()
    page.editor.text.setPlainText("Bye")
    page.list.select_row(1 - written)
    page.list.setFocus()
    press("Delete", on=page.list)
    assert stage.engine.commands == [DeletePreference(page.model.id_at(1 - written))]
    assert page.editor.text.toPlainText() == "Bye"
