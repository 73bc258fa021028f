"""Leaving a list takes two clicks, names the host, and sends one request, opens a letter, or a page."""

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.domain.mail.files import Unsubscribe, Unsubscribed
from app.domain.mail.message import Message
from app.domain.protocol.events import CommandFailed
from app.domain.record import replace
from app.ui.message.banners import CodeBar, UnsubscribeBar
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.page_setup import Stage

POST = ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
GOOD = ("Authentication-Results", "mx.google.com; dkim=pass header.i=@list.example")


@pytest.fixture
def bar(qtbot: QtBot, stage: Stage) -> UnsubscribeBar:
    made = UnsubscribeBar(stage.context)
    qtbot.addWidget(made)
    return made


def letter(store: LivelyStore, *headers: tuple[str, str]) -> Message:
    return replace(store.mails["m05"], headers=headers)


def test_mail_without_a_way_out_offers_none(bar: UnsubscribeBar, store: LivelyStore) -> None:
    bar.show_message(letter(store))
    assert bar.isHidden()


def test_one_click_after_a_second_look(bar: UnsubscribeBar, store: LivelyStore, stage: Stage) -> None:
    message = letter(store, ("List-Unsubscribe", "<https://list.example/u?7>, <mailto:u@list.example>"), POST, GOOD)
    bar.show_message(message)
    bar.first.click()
    assert "list.example" in bar.words.text()
    assert stage.engine.commands == []
    bar.no.click()
    bar.first.click()
    assert (bar.go_back(), bar.sure.isVisible(), bar.go_back()) == (True, False, False)
    bar.first.click()
    bar.sure.click()
    assert stage.engine.commands == [Unsubscribe(message.id)]
    stage.engine.tell(Unsubscribed(message.id, "list.example"))
    assert "Unsubscribed from list.example" in bar.words.text()
    stage.engine.tell(CommandFailed("Unsubscribe", "offline"))
    assert "Could not unsubscribe" in bar.words.text()


@pytest.mark.parametrize("target", ["mailto:u@list.example?subject=leave", "https://list.example/u?7"])
def test_a_letter_or_a_page_else(bar: UnsubscribeBar, store: LivelyStore, stage: Stage, target: str) -> None:
    bar.show_message(letter(store, ("List-Unsubscribe", f"<{target}>")))
    bar.first.click()
    bar.sure.click()
    assert stage.opened == [target]
    assert stage.engine.commands == []


def test_a_one_time_code_is_copied_by_a_click(qtbot: QtBot, stage: Stage, store: LivelyStore) -> None:
    codes = CodeBar(stage.context)
    qtbot.addWidget(codes)
    codes.show_message(replace(store.mails["m05"], subject="Sign in", body_text="Your verification code is 482913."))
    assert codes.isVisibleTo(None) and codes.words.text() == "Code: 482913"
    codes.take.click()
    assert QGuiApplication.clipboard().text() == "482913"
    assert stage.neighbours.told[-1] == "Code copied."
    codes.show_message(store.mails["m05"])
    assert codes.isHidden()
    codes.copy()
    assert stage.neighbours.told[-1] == "This message has no one-time code."
