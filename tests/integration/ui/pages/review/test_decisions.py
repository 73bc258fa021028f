"""A draft goes on as a letter: same words, people and open places; the review waits on."""

from app.domain.mail.letter import LetterKind, StyleKind
from app.domain.mail.message import Address
from app.domain.protocol.commands import Decide
from app.domain.record import replace
from app.ui.pages.review.decisions import as_letter
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.keyboard import press
from fakes.window.page_setup import nameless
from fakes.window.recorded_engine import RecordedEngine


def test_the_draft_goes_on_as_a_letter(window: MainWindow, store: LivelyStore, link: RecordedEngine) -> None:
    page = window.review_page
    window.activateWindow()
    page.open(store.reviews["meeting"])
    page.deciding.set_body("Tuesday suits me.")
    draft, review = page.desk.draft(), page.current_review()
    assert draft is not None and review is not None
    assert not nameless(page)
    page.take_focus()
    press("Ctrl+E")
    assert window.name == "compose"
    letter = window.compose_page.card.letter()
    assert (letter.to, letter.subject, letter.body) == (draft.to, draft.subject, "Tuesday suits me.")
    assert (letter.about, letter.account_id, letter.quoted) == (review.proposal.message_id, review.proposal.account_id, True)
    assert not [one for one in link.commands if isinstance(one, Decide)]
    window.compose_page.go_back()
    assert window.name == "review"
    assert page.current_review() == review


def test_open_places_stay_open(window: MainWindow, store: LivelyStore) -> None:
    page = window.review_page
    found = [page.context.reader.review(one) for one in store.reviews.values()]
    review = next(one for one in found if one is not None and one.proposal.draft is not None and one.proposal.draft.open_slots)
    draft = review.proposal.draft
    assert draft is not None
    letter = as_letter(review.proposal, draft)
    assert tuple(one.value for one in letter.styles if one.kind is StyleKind.SLOT) == draft.open_slots
    assert letter.kind is (LetterKind.REPLY_ALL if draft.cc else LetterKind.REPLY)
    assert as_letter(review.proposal, replace(draft, cc=(Address("a@b.example"),))).kind is LetterKind.REPLY_ALL
    page.context.navigator.show_letter(letter)
    assert window.compose_page.card.editor.words() == (letter.body, letter.styles)


def test_without_a_draft_there_is_nothing_to_go_on_with(window: MainWindow, store: LivelyStore) -> None:
    window.review_page.open(store.reviews["question"])
    assert not window.actions_by_id["review.write"].isEnabled()
    window.review_page.open(store.reviews["meeting"])
    assert window.actions_by_id["review.write"].isEnabled()
