"""A proposed meeting on the desk: read, moved by keys and mouse, edited, refused where it names no meeting, approved.

The card of a question scrolls when it must, and only then.
"""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.domain.drafting.review import Action, FlagKind, RedFlag, ReviewKind, ToolStep
from app.domain.ids import ReviewId
from app.domain.protocol.commands import Decide, DraftReply
from app.domain.record import replace
from app.ui.i18n.formatting import when_long
from app.ui.pages.review.page import ReviewPage
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LEE, LivelyStore
from fakes.window.keyboard import press
from fakes.window.recorded_engine import RecordedEngine

START = datetime(2026, 11, 26, 9, tzinfo=UTC)
ARGUMENTS: dict[str, Any] = {
    "attendees": [LEE.email],
    "title": "Photo shoot",
    "start_time": "2026-11-26T10:00:00",
    "end_time": "2026-11-26T11:00:00",
    "organizer_email": "mia@workshop.example",
    "timezone": "Europe/Prague",
}


LOOKED = json.dumps({"start": (START - timedelta(days=1)).isoformat(), "end": (START + timedelta(days=14)).isoformat()})
"""What the calendar was asked for."""


def busy(start: datetime, minutes: int, title: str) -> dict[str, str]:
    """A row of the calendar tool."""
    return {"start": start.isoformat(), "end": (start + timedelta(minutes=minutes)).isoformat(), "title": title}


def put_up(
    store: LivelyStore, window: MainWindow, action: str = "schedule_meeting", args: Any = None, error: str = ""
) -> ReviewId:
    """A tool call of the response agent about Lee's mail, opened in the window."""
    like = store.desk().review(store.reviews["meeting"]).proposal
    rows = [
        busy(START + timedelta(hours=3), 90, "Dentist"),
        busy(START - timedelta(hours=1), 30, "Stand-up"),
        busy(START + timedelta(days=1), 60, "Bikes"),
    ]
    proposal = replace(
        like,
        kind=ReviewKind.TOOL_CALL,
        draft=None,
        detail="Lee agreed to Thursday.",
        request_json=json.dumps({"action": action, "args": args or ARGUMENTS}),
        flags=(RedFlag(FlagKind.CALENDAR_CONFLICT, "Dentist"),) if args else (),
        tools=(ToolStep("check_calendar", LOOKED, json.dumps({"busy": rows}) if not error else "", error, 3.0),),
    )
    review_id = store.desk().open(proposal, f"call:{action}{bool(args)}{error}")
    window.review_page.refresh()
    window.activateWindow()
    window.review_page.open(review_id)
    return review_id


@pytest.fixture
def page(window: MainWindow, store: LivelyStore) -> ReviewPage:
    put_up(store, window)
    return window.review_page


def only(link: RecordedEngine) -> Decide:
    (sent,) = [one for one in link.commands if isinstance(one, Decide)]
    return sent


def test_the_card_shows_the_meeting_in_its_own_zone(page: ReviewPage) -> None:
    card = page.desk.meeting
    assert card.isVisible()
    assert (card.title.text(), [one.email for one in card.guests.addresses]) == ("Photo shoot", [LEE.email])
    assert card.start.currentData() == 10 * 60
    assert card.length.currentData() == 60
    assert card.day.text() in when_long(START), "as days are written elsewhere"
    assert card.zone.text() == "Europe/Prague"
    assert card.standing.text() == "You're free"
    assert "free" in card.view.accessibleDescription()
    assert not page.desk.detail.isVisible()
    card.view.setFocus()
    press("Tab")
    held = QApplication.focusWidget()
    assert held is not None and page.desk.isAncestorOf(held), "what is made late is not last in the window"


def test_keys_move_it_and_the_edit_is_what_is_approved(page: ReviewPage, link: RecordedEngine) -> None:
    view = page.desk.meeting.view
    page.deciding.edit()
    assert QApplication.focusWidget() is view
    for _ in range(12):
        press("Down", on=view)
    assert page.desk.meeting.standing.text() == "You're busy"
    assert "Dentist" in view.accessibleDescription()
    press("Shift+Up", "Right", on=view)
    assert page.desk.meeting.standing.text() == "You're free"
    page.deciding.approve()
    sent = only(link)
    assert sent.action is Action.EDIT
    changed = json.loads(sent.arguments)
    assert (changed["start_time"], changed["end_time"]) == ("2026-11-27T13:00:00", "2026-11-27T13:45:00")
    assert {**changed, "start_time": 0, "end_time": 0} == {**ARGUMENTS, "start_time": 0, "end_time": 0}


def test_the_slot_is_dragged_and_stretched(qtbot: QtBot, page: ReviewPage) -> None:
    card = page.desk.meeting
    rect = card.view.slot_rect()
    hour = rect.height()
    middle = rect.center().toPoint()
    qtbot.mousePress(card.view, Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseMove(card.view, middle + QPoint(0, round(2 * hour)))
    qtbot.mouseRelease(card.view, Qt.MouseButton.LeftButton)
    assert (card.start.currentData(), card.length.currentData()) == (12 * 60, 60)
    edge = card.view.slot_rect().bottomLeft().toPoint() + QPoint(20, -2)
    qtbot.mousePress(card.view, Qt.MouseButton.LeftButton, pos=edge)
    qtbot.mouseMove(card.view, edge + QPoint(0, round(hour / 2)))
    qtbot.mouseRelease(card.view, Qt.MouseButton.LeftButton)
    assert (card.start.currentData(), card.length.currentData()) == (12 * 60, 90)


def test_fields_change_it_too_and_days_have_buttons(page: ReviewPage, link: RecordedEngine) -> None:
    card = page.desk.meeting
    card.title.setText("Yard")
    card.start.activated.emit(card.start.findData(14 * 60 + 30))
    card.length.activated.emit(card.length.findData(30))
    card.earlier.click()
    page.deciding.approve()
    changed = json.loads(only(link).arguments)
    assert (changed["title"], changed["start_time"], changed["end_time"]) == (
        "Yard",
        "2026-11-25T14:30:00",
        "2026-11-25T15:00:00",
    )


@pytest.mark.parametrize("wrong", ["title", "guests"])
def test_what_names_no_meeting_is_refused_in_words(page: ReviewPage, link: RecordedEngine, wrong: str) -> None:
    card = page.desk.meeting
    if wrong == "title":
        card.title.setText("  ")
    else:
        card.guests.line.setText("nobody at all")
    page.deciding.approve()
    assert link.commands == []
    assert ("title" if wrong == "title" else "mail addresses") in page.desk.flags.approval_error


def test_a_day_that_was_not_looked_at_is_not_called_free(page: ReviewPage, window: MainWindow, store: LivelyStore) -> None:
    card = page.desk.meeting
    for _ in range(13):
        card.later.click()
    assert card.standing.text() == "You're free"
    card.later.click()
    assert card.standing.text() == "Your calendar isn't loaded that far ahead"
    assert "unknown" in card.view.accessibleDescription()
    card.earlier.click()
    assert "free" in card.view.accessibleDescription()
    put_up(store, window, error="offline: no way out")
    assert card.standing.text() == "Your calendar couldn't be read"


def test_arguments_that_name_no_meeting_are_shown_as_they_are(
    window: MainWindow, store: LivelyStore, link: RecordedEngine
) -> None:
    put_up(store, window, args={"attendees": ["x"], "title": "No time"})
    page = window.review_page
    assert page.desk.detail.isVisible()
    page.desk.detail.fields["attendees"].setText("a@b.example, c@d.example")
    page.deciding.approve()
    assert json.loads(only(link).arguments) == {"attendees": ["a@b.example", "c@d.example"], "title": "No time"}


def test_any_tools_arguments_can_be_edited(qtbot: QtBot, window: MainWindow, store: LivelyStore, link: RecordedEngine) -> None:
    put_up(store, window, "manage_reservation", {"count": 3, "words": "old", "ids": ["1", "2"], "deep": {"a": 1}})
    page = window.review_page
    fields = page.desk.detail.fields
    assert any(one.text() == "Reserve a drug" for one in page.desk.detail.findChildren(QLabel) if one.isVisible())
    assert fields["count"].accessibleName() == "Count"
    assert {name: field.text() for name, field in fields.items()} == {
        "count": "3",
        "words": "old",
        "ids": "1, 2",
        "deep": '{"a": 1}',
    }
    fields["count"].setText("three")
    page.deciding.approve()
    assert link.commands == []
    assert "count" in page.desk.flags.approval_error
    fields["count"].setText("4")
    qtbot.keyClicks(fields["words"], "er")
    page.deciding.approve()
    assert json.loads(only(link).arguments)["count"] == 4


def test_a_question_is_shown_once_and_answered_in_its_card(
    qtbot: QtBot, window: MainWindow, store: LivelyStore, link: RecordedEngine
) -> None:
    page = window.review_page
    page.open(store.reviews["question"])
    card = page.desk.detail
    asked = store.desk().review(store.reviews["question"]).proposal.detail

    shown = [one.text() for one in card.findChildren(QLabel) if one.isVisible()]
    assert shown.count(asked) == 1
    assert not [one for one in shown if one != asked and asked in one]
    assert not card.fields
    assert not card.send.isEnabled()
    page.take_focus()
    press("R")
    assert QApplication.focusWidget() is card.answer
    qtbot.keyClicks(card.answer, "At ten.")
    press("Ctrl+Return", on=card.answer)
    assert (only(link).action, only(link).text) == (Action.RESPOND, "At ten.")


def test_where_a_model_failed_a_draft_without_it_is_offered(window: MainWindow, store: LivelyStore, link: RecordedEngine) -> None:
    page = window.review_page
    like = store.desk().review(store.reviews["escalation"]).proposal
    page.open(store.reviews["escalation"])
    assert not page.desk.detail.without_model.isVisible()
    failed = replace(like, kind=ReviewKind.NEEDS_REVIEW, detail="The model does not answer this mail.")
    review_id = store.desk().open(failed, "failed")
    page.refresh()
    page.open(review_id)
    assert page.desk.detail.without_model.isVisible()
    page.desk.detail.without_model.click()
    assert link.commands[-1] == DraftReply(like.message_id, by_model=False)
