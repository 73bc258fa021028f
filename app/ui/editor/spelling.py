"""Spell checking in an editor. Underlines unknown words and offers suggestions in the context menu. The engine has the
dictionaries.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QSettings
from PySide6.QtGui import QContextMenuEvent, QSyntaxHighlighter, QTextCharFormat, QTextCursor, QTextLayout
from PySide6.QtWidgets import QMenu, QTextEdit

from app.domain.errors import ExpectedError
from app.domain.ids import MessageId
from app.domain.protocol.queries import CheckSpelling, Misspelled, Suggestions, SuggestSpelling
from app.ui.context import Context
from app.ui.editor.recipient_field import RecipientField
from app.ui.editor.slots import Positions
from app.ui.services.async_task import AsyncTask, EngineQuestion, loop_runs, single_shot
from app.ui.session.typed_text import SPELLING

TYPED_MS = 600
LONGEST_SEARCHED = 20_000
"""Characters of the answered message in which names are looked for."""
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


class Underliner(QSyntaxHighlighter):
    """Underlines the words in `wrong` without changing the document."""

    def __init__(self, editor: QTextEdit, context: Context) -> None:
        super().__init__(editor.document())
        self._context = context
        self.wrong: frozenset[str] = frozenset()

    def mark(self, wrong: frozenset[str]) -> None:
        """Underlines these words from now on. In one edit block: `rehighlight` lays out the rest of a letter after each line."""
        self.wrong = wrong
        document = self.document()
        quiet = document.blockSignals(True)  # no text changes
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        block = document.begin()
        while block.isValid():
            marks, layout = self._ranges(block.text()), block.layout()
            if marks or layout.formats():
                layout.setFormats(marks)
            block = block.next()
        cursor.endEditBlock()
        document.blockSignals(quiet)

    def highlightBlock(self, text: str) -> None:
        for mark in self._ranges(text):
            self.setFormat(mark.start, mark.length, mark.format)

    def _ranges(self, text: str) -> list[QTextLayout.FormatRange]:
        found: list[QTextLayout.FormatRange] = []
        if not self.wrong:
            return found
        form = QTextCharFormat()
        form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SpellCheckUnderline)
        form.setUnderlineColor(self._context.appearance.colour("danger"))
        places = Positions(text)
        for word in WORD.finditer(text):
            if word.group() in self.wrong:
                mark = QTextLayout.FormatRange()
                mark.start, mark.format = places.position(word.start()), form
                mark.length = places.position(word.end()) - mark.start
                found.append(mark)
        return found


class SpellMarks(QObject):
    """Attached to one editor. Asks the engine a moment after the last key. Names in the message that is answered, if any, and
    among its people and those in `fields` are not marked.
    """

    def __init__(
        self, editor: QTextEdit, context: Context, answered: Callable[[], MessageId], fields: Sequence[RecipientField]
    ) -> None:
        super().__init__(editor)
        self._editor, self._context, self._answered, self._fields = editor, context, answered, tuple(fields)
        self.marks = Underliner(editor, context)
        self._language = ""
        self._asked = ""
        self._asking, self._offering = EngineQuestion(context.link, self), AsyncTask(self)
        self._timer = single_shot(self, self.check_now, TYPED_MS)
        editor.textChanged.connect(self._timer.start)
        editor.viewport().installEventFilter(self)
        editor.installEventFilter(self)

    def check_now(self) -> None:
        """Checks the current text unless it was checked already."""
        text = self._editor.toPlainText()
        if text == self._asked or self._editor.isReadOnly() or not loop_runs():
            return
        self._asked = text
        self._asking.ask(CheckSpelling(text), self._show, lambda _error: None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Opens the context menu with suggestions for a marked word."""
        if not isinstance(event, QContextMenuEvent) or not loop_runs():
            return False
        typed = event.reason() is QContextMenuEvent.Reason.Keyboard
        cursor = self._editor.textCursor() if typed else self._editor.cursorForPosition(event.pos())
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        if cursor.selectedText() not in self.marks.wrong:
            return False
        at = self._editor.viewport().mapToGlobal(self._editor.cursorRect(cursor).bottomLeft()) if typed else event.globalPos()
        self._offering.begin(self.offer(cursor, at))
        return True

    async def offer(self, cursor: QTextCursor, at: QPoint) -> QMenu:
        word = cursor.selectedText()
        try:
            answer = await self._context.link.ask(SuggestSpelling(word, self._language))
        except ExpectedError:
            answer = Suggestions(())
        assert isinstance(answer, Suggestions)
        menu = self._editor.createStandardContextMenu()
        usual, font = menu.actions(), menu.font()
        font.setBold(True)
        for one in answer.words:
            menu.addAction(one, partial(cursor.insertText, one)).setFont(font)
        if not answer.words:
            menu.addAction(self.tr("No suggestion")).setEnabled(False)
        menu.addAction(self.tr("Add “%1” to dictionary").replace("%1", word), partial(self.learn, word))
        menu.addSeparator()
        menu.addActions(usual)  # moves them behind the suggestions
        menu.popup(at)
        return menu

    def learn(self, word: str) -> None:
        """Adds a word to the user's dictionary, with undo."""

        def unlearn() -> None:
            teach(self._context.state, word, False)
            self._asked = ""
            self.check_now()

        teach(self._context.state, word, True)
        self.marks.mark(self.marks.wrong - {word})
        words = self.tr("“%1” was added to your dictionary.").replace("%1", word)
        self._context.notices.tell(words, self.tr("Undo"), unlearn)

    def _show(self, answer: Misspelled) -> None:
        wrong = frozenset(answer.words) - known_words(self._context.state)
        self._language = answer.language
        wrong = wrong - self._names() if wrong else wrong
        if wrong != self.marks.wrong:
            self.marks.mark(wrong)

    def _names(self) -> frozenset[str]:
        """The words with a capital beside the text, with the possessive as well."""
        message = None
        with suppress(ExpectedError):  # then its names are marked
            message = self._context.reader.message(self._answered())
        people = [one for field in self._fields for one in field.addresses]
        texts: list[str] = []
        if message is not None:
            people += [message.sender, *message.to, *message.cc]
            texts += [message.subject, message.body_text[:LONGEST_SEARCHED]]
        found = (word for text in (*texts, *(one.name for one in people)) for word in WORD.findall(text))
        names = frozenset(word for word in found if word[0].isupper())
        return names.union(*({f"{one}'s", f"{one}’s"} for one in names))


def known_words(state: QSettings) -> frozenset[str]:
    found = state.value(SPELLING)
    return frozenset(map(str, found)) if isinstance(found, list) else frozenset({str(found)} if found else ())


def teach(state: QSettings, word: str, known: bool) -> None:
    others = known_words(state) - {word}
    state.setValue(SPELLING, sorted(others | {word} if known else others))
