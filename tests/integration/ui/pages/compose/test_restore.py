"""Where one is in a letter comes back: field, caret, what is asked; and a letter that only window.ini knows."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from app.domain.ids import LetterId
from app.domain.mail.letter import Letter, LetterKind, Style, StyleKind
from app.store.letters.letters import Letters
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.pages.compose.autosave import KeptLetters
from app.ui.pages.compose.page import ComposePage
from app.ui.session.caret import caret_of
from app.ui.session.session_store import SavedPosition
from app.ui.startup import page_registry
from fakes.engine.store.sample_store import ANA, LivelyStore
from fakes.window.page_setup import Stage

Opening = Callable[[SavedPosition], ComposePage]


@pytest.fixture
def opening(lively_stage: Stage, store: LivelyStore) -> Iterator[Opening]:
    """A page, begun where another was left."""
    reader = SqliteMailboxReader(store.path)
    context = replace(lively_stage.context, reader=reader, clock=store.clock)

    def opened(place: SavedPosition) -> ComposePage:
        page = page_registry.compose(context)
        assert isinstance(page, ComposePage)
        page.parts.begin_at(place)
        lively_stage.show(page, 1000, 600, wait=False)
        page.take_focus()  # as the window gives it
        return page

    yield opened
    reader.close()


def letter(store: LivelyStore) -> Letter:
    """One that is being written, known to the engine."""
    made = Letter(LetterId("l1"), store.account_id, LetterKind.NEW, to=(ANA,), subject="Hello", body="Dear Ana, how are you?")
    Letters(store.db, store.clock).save(made, 1)
    return made


def test_caret_and_link(qtbot: QtBot, opening: Opening, store: LivelyStore) -> None:
    left = opening({})
    left.open(letter(store))
    cursor = left.card.editor.textCursor()
    cursor.setPosition(5)
    cursor.setPosition(8, cursor.MoveMode.KeepAnchor)
    left.card.editor.setTextCursor(cursor)
    left.card.ask_link()
    left.card.links.field.setText("https://exam")
    left.card.editor.setFocus()
    place = left.parts.place()
    again = opening(place)
    assert again.letter_id == "l1"
    qtbot.waitUntil(lambda: again.card.links.field.text() == "https://exam", timeout=30_000)
    assert caret_of(again.card.editor) == (8, 5)
    again.card.links._give()
    assert again.card.editor.words()[1] == (Style(5, 8, StyleKind.LINK, "https://exam"),)


@pytest.mark.soak
def test_a_line_for_copies_and_the_time(qtbot: QtBot, opening: Opening, store: LivelyStore) -> None:
    left = opening({})
    left.open(letter(store))
    left.card.copies.show()
    left.later.ask(left.context.clock())
    left.card.bcc.line.setFocus()
    again = opening(left.parts.place())
    qtbot.waitUntil(lambda: again.card.focusWidget() is again.card.bcc.line, timeout=30_000)
    assert not again.card.cc.isHidden()
    assert again.later.field.dateTime() == left.later.field.dateTime()


@pytest.mark.soak
def test_another_letter_keeps_its_own_caret(qtbot: QtBot, opening: Opening, store: LivelyStore) -> None:
    left = opening({})
    left.open(letter(store))
    place = left.parts.place()
    again = opening({})
    again.open(replace(letter(store), id=LetterId("l2")))
    again.parts.begin_at(place)
    assert again.parts.waits("caret")


def test_a_reply_without_a_word_is_open_again_and_no_draft(opening: Opening, store: LivelyStore, lively_stage: Stage) -> None:
    left = opening({})
    about = store.mails["m03"].id
    left.open(Letter(LetterId("l8"), store.account_id, LetterKind.REPLY, to=(ANA,), subject="Re: Delivery", about=about))
    again = opening({})
    assert (again.letter_id, again.card.subject.text(), again.card.to.addresses) == ("l8", "Re: Delivery", (ANA,))
    KeptLetters(again.context.state).resend(lively_stage.engine)
    assert not again.close_letter()
    assert not lively_stage.engine.commands
    assert opening({}).letter_id is None, "closed, it is gone"


def test_a_letter_that_the_engine_never_heard_of_is_open_again(opening: Opening, store: LivelyStore) -> None:
    left = opening({})
    left.open(Letter(LetterId("l9"), store.account_id, LetterKind.NEW))
    left.card.subject.setText("Half a")
    left.card.subject.textEdited.emit("Half a")
    left.keeping.flush()
    again = opening({})
    assert (again.letter_id, again.card.subject.text()) == ("l9", "Half a")
