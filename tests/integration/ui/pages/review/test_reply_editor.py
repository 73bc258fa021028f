"""The draft editor: bodies and spans go in and come out alike; slots are chips and never text."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from app.domain.drafting.draft import Span, SpanKind
from app.ui.editor.slots import OBJECT
from app.ui.pages.review.reply_editor import DraftEditor
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage

BODY = "Hello Ana,\n\nit arrives by Friday 😀.\n\nKind regards"
FRIDAY = BODY.index("by Friday")
SLOT = BODY.index("\n\nKind")
SPANS = (
    Span(FRIDAY, FRIDAY + 9, SpanKind.UNSUPPORTED, "stands in no source"),
    Span(SLOT, SLOT, SpanKind.OPEN_SLOT, "your answer"),
    Span(len(BODY), len(BODY), SpanKind.OPEN_SLOT, "your name"),
)


@pytest.fixture
def editor(qtbot: QtBot, stage: Stage) -> DraftEditor:
    made = DraftEditor(stage.appearance)
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.show()
    return made


bodies = st.text(alphabet=st.sampled_from("ab \n😀é山"), max_size=40)


@given(bodies, st.lists(st.integers(0, 40), max_size=4), st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), max_size=3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_draft_comes_out_as_it_went_in(
    editor: DraftEditor, body: str, places: list[int], marks: list[tuple[int, int]]
) -> None:
    slots = [Span(min(at, len(body)), min(at, len(body)), SpanKind.OPEN_SLOT, f"slot {n}") for n, at in enumerate(sorted(places))]
    spans = [
        Span(start, min(start + length, len(body)), SpanKind.FROM_SOURCE, "from a mail")
        for start, length in marks
        if start < len(body)
    ]
    editor.set_draft(body, tuple(slots + spans))
    out_body, out_spans = editor.draft()
    assert out_body == body
    assert [span for span in out_spans if span.kind is SpanKind.OPEN_SLOT] == slots
    kept = sorted((span.start, span.end) for span in out_spans if span.kind is SpanKind.FROM_SOURCE)
    assert kept == sorted((span.start, span.end) for span in spans)


def test_tab_jumps_between_slots_and_around(editor: DraftEditor) -> None:
    editor.set_draft(BODY, SPANS)
    editor.setFocus()
    chosen = []
    for _ in range(3):
        press("Tab", on=editor)
        chosen.append(editor.textCursor().selectionStart())
    assert chosen[0] != chosen[1]
    assert chosen[0] == chosen[2]
    press("Backtab", on=editor)
    assert editor.textCursor().selectionStart() == chosen[1]
    assert editor.hasFocus()
    editor.set_draft("plain", ())
    press("Tab", on=editor)
    assert editor.draft()[0] == "plain", "without slots Tab leaves the editor"


def test_typing_over_a_slot_fills_it(qtbot: QtBot, editor: DraftEditor) -> None:
    editor.set_draft(BODY, SPANS)
    editor.select_slot(from_start=True)
    press("Delete", on=editor)
    assert (editor.draft()[0], editor.slots) == (BODY, ("your name",))
    editor.undo()
    assert editor.slots == ("your answer", "your name")
    editor.select_slot(from_start=True)
    qtbot.keyClicks(editor, "Yes")
    body, spans = editor.draft()
    assert body == BODY[:SLOT] + "Yes" + BODY[SLOT:]
    assert editor.slots == ("your name",)
    assert spans[0] == SPANS[0]


def test_marks_move_with_the_text_and_die_with_it(qtbot: QtBot, editor: DraftEditor) -> None:
    editor.set_draft(BODY, SPANS[:1])
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    qtbot.keyClicks(editor, "PS ")
    assert editor.draft()[1][0].start == FRIDAY + 3
    editor.selectAll()
    press("Delete", on=editor)
    assert editor.draft() == ("", ())


def test_pasted_objects_and_rich_text_are_plain(editor: DraftEditor) -> None:
    editor.set_draft("", ())
    data = QMimeData()
    data.setText(f"a{OBJECT}b")
    data.setHtml("<b>bold</b>")
    editor.insertFromMimeData(data)
    assert editor.draft() == ("ab", ())


def test_notes_are_told_where_they_stand(editor: DraftEditor) -> None:
    editor.set_draft(BODY, SPANS)
    assert editor.note_at(FRIDAY + 2) == "stands in no source"
    assert editor.note_at(0) == ""
    raw = editor.document().toRawText()
    position = len(raw[: raw.index(OBJECT)].encode("utf-16-le")) // 2
    assert editor.note_at(position) == "your answer"


def test_a_click_on_a_slot_selects_it(qtbot: QtBot, editor: DraftEditor) -> None:
    editor.set_draft("A: ", (Span(3, 3, SpanKind.OPEN_SLOT, "your answer"),))
    cursor = QTextCursor(editor.document())
    cursor.setPosition(3)
    spot = editor.cursorRect(cursor).center()
    spot.setX(spot.x() + 12)
    qtbot.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert editor.textCursor().selectedText() == OBJECT
