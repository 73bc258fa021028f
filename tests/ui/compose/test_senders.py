"""From whom: one account's addresses for an answer, every account's for a new mail; another account makes another letter."""

from dataclasses import replace

import pytest

from app.domain.ids import AccountId
from app.domain.letter import LetterFile
from app.domain.mail import Account
from app.domain.writing import DiscardLetter, SaveLetter
from app.store.accounts import Accounts
from app.store.letters import Letters, NewFile
from app.ui.compose.page import ComposePage
from app.ui.compose.senders import account_of
from app.ui.compose.starting import answer, new_letter
from app.ui.main_window import MainWindow
from fakes.lively_store import ANA, LivelyStore
from fakes.page_stage import nameless
from fakes.recorded_engine import RecordedEngine

ELSE = "mia@club.example"


@pytest.fixture
def other(store: LivelyStore) -> AccountId:
    """A second account with a signature and an alias."""
    return Accounts(store.db).add(ELSE, "Mia of the club", (ELSE, "chair@club.example"), "<p>The club</p>", "#3b6fd4")


@pytest.fixture
def first(window: MainWindow, other: AccountId) -> Account:
    """The account that letters begin with."""
    found = window.accounts()
    assert other in {one.id for one in found}
    return next(one for one in found if one.id != other)


def choose(page: ComposePage, email: str) -> None:
    """As the user does in the list."""
    box = page.card.from_box
    box.setCurrentIndex(box.findData(email))
    box.activated.emit(box.currentIndex())


def saved(link: RecordedEngine) -> list[SaveLetter]:
    """What was kept."""
    return [one for one in link.commands if isinstance(one, SaveLetter)]


def test_a_new_mail_moves_to_another_account(window: MainWindow, first: Account, other: AccountId, link: RecordedEngine) -> None:
    page = window.compose_page
    letter = new_letter(first.id, (ANA,), "Plan", "Hello")
    page.open(letter)
    window.show_page("compose")
    page.keeping.save(letter)
    assert page.card.from_box.isVisible()
    assert not nameless(page)
    choose(page, "chair@club.example")
    assert [one.letter_id for one in link.commands if isinstance(one, DiscardLetter)] == [letter.id]
    moved = saved(link)[-1].letter
    assert moved.id != letter.id
    assert page.letter_id == moved.id
    assert (moved.account_id, moved.sender, moved.to, moved.subject, moved.body) == (
        other,
        "chair@club.example",
        (ANA,),
        "Plan",
        "Hello",
    )
    assert account_of(page.card.from_box) == other
    assert page.card._below.text() == "The club"
    assert page.card.letter() == moved


def test_the_usual_address_of_the_other_account_is_written_short(
    window: MainWindow, first: Account, other: AccountId, link: RecordedEngine
) -> None:
    page = window.compose_page
    page.open(new_letter(first.id, (ANA,), "Plan", "Hello"))
    choose(page, ELSE)
    assert not [one for one in link.commands if isinstance(one, DiscardLetter)], "nothing was kept yet, so nothing is thrown away"
    assert (saved(link)[-1].letter.account_id, saved(link)[-1].letter.sender) == (other, "")


def test_an_answer_stays_with_its_account(window: MainWindow, first: Account, store: LivelyStore) -> None:
    page = window.compose_page
    page.open(answer(store.mails["m03"], first, everybody=False))
    assert page.card.from_box.findData(ELSE) < 0


def test_a_letter_with_files_stays_and_says_why(
    window: MainWindow, first: Account, store: LivelyStore, link: RecordedEngine
) -> None:
    page = window.compose_page
    letter = new_letter(first.id, (ANA,), "Plan", "Hello")
    letters = Letters(store.db, store.clock)
    letters.save(letter, 1)
    letters.attach(letter.id, (NewFile("a.txt", "text/plain", 3, b"abc"),))
    page.open(letter)
    choose(page, ELSE)
    assert page.letter_id == letter.id
    assert account_of(page.card.from_box) == first.id
    assert not saved(link)
    toast = window._context.notices.toast  # type: ignore[attr-defined]
    assert "files" in toast.words.text()
    assert page.card.letter() == replace(letter, sender="")
    assert isinstance(page.context.reader.letter(letter.id).files[0], LetterFile)  # type: ignore[union-attr]
