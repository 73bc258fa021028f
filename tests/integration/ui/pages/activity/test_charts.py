"""The charts over a real store file: what they show, say and do by keyboard."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.qtbot import QtBot

from app.domain.agents.runs import ModelCall
from app.domain.ids import MessageId, RunId
from app.domain.protocol.events import RunChanged
from app.store.runs.model_calls import ModelCalls
from app.ui.pages.activity.activity_texts import TOKENS
from app.ui.pages.activity.charts import BarChart, Charts, Series, Swatch, step_of
from app.ui.pages.activity.page import ActivityPage
from app.ui.theme.appearance import Appearance
from fakes.engine.store.sample_store import LivelyStore, lively_store
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage, cut, nameless


@pytest.fixture
def store(stage: Stage) -> Iterator[LivelyStore]:
    made = lively_store(stage.data.database, stage.context.clock())
    yield made
    made.close()


def charts(stage: Stage, width: int = 1000) -> tuple[ActivityPage, Charts]:
    page = ActivityPage(stage.context)
    stage.show(page, width)
    page.to_charts.click()
    assert page.charts is not None
    return page, page.charts


@pytest.mark.parametrize(
    ("highest", "step"), [(0, 1), (3, 1), (4, 1), (5, 2), (9, 5), (20, 5), (21, 10), (1234, 500), (0.03, 0.01)]
)
def test_lines_stand_at_round_numbers(highest: float, step: float) -> None:
    assert step_of(highest) == pytest.approx(step)


def test_the_numbers_are_those_of_the_store(stage: Stage, store: LivelyStore) -> None:
    call = ModelCall(RunId("run-plain"), "draft", "m", 1000, 200, 0.5, 5.0, "h", 1, "", store.now)
    ModelCalls(store.db, store.clock).model_call(call)
    _page, shown = charts(stage)
    runs = store.db.read("SELECT count(*) FROM runs")[0][0]
    assert shown.days[-1].mails == runs
    assert shown.kinds.summary.text().startswith(f"{runs} email")
    assert "0.50" in shown.use.summary.text()
    assert "tokens: 1200" in shown.use.summary.text()
    assert "336 ms" in shown.times.summary.text()
    assert shown.kinds.bars.accessibleDescription() == shown.kinds.summary.text()


def test_the_arrow_keys_walk_over_the_days(stage: Stage, store: LivelyStore) -> None:
    _page, shown = charts(stage)
    bars = shown.kinds.bars
    bars.setFocus()
    press("Left", on=bars)
    assert bars.current == 29
    assert "meeting request: 1" in bars.accessibleDescription()
    press("Home", on=bars)
    assert bars.current == 0
    assert "no emails checked" in bars.accessibleDescription()


def test_the_pointer_finds_a_bar(qtbot: QtBot, stage: Stage, store: LivelyStore) -> None:
    _page, shown = charts(stage)
    bars = shown.kinds.bars
    qtbot.mouseMove(bars, QPoint(bars.width() - 14, bars.height() // 2))
    assert bars.current == 29
    before = bars.grab().toImage()
    bars.choose(-1)
    assert bars.grab().toImage() != before


def test_the_table_says_the_same(stage: Stage, store: LivelyStore) -> None:
    _page, shown = charts(stage)
    assert shown.table.rowCount() == 0, "nobody looks at it"
    shown.as_table.click()
    assert shown.stack.currentWidget() is shown.table
    assert shown.table.rowCount() == 1
    assert shown.table.item(0, 1).text() == str(shown.days[-1].mails)
    assert "336 ms" in shown.table.item(0, 3).text()
    shown.as_table.click()
    assert shown.stack.currentIndex() == 0


def test_the_period_is_kept_and_asked_for(stage: Stage, store: LivelyStore) -> None:
    _page, shown = charts(stage)
    period: QComboBox = shown.period
    period.setCurrentIndex(period.findData(7))
    period.activated.emit(period.currentIndex())
    assert len(shown.days) == 7
    assert Charts(stage.context, lambda: None).period.currentData() == 7


def test_new_runs_are_drawn_and_the_way_back_leads_to_the_runs(qtbot: QtBot, stage: Stage, store: LivelyStore) -> None:
    page, shown = charts(stage)
    before = shown.days[-1].mails
    bars = shown.kinds.bars
    bars.setFocus()
    press("Home", on=bars)
    store.propose("plain-again", "m05", store.desk().review(store.reviews["plain"]).proposal.kind)
    stage.engine.tell(RunChanged(RunId("run-plain-again"), MessageId(0), "waiting"))
    qtbot.waitUntil(lambda: shown.days[-1].mails == before + 1, timeout=30_000)
    assert bars.current == 0, "whoever walks over the days goes on where they were"
    assert "no emails checked" in bars.accessibleDescription()
    assert page.go_back()
    assert page.panes.isVisible()
    assert page.model.rowCount() == before + 1


def test_a_file_that_cannot_be_read_is_told(stage: Stage, store: LivelyStore) -> None:
    page = ActivityPage(stage.context)
    stage.show(page)
    store.db.write("PRAGMA user_version = 9999")
    stage.reader.close()
    page.show_charts()
    assert page.charts.stack.currentIndex() == 2
    assert "newer Replyroom" in page.charts._state.accessibleName()


@pytest.mark.parametrize(("width", "across"), [(1200, 2), (500, 1)])
@pytest.mark.parametrize("size", [1.0, 1.25])
def test_nothing_is_cut_or_nameless(stage: Stage, store: LivelyStore, width: int, across: int, size: float) -> None:
    stage.appearance.apply("light", size)
    page, shown = charts(stage, width)
    QApplication.processEvents()
    assert len({card.x() for card in shown.cards}) == across
    assert cut(page) == []
    assert nameless(page) == []
    assert all(isinstance(card.bars, BarChart) for card in shown.cards)


@pytest.mark.parametrize("theme", ["dark", "contrast-light", "contrast-dark"])
def test_no_two_series_look_alike(qtbot: QtBot, qapp: QApplication, theme: str) -> None:
    appearance = Appearance(qapp)
    appearance.apply(theme, 1.0)
    shapes, pictures = set(), set()
    for token in TOKENS.values():
        swatch = Swatch(appearance, token)
        qtbot.addWidget(swatch)
        picture: QImage = swatch.grab().toImage()
        inside = [QColor(picture.pixel(x, y)) for x in range(3, 10) for y in range(3, 10)]
        ground = appearance.colour("surface")
        shapes.add(tuple(one == ground for one in inside))
        pictures.add(tuple(one.rgb() for one in inside))
    appearance.apply("light", 1.0)
    assert len(pictures) == len(TOKENS)
    assert len(shapes) == (len(TOKENS) if theme.startswith("contrast") else 1)


def test_bars_grow_with_their_values(stage: Stage, qtbot: QtBot) -> None:
    bars = BarChart(stage.appearance, "Test", str)
    qtbot.addWidget(bars)
    bars.resize(400, 200)

    def blue(value: float) -> int:
        bars.show_bars([Series("a", "accent", (value, 10.0))], ["x", "y"], ["x", "y"], "")
        picture, wanted = bars.grab().toImage(), stage.appearance.colour("accent").rgb()
        return sum(picture.pixel(x, y) == wanted for x in range(0, 400, 3) for y in range(0, 200, 3))

    assert blue(0.0) < blue(4.0) < blue(9.0)
