"""A title of any length stands on two lines at most and is whole in its tooltip; it asks for no width."""

import pytest
from pytestqt.qtbot import QtBot

from app.ui.title import Title

LONG = "Re: Fwd: Minutes of the meeting about the winter service, the new stand and the loan bikes for the fair in Brno"


@pytest.fixture
def title(qtbot: QtBot) -> Title:
    made = Title()
    font = made.font()
    font.setPixelSize(17)  # whatever a test before has set for all
    made.setFont(font)
    qtbot.addWidget(made)
    made.resize(300, 60)
    made.show()
    return made


def lines(title: Title, width: int) -> int:
    return round(title.heightForWidth(width) / title.fontMetrics().lineSpacing())


def test_one_line_where_there_is_room(title: Title) -> None:
    title.show_words("New bank account")
    assert title.shown == ("New bank account",)
    assert [lines(title, 300), title.toolTip()] == [1, ""]


def test_two_lines_between_words(title: Title) -> None:
    title.show_words("Framework agreement 2027: request for quotation")
    assert len(title.shown) == 2
    assert " ".join(title.shown) == title.words
    assert [lines(title, 300), lines(title, 2000), title.toolTip()] == [2, 1, ""]


def test_no_third_line(title: Title) -> None:
    title.show_words(LONG)
    assert len(title.shown) == 2 and title.shown[1].endswith("…")
    assert [lines(title, 300), title.toolTip(), title.accessibleName()] == [2, LONG, LONG]
    title.resize(1500, 60)
    assert [title.shown, title.toolTip()] == [(LONG,), ""]


def test_one_word_longer_than_a_line_is_broken(title: Title) -> None:
    title.show_words("W" * 90)
    assert len(title.shown) == 2 and title.shown[0] == "W" * len(title.shown[0])


def test_asks_for_no_width_and_shows_no_markup(title: Title) -> None:
    title.show_words(f"<img src='file:///x'> {LONG * 50}")
    assert [title.sizeHint().width(), title.minimumSizeHint().width()] == [1, 1]
    assert title.toolTip().startswith("<span") and "&lt;img" in title.toolTip()


def test_read_from_the_right_it_stands_at_the_right(title: Title) -> None:
    title.show_words("אספקת אופניים")
    shot = title.grab().toImage()
    ground = shot.pixel(0, 0)
    inked = [x for x in range(shot.width()) if any(shot.pixel(x, y) != ground for y in range(shot.height()))]
    assert min(inked) > 100
