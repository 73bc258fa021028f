"""From a mail that a search found to a letter, and to the list the mail lies in."""

import pytest
from PySide6.QtTest import QTest

from app.domain.mail.letter import Letter, LetterKind
from app.domain.mail.message import Message, SystemLabel
from app.domain.protocol.views import MailView
from app.ui.pages.base import Page
from app.ui.pages.compose.from_mail import KeylessBar
from app.ui.startup.page_registry import search
from fakes.engine.store.sample_store import OWNER, TOM, Mail, lively_store
from fakes.window.page_setup import Stage, cut, nameless


@pytest.fixture
def page(lively_stage: Stage) -> Page:
    store = lively_store(lively_stage.data.database)
    store.put(Mail("d99", "t99", OWNER, "Begun elsewhere", "Half", 5, labels=frozenset({"DRAFT"}), to=(TOM,)))
    store.close()
    made = search(lively_stage.context)
    lively_stage.show(made)
    return made


def read(page: Page, view: MailView) -> tuple[Message, KeylessBar]:
    reader = page.context.reader
    (thread,) = reader.thread_ids(view, limit=1)
    page.reading.show_thread(thread)  # type: ignore[attr-defined]
    QTest.qWait(0)
    (bar,) = page.findChildren(KeylessBar)
    message = reader.messages(thread)[-1]
    assert page.reading.message == message  # type: ignore[attr-defined]
    return message, bar


@pytest.mark.parametrize(
    ("name", "kind"),
    [("mail.reply", LetterKind.REPLY), ("mail.reply_all", LetterKind.REPLY_ALL), ("mail.forward", LetterKind.FORWARD)],
)
def test_what_a_search_found_is_answered_at_once(lively_stage: Stage, page: Page, name: str, kind: LetterKind) -> None:
    message, bar = read(page, MailView.INBOX)
    bar.buttons[name].click()
    letter = lively_stage.neighbours.went[-1]
    assert isinstance(letter, Letter)
    assert (letter.kind, letter.about) == (kind, message.id)


def test_the_rest_is_done_where_the_mail_lies(lively_stage: Stage, page: Page) -> None:
    message, bar = read(page, MailView.INBOX)
    bar.buttons["waiting.open"].click()
    assert lively_stage.neighbours.went[-1] == ("message", message.id)


def test_a_draft_is_gone_on_with(page: Page) -> None:
    _, bar = read(page, MailView.INBOX)
    assert offered(bar) == ["mail.reply", "mail.reply_all", "mail.forward", "waiting.open"]
    message, bar = read(page, MailView.DRAFTS)
    assert SystemLabel.DRAFT in message.labels
    assert offered(bar) == ["mail.continue", "waiting.open"]
    assert not nameless(page)
    assert not cut(page)


def offered(bar: KeylessBar) -> list[str]:
    return [name for name, one in bar.buttons.items() if not one.isHidden()]
