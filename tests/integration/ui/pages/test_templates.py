"""The templates page: add, edit, delete with undo."""

from contextlib import closing

import pytest
from PySide6.QtTest import QTest

from app.domain.mail.letter import TextTemplate
from app.domain.protocol.events import CommandFailed
from app.domain.protocol.letter_commands import DeleteTemplate, RestoreTemplate, SaveTemplate, TemplatesChanged
from app.store.db.database import Database
from app.store.letters.letters import Templates
from app.ui.pages.templates import TemplatesPage
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.page_setup import NOW, Stage, cut, nameless
from fakes.window.recorded_engine import RecordedEngine


@pytest.fixture
def page(window: MainWindow) -> TemplatesPage:
    window.show_page("templates")
    made = window.page("templates")
    assert isinstance(made, TemplatesPage)
    return made


def test_a_first_template_is_written_deleted_and_restored(
    window: MainWindow, page: TemplatesPage, link: RecordedEngine, store: LivelyStore
) -> None:
    assert "No templates yet" in page.state.accessibleName()
    window.actions_by_id["templates.add"].trigger()
    window.actions_by_id["templates.save"].trigger()
    assert not [one for one in link.commands if isinstance(one, SaveTemplate)]
    QTest.keyClicks(page.name_line, "Thanks")
    QTest.keyClicks(page.text, "Thank you, {{first name}}.")
    assert page.changed
    window.actions_by_id["templates.save"].trigger()
    assert link.commands[-1] == SaveTemplate(0, "Thanks", "", "Thank you, {{first name}}.")
    Templates(store.db, store.clock).save(0, "Thanks", "", "Thank you, {{first name}}.")
    link.tell(TemplatesChanged())
    page.refresh()
    assert page.model.rowCount() == 1
    window.actions_by_id["templates.delete"].trigger()
    (made,) = [one.template_id for one in link.commands if isinstance(one, DeleteTemplate)]
    window.context.notices.toast.action.click()  # type: ignore[attr-defined]
    assert link.commands[-1] == RestoreTemplate(made)
    assert not nameless(page)
    assert not cut(page)


def test_another_choice_saves_what_was_typed(page: TemplatesPage, link: RecordedEngine, store: LivelyStore) -> None:
    templates = Templates(store.db, store.clock)
    first, second = templates.save(0, "A", "", "one"), templates.save(0, "B", "", "two")
    page.refresh()
    QTest.keyClicks(page.name_line, "!")
    page.list.chosen.emit(second)
    assert link.commands[-1] == SaveTemplate(first, "A!", "", "one")
    assert page.text.toPlainText() == "two"


def typed(page: TemplatesPage, name: str, text: str) -> None:
    page.add()
    QTest.keyClicks(page.name_line, name)
    QTest.keyClicks(page.text, text)


def test_a_new_one_that_is_saved_twice_is_made_once(
    window: MainWindow, page: TemplatesPage, link: RecordedEngine, store: LivelyStore
) -> None:
    """Until it has its number it can be neither saved again nor deleted; what is typed meanwhile stays."""
    templates, save = Templates(store.db, store.clock), window.actions_by_id["templates.save"]
    templates.save(0, "First", "", "stands on top")
    page.refresh()
    typed(page, "Thanks", "Thank you")
    save.trigger()
    assert not save.isEnabled() and not window.actions_by_id["templates.delete"].isEnabled()
    QTest.keyClicks(page.text, ", friend")
    save.trigger()
    assert link.commands == [SaveTemplate(0, "Thanks", "", "Thank you")]
    made = templates.save(0, "Thanks", "", "Thank you")
    page.refresh()
    assert page.text.toPlainText() == "Thank you, friend"
    save.trigger()
    assert link.commands[-1] == SaveTemplate(made, "Thanks", "", "Thank you, friend")


def test_leaving_saves_what_was_typed(window: MainWindow, page: TemplatesPage, link: RecordedEngine) -> None:
    typed(page, "", "We are open on Saturday from nine to twelve, and at any time by appointment")
    window.show_page("review")
    assert link.commands == [SaveTemplate(0, "We are open on Saturday from nine to twe", "", page.text.toPlainText())]
    window.show_page("templates")
    window.show_page("review")
    assert len(link.commands) == 1


def test_a_refused_one_counts_as_not_saved(page: TemplatesPage, link: RecordedEngine) -> None:
    typed(page, "Thanks", "Thank you")
    page.save()
    assert not page.changed
    link.tell(CommandFailed("SaveTemplate", "disk_full"))
    assert page.changed
    page.save()
    assert link.commands == [SaveTemplate(0, "Thanks", "", "Thank you")] * 2


def test_a_new_one_that_is_thrown_away_comes_back(window: MainWindow, page: TemplatesPage, link: RecordedEngine) -> None:
    typed(page, "Thanks", "Thank you")
    window.actions_by_id["templates.delete"].trigger()
    assert page.text.toPlainText() == ""
    window.context.notices.toast.action.click()  # type: ignore[attr-defined]
    assert (page.name_line.text(), page.text.toPlainText(), link.commands) == ("Thanks", "Thank you", [])


@pytest.mark.parametrize(
    ("subject", "lines"),
    [
        ("", ("Order", "Hello [name], thank you.", "")),
        ("Order", ("Order", "Hello [name], thank you.", "")),
        ("Your order {{number}}", ("Order", "Your order [number]", "Hello [name], thank you.")),
    ],
)
def test_a_row_says_nothing_twice_and_shows_places_one_way(
    page: TemplatesPage, subject: str, lines: tuple[str, str, str]
) -> None:
    look = page._row(TextTemplate(1, "Order", subject, "Hello {{name}},\nthank you."))
    assert (look.who, look.subject, look.snippet) == lines


def reopened(stage: Stage, left: TemplatesPage) -> TemplatesPage:
    page = TemplatesPage(stage.context)
    page.restore_state(left.save_state())
    stage.show(page)
    return page


def test_what_is_half_typed_comes_back_and_is_a_new_one_where_its_own_is_gone(stage: Stage) -> None:
    with closing(Database.open(stage.data.database)) as db:
        templates = Templates(db, lambda: NOW)
        templates.save(0, "A", "", "one")
        second = templates.save(0, "B", "", "two")
        left = TemplatesPage(stage.context)
        stage.show(left)
        left.list.select_row(left.model.row_of(second))
        left.text.setPlainText("two and a half")
        page = reopened(stage, left)
        assert (page.name_line.text(), page.text.toPlainText(), page.changed) == ("B", "two and a half", True)
        page.save()
        assert stage.engine.commands[-1] == SaveTemplate(second, "B", "", "two and a half")
        assert "text" not in page.save_state()
        templates.delete(second)
        page = reopened(stage, left)
        page.save()
        assert stage.engine.commands[-1] == SaveTemplate(0, "B", "", "two and a half")


def test_what_was_saved_on_leaving_does_not_come_back_as_half_typed(
    window: MainWindow, page: TemplatesPage, link: RecordedEngine
) -> None:
    window.actions_by_id["templates.add"].trigger()
    QTest.keyClicks(page.text, "Thank you.")
    window._session.save()
    assert "Thank" in str(window._session.at("templates"))
    window.hide()  # the program ends in order
    window.ended.emit()
    assert link.commands[-1] == SaveTemplate(0, "Thank you.", "", "Thank you.")
    assert "Thank" not in str(window._session.at("templates"))
