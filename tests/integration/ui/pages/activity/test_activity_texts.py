"""The activity page over a real store file."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from app.domain.agents.runs import Route, RunRecord, RunStatus
from app.domain.ids import RunId
from app.domain.protocol.events import RunChanged
from app.ui.pages.activity.activity_texts import node_words, parsed, status_chip
from app.ui.pages.activity.page import ActivityPage
from app.ui.pages.activity.timeline import LONGEST as LONGEST_TEXT
from app.ui.pages.activity.timeline import MOST_CHILDREN, Branch, Json, members, value_words
from fakes.engine.store.run_store import NODES, RunStore
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage, cut, nameless

LONGEST = max(latency for _, latency in NODES)


@pytest.fixture
def store(stage: Stage) -> Iterator[RunStore]:
    made = RunStore(stage.data.database)
    made.connect()
    yield made
    made.close()


def shown(stage: Stage, width: int = 1000) -> ActivityPage:
    page = ActivityPage(stage.context)
    stage.show(page, width)
    return page


def child(page: ActivityPage, *rows: int) -> QModelIndex:
    tree = page.detail.timeline
    index = QModelIndex()
    for row in rows:
        tree.expand(index)
        index = tree.model().index(row, 0, index)
    return index


def words(index: QModelIndex) -> tuple[str, str]:
    return str(index.data()), str(index.siblingAtColumn(1).data())


def tell(stage: Stage, run_id: RunId, status: RunStatus) -> None:
    from app.domain.ids import MessageId

    stage.engine.tell(RunChanged(run_id, MessageId(1), status.value))


def test_runs_newest_first_and_followed(stage: Stage, store: RunStore, qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    """A new run comes in on top; the chosen one stays chosen and follows its steps."""
    page = shown(stage)
    assert "Nothing here yet" in page.state.accessibleName()
    mails = store.mails()
    first = store.run("one", mails[0], RunStatus.RUNNING)
    store.runs.keep(RunRecord(first, route=Route.RESPONSE_AGENT))
    page.refresh()
    page.take_focus()
    assert page.model.rowCount() == 1
    page.list.opened.emit(page.model.id_at(0))
    held = QApplication.focusWidget()
    assert held.isVisible() and page.detail.isAncestorOf(held), "there are no steps yet"
    assert "the response agent" in page.detail.facts.text()
    assert page.detail.status.text() == "running"
    assert not page.detail.trace.isVisible()
    store.step(first, 0, "classify", 40.0)
    store.run("two", mails[1], RunStatus.WAITING, minutes=5)
    for _ in range(50):
        tell(stage, first, RunStatus.RUNNING)
    qtbot.waitUntil(lambda: page.model.rowCount() == 2)
    assert [page.model.index(row, 0).data().split(", ")[2] for row in (0, 1)] == ["waiting for you", "running"]
    qtbot.waitUntil(lambda: node_words("classify") in page.detail.trace.toPlainText())
    assert page.list.current_row() == 1
    qtmodeltester.check(page.model)
    stage.appearance.apply("light", 1.25)
    qtbot.wait(20)
    assert nameless(page) == []
    assert cut(page) == []


def test_the_timeline(stage: Stage, store: RunStore) -> None:
    """Nodes with latency bars, the error, and the fields before and after as a tree, by keyboard."""
    run_id = store.run("one", store.mails()[0], RunStatus.FAILED, error="The model gave no usable answer.", rule="suppliers")
    store.steps(run_id, failed="ModelUnavailable: nothing usable")
    page = shown(stage)
    page.take_focus()
    press("Return", on=page.list)
    assert QApplication.focusWidget() is page.detail.trace
    page.detail.more.click()
    assert page.detail.error.text() == "The model gave no usable answer."
    assert "suppliers" in page.detail.facts.text()
    tree = page.detail.timeline
    assert tree.model().rowCount() == len(NODES)
    shares = [tree.model().index(row, 1).data(Qt.ItemDataRole.UserRole + 12) for row in range(len(NODES))]
    assert shares == [pytest.approx(latency / LONGEST) for _, latency in NODES]
    tree.setCurrentIndex(tree.model().index(1, 0))
    press("Right", on=tree)
    assert tree.isExpanded(tree.model().index(1, 0))
    assert words(child(page, 1, 0)) == ("Before", "fields: 3")
    after = child(page, 1, 1)
    tree.expand(after)
    assert [words(child(page, 1, 1, row)) for row in range(3)] == [
        ("decision", "respond"),
        ("confidence", "0.914"),
        ("tool_results", "fields: 1"),
    ]
    assert words(child(page, 1, 1, 2, 0, 1)) == ("latency_ms", "31")
    last = len(NODES) - 1
    assert words(child(page, last, 0)) == ("Error", "ModelUnavailable: nothing usable")
    page.detail.open_mail.click()
    assert stage.neighbours.went == [("message", page.detail.message_id)]


def test_a_run_is_read_in_words_copied_and_saved(stage: Stage, store: RunStore, qtbot: QtBot) -> None:
    """What each step read, asked, used and wrote, without JSON; all data only with the technical details."""
    store.traced()
    page = shown(stage)
    page.take_focus()
    text = page.detail.trace.toPlainText().replace("\N{LINE SEPARATOR}", "\n")
    wanted = [
        node_words("classify"),
        "Read: “[OPS-31] Deploy failed” from sender1@example.org",
        "Asked the model: openai/gpt-5 to sort the email",
        "Sorted as: needs reply",
        "Why: It asks a question.",
        node_words("retrieve"),
        "Found: “Cena servisu a termín” from sender2@example.org",
        node_words("execute_tools"),
        "Used: See when you are free",
        "day: 2026-03-12",
        "→ free: all day",
        node_words("generate"),
        "Draft: Dear Ana,\nyes.",
    ]
    places = [text.find(one) for one in wanted]
    assert -1 not in places, wanted[places.index(-1)]
    assert places == sorted(places)
    assert "{" not in text
    page.detail.copy.click()
    copied = QApplication.clipboard().text()
    assert "    Draft: Dear Ana,\n        yes." in copied
    assert "{" not in copied
    page.detail.more.click()
    data = json.loads(page.detail.written().partition("\n[")[2].join(("[", "")))
    assert [row["step"] for row in data] == ["classify", "retrieve", "execute_tools", "generate", "review"]
    assert data[0]["read"]["email"]["text"]
    assert data[3]["wrote"]["draft_response"]["body"] == "Dear Ana,\nyes."
    assert data[2]["tools"] == [{"tool": "check_calendar", "arguments": {"day": "2026-03-12"}, "result": {"free": "all day"}}]
    page.detail.save.click()
    dialog = page.findChildren(QFileDialog)[0]
    dialog.fileSelected.emit(str(stage.data.root / "run.txt"))
    dialog.close()
    assert (stage.data.root / "run.txt").read_text(encoding="utf-8") == page.detail.written()


def test_a_run_is_opened_from_elsewhere(stage: Stage, store: RunStore) -> None:
    mails = store.mails()
    store.run("new", mails[1], RunStatus.DONE, minutes=9)
    old = store.run("old", mails[0], RunStatus.DONE)
    store.steps(old)
    page = shown(stage)
    page.show_charts()
    page.open_run(old)
    assert page.list.current_row() == 1
    assert page.detail.message_id == mails[0][0]
    assert QApplication.focusWidget() is page.detail.trace
    page.open_run(RunId("gone"))
    assert stage.neighbours.told[-1] == "This run is no longer stored."


def test_what_is_unfolded_deep_down_stays_so_while_others_run(stage: Stage, store: RunStore, qtbot: QtBot) -> None:
    run_id = store.run("one", store.mails()[0], RunStatus.DONE)
    store.steps(run_id)
    page = shown(stage)
    page.take_focus()
    tree = page.detail.timeline
    page.detail.more.click()
    tree.expand(tree.model().index(1, 0))
    tree.expand(child(page, 1, 1))
    tree.setCurrentIndex(child(page, 1, 1, 2))
    other = store.run("two", store.mails()[1], RunStatus.RUNNING)
    tell(stage, other, RunStatus.RUNNING)
    qtbot.waitUntil(lambda: page.model.rowCount() == 2, timeout=30_000)
    assert tree.isExpanded(child(page, 1, 1))
    assert tree.currentIndex() == child(page, 1, 1, 2)


def test_a_narrow_window_shows_one_pane(stage: Stage, store: RunStore) -> None:
    store.steps(store.run("one", store.mails()[0], RunStatus.DONE))
    page = shown(stage, 600)
    page.take_focus()
    assert not page.detail.isVisible()
    press("Return", on=page.list)
    assert page.detail.isVisible()
    page.detail.back_button.click()
    assert page.list.isVisible()
    assert not page.go_back()


def test_every_status_has_words_and_a_tone() -> None:
    assert len({status_chip(status).text for status in RunStatus}) == len(RunStatus)
    assert node_words("agent_step") == "agent step"


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_opening_everything_shows_every_member(value: Json) -> None:

    def check(item: Branch, value: Json) -> None:
        item.open()
        item.open()
        inside = members(value)
        assert [item.child(row).text(0) for row in range(item.childCount())] == [name for name, _ in inside]
        for row, (_, one) in enumerate(inside):
            check(item.child(row), one)

    assert parsed(json.dumps(value)) == value
    check(Branch("x", value), value)


def test_text_that_is_no_json_is_shown_as_it_stands() -> None:
    for text in ("{cut", "[" * 200_000):
        assert parsed(text) == text


def test_long_things_are_cut_honestly() -> None:
    """Long text ends in an ellipsis and keeps its whole in the tooltip; long lists say how many more."""
    text = "x" * (LONGEST_TEXT + 1)
    assert value_words(text).endswith("…")
    assert Branch("a", text).toolTip(1) == text
    item = Branch("a", list(range(MOST_CHILDREN + 7)))
    item.open()
    assert item.childCount() == MOST_CHILDREN + 1
    assert "7" in item.child(MOST_CHILDREN).text(1)
