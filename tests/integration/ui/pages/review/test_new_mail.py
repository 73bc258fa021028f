"""A mail that the assistant proposes on request, on the desk: no mail beside it, its own people and words, what may be done."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.domain.agents.memory import RejectionReason
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Action, FlagKind, RedFlag
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.message import Address
from app.domain.protocol.commands import Decide
from app.domain.record import replace
from app.ui.pages.review.ask_bar import common_reasons
from app.ui.pages.review.page import ReviewPage
from app.ui.pages.review.queue import review_look
from app.ui.session.typed_text import UnsavedEdits
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import ANA, ERIN, LEE, LivelyStore
from fakes.window.page_setup import nameless
from fakes.window.recorded_engine import RecordedEngine

REPORT, TABLE = (ArtifactHandle(digit * 64, name, digit * 64, 2048) for digit, name in (("1", "Report.pdf"), ("2", "Table.csv")))
DRAFT = Draft((ERIN, Address("new@else.example")), (LEE,), (), "Orders of March", "Dear Erin,\n\nhere it is.", "openai/gpt")
WITH_FILES = replace(DRAFT, attachments=(REPORT, TABLE))
FLAGS = tuple(RedFlag(FlagKind.ATTACHMENT, one.name) for one in (REPORT, TABLE))


@pytest.fixture
def page(window: MainWindow, store: LivelyStore) -> ReviewPage:
    store.ask_for("new", WITH_FILES, flags=FLAGS)
    page = window.review_page
    page.deciding.glance_ms = 0
    page.refresh()
    page.open(store.reviews["new"])
    return page


def decided(link: RecordedEngine) -> Decide:
    (found,) = (one for one in link.commands if isinstance(one, Decide))
    return found


def test_the_draft_stands_alone_under_its_own_subject(page: ReviewPage, window: MainWindow, store: LivelyStore) -> None:
    desk = page.desk
    row = page.context.reader.review_rows([store.reviews["new"]])[store.reviews["new"]]
    look = review_look(row, page.context.clock())
    assert (look.who, look.person) == (f"To {ERIN.name}, new@else.example", ERIN.name)
    assert [chip.text for chip in look.chips] == ["new email"]
    assert desk._subject.words == "Orders of March"
    assert desk._kind.text() == "new email"
    assert not desk.original.isVisibleTo(window)
    assert desk._no_message_label.isVisibleTo(window) and "asked the assistant" in desk._no_message_label.words
    assert desk.card.isVisibleTo(window)
    assert desk.card.height() > desk.height() // 2
    assert not nameless(page)
    desk.why.toggle()
    assert desk.why.contact.isVisibleTo(window)
    page.open(store.reviews["meeting"])
    assert desk.original.isVisibleTo(window)
    assert not desk._no_message_label.isVisibleTo(window)
    assert desk._kind.text() == "reply"


def test_what_is_about_a_mail_is_not_offered(page: ReviewPage, window: MainWindow, store: LivelyStore) -> None:
    actions = window.actions_by_id
    assert not actions["review.write"].isEnabled()
    for name in ("review.approve", "review.edit", "review.changes", "review.save", "review.later", "review.reject"):
        assert actions[name].isEnabled(), name
    actions["review.reject"].trigger()
    offered = [one.text() for one in page.desk.ask.findChildren(type(page.desk.card.copies.more)) if one.isVisible()]
    unfit = next(words for words, why in common_reasons().items() if why is RejectionReason.NO_ANSWER)
    assert not any("Never draft" in words or words == unfit for words in offered)
    assert any(words == "Wrong tone" for words in offered)


def test_a_file_is_taken_off_and_put_back(page: ReviewPage, window: MainWindow, link: RecordedEngine) -> None:
    desk = page.desk
    assert len(desk.flags.words) == 2
    off = desk.card.files.buttons[REPORT.id]
    assert off.accessibleName() == "Remove Report.pdf"
    QTest.mouseClick(off, Qt.MouseButton.LeftButton)
    assert desk.card.draft().attachments == (TABLE,)
    assert len(desk.flags.words) == 1 and "Table.csv" in desk.flags.words[0]
    desk.show_difference()
    assert "Report.pdf" in desk.compare.toHtml()
    desk.show_difference()
    QTest.mouseClick(desk.card.files.buttons[REPORT.id], Qt.MouseButton.LeftButton)
    assert desk.card.draft() == WITH_FILES
    assert len(desk.flags.words) == 2
    desk.card.files.toggle(TABLE)
    page.deciding.approve()
    sent = decided(link)
    assert (sent.action, sent.draft) == (Action.EDIT, replace(WITH_FILES, attachments=(REPORT,)))


def test_what_was_taken_off_outlasts_the_window_and_can_be_put_back(page: ReviewPage, store: LivelyStore) -> None:
    page.desk.card.files.toggle(REPORT)
    page.deciding.flush()
    review_id = store.reviews["new"]
    kept = UnsavedEdits(page.context.state).draft(review_id, 1)
    assert kept is not None and kept.attachments == (TABLE,)
    page.open(store.reviews["meeting"])
    assert not page.desk.card.files.isVisibleTo(page)
    page.open(review_id)
    assert page.desk.card.draft().attachments == (TABLE,)
    assert page.desk.card.files.taken_off == ("Report.pdf",)
    page.desk.card.files.toggle(REPORT)
    page.deciding.flush()
    assert UnsavedEdits(page.context.state).draft(review_id, 1) is None


def test_a_review_whose_mail_is_gone_says_so(window: MainWindow, store: LivelyStore) -> None:
    from app.store.mail.messages import Messages
    from app.store.mail.sync_page import SyncPage

    review_id = store.reviews["meeting"]
    review = store.desk().review(review_id)
    gone = next(one for one in store.mails.values() if one.id == review.proposal.message_id)
    page = window.review_page
    page.open(store.reviews["plain"])
    Messages(store.db).apply(store.account_id, SyncPage(delete=(gone.gmail_id,)))
    page.open(review_id)
    assert not page.desk.original.isVisibleTo(window)
    assert "no longer in the mailbox" in page.desk._no_message_label.words
    assert ANA.email not in page.desk._no_message_label.words
