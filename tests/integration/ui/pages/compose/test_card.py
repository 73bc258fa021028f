"""The lines for copies, of a letter and of a proposed draft: what is offered is what is not there yet."""

from dataclasses import replace

from PySide6.QtWidgets import QPushButton

from app.domain.mail.message import Address
from app.ui.editor.recipients import RecipientContext
from app.ui.pages.compose.card import LetterCard
from app.ui.pages.compose.new_letter import new_letter
from app.ui.pages.review.draft_card import DraftCard
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LEE, TOM, LivelyStore

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
