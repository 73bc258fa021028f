"""Where one is on the desk comes back: caret, scroll places, unfolded reasons, a half-typed note, the time asked for."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from app.domain.protocol.commands import NoteContact
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.pages.review.page import ReviewPage
from app.ui.session.caret import caret_of
from app.ui.session.session_store import SavedPosition
from app.ui.startup import page_registry
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.page_setup import Stage

Opening = Callable[[SavedPosition, str], ReviewPage]


@pytest.fixture
def opening(lively_stage: Stage, store: LivelyStore) -> Iterator[Opening]:
    """A page at an item, begun where another was left."""
    reader = SqliteMailboxReader(store.path)
    context = replace(lively_stage.context, reader=reader, clock=store.clock)

    def opened(place: SavedPosition, name: str) -> ReviewPage:
        page = page_registry.review(context)
        assert isinstance(page, ReviewPage)
        page.begin_at({"row": str(store.reviews[name])})
        page.parts.begin_at(place)
        lively_stage.show(page, 1000, 600)
        assert page.desk.review is not None
        assert page.desk.review.id == store.reviews[name]
        return page

    yield opened
    reader.close()


def test_caret_scroll_places_and_reasons(qtbot: QtBot, opening: Opening) -> None:
    left = opening({}, "plain")
    left.set_body("\n".join(f"Line {number}" for number in range(90)))
    left._save_soon.flush()
    editor = left.desk.card.editor
    cursor = editor.textCursor()
    cursor.setPosition(40)
    editor.setTextCursor(cursor)
    editor.verticalScrollBar().setValue(123)
    left.desk.why.toggle()
    place = left.parts.place()
    again = opening(place, "plain")
    new = again.desk.card.editor
    assert (new.toPlainText(), caret_of(new)) == (editor.toPlainText(), (40, 40))
    assert again.desk.why.unfolded
    qtbot.waitUntil(lambda: new.verticalScrollBar().value() == 123, timeout=30_000)
    other = opening(place, "question")
    assert not other.desk.why.unfolded, "that was another item"


def test_the_comparison_and_not_one_item_at_a_time(opening: Opening) -> None:
    left = opening({}, "plain")
    left.set_body("Other words.")
    left._save_soon.flush()
    left.desk.show_difference()
    left._toggle_focus_mode()
    assert left.desk.comparing and left.focus_mode.on
    again = opening(left.parts.place(), "plain")
    assert again.desk.comparing
    assert not again.focus_mode.on, "the places and the search are there at the start"
    again.desk.show_difference()
    assert again.desk.card.draft().body == "Other words."
    assert "compare" not in again.parts.place()
    other = opening(left.parts.place(), "question")
    assert not other.desk.comparing, "that was another item"


@pytest.mark.soak
def test_a_half_typed_note_waits_for_its_person(opening: Opening, lively_stage: Stage) -> None:
    left = opening({}, "plain")
    left.desk.why.toggle()
    left.desk.why.contact.note.setText("Pays lat")
    place = left.parts.place()
    again = opening(place, "plain")
    assert again.desk.why.contact.note.text() == "Pays lat"
    assert not [one for one in lively_stage.engine.commands if isinstance(one, NoteContact)]
    other = opening({"note": place["note"]}, "question")
    assert other.parts.place()["note"] == place["note"], "it waits, whoever is shown"
    other.queue.list.select_row(other.queue.row_of(left.desk.review.id))  # type: ignore[union-attr]
    other.desk.why.toggle()
    assert other.desk.why.contact.note.text() == "Pays lat"


@pytest.mark.soak
def test_the_time_that_is_asked_for(opening: Opening) -> None:
    left = opening({}, "plain")
    left.desk.later.ask(left.context.clock())
    left.desk.later.field.setDateTime(left.desk.later.field.dateTime().addDays(3))
    again = opening(left.parts.place(), "plain").desk.later
    assert not again.isHidden()
    assert again.field.dateTime() == left.desk.later.field.dateTime()
    left.desk.later.close_bar()
    assert "later" not in left.parts.place()
