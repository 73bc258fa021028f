"""Where one is in a letter comes back: field, caret, what is asked; and a letter that only window.ini knows."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from app.domain.ids import LetterId
from app.domain.mail.letter import Letter, LetterKind
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.pages.compose.autosave import KeptLetters
from app.ui.pages.compose.page import ComposePage
from app.ui.startup import page_registry
from fakes.engine.store.sample_store import ANA, LivelyStore
from fakes.window.page_setup import Stage

Opening = Callable[[], ComposePage]


@pytest.fixture
def opening(lively_stage: Stage, store: LivelyStore) -> Iterator[Opening]:
    reader = SqliteMailboxReader(store.path)
    context = replace(lively_stage.context, reader=reader, clock=store.clock)

    def opened() -> ComposePage:
        page = page_registry.compose(context)
        assert isinstance(page, ComposePage)
        lively_stage.show(page, 1000, 600, wait=False)
        page.take_focus()  # as the window gives it
        return page

    yield opened
    reader.close()


def test_a_reply_without_a_word_is_open_again_and_no_draft(opening: Opening, store: LivelyStore, lively_stage: Stage) -> None:
    left = opening()
    about = store.mails["m03"].id
    left.open(Letter(LetterId("l8"), store.account_id, LetterKind.REPLY, to=(ANA,), subject="Re: Delivery", about=about))
    again = opening()
    assert (again.letter_id, again.card.subject.text(), again.card.to.addresses) == ("l8", "Re: Delivery", (ANA,))
    KeptLetters(again.context.state).resend(lively_stage.engine)
    assert not again.close_letter()
    assert not lively_stage.engine.commands
    assert opening().letter_id is None, "closed, it is gone"


def test_a_letter_that_the_engine_never_heard_of_is_open_again(opening: Opening, store: LivelyStore) -> None:
    left = opening()
    left.open(Letter(LetterId("l9"), store.account_id, LetterKind.NEW))
    left.card.subject.setText("Half a")
    left.card.subject.textEdited.emit("Half a")
    left.keeping.flush()
    again = opening()
    assert (again.letter_id, again.card.subject.text()) == ("l9", "Half a")
