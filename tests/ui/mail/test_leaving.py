"""Leaving a list takes two clicks, names the host, and sends one request, opens a letter, or a page."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from app.domain.events import CommandFailed
from app.domain.mail import Message
from app.domain.mail_files import Unsubscribe, Unsubscribed
from app.ui.mail.leaving import LeavingBar
from fakes.lively_store import LivelyStore
from fakes.page_stage import Stage

POST = ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
GOOD = ("Authentication-Results", "mx.google.com; dkim=pass header.i=@list.example")


@pytest.fixture
def bar(qtbot: QtBot, lively_stage: Stage) -> LeavingBar:
    """A bar of its own."""
    made = LeavingBar(lively_stage.context)
    qtbot.addWidget(made)
    return made


def letter(store: LivelyStore, *headers: tuple[str, str]) -> Message:
    """A mail with these headers."""
    return replace(store.mails["m05"], headers=headers)


def test_mail_without_a_way_out_offers_none(bar: LeavingBar, store: LivelyStore) -> None:
    bar.show_message(letter(store))
    assert bar.isHidden()


def test_one_click_after_a_second_look(bar: LeavingBar, store: LivelyStore, lively_stage: Stage) -> None:
    message = letter(store, ("List-Unsubscribe", "<https://list.example/u?7>, <mailto:u@list.example>"), POST, GOOD)
    bar.show_message(message)
    bar.first.click()
    assert "list.example" in bar.words.text()
    assert lively_stage.engine.commands == []
    bar.no.click()
    bar.first.click()
    bar.sure.click()
    assert lively_stage.engine.commands == [Unsubscribe(message.id)]
    lively_stage.engine.tell(Unsubscribed(message.id, "list.example"))
    assert "list.example took" in bar.words.text()
    lively_stage.engine.tell(CommandFailed("Unsubscribe", "offline", "", ""))
    assert "did not work" in bar.words.text()


@pytest.mark.parametrize("target", ["mailto:u@list.example?subject=leave", "https://list.example/u?7"])
def test_a_letter_or_a_page_else(bar: LeavingBar, store: LivelyStore, lively_stage: Stage, target: str) -> None:
    bar.show_message(letter(store, ("List-Unsubscribe", f"<{target}>")))
    bar.first.click()
    bar.sure.click()
    assert lively_stage.opened == [target]
    assert lively_stage.engine.commands == []
