"""Large text: on every page each word of a label, a button and a box to tick has the room that it asks for.

The pages come from their registry, the reviews and the sections of the settings from the store and the page.

A title of any length stands on two lines at most and is whole in its tooltip; it asks for no width.

Words of any length take no more measuring than a line has room for, and are whole where one asks for them.

A link that is cut where there is too little room, and nowhere else.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.ui.i18n.translation import load_language
from app.ui.pages.overview.waiting import WaitingPage
from app.ui.pages.review.meeting_card import DayCalendar
from app.ui.pages.settings.page import SettingsPage
from app.ui.startup.assembly import FACTORIES
from app.ui.theme.metrics import base_font
from app.ui.widgets.containers import ScrolledLine
from app.ui.widgets.factory import LONGEST_TIP, LONGEST_TITLE, label, set_title
from app.ui.widgets.labels import ElidedLabel, FoldingCheck, Title
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.keyboard import described
from fakes.window.tab_order import settle

SIZES = [pytest.param((200, "cs"), id="200-cs")] + [
    pytest.param(one, id="-".join(map(str, one)), marks=pytest.mark.soak) for one in ((200, "en"), (125, "cs"), (125, "en"))
]

TABLE = "rules"
"""Its editor asks for more width than such text leaves in a window of this size: it is read in a wider one."""


@pytest.fixture(params=SIZES)
def data(request: pytest.FixtureRequest, tmp_path: Path, qapp: QApplication) -> Iterator[DataFolder]:
    """A data folder whose settings ask for large text in a language."""
    folder = DataFolder(tmp_path / "data")
    folder.prepare()
    percent, language = request.param
    folder.settings.write_text(f'[appearance]\ntext_percent = {percent}\nlanguage = "{language}"\n', encoding="utf-8")
    yield folder
    qapp.setFont(base_font(1.0))
    load_language(qapp, "en")


def cut(top: QWidget) -> list[str]:
    """Labels, buttons and boxes to tick with less room than their words need. Labels that shorten themselves show what mail
    says and have the whole in their tooltip; a scrolling area may hide what it scrolls to."""
    found = []
    for widget in top.findChildren(QWidget):
        if not isinstance(widget, QLabel | QPushButton | QCheckBox) or isinstance(widget, ElidedLabel):
            continue
        if not widget.isVisible() or not widget.text():
            continue
        asked = widget.minimumSizeHint() if isinstance(widget, QLabel) else widget.sizeHint()
        wide, high = asked.width(), asked.height()
        if isinstance(widget, QLabel) and widget.wordWrap():
            wide, high = 0, widget.heightForWidth(widget.width())
        if isinstance(widget, FoldingCheck):
            wide = 0
        if widget.width() < wide or widget.height() < high or beyond(widget):
            room = f"{widget.width()}x{widget.height()} for {wide}x{high}"
            found.append(f"{described(widget)} “{widget.text()}”: {room}{beyond(widget)}")
    return found


def beyond(widget: QWidget) -> str:
    """Where a widget reaches to the side out of what holds it, a pane or an area that does not scroll to the side."""
    parent = widget.parentWidget()
    while parent is not None and not parent.isWindow():
        area = parent.parentWidget()
        if isinstance(area, QScrollArea) and area.horizontalScrollBarPolicy() is not Qt.ScrollBarPolicy.ScrollBarAlwaysOff:
            return ""
        left = widget.mapTo(parent, QPoint()).x()
        if left < 0 or left + widget.width() > parent.width():
            return f", out of {described(parent)} by {left + widget.width() - parent.width()}"
        parent = parent.parentWidget()
    return ""


def overlong(top: QWidget) -> list[str]:
    """Pages that scroll sideways, and days whose hours overlap."""
    areas = [one for one in top.findChildren(QScrollArea) if one.isVisible() and not isinstance(one, ScrolledLine)]
    wide = [f"{described(one)} scrolls sideways" for one in areas if one.horizontalScrollBar().maximum() > 0]
    days = [one for one in top.findChildren(DayCalendar) if one.isVisible()]
    return [*wide, *(f"{described(one)}: hours overlap" for one in days if one.height() < 10 * one.fontMetrics().height())]


def test_no_word_is_cut(qtbot: QtBot, window: MainWindow, store: LivelyStore) -> None:
    found: list[str] = []

    def look(what: str) -> None:
        settle(qtbot)
        found.extend(f"{what}: {one}" for one in (*cut(window), *overlong(window)))

    for name in FACTORIES:
        window.show_page("inbox" if name == "mail" else name)
        look(name)
    window.search_page.look_for("zeppelin")
    window.show_page("search")
    look("nothing found")
    waiting = window.page("waiting")
    window.show_page("waiting")
    assert isinstance(waiting, WaitingPage)
    waiting.days.setCurrentIndex(0)
    waiting.days.activated.emit(0)
    look("waited for")
    settings = window.page("settings")
    window.show_page("settings")
    assert isinstance(settings, SettingsPage)
    for section in [one.name for one in settings.list.places.places if one.name and one.name != TABLE]:
        settings.show_section(section)
        look(section)
    window.show_page("review")
    for unfolded in (False, True):
        for name, review_id in store.reviews.items():
            window.show_review(review_id)
            look(f"review {name}{', why' if unfolded else ''}")
        window.actions_by_id["review.why"].trigger()
    window.show_review(store.reviews["plain"])
    window.actions_by_id["review.reject"].trigger()
    look("reject")
    assert window.review_page.desk.ask.options
    assert window.review_page.desk.ask.isVisible()
    assert window.appearance.text_size > 1
    assert not found, "\n".join(dict.fromkeys(found))


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


def test_read_from_the_right_it_stands_at_the_right(title: Title) -> None:
    title.show_words("אספקת אופניים")
    shot = title.grab().toImage()
    ground = shot.pixel(0, 0)
    inked = [x for x in range(shot.width()) if any(shot.pixel(x, y) != ground for y in range(shot.height()))]
    assert min(inked) > 100


LONG_ELIDED = "W" * 50_000


def test_a_title_shows_its_beginning_and_says_the_rest_when_pointed_at(qtbot: QtBot) -> None:
    made = label(wrap=True)
    qtbot.addWidget(made)
    set_title(made, LONG_ELIDED)
    assert len(made.text()) == LONGEST_TITLE + 1
    assert len(made.toolTip()) == LONGEST_TIP
    set_title(made, f"<img src='file:///x'>{LONG_ELIDED}")
    assert made.toolTip().startswith("<span") and "&lt;img" in made.toolTip()
    set_title(made, "Plan")
    assert [made.text(), made.toolTip()] == ["Plan", ""]
