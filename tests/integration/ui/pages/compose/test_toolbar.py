"""From whom: one account's addresses for an answer, every account's for a new mail; another account makes another letter.

The model helps with the text, where there is one.
"""

import pytest

from app.domain.errors import ModelUnavailable
from app.domain.ids import AccountId
from app.domain.mail.letter import LetterState, StyleKind
from app.domain.mail.message import Account, Address
from app.domain.protocol.letter_commands import DiscardLetter, HelpWriting, SaveLetter, SendLetter, WritingWish, WrittenText
from app.domain.record import replace
from app.mail.compose.letter import Envelope, compose_letter
from app.store.accounts import Accounts
from app.store.letters.letters import Letters, NewFile
from app.ui.pages.compose.new_letter import answer, new_letter
from app.ui.pages.compose.page import ComposePage
from app.ui.pages.compose.toolbar import account_of
from app.ui.session.typed_text import KeptLetters
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import ANA, LivelyStore
from fakes.window.keyboard import press
from fakes.window.page_setup import nameless, until
from fakes.window.recorded_engine import RecordedEngine

ELSE = "mia@club.example"


@pytest.fixture
def other(store: LivelyStore) -> AccountId:
    return Accounts(store.db).add(ELSE, "Mia of the club", (ELSE, "chair@club.example"), "<p>The club</p>", "#3b6fd4")


@pytest.fixture
def first(window: MainWindow, other: AccountId) -> Account:
    found = window.accounts()
    assert other in {one.id for one in found}
    return next(one for one in found if one.id != other)


def choose(page: ComposePage, email: str) -> None:
    box = page.card.from_box
    box.setCurrentIndex(box.findData(email))
    box.activated.emit(box.currentIndex())


def saved(link: RecordedEngine) -> list[SaveLetter]:
    return [one for one in link.commands if isinstance(one, SaveLetter)]


@pytest.fixture
def page(window: MainWindow) -> ComposePage:
    return window.compose_page


def test_a_new_mail_moves_to_another_account(
    window: MainWindow, first: Account, other: AccountId, link: RecordedEngine, page: ComposePage
) -> None:
    letter = new_letter(first.id, (ANA,), "Plan", "Hello")
    page.open(letter)
    window.show_page("compose")
    page.keeping.save(letter)
    assert page.card.from_box.isVisible()
    assert not nameless(page)
    choose(page, "chair@club.example")
    assert not [one for one in link.commands if isinstance(one, DiscardLetter)], "the engine does that with the first save"
    moved = saved(link)[-1].letter
    assert moved.id != letter.id
    assert moved.instead_of == (letter.id,)
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
    first: Account, other: AccountId, link: RecordedEngine, page: ComposePage
) -> None:
    page.open(new_letter(first.id, (ANA,), "Plan", "Hello"))
    choose(page, ELSE)
    assert saved(link)[-1].letter.instead_of == (), "nothing was kept yet, so nothing is thrown away"
    assert (saved(link)[-1].letter.account_id, saved(link)[-1].letter.sender) == (other, "")


def test_the_main_address_can_answer_what_came_to_another_one(first: Account, store: LivelyStore, page: ComposePage) -> None:
    alias = "office@workshop.example"
    Accounts(store.db).add(first.email, first.name, (first.email, alias), first.signature, first.colour)
    account = next(one for one in page.context.reader.accounts() if one.id == first.id)
    about = replace(store.mails["m03"], to=(Address(alias),))
    page.open(answer(about, account, everybody=False))
    for chosen in (alias, first.email, alias, first.email):
        choose(page, chosen)
        letter = page.card.letter()
        assert letter is not None
        sent = compose_letter(letter, (), Envelope(account, about, "<1@replyroom.invalid>", store.clock()), final=True)
        assert f"<{chosen}>".encode() in sent.partition(b"\r\nTo:")[0]


def test_its_files_go_along_and_are_seen_before_the_engine_has_heard_of_it(
    window: MainWindow, first: Account, other: AccountId, store: LivelyStore, link: RecordedEngine, page: ComposePage
) -> None:
    letter = new_letter(first.id, (ANA,), "Plan", "See the attached file.")
    letters = Letters(store.db, store.clock)
    letters.save(letter, 1)
    letters.attach(letter.id, (NewFile("a.txt", "text/plain", 3, b"abc"),))
    page.open(letter)
    window.show_page("compose")
    choose(page, ELSE)
    (save,) = saved(link)
    assert (save.letter.account_id, save.letter.instead_of, page.letter_id) == (other, (letter.id,), save.letter.id)
    assert page.card.files.isVisible()
    assert KeptLetters(page.context.state).all() == [(1, save.letter)], "the new one stands on the disk, the old one no longer"
    page.send()
    assert page.ask.isHidden(), "the file is known to be there"
    (sending,) = [one for one in link.commands if isinstance(one, SendLetter)]
    letters.save(sending.letter, sending.revision)
    assert letters.get(letter.id).state is LetterState.DISCARDED
    assert [one.data for one in letters.files(sending.letter.id)] == [b"abc"]
    assert letters.get(sending.letter.id).letter.account_id == other


def test_there_and_back_before_the_engine_answers(
    first: Account, store: LivelyStore, link: RecordedEngine, page: ComposePage
) -> None:
    letter = new_letter(first.id, (ANA,), "Plan", "Hello")
    letters = Letters(store.db, store.clock)
    letters.save(letter, 1)
    letters.attach(letter.id, (NewFile("a.txt", "text/plain", 3, b"abc"),))
    page.open(letter)
    choose(page, ELSE)
    choose(page, first.email)
    there, back = saved(link)
    assert back.letter.instead_of == (letter.id, there.letter.id)
    letters.save(back.letter, back.revision)  # a crash may have taken the first save with it
    assert [one.name for one in letters.get(back.letter.id).files] == ["a.txt"]


@pytest.mark.parametrize("sending", [True, False])
def test_one_that_leaves_or_waits_for_a_file_stays_and_says_why(
    window: MainWindow, first: Account, store: LivelyStore, link: RecordedEngine, sending: bool, page: ComposePage
) -> None:
    letter = new_letter(first.id, (ANA,), "Plan", "Hello")
    letters = Letters(store.db, store.clock)
    letters.save(letter, 1)
    letters.attach(letter.id, (NewFile("a.txt", "text/plain", 3, b"abc" if sending else None, "g", "1"),))
    page.open(letter)
    if sending:
        page.send()
    choose(page, ELSE)
    assert page.letter_id == letter.id
    assert account_of(page.card.from_box) == first.id
    assert not saved(link)
    toast = window.context.notices.toast  # type: ignore[attr-defined]
    assert ("already being sent" if sending else "a.txt") in toast.words.text()
    assert page.card.letter() == replace(letter, sender="")


async def test_the_model_helps_with_the_text(
    window: MainWindow, with_model: None, store: LivelyStore, link: RecordedEngine, page: ComposePage
) -> None:
    """All of the text, or what is selected; one step to undo; marks become places to fill in."""
    account = window.accounts()[0]
    page.open(new_letter(account.id, (ANA,), "Plan", "Hello Ana, see you."))
    window.show_page("compose")
    assert page.card.styles.help.isVisible()
    window.actions_by_id["compose.help"].trigger()
    assert page.card.help.isVisible()
    page.card.help.shorter.click()
    await until(lambda: link.asked(HelpWriting) == 1)
    assert [one for one in link.queries if isinstance(one, HelpWriting)] == [
        HelpWriting(account.id, WritingWish.SHORTER, "Hello Ana, see you.", "", None)
    ]
    link.answer(WrittenText("Hi [[name]], bye."), HelpWriting)
    await until(lambda: not page.card.help.isVisible())
    letter = page.card.letter()
    assert letter.body == "Hi , bye."
    assert [style.kind for style in letter.styles] == [StyleKind.SLOT]
    page.card.editor.undo()
    letter = page.card.letter()
    assert letter.body == "Hello Ana, see you."
    page.card.ask_help()
    page.card.help.field.setText("thank her")
    press("Ctrl+Return", on=page.card.help.field)
    assert not any(isinstance(one, SendLetter) for one in link.commands)
    await until(lambda: link.asked(HelpWriting) == 2)
    link.refuse(ModelUnavailable("It is down."), HelpWriting)
    await until(lambda: "It is down." in page.card.help.note.text())
    letter = page.card.letter()
    assert letter.body == "Hello Ana, see you."
