"""A letter's card: what it offers, its templates, and that it comes back."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QPushButton

from app.domain.ids import LetterId
from app.domain.mail.letter import Letter, LetterKind
from app.domain.mail.message import Address, Message, SystemLabel
from app.domain.protocol.letter_commands import UseTemplate
from app.domain.protocol.views import MailView
from app.domain.record import replace
from app.store.letters.letters import Templates
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.editor.recipient_field import RecipientContext
from app.ui.pages.base import Page
from app.ui.pages.compose.card import LetterCard
from app.ui.pages.compose.new_letter import new_letter
from app.ui.pages.compose.page import MOST, ComposePage
from app.ui.pages.review.draft_card import DraftCard
from app.ui.pages.search.page import SearchPage
from app.ui.palette import Palette
from app.ui.session.typed_text import KeptLetters
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import ANA, LEE, OWNER, TOM, LivelyStore, Mail, lively_store
from fakes.window.page_setup import Stage, cut, nameless
from fakes.window.recorded_engine import RecordedEngine

NOBODY = RecipientContext(frozenset(), frozenset(), frozenset())
CASES: tuple[tuple[tuple[Address, ...], tuple[Address, ...], str, str], ...] = (
    ((), (), "Cc, Bcc", "cc"),
    ((LEE,), (), "Bcc", "bcc"),
    ((), (TOM,), "Cc", "cc"),
)
"""Copies, blind copies, what is offered besides, and where the keyboard goes."""


def offered(card: LetterCard | DraftCard) -> QPushButton:
    return next(one for one in card.findChildren(QPushButton) if one.text() in ("Cc, Bcc", "Cc", "Bcc"))


def shown(card: LetterCard | DraftCard) -> tuple[bool, bool, bool]:
    return not card.cc.isHidden(), not card.bcc.isHidden(), not offered(card).isHidden()


def test_what_is_not_there_is_offered(window: MainWindow, store: LivelyStore) -> None:
    page = window.review_page
    page.open(store.reviews["meeting"])
    review, draft = page.current_review(), page.desk.draft()
    assert review is not None and draft is not None
    proposed, letter = page.desk.card, window.compose_page.card
    account = window.accounts()[0]
    for cc, bcc, words, typed in CASES:
        letter.show_letter(replace(new_letter(account.id), cc=cc, bcc=bcc), account, None, NOBODY)
        proposed.show_draft(review, replace(draft, cc=cc, bcc=bcc), NOBODY)
        for card in (letter, proposed):
            assert offered(card).text() == words
            assert shown(card) == (bool(cc), bool(bcc), True)
            offered(card).click()
            assert shown(card) == (True, True, False)
            assert card.focusWidget() is getattr(card, typed).line
    proposed.show_draft(review, replace(draft, cc=(LEE,), bcc=(TOM,)), NOBODY, known_subject=True)
    proposed.copies.more.click()
    assert proposed.focusWidget() is proposed.subject, "the only line that was hidden"


def test_the_most_used_and_a_way_to_the_others(window: MainWindow, store: LivelyStore, link: RecordedEngine) -> None:
    templates = Templates(store.db, store.clock)
    made = [templates.save(0, f"Offer {number}", "", "Dear Ana,") for number in range(MOST)]
    window.show_page("compose")
    page = window.compose_page
    page.open(new_letter(window.accounts()[0].id))
    menu = page.template_menu()
    assert len([one for one in menu.actions() if not one.isSeparator()]) == MOST + 1, "all of them, and where they are written"
    menu.actions()[0].trigger()
    assert isinstance(link.commands[-1], UseTemplate) and link.commands[-1].template_id in made
    templates.save(0, "One too many", "", "Dear Tom,")
    menu = page.template_menu()
    assert len([one for one in menu.actions() if not one.isSeparator()]) == MOST + 2
    menu.actions()[MOST].trigger()
    palette = window.findChild(Palette)
    palette.line.setText("too many")
    assert palette.titles()[0].endswith("One too many")
    palette.close()


Opening = Callable[[], ComposePage]


@pytest.fixture
def opening(stage: Stage, store: LivelyStore) -> Iterator[Opening]:
    reader = SqliteMailboxReader(store.path)
    context = replace(stage.context, reader=reader, clock=store.clock)

    def opened() -> ComposePage:
        page = ComposePage(context)
        stage.show(page, 1000, 600, wait=False)
        page.take_focus()  # as the window gives it
        return page

    yield opened
    reader.close()


def test_a_reply_without_a_word_is_open_again_and_no_draft(opening: Opening, store: LivelyStore, stage: Stage) -> None:
    left = opening()
    about = store.mails["m03"].id
    left.open(Letter(LetterId("l8"), store.account_id, LetterKind.REPLY, to=(ANA,), subject="Re: Delivery", about=about))
    again = opening()
    assert (again.letter_id, again.card.subject.text(), again.card.to.addresses) == ("l8", "Re: Delivery", (ANA,))
    KeptLetters(again.context.state).resend(stage.engine)
    assert not again.close_letter()
    assert not stage.engine.commands
    assert opening().letter_id is None, "closed, it is gone"


def test_a_letter_that_the_engine_never_heard_of_is_open_again(opening: Opening, store: LivelyStore) -> None:
    left = opening()
    left.open(Letter(LetterId("l9"), store.account_id, LetterKind.NEW))
    left.card.subject.setText("Half a")
    left.card.subject.textEdited.emit("Half a")
    left.keeping.flush()
    again = opening()
    assert (again.letter_id, again.card.subject.text()) == ("l9", "Half a")


@pytest.fixture
def page(stage: Stage) -> Page:
    store = lively_store(stage.data.database)
    store.put(Mail("d99", "t99", OWNER, "Begun elsewhere", "Half", 5, labels=frozenset({"DRAFT"}), to=(TOM,)))
    store.close()
    made = SearchPage(stage.context)
    stage.show(made)
    return made


def read(page: Page, view: MailView) -> Message:
    reader = page.context.reader
    thread = reader.thread_ids(view, limit=2)[-1]  # the newest in the inbox is a fraud
    page.reading.show_thread(thread)  # type: ignore[attr-defined]
    message = reader.messages(thread)[-1]
    assert page.reading.message == message  # type: ignore[attr-defined]
    return message


def test_what_a_search_found_is_forwarded(stage: Stage, page: Page) -> None:
    message = read(page, MailView.INBOX)
    stage.context.actions["mail.forward"].trigger()
    letter = stage.neighbours.went[-1]
    assert isinstance(letter, Letter)
    assert (letter.kind, letter.about) == (LetterKind.FORWARD, message.id)


def test_a_draft_is_continued(page: Page) -> None:
    read(page, MailView.INBOX)
    assert ways(page) == ["mail.reply", "mail.reply_all", "mail.forward"]
    message = read(page, MailView.DRAFTS)
    assert SystemLabel.DRAFT in message.labels
    assert ways(page) == ["mail.continue"]
    assert not nameless(page)
    assert not cut(page)


def ways(page: Page) -> list[str]:
    names = ("mail.reply", "mail.reply_all", "mail.forward", "mail.continue")
    return [name for name in names if page.context.actions[name].isVisible()]
