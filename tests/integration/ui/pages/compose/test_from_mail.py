"""From a mail that a search found to a letter, and to the list the mail lies in."""

import pytest

from app.domain.mail.letter import Letter, LetterKind
from app.domain.mail.message import Message, SystemLabel
from app.domain.protocol.views import MailView
from app.ui.pages.base import Page
from app.ui.pages.mail.reply_below import ReplyBelow
from app.ui.pages.search.page import SearchPage
from fakes.engine.store.sample_store import OWNER, TOM, Mail, lively_store
from fakes.window.page_setup import Stage, cut, nameless


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


@pytest.mark.parametrize(("name", "kind"), [("mail.reply", LetterKind.REPLY), ("mail.reply_all", LetterKind.REPLY_ALL)])
def test_what_a_search_found_is_answered_at_once(stage: Stage, page: Page, name: str, kind: LetterKind) -> None:
    message = read(page, MailView.INBOX)
    stage.context.actions[name].trigger()
    below = page.findChild(ReplyBelow)
    assert below is not None and not below.isHidden()
    letter = below.card.letter()
    assert (letter.kind, letter.about) == (kind, message.id)


def test_what_a_search_found_is_forwarded(stage: Stage, page: Page) -> None:
    message = read(page, MailView.INBOX)
    stage.context.actions["mail.forward"].trigger()
    letter = stage.neighbours.went[-1]
    assert isinstance(letter, Letter)
    assert (letter.kind, letter.about) == (LetterKind.FORWARD, message.id)


def test_a_draft_is_continued(page: Page) -> None:
    read(page, MailView.INBOX)
    assert offered(page) == ["mail.reply", "mail.reply_all", "mail.forward"]
    message = read(page, MailView.DRAFTS)
    assert SystemLabel.DRAFT in message.labels
    assert offered(page) == ["mail.continue"]
    assert not nameless(page)
    assert not cut(page)


def offered(page: Page) -> list[str]:
    names = ("mail.reply", "mail.reply_all", "mail.forward", "mail.continue")
    return [name for name in names if page.context.actions[name].isVisible()]
