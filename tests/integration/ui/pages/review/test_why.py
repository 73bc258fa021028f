"""The card of a mail's sender under Why: counts, open promises, and the user's note."""

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.domain.protocol.commands import NoteContact
from app.store.contacts import Contacts
from app.ui.pages.review.why import ContactCard
from app.ui.widgets.containers import Scrolled
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LEE, OWNER, LivelyStore, Mail
from fakes.window.recorded_engine import RecordedEngine


@pytest.fixture
def card(window: MainWindow, store: LivelyStore) -> ContactCard:
    said = "Hi Lee,\n\nI will send you the plan by Monday.\n\nMia"
    store.put(Mail("m90", "t90", OWNER, "Plan", said, 60, labels=frozenset({"SENT"}), to=(LEE,)))
    page = window.review_page
    page.open(store.reviews["meeting"])
    page.desk.why.toggle()
    return page.desk.why.contact


def words(card: ContactCard) -> str:
    return "\n".join(one.text() for one in card.findChildren(QLabel))


def test_counts_and_promises_are_shown_and_said_to_be_a_rules(card: ContactCard) -> None:
    assert card.isVisible()
    assert "Lee Wong" in words(card)
    assert "received" in words(card)
    assert "I will send you the plan by Monday." in words(card)
    assert "You seem to have promised" in words(card), "a rule found it, so it may be wrong"


def test_a_note_is_saved_while_it_is_typed(
    qtbot: QtBot, window: MainWindow, card: ContactCard, link: RecordedEngine, store: LivelyStore
) -> None:
    card.note.setFocus()
    qtbot.keyClicks(card.note, "Pays lat")
    qtbot.waitUntil(lambda: link.commands == [NoteContact(store.account_id, LEE.email, "Pays lat")])
    card.show_contact(store.account_id, LEE.email)
    assert card.note.text() == "Pays lat", "the store does not have it yet"
    qtbot.keyClicks(card.note, "e")
    window.review_page.open(store.reviews["slots"])
    assert NoteContact(store.account_id, LEE.email, "Pays late") in link.commands, "not lost with another mail"
    assert card.note.text() == ""


def test_a_stored_note_comes_back(window: MainWindow, card: ContactCard, store: LivelyStore) -> None:
    Contacts(store.db).note(store.account_id, LEE.email, "Likes tea.", store.clock())
    card.show_contact(store.account_id, LEE.email)
    assert card.note.text() == "Likes tea."
    card.show_contact(store.account_id, "nobody@x.example")
    assert not card.isVisible()


def test_in_a_low_window_it_opens_in_sight(qtbot: QtBot, window: MainWindow, store: LivelyStore) -> None:
    window.resize(1366, 640)
    page = window.review_page
    page.open(store.reviews["meeting"])
    page.desk.why.toggle()
    area = next(one for one in page.desk.findChildren(Scrolled) if one.isAncestorOf(page.desk.why))
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    sight = area.viewport().rect()
    lowest = lambda: page.desk.why.mapTo(area.viewport(), page.desk.why.rect().bottomLeft())  # noqa: E731
    qtbot.waitUntil(lambda: sight.contains(lowest()))
