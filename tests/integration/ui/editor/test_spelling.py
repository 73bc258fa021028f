"""Spelling marks in the real editor: asked once, underlined, replaced, learned."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QTextEdit

from app.domain.ids import MessageId
from app.domain.mail.message import Address
from app.domain.protocol.queries import CheckSpelling, Misspelled, Suggestions, SuggestSpelling
from app.ui.editor.recipient_field import RecipientContext, RecipientField
from app.ui.editor.slots import Positions
from app.ui.editor.spelling import SpellMarks, known_words
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.page_setup import Stage, until


def underlined(editor: QTextEdit) -> list[str]:
    found, block = [], editor.document().begin()
    while block.isValid():
        text = block.text().encode("utf-16-le")
        found += [text[2 * one.start : 2 * (one.start + one.length)].decode("utf-16-le") for one in block.layout().formats()]
        block = block.next()
    return found


async def test_wrong_words_are_marked_and_replaced(stage: Stage) -> None:
    editor = QTextEdit()
    marks = SpellMarks(editor, stage.context, lambda: MessageId(0), ())
    editor.setPlainText("🙂 a sentense\nand erors")
    marks.check_now()
    marks.check_now()
    await until(lambda: stage.engine.queries == [CheckSpelling("🙂 a sentense\nand erors")])
    stage.engine.answer(Misspelled(("sentense", "erors"), "en"))
    await until(lambda: underlined(editor) == ["sentense", "erors"])
    assert editor.toPlainText() == "🙂 a sentense\nand erors"
    cursor = editor.document().find("sentense")
    asked = asyncio.ensure_future(marks.offer(QTextCursor(cursor), QPoint(0, 0)))
    await until(lambda: stage.engine.queries[-1] == SuggestSpelling("sentense", "en"))
    stage.engine.answer(Suggestions(("sentence", "sen tense")))
    menu = await asked
    assert [one.text() for one in menu.actions()[:2]] == ["sentence", "sen tense"]
    menu.actions()[0].trigger()
    menu.close()
    assert editor.toPlainText() == "🙂 a sentence\nand erors"
    editor.undo()
    assert "sentense" in editor.toPlainText()
    editor.deleteLater()


async def test_names_beside_the_text_are_no_errors(filled: LivelyStore, stage: Stage) -> None:
    editor, field = QTextEdit(), RecipientField("To")
    around = RecipientContext(frozenset(), frozenset(), frozenset())
    field.show_addresses((Address("erin@partner.example", "Erin Brandt"),), around)
    filled.copied(stage.data.database).close()
    answered = filled.mails["m04"].id
    marks = SpellMarks(editor, stage.context, lambda: answered, (field,))
    editor.setPlainText("Erin Brandt's and Wong's erors")
    marks.check_now()
    await until(lambda: bool(stage.engine.queries))
    stage.engine.answer(Misspelled(("Brandt's", "Wong's", "erors"), "en"))
    await until(lambda: underlined(editor) == ["erors"])
    editor.deleteLater()


def test_a_word_is_learned(stage: Stage) -> None:
    editor = QTextEdit()
    marks = SpellMarks(editor, stage.context, lambda: MessageId(0), ())
    editor.setPlainText("Replyroom erors")
    marks.marks.wrong = frozenset({"Replyroom", "erors"})
    marks.learn("Replyroom")
    assert underlined(editor) == ["erors"]
    assert known_words(stage.context.state) == {"Replyroom"}
    marks.learn("erors")
    assert known_words(stage.context.state) == {"Replyroom", "erors"}
    assert "erors" in stage.neighbours.told[-1]
    editor.deleteLater()


def test_marks_follow_what_is_typed_and_change_no_text(stage: Stage) -> None:
    editor = QTextEdit()
    marks = SpellMarks(editor, stage.context, lambda: MessageId(0), ())
    editor.setPlainText("\n".join(["🙂 some erors and erors"] * 500))
    told: list[bool] = []
    editor.textChanged.connect(lambda: told.append(True))
    marks.marks.mark(frozenset({"erors"}))
    assert underlined(editor) == ["erors"] * 1000
    assert told == []
    QTextCursor(editor.document()).insertText("More erors\n")
    assert underlined(editor) == ["erors"] * 1001
    editor.deleteLater()


texts = st.text(alphabet=st.sampled_from("ab\n😀é山𝒳"), max_size=30)


@given(texts)
def test_positions_count_utf16_units(text: str) -> None:
    places = Positions(text)
    for at in range(len(text) + 2):
        assert places.position(at) == len(text[:at].encode("utf-16-le")) // 2
        assert places.offset(places.position(at)) == min(at, len(text))
