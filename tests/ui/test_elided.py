"""Words of any length take no more measuring than a line has room for, and are whole where one asks for them."""

from pytestqt.qtbot import QtBot

from app.ui.brushwork import MEASURED
from app.ui.build import LONGEST_TIP, LONGEST_TITLE, label, set_title
from app.ui.elided import ElidedLabel
from app.ui.lists.look import RowLook
from app.ui.lists.row_painter import RowPainter
from app.ui.scale import Type
from fakes.page_stage import Stage

LONG = "W" * 50_000


def test_a_line_measures_what_may_be_seen(qtbot: QtBot) -> None:
    made = ElidedLabel()
    qtbot.addWidget(made)
    made.resize(200, 20)
    made.show_words(LONG)
    assert made.sizeHint().width() <= made.fontMetrics().horizontalAdvance("W" * MEASURED) + 1
    assert made.shown.endswith("…")
    assert [len(made.text()), made.words, made.accessibleName()] == [MEASURED, LONG, LONG]


def test_a_title_shows_its_beginning_and_says_the_rest_when_pointed_at(qtbot: QtBot) -> None:
    made = label(wrap=True)
    qtbot.addWidget(made)
    set_title(made, LONG)
    assert len(made.text()) == LONGEST_TITLE + 1
    assert len(made.toolTip()) == LONGEST_TIP
    set_title(made, f"<img src='file:///x'>{LONG}")
    assert made.toolTip().startswith("<span") and "&lt;img" in made.toolTip()
    set_title(made, "Plan")
    assert [made.text(), made.toolTip()] == ["Plan", ""]


def test_a_row_measures_no_more(lively_stage: Stage) -> None:
    painter = RowPainter(lively_stage.appearance, lively_stage.context.icons)
    assert RowLook("Ana", LONG, "", "", "").subject == LONG
    painter._elide(LONG, 300, Type.BODY)
    assert [len(text) for text, _width, _role in painter._elided] == [MEASURED]
